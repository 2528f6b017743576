/** Pages of sessions whose rollouts are gone: nothing can render them again, so that what has changed is put into them. */

/** Where a page takes the notice: behind the title in `partials/head.eta`. Text of a transcript holds no markup. */
const place = /<header class="head">\s*<h1>[\s\S]*?<\/h1>\n/
const notice =
  '<p class="gone" role="note"><b>Source gone.</b> The rollout of this session is no longer there; this page is kept as it was.</p>'

/**
 * A kept page with a notice behind its title, where its template has the built-in head, and without links to sessions that have no
 * page any more. `isBuilt` is asked for folders of sessions. A second time changes nothing.
 */
export function markGone(html: string, isBuilt: (folder: string) => boolean): string {
  const told = html.includes(notice) ? html : html.replace(place, (head) => `${head}${notice}\n`)
  return told.replace(/ href="\.\.\/([\w-]+)\/[^"]*"/g, (link, folder: string) => (isBuilt(folder) ? link : ''))
}

/** Names of the files below `assets/` that a page loads. */
export function assetsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/"(?:\.\.\/)*assets\/([\w.-]+)"/g)].map(([, name = '']) => name))
}
