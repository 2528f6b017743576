/** Which parts below `templates/` make up the style sheets and scripts of a site, in which order, and how they are joined. */

/** Path of a part below `templates/assets`, without `.js`; `as` is the path by which later parts import it if it replaces one. */
export type ScriptName = string | { part: string; as: string }

/** Parts of the style sheet; `tokens` defines the order of the layers. */
export const styles: readonly string[] = [
  ...['tokens', 'base', 'top', 'layout', 'prose', 'session', 'side', 'timeline', 'items', 'work', 'story', 'code'],
  ...['agent', 'times', 'find', 'lines', 'lists', 'home', 'plots', 'search', 'controls', 'edges', 'theme', 'print'],
]

/** Parts of the style of the not-found page. */
export const plainStyles: readonly string[] = ['tokens', 'base', 'plain']

/** Parts of the script of the not-found page. */
export const plainScripts: readonly ScriptName[] = ['page/way-home']

/** Parts of the page script that need no other files; standalone pages have them too. */
export const pageScripts: readonly ScriptName[] = [
  ...partsIn(
    'page',
    'make dom keep address question theme hold walk folds views places outline times copy changes pictures help keys',
  ),
]

/** Parts of the page script that need other files of the site. */
export const siteScripts: readonly ScriptName[] = [
  ...['page/site-file', 'curation/load'],
  ...partsIn('lists', 'calendar load-filters arrange'),
  ...['search/load-box', 'search/open', 'find/load', 'page/work-open', 'find/open', 'lists/sieve', 'page/offline'],
]

/** Parts that read questions. */
const queryScripts = partsIn('search', 'signs days grammar parts query')

/** Controls and results of the search. They call `search/load-index`, which decides where results come from. */
const boxScripts: readonly ScriptName[] = ['find/text', ...partsIn('search', 'marks state hits fields complete box')]

/** The script with the controls and results of the search, which a page of the site loads on first use. */
export const panelScripts: readonly ScriptName[] = [
  ...partsIn('page', 'make keep address question site-file'),
  'search/load-index',
  ...queryScripts,
  ...['page/hold', 'search/recent', ...boxScripts, 'search/entry'],
]

/** The search within one session, which a page of the site loads on first use. */
export const findScripts: readonly ScriptName[] = [
  ...partsIn('page', 'make address question site-file hold'),
  'search/signs',
  ...partsIn('find', 'text pages shown bar entry'),
]

/** The reader's stars, tags and notes; a page of the site loads this script if there are any, or on first use. */
export const curationScripts: readonly ScriptName[] = [
  ...partsIn('page', 'make keep address'),
  ...partsIn('curation', 'store shown panel entry'),
]

/** The filters of the start page, which it loads on first use. */
export const filterScripts: readonly ScriptName[] = [
  ...partsIn('page', 'make address site-file'),
  ...partsIn('lists', 'catalog rows filters filters-entry'),
]

/** What a standalone page has instead of these scripts: search and find over its own content. */
export const standaloneScripts: readonly ScriptName[] = [
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
  ...partsIn('search', 'places words sessions ask latest index-files pagefind-files engine'),
]

/** The parts of a folder below `templates/assets`. */
function partsIn(folder: string, names: string): string[] {
  return names.split(' ').map((name) => `${folder}/${name}`)
}

/** Replacements for parts of these scripts in a locked site; `undefined` removes a part that has nothing to do there. */
const lockedParts: Readonly<Record<string, string | undefined>> = {
  'page/address': 'locked/address',
  'curation/load': 'locked/curation',
  'page/site-file': 'locked/site-file',
  'search/index-files': 'locked/index-files',
  'search/recent': 'search/no-recent',
  'page/offline': undefined,
  'page/work-open': undefined,
}

/** The parts of a script with the replacements for a locked site. */
export function inLockedSite(names: readonly ScriptName[]): ScriptName[] {
  return names.flatMap((name): ScriptName[] => {
    if (typeof name !== 'string' || !Object.hasOwn(lockedParts, name)) return [name]
    const part = lockedParts[name]
    return part === undefined ? [] : [{ part, as: name }]
  })
}

