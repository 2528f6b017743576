/** Former names of files that themes may still have, so that a build can say what became of them. */

/** Parts of scripts of versions up to 0.2, which were all in one folder: by current folder, the former and the current name. */
const moved: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  curation: {
    'curation-call': 'load',
    'curation-hand': 'entry',
    'curation-kept': 'store',
    'curation-panel': 'panel',
    'curation-shown': 'shown',
  },
  lists: { 'filters-call': 'load-filters', 'filters-hand': 'filters-entry' },
  standalone: {
    'find-alone': 'find-pages',
    'find-near': 'load-find',
    'search-inside': 'search',
    'search-near': 'load-box',
  },
  find: {
    'find-bar': 'bar',
    'find-call': 'open',
    'find-hand': 'entry',
    'find-load': 'load',
    'find-pages': 'pages',
    'find-shown': 'shown',
    'find-text': 'text',
  },
  locked: {
    'lock-address': 'address',
    'lock-curation': 'curation',
    'lock-file': 'site-file',
    'lock-load': 'index-files',
  },
  search: {
    'search-ask': 'ask',
    'search-box': 'box',
    'search-call': 'load-box',
    'search-complete': 'complete',
    'search-days': 'days',
    'search-engine': 'engine',
    'search-fields': 'fields',
    'search-forget': 'no-recent',
    'search-grammar': 'grammar',
    'search-hand': 'entry',
    'search-hits': 'hits',
    'search-load': 'index-files',
    'search-open': 'load-index',
    'search-pages': 'pagefind-files',
    'search-parts': 'parts',
    'search-places': 'places',
    'search-query': 'query',
    'search-recent': 'recent',
    'search-sessions': 'sessions',
    'search-state': 'state',
    'search-words': 'words',
    search: 'open',
  },
}

/** The current paths of renamed files, by former path. Files that only moved are found by their name. */
export const renamedParts: ReadonlyMap<string, string> = new Map(
  Object.entries(moved).flatMap(([folder, names]) =>
    Object.entries(names).map(([former, current]): [string, string] => [
      `assets/${former}.js`,
      `assets/${folder}/${current}.js`,
    ]),
  ),
)

/** Files that nothing has taken the place of. */
export const removedParts: readonly string[] = [
  'assets/page.js',
  'assets/print.js',
  'assets/search-correct.js',
  'partials/turns.eta',
]
