/** Which parts below `templates/` make the style sheets and the scripts of a site, in the order in which they are joined. */

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
