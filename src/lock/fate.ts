/** What becomes of each file of a site that is locked. */

/**
 * `page`: a login page of its own that opens it, because links lead to it. `file`: sealed, read by pages. `open`: as it
 * is. `none`: left out.
 */
export type Fate = 'page' | 'file' | 'open' | 'none'

/** Files that hosts and browsers look for; neither knows anything of the sessions. */
const open = new Set(['.nojekyll', 'favicon.svg'])

/** Files that nobody could find, read or use behind a lock, and those that it has in a form of its own. */
const without = new Set([
  ...['404.html', '_headers', 'build-report.json', 'llms.txt', 'robots.txt', 'sw.js'],
  'pagefind/pagefind-entry.json',
])

/** The one script of the index that pages run; the others are its files in another form, or Pagefind's own interface. */
const searchScript = 'pagefind/search.js'

/** Says what becomes of the file at a path. */
export function fateOf(path: string): Fate {
  if (open.has(path)) return 'open'
  if (without.has(path)) return 'none'
  if (path.startsWith('pagefind/') && path.endsWith('.js') && path !== searchScript) return 'none'
  return /\.(?:html|md|json|txt)$/.test(path) ? 'page' : 'file'
}
