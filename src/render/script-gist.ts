/** What a code-mode script is about, in a few words. */

/** A command that a script runs: `cmd: "…"`, with or without quotes around the name. */
const commandOf = /\bcmd["']?\s*:\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g
/** A file of a patch text in a string of a script, or in a template. */
const patchedFile = /\*\*\* (?:Add|Update|Delete) File: (.+?)(?=\\n|\n|["'`])/g
const toolCalled = /\btools\.(\w+)\s*\(/g

/** Scripts may be long; what they are about stands at their beginning. */
const longest = 4096

/**
 * The commands that a script runs, else the files that it patches, else the tools that it calls; `undefined` where it
 * names none. Read by pattern and only for a heading: the script itself stands below it.
 */
export function scriptGist(script: string): string | undefined {
  const text = script.slice(0, longest)
  const commands = [...text.matchAll(commandOf)].map(([, quoted = '']) => unquoted(quoted))
  if (commands.length > 0) return commands.join(' · ')
  const files = [...text.matchAll(patchedFile)].map(([, path = '']) => path)
  if (files.length > 0) return `patch ${[...new Set(files)].join(', ')}`
  const tools = [...text.matchAll(toolCalled)].map(([, name = '']) => name)
  return tools.length > 0 ? [...new Set(tools)].join(', ') : undefined
}

/** The text of a quoted string, its first line only. */
function unquoted(quoted: string): string {
  const inner = quoted.slice(1, -1)
  const plain = inner.replace(/\\(.)/g, (_all, character: string) => ({ n: '\n', t: '\t' })[character] ?? character)
  return plain.trim().split('\n')[0] ?? ''
}
