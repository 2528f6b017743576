/** Which files Python and Node code writes, by the names in the code. */

import { nameOf } from './program.ts'
import type { Run } from './steps.ts'

interface Language {
  /** Programs that run it, and the option before code on their command line. */
  programs: RegExp
  option: RegExp
  /** A text over several lines begins or ends. */
  quotes: RegExp
  /** Lines that may not run, and what ends the code before the rest has run. */
  unsure: RegExp
  exit: RegExp
  /** `name = 'path'`, and what writes a path: `text` in quotes, or `name`. */
  binding: RegExp
  writes: readonly RegExp[]
}

const pythonPath = String.raw`(?:(?:pathlib\.)?Path\(\s*r?(['"])(?<text>[^'"\\\n]+)\1\s*\)|(?<name>[A-Za-z_]\w*))`
const python: Language = {
  programs: /^(?:python|pypy)[\d.]*$/,
  option: /^-[a-zA-Z]*c$/,
  quotes: /'''|"""/g,
  unsure: /^(?:if|elif|else|for|while|def|class|try|except|finally|match|case|async|@)|\blambda\b/,
  exit: /\b(?:exit|_exit|quit)\(\s*0?\s*\)|\bSystemExit(?:\(\s*0?\s*\))?\s*(?:$|[;#\n])/,
  binding:
    /(?:^|;\s*)(?<name>[A-Za-z_]\w*)\s*=\s*(?:(?:pathlib\.)?Path\(\s*)?r?(['"])(?<text>[^'"\\\n]+)\2\s*\)?\s*(?=[;#]|$)/g,
  writes: [
    new RegExp(String.raw`(?:^|;\s*)${pythonPath}\.write_(?:text|bytes)\(`, 'g'),
    new RegExp(String.raw`(?<![\w.])${pythonPath}\.open\(\s*(?:mode\s*=\s*)?['"][wax]`, 'g'),
    /(?<![\w.])open\(\s*(?:r?(['"])(?<text>[^'"\\\n]+)\1|(?<name>[A-Za-z_]\w*))\s*,\s*(?:mode\s*=\s*)?['"][wax]/g,
  ],
}
const node: Language = {
  programs: /^(?:node|nodejs|bun)$/,
  option: /^(?:-e|--eval|-p|--print)$/,
  quotes: /(?<!\\)`/g,
  unsure: /^(?:if|else|for|while|do|function|async function|class|switch|case|try|catch)\b/,
  exit: /\bprocess\.exit\(\s*0?\s*\)/,
  binding: /(?:^|;\s*)(?:const|let|var)\s+(?<name>\w+)\s*=\s*(['"`])(?<text>[^'"`\\$\n]+)\2\s*(?=;|$)/g,
  writes: [
    /(?:^|[;}]\s*)(?:await\s+)?(?:[\w.]+\.)?(?:write|append)File(?:Sync)?\(\s*(?:(['"`])(?<text>[^'"`\\$\n]+)\1|(?<name>\w+))\s*,/g,
  ],
}

/** Longest code that is read, and longest line of it, in UTF-16 units. */
const maxCode = 50_000
const maxLine = 2000

/** Code that writes a file contains one of these. */
export const codeHints: RegExp = /\bwrite_(?:text|bytes)\b|\bopen\(|\b(?:write|append)File/

/**
 * Files that the code of a run writes if it runs to its end, by the names in the code. Only lines without indentation count,
 * because it is not known what a condition, a loop or a function does.
 */
export function filesOfCode(run: Run): string[] {
  const program = nameOf(run)?.toLowerCase() ?? ''
  const language = [python, node].find(({ programs }) => programs.test(program))
  const code = language && codeOf(run, language)
  if (language === undefined || code === undefined || code.length > maxCode) return []
  return codeHints.test(code) && !language.exit.test(code) ? writtenBy(topLines(code, language), language) : []
}

function writtenBy(lines: readonly string[], { binding, writes }: Language): string[] {
  const names = new Map<string, string>()
  const paths: (string | undefined)[] = []
  for (const line of lines) {
    for (const { groups } of line.matchAll(binding)) {
      const { name = '', text = '' } = groups ?? {}
      // A name that is bound twice may have either value.
      names.set(name, names.has(name) ? '' : text)
    }
    const found = writes.flatMap((write) => [...line.matchAll(write)]).filter(({ index }) => !isQuoted(line, index))
    for (const { groups } of found) paths.push(groups?.['text'] ?? names.get(groups?.['name'] ?? ''))
  }
  return paths.flatMap((path) => path || [])
}

/** The code that an option gives, or the input if the program is given no file. */
function codeOf({ words, input }: Run, { option }: Language): string | undefined {
  const at = words.findIndex((word, index) => index > 0 && option.test(word))
  if (at > 0) return words[at + 1]
  return words.slice(1).every((word) => word.startsWith('-')) ? input : undefined
}

/** Lines without indentation that certainly run, outside of strings over several lines. */
function topLines(code: string, { quotes, unsure }: Language): string[] {
  let isText = false
  return code.split('\n').filter((line) => {
    const wasText = isText
    const marks = line.match(quotes)?.length ?? 0
    if (marks % 2 === 1) isText = !isText
    return !wasText && /^\S/.test(line) && line.length <= maxLine && !unsure.test(line)
  })
}

/** Whether an offset is in quotes on its line. */
function isQuoted(line: string, offset: number): boolean {
  let quote = ''
  for (let at = 0; at < offset; at++) {
    const char = line.charAt(at)
    if (char === '\\') at++
    else if (quote === '' ? /['"`]/.test(char) : char === quote) quote = quote === '' ? char : ''
  }
  return quote !== ''
}
