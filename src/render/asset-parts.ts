/** Which parts below `templates/` make the style sheets and the scripts of a site, in which order, and how they are joined. */

/** A part's path below `templates/assets`, without `.js`; `as` if it stands in for another that later parts import. */
export type ScriptName = string | { part: string; as: string }

/** Parts of the style sheet; `tokens` orders the layers. */
export const styles: readonly string[] = [
  ...['tokens', 'base', 'top', 'layout', 'prose', 'session', 'side', 'timeline', 'items', 'work', 'story', 'code'],
  ...['agent', 'times', 'find', 'lines', 'lists', 'home', 'plots', 'search', 'controls', 'edges', 'theme', 'print'],
]

/** Parts of the style of the page for what is not there. */
export const plainStyles: readonly string[] = ['tokens', 'base', 'plain']

/** Its script. */
export const plainScripts: readonly ScriptName[] = ['page/way-home']

/** What every page can do. */
export const pageScripts: readonly ScriptName[] = [
  ...partsIn(
    'page',
    'make dom keep address theme hold walk folds views places outline times copy changes pictures help keys',
  ),
]

/** What needs other files of the site. */
export const siteScripts: readonly ScriptName[] = [
  ...['page/site-file', 'curation/load'],
  ...partsIn('lists', 'calendar load-filters arrange'),
  ...['search/load-box', 'search/open', 'find/load', 'page/work-open', 'find/open', 'lists/sieve', 'page/offline'],
]

/** How questions are read. */
const queryScripts = partsIn('search', 'signs days grammar parts query')

/** Controls and answers of the search. They ask `search/load-index`, which says where answers come from. */
const boxScripts: readonly ScriptName[] = ['find/text', ...partsIn('search', 'marks state hits fields complete box')]

/** The script with those, which a page of the site loads on first use. */
export const panelScripts: readonly ScriptName[] = [
  ...partsIn('page', 'make keep address site-file'),
  'search/load-index',
  ...queryScripts,
  ...['page/hold', 'search/recent', ...boxScripts, 'search/entry'],
]

/** The find of a session, which a page of the site loads on first use. */
export const findScripts: readonly ScriptName[] = [
  ...partsIn('page', 'make address site-file hold'),
  'search/signs',
  ...partsIn('find', 'text pages shown bar entry'),
]

/** Stars, tags and notes of the reader, which a page of the site loads where there are some, or on first use. */
export const curationScripts: readonly ScriptName[] = [
  ...partsIn('page', 'make keep address'),
  ...partsIn('curation', 'store shown panel entry'),
]

/** The filters of the start page, which it loads on first use. */
export const filterScripts: readonly ScriptName[] = [
  ...partsIn('page', 'make address site-file'),
  ...partsIn('lists', 'catalog rows filters filters-entry'),
]

/** What a page that stands alone has in place of all that: the search and the find of what it holds itself. */
export const aloneScripts: readonly ScriptName[] = [
  ...queryScripts,
  'search/places',
  { part: 'standalone/search', as: 'search/load-index' },
  { part: 'search/no-recent', as: 'search/recent' },
  ...boxScripts,
  { part: 'standalone/load-box', as: 'search/load-box' },
  'search/open',
  { part: 'standalone/find-pages', as: 'find/pages' },
  ...partsIn('find', 'shown bar'),
  { part: 'standalone/load-find', as: 'find/load' },
  'find/open',
]

/** The script that searches the index of a site, loaded on first use. */
export const searchScripts: readonly ScriptName[] = [
  'page/site-file',
  ...queryScripts,
  ...partsIn('search', 'places words sessions ask index-files pagefind-files engine'),
]

/** The parts of a folder below `templates/assets`. */
function partsIn(folder: string, names: string): string[] {
  return names.split(' ').map((name) => `${folder}/${name}`)
}

/** What stands in for parts of these scripts in a locked site; `undefined` where there is nothing for them to do. */
const lockedParts: Readonly<Record<string, string | undefined>> = {
  'page/address': 'locked/address',
  'curation/load': 'locked/curation',
  'page/site-file': 'locked/site-file',
  'search/index-files': 'locked/index-files',
  'search/recent': 'search/no-recent',
  'page/offline': undefined,
  'page/work-open': undefined,
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

/** A part; its paths are without `.js`. */
export interface ScriptPart {
  /** Path by which other parts import it. */
  name: string
  /** Path of its file, from which its own imports lead; `name` if absent. */
  file?: string
  source: string
}

/**
 * Joins parts to one script in strict mode. A part imports by relative path, on one line or several, from parts before it;
 * whatever it does not export it has to itself. Indentation and lines that hold a comment alone are left out.
 * @throws Error for an import or export of any other form, and for one that leads nowhere.
 */
export function linkScript(parts: readonly ScriptPart[]): string {
  const exportsOf = new Map<string, readonly string[]>()
  const linked = parts.map((part) => {
    const names: string[] = []
    const source = withoutIndentation(part.source.replace(comments, ''))
      .replace(imports, importer(part, exportsOf))
      .replace(exported, (_, declaration, exportedName) => {
        names.push(exportedName)
        return declaration
      })
    const odd = /^(?:import|export)\b(?!\().*/m.exec(source)?.[0]
    const { name, file = name } = part
    if (odd !== undefined) throw new Error(`\`${file}.js\` has an import or export that cannot be linked: ${odd}`)
    if (taken.test(part.source) && part.source.search(imports) !== -1)
      throw new Error(`\`${file}.js\` imports from other parts and declares \`parts\`, by which they are linked`)
    exportsOf.set(name, names)
    return `parts['${name}'] = (() => {\n${source.trim()}\nreturn { ${names.join(', ')} }\n})()`
  })
  // A block, so that no name becomes one of the page's.
  return `'use strict';{\nconst parts = {};\n${linked.join(';\n')}\n}\n`
}

const comments = /^[ \t]*(?:\/\/.*|\/\*\*(?:[^*]|\*(?!\/))*\*\/[ \t]*)\n/gm
const imports = /^import \{([^}]*)\} from '(\.\.?\/[\w/-]+)\.js';?$/gm
const taken = /^(?:export )?(?:const|let|var|function|class) parts\b/m
const exported = /^export ((?:(?:async )?function\*?|const|class) (\w+))/gm

/** Leaves white space alone where it may be part of a string: a template or a string that goes on over a line's end. */
function withoutIndentation(source: string): string {
  const goesOn = (line: string) =>
    line.endsWith('\\') || (line.includes('`') && (line.match(/(?<!\\)`/g) ?? []).length % 2 === 1)
  return source.split('\n').some(goesOn) ? source : source.replace(/^\s+/gm, '')
}

/** Makes an import a reading of what an earlier part gave. */
function importer({ name, file = name }: ScriptPart, exportsOf: ReadonlyMap<string, readonly string[]>) {
  return (_: string, list: string, path: string): string => {
    const source = new URL(path, `part:/${file}`).pathname.slice(1)
    const names = list.split(',').flatMap((entry) => entry.trim().match(/^\w+/)?.[0] ?? [])
    const known = exportsOf.get(source)
    if (known === undefined)
      throw new Error(`\`${file}.js\` imports from \`${source}.js\`, which is not a part before it`)
    const missing = names.find((one) => !known.includes(one))
    if (missing !== undefined)
      throw new Error(`\`${file}.js\` imports \`${missing}\`, which \`${source}.js\` does not export`)
    return `const {${list.replace(/\b as \b/g, ': ')}} = parts['${source}']`
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