/** Parts of the style sheet of the login page of a locked site, below `templates/`. */
export const lockStyles: readonly string[] = ['assets/tokens', 'assets/base', 'lock/lock']

/** Parts of the script of the login page, below `templates/lock/`. */
export const lockScripts: readonly string[] = [
  ...['bytes', 'keys', 'sealed', 'kept', 'files', 'links', 'scroll', 'pictures', 'page', 'text', 'lock'],
]

// Parts of scripts are ES modules and are joined to one classic script, because browsers load no module from `file:`. Parts of
// a style sheet are joined to one style sheet, without comments and indentation.

/** A part of a script; its paths have no `.js`. */
export interface ScriptPart {
  /** Path by which other parts import it. */
  name: string
  /** Path of its file, from which its own imports lead; `name` if absent. */
  file?: string
  source: string
}

/**
 * Joins parts to one script in strict mode. A part imports by relative path, on one line or several, from parts before
 * it, and whatever it does not export is private to it. Indentation and lines that contain only a comment are removed.
 * @throws Error for an import or export of any other form, and for an import that cannot be resolved.
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
    if (declaresParts.test(part.source) && part.source.search(imports) !== -1)
      throw new Error(`\`${file}.js\` imports from other parts and declares \`parts\`, by which they are linked`)
    exportsOf.set(name, names)
    return `parts['${name}'] = (() => {\n${source.trim()}\nreturn { ${names.join(', ')} }\n})()`
  })
  // A block, so that no name becomes a global of the page.
  return `'use strict';{\nconst parts = {};\n${linked.join(';\n')}\n}\n`
}

const comments = /^[ \t]*(?:\/\/.*|\/\*\*(?:[^*]|\*(?!\/))*\*\/[ \t]*)\n/gm
const imports = /^import \{([^}]*)\} from '(\.\.?\/[\w/-]+)\.js';?$/gm
const declaresParts = /^(?:export )?(?:const|let|var|function|class) parts\b/m
const exported = /^export ((?:(?:async )?function\*?|const|class) (\w+))/gm

/** Removes indentation, unless a template or string literal continues over a line's end, where it may be part of the text. */
function withoutIndentation(source: string): string {
  const endsInString = (line: string) =>
    line.endsWith('\\') || (line.includes('`') && (line.match(/(?<!\\)`/g) ?? []).length % 2 === 1)
  return source.split('\n').some(endsInString) ? source : source.replace(/^\s+/gm, '')
}

/** Replaces an import by a destructuring of what the earlier part exports. */
function importer({ name, file = name }: ScriptPart, exportsOf: ReadonlyMap<string, readonly string[]>) {
  return (_: string, list: string, path: string): string => {
    const source = new URL(path, `part:/${file}`).pathname.slice(1)
    const names = list.split(',').flatMap((entry) => entry.trim().match(/^\w+/)?.[0] ?? [])
    const exportedNames = exportsOf.get(source)
    if (exportedNames === undefined)
      throw new Error(`\`${file}.js\` imports from \`${source}.js\`, which is not a part before it`)
    const missing = names.find((one) => !exportedNames.includes(one))
    if (missing !== undefined)
      throw new Error(`\`${file}.js\` imports \`${missing}\`, which \`${source}.js\` does not export`)
    return `const {${list.replace(/\b as \b/g, ': ')}} = parts['${source}']`
  }
}

/** A string, which is kept; or what is replaced: comments with the whitespace around them, and whitespace after a newline. */
const token = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?:\s*\/\*.*?\*\/)+\s*|\n\s+/gs

/** Joins parts of a style sheet in their order, without comments, indentation and empty lines. */
export function linkStyle(parts: readonly string[]): string {
  // A space or newline is kept between words, because a comment separates them too.
  const text = parts.join('\n').replace(token, (all, string) => string ?? (all.includes('\n') ? '\n' : ' '))
  return `${text.trim()}\n`
}
