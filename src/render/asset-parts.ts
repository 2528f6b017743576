/** Which parts below `templates/assets/` make the style sheet and the scripts, in the order in which they are joined. */

/** Parts of the style sheet; `tokens` orders the layers. */
export const styles: readonly string[] = [
  ...['tokens', 'base', 'top', 'layout', 'prose', 'session', 'timeline', 'items', 'work', 'code', 'agent', 'times'],
  ...['lists', 'home', 'plots', 'search', 'controls', 'theme', 'print'],
]

/** What every page can do. */
export const pageScripts: readonly ScriptName[] = [
  ...['make', 'dom', 'keep', 'address', 'theme', 'walk', 'views', 'folds', 'places', 'outline', 'times', 'copy'],
  ...['pictures', 'print', 'help', 'keys', 'marks'],
]

/** What needs other files of the site. */
export const siteScripts: readonly ScriptName[] = [
  ...['site-file', 'calendar', 'catalog', 'rows', 'filters', 'search-call', 'search', 'offline'],
]

/** Controls and answers of the search. They ask `search-open`, which says where answers come from. */
const boxScripts: readonly ScriptName[] = ['search-state', 'search-hits', 'search-fields', 'search-box']

/** The script with those, which a page of the site loads on first use. */
export const panelScripts: readonly ScriptName[] = [
  ...['make', 'address', 'site-file', 'search-open'],
  ...boxScripts,
  'search-hand',
]

/** What a page that stands alone has in place of all that: the search of what it holds itself. */
export const aloneScripts: readonly ScriptName[] = [
  ...['search-query', 'search-places', { part: 'search-inside', as: 'search-open' }, ...boxScripts],
  ...[{ part: 'search-near', as: 'search-call' }, 'search'],
]

/** The script that searches the index of a site, loaded on first use. */
export const searchScripts: readonly ScriptName[] = [
  ...['site-file', 'search-query', 'search-places', 'search-ask', 'search-correct', 'search-load'],
  ...['search-pages', 'search-engine'],
]

/** What stands in for parts of these scripts in a locked site; `undefined` where there is nothing for them to do. */
const lockedParts: Readonly<Record<string, string | undefined>> = {
  address: 'lock-address',
  'site-file': 'lock-file',
  'search-load': 'lock-load',
  offline: undefined,
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

/** Name of a part, without its extension; `as` where it stands in for another that the parts behind it import. */
export type ScriptName = string | { part: string; as: string }
