/** Which parts below `templates/` make the style sheets and the scripts of a site, in which order, and how they are joined. */

/** Name of a part, without its extension; `as` where it stands in for another that the parts behind it import. */
export type ScriptName = string | { part: string; as: string }

/** Parts of the style sheet; `tokens` orders the layers. */
export const styles: readonly string[] = [
  ...['tokens', 'base', 'top', 'layout', 'prose', 'session', 'side', 'timeline', 'items', 'work', 'story', 'code'],
  ...['agent', 'times', 'find', 'lines', 'lists', 'home', 'plots', 'search', 'controls', 'edges', 'theme', 'print'],
]

/** Parts of the style of the page for what is not there. */
export const plainStyles: readonly string[] = ['tokens', 'base', 'plain']

/** Its script. */
export const plainScripts: readonly ScriptName[] = ['way-home']

/** What every page can do. */
export const pageScripts: readonly ScriptName[] = [
  ...['make', 'dom', 'keep', 'address', 'theme', 'hold', 'walk', 'folds', 'views', 'places', 'outline', 'times'],
  ...['copy', 'changes', 'pictures', 'help', 'keys'],
]

/** What needs other files of the site. */
export const siteScripts: readonly ScriptName[] = [
  ...['site-file', 'curation-call', 'calendar', 'filters-call', 'arrange', 'search-call', 'search', 'find-load'],
  ...['work-open', 'find-call', 'sieve', 'offline'],
]

/** Controls and answers of the search. They ask `search-open`, which says where answers come from. */
const boxScripts: readonly ScriptName[] = [
  ...['find-text', 'marks', 'search-state', 'search-hits', 'search-fields', 'search-complete', 'search-box'],
]

/** The script with those, which a page of the site loads on first use. */
export const panelScripts: readonly ScriptName[] = [
  ...['make', 'keep', 'address', 'site-file', 'search-open', 'signs', 'search-days', 'search-grammar'],
  ...['search-parts', 'search-query', 'hold', 'search-recent', ...boxScripts],
  'search-hand',
]

/** The find of a session, which a page of the site loads on first use. */
export const findScripts: readonly ScriptName[] = [
  ...['make', 'address', 'site-file', 'hold', 'signs'],
  ...['find-text', 'find-pages', 'find-shown', 'find-bar', 'find-hand'],
]

/** Stars, tags and notes of the reader, which a page of the site loads where there are some, or on first use. */
export const curationScripts: readonly ScriptName[] = [
  ...['make', 'keep', 'address', 'curation-kept', 'curation-shown', 'curation-panel', 'curation-hand'],
]

/** The filters of the start page, which it loads on first use. */
export const filterScripts: readonly ScriptName[] = [
  ...['make', 'address', 'site-file', 'catalog', 'rows', 'filters', 'filters-hand'],
]

/** What a page that stands alone has in place of all that: the search and the find of what it holds itself. */
export const aloneScripts: readonly ScriptName[] = [
  ...['signs', 'search-days', 'search-grammar', 'search-parts', 'search-query', 'search-places'],
  ...[{ part: 'search-inside', as: 'search-open' }, { part: 'search-forget', as: 'search-recent' }, ...boxScripts],
  ...[{ part: 'search-near', as: 'search-call' }, 'search'],
  ...[{ part: 'find-alone', as: 'find-pages' }, 'find-shown', 'find-bar'],
  ...[{ part: 'find-near', as: 'find-load' }, 'find-call'],
]

/** The script that searches the index of a site, loaded on first use. */
export const searchScripts: readonly ScriptName[] = [
  ...['site-file', 'signs', 'search-days', 'search-grammar', 'search-parts', 'search-query', 'search-places'],
  ...['search-words', 'search-sessions', 'search-ask', 'search-load', 'search-pages', 'search-engine'],
]

/** What stands in for parts of these scripts in a locked site; `undefined` where there is nothing for them to do. */
const lockedParts: Readonly<Record<string, string | undefined>> = {
  address: 'lock-address',
  'curation-call': 'lock-curation',
  'site-file': 'lock-file',
  'search-load': 'lock-load',
  'search-recent': 'search-forget',
  offline: undefined,
  'work-open': undefined,
}

/** Parts of a script in a locked site. */
export function inLockedSite(names: readonly ScriptName[]): ScriptName[] {
  return names.flatMap((name): ScriptName[] => {
    if (typeof name !== 'string' || !Object.hasOwn(lockedParts, name)) return [name]
    const part = lockedParts[name]
    return part === undefined ? [] : [{ part, as: name }]
  })
}

/** Parts of the style sheet of the login page of a locked site, below `templates/`. */
export const lockStyles: readonly string[] = ['assets/tokens', 'assets/base', 'lock/lock']

/** Parts of its script, below `templates/lock/`. */
export const lockScripts: readonly string[] = [
  ...['bytes', 'keys', 'sealed', 'kept', 'files', 'links', 'scroll', 'pictures', 'page', 'text', 'lock'],
]

// Parts of scripts, written as ES modules, become one classic script, for browsers load no module from `file:`; those of a style
// sheet become one, without what only those who write them read.

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
