/** Which parts below `templates/assets/` make the style sheet and the scripts, in the order in which they are joined. */

/** Parts of the style sheet; `tokens` orders the layers. */
export const styles: readonly string[] = [
  ...['tokens', 'base', 'top', 'layout', 'prose', 'session', 'timeline', 'items', 'work', 'code', 'agent', 'times'],
  ...['lists', 'home', 'plots', 'search', 'controls', 'theme', 'print'],
]

/** What every page can do. */
export const pageScripts: readonly ScriptName[] = [
  ...['make', 'dom', 'keep', 'theme', 'walk', 'views', 'folds', 'places', 'outline', 'times', 'copy', 'pictures'],
  ...['print', 'help', 'keys', 'marks'],
]

/** What needs other files of the site. */
export const siteScripts: readonly ScriptName[] = [
  ...['calendar', 'catalog', 'rows', 'filters', 'search-call', 'search', 'offline'],
]

/** Controls and answers of the search. They ask `search-open`, which says where answers come from. */
const boxScripts: readonly ScriptName[] = ['search-state', 'search-hits', 'search-fields', 'search-box']

/** The script with those, which a page of the site loads on first use. */
export const panelScripts: readonly ScriptName[] = ['make', 'search-open', ...boxScripts, 'search-hand']

/** What a page that stands alone has in place of all that: the search of what it holds itself. */
export const aloneScripts: readonly ScriptName[] = [
  ...['search-query', 'search-places', { part: 'search-inside', as: 'search-open' }, ...boxScripts],
  ...[{ part: 'search-near', as: 'search-call' }, 'search'],
]

/** The script that searches the index of a site, loaded on first use. */
export const searchScripts: readonly ScriptName[] = [
  ...['search-query', 'search-places', 'search-ask', 'search-correct', 'search-load'],
  ...['search-pages', 'search-engine'],
]

/** Name of a part, without its extension; `as` where it stands in for another that the parts behind it import. */
export type ScriptName = string | { part: string; as: string }
