/** In which order files of a site take their places, so that no reachable page ever lacks what it loads. */

/**
 * Rank of a path: assets, texts of sessions, their pages, pages that list them, the search index, what leads to its
 * parts, the front. Within a rank the order does not matter.
 */
export function installRank(path: string): number {
  if (path.startsWith('assets/')) return 0
  if (path.startsWith('sessions/')) return path.endsWith('.html') ? 2 : 1
  if (path.startsWith('pagefind/')) return /\/(?:pagefind-entry\.json|search\.js)$/.test(path) ? 5 : 4
  return path.includes('/') ? 3 : 6
}
