/**
 * Joins the parts of scripts, written as ES modules, to one classic script, for browsers load no module from `file:`, and the
 * parts of a style sheet to one, without what only those who write them read.
 */

/** A part, named without `.js`. */
export interface ScriptPart {
  name: string
  source: string
}

/**
 * Joins parts to one script in strict mode. A part imports by name, on one line or several, from parts before it;
 * whatever it does not export it has to itself. Indentation and lines that hold a comment alone are left out.
 * @throws Error for an import or export of any other form, and for one that leads nowhere.
 */
export function linkScript(parts: readonly ScriptPart[]): string {
  const exportsOf = new Map<string, readonly string[]>()
  const linked = parts.map((part) => {
    const names: string[] = []
    const source = withoutIndentation(part.source.replace(comments, ''))
      .replace(imports, importer(part, exportsOf))
      .replace(exported, (_, declaration, name) => {
        names.push(name)
        return declaration
      })
    const odd = /^(?:import|export)\b(?!\().*/m.exec(source)?.[0]
    if (odd !== undefined) throw new Error(`\`${part.name}.js\` has an import or export that cannot be linked: ${odd}`)
    if (taken.test(part.source) && part.source.search(imports) !== -1)
      throw new Error(`\`${part.name}.js\` imports from other parts and declares \`parts\`, by which they are linked`)
    exportsOf.set(part.name, names)
    return `parts['${part.name}'] = (() => {\n${source.trim()}\nreturn { ${names.join(', ')} }\n})()`
  })
  // A block, so that no name becomes one of the page's.
  return `'use strict';{\nconst parts = {};\n${linked.join(';\n')}\n}\n`
}

const comments = /^[ \t]*(?:\/\/.*|\/\*\*(?:[^*]|\*(?!\/))*\*\/[ \t]*)\n/gm
const imports = /^import \{([^}]*)\} from '\.\/([\w-]+)\.js';?$/gm
const taken = /^(?:export )?(?:const|let|var|function|class) parts\b/m
const exported = /^export ((?:(?:async )?function\*?|const|class) (\w+))/gm

/** Leaves white space alone where it may be part of a string: a template or a string that goes on over a line's end. */
function withoutIndentation(source: string): string {
  const goesOn = (line: string) =>
    line.endsWith('\\') || (line.includes('`') && (line.match(/(?<!\\)`/g) ?? []).length % 2 === 1)
  return source.split('\n').some(goesOn) ? source : source.replace(/^\s+/gm, '')
}

/** Makes an import a reading of what an earlier part gave. */
function importer(part: ScriptPart, exportsOf: ReadonlyMap<string, readonly string[]>) {
  return (_: string, list: string, from: string): string => {
    const names = list.split(',').flatMap((entry) => entry.trim().match(/^\w+/)?.[0] ?? [])
    const known = exportsOf.get(from)
    if (known === undefined)
      throw new Error(`\`${part.name}.js\` imports from \`${from}.js\`, which is not a part before it`)
    const missing = names.find((name) => !known.includes(name))
    if (missing !== undefined)
      throw new Error(`\`${part.name}.js\` imports \`${missing}\`, which \`${from}.js\` does not export`)
    return `const {${list.replace(/\b as \b/g, ': ')}} = parts['${from}']`
  }
}

/** A string, which stays; comments with the white space around them, or the white space that begins a line. */
const token = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?:\s*\/\*.*?\*\/)+\s*|\n\s+/gs

/** Joins parts of a style sheet in their order, without comments, indentation and empty lines. */
export function linkStyle(parts: readonly string[]): string {
  // Something stays between words: a comment parts them too.
  const text = parts.join('\n').replace(token, (all, string) => string ?? (all.includes('\n') ? '\n' : ' '))
  return `${text.trim()}\n`
}
