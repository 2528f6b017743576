/** What chats, social networks and search engines show of a page. */

import { publicUrl } from '../../transcript/urls.ts'
import type { SiteInfo } from '../../transcript/view.ts'
import { defined } from '../../util/defined.ts'
import { cutText } from '../phrases.ts'
import type { SocialView } from '../views.ts'

/** A page as its links describe it elsewhere. */
export interface PageAbout {
  /** Plain text; cut to 160 characters (default: the site's description). */
  description?: string
  /** ISO instants of a session: its first and its last record. */
  publishedAt?: string
  modifiedAt?: string
}

/** Characters of a description: about what search engines show. */
const longest = 160

/** The description of a page as one line of text; never empty. */
export function descriptionOf(site: SiteInfo, { description }: PageAbout = {}): string {
  const line = (description ?? '').replace(/\s+/g, ' ').trim()
  return cutText(line === '' ? siteDescription(site) : line, longest)
}

/** What the site is, in the user's words or in ours. */
export function siteDescription({ description }: SiteInfo): string {
  return description ?? 'Transcripts of Codex sessions.'
}

/**
 * Canonical address, feed and Open Graph properties of the page at `path`. These need absolute addresses: without a
 * `siteUrl` there are none.
 */
export function socialView(path: string, title: string, site: SiteInfo, about: PageAbout = {}): SocialView | undefined {
  if (site.siteUrl === undefined) return undefined
  const url = publicUrl(site.siteUrl, path)
  const { publishedAt, modifiedAt } = about
  const isSession = publishedAt !== undefined || modifiedAt !== undefined
  const properties = defined({
    'og:type': isSession ? 'article' : 'website',
    'og:site_name': site.title,
    'og:title': title,
    'og:description': descriptionOf(site, about),
    'og:url': url,
    'article:published_time': publishedAt,
    'article:modified_time': modifiedAt,
  })
  return {
    url,
    feed: publicUrl(site.siteUrl, 'feed.xml'),
    properties: Object.entries(properties).map(([property, content]) => ({ property, content: content ?? '' })),
  }
}
