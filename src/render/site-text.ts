/** Small text files at the root of the site. */
import type { OutputFile } from '../model/output.ts'
import type { SessionSummary } from '../model/summary.ts'
import { publicUrl, sessionPage } from '../model/urls.ts'
import type { SiteInfo } from '../model/view.ts'
import { defined } from '../util/defined.ts'
import { feedFile } from './feed.ts'
import { type SitemapPage, sitemapFiles } from './sitemap.ts'

/** `favicon.svg`: a prompt sign and a cursor. */
export const iconFile = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#2557ad"/>
<path d="M8 9l7 7-7 7M17 23h8" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`

/**
 * `robots.txt`: transcripts are for their readers, not for search engines, unless the user named the address under which
 * the site is public.
 */
export function robotsFile({ url }: SiteInfo): string {
  if (url === undefined) return 'User-agent: *\nDisallow: /\n'
  return `User-agent: *\nAllow: /\n\nSitemap: ${publicUrl(url, 'sitemap.xml')}\n`
}

/**
 * Feed and sitemap of a site that has an address; none without, because both need absolute links. `listed` are the
 * sessions of the start page, `lists` the paths of all pages that belong to no single session.
 */
export function publicFiles(
  sorted: readonly SessionSummary[],
  { listed, lists, site }: { listed: readonly SessionSummary[]; lists: readonly string[]; site: SiteInfo },
): OutputFile[] {
  if (site.url === undefined) return []
  return [
    { path: 'feed.xml', content: feedFile(listed, site, site.url) },
    ...sitemapFiles([...lists.map((path) => ({ path })), ...sorted.flatMap(pagesOf)], site.url),
  ]
}

function pagesOf({ threadId, pages, endedAt }: SessionSummary): SitemapPage[] {
  return Array.from({ length: pages }, (_, index) =>
    defined({ path: sessionPage(threadId, index + 1), modifiedAt: endedAt }),
  )
}
