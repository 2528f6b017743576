/** The fields that every page shares, including those for link previews. */

import { pageSettings } from '../../config/schema.ts'
import {
  assetPath,
  failuresPath,
  filesPath,
  publicUrl,
  relativeLink,
  searchPagePath,
  statsPath,
} from '../../transcript/urls.ts'
import { defined } from '../../util/own.ts'
import { cutText } from '../phrases.ts'
import { pagePolicy } from '../policy.ts'
import type { SiteInfo } from '../site-info.ts'
import type { NavView, PageView, SocialView } from '../views.ts'

/** Path of the page that lists all projects. */
export const projectsPath = 'projects/index.html'

/** Pages that the bar at the top of every site links. */
const sections: readonly { text: string; path: string }[] = [
  { text: 'Projects', path: projectsPath },
  { text: 'Files', path: filesPath },
  { text: 'Failures', path: failuresPath },
  { text: 'Stats', path: statsPath },
]

/** Common fields of the page at `path`; `about` is what links to it show on other sites. */
export function pageView(path: string, title: string, site: SiteInfo, about: PageAbout = {}): PageView {
  const link = (target: string) => relativeLink(path, target)
  return {
    title: [...new Set([title, ...(about.beginning === undefined ? [] : [about.beginning]), site.title])].join(' · '),
    siteTitle: site.title,
    settings: pageSettings(site),
    language: site.language,
    generator: site.generator,
    policy: pagePolicy(site),
    root: '../'.repeat(path.split('/').length - 1),
    css: link(assetPath(site.css)),
    js: link(assetPath(site.js)),
    home: link('index.html'),
    projects: link(projectsPath),
    nav: [...sections, ...(site.pluginParts?.nav ?? [])].map((section) => navLink(path, section)),
    search: site.search,
    offline: site.offline === true,
    searchPage: link(searchPagePath),
    searchScript: link(assetPath(site.searchJs)),
    findScript: link(assetPath(site.findJs)),
    curationScript: link(assetPath(site.curationJs)),
    filterScript: link(assetPath(site.filterJs)),
    description: descriptionOf(site, about),
    ...defined({ social: socialView(path, title, site, about) }),
  }
}

/** A link of the bar, marked as current on the page itself and on those below it. */
function navLink(path: string, section: { text: string; path: string }): NavView {
  const link = { text: section.text, href: relativeLink(path, section.path) }
  if (path === section.path) return { ...link, current: 'page' }
  return path.startsWith(section.path.replace(/[^/]*$/, '')) ? { ...link, current: 'true' } : link
}

// What chats, social networks and search engines show of a page.

/** What links to a page show on other sites. */
export interface PageAbout {
  /** Plain text; cut to 160 characters (default: the site's description). */
  description?: string
  /** When a session began; distinguishes tabs and entries of a browser's history that have equal titles. */
  beginning?: string
  /** ISO instants of a session: its first and its last record. */
  publishedAt?: string
  modifiedAt?: string
}

/** UTF-16 units of a description: about as many as search engines show. */
const maxDescriptionLength = 160

/** The description of a page as one line of text; never empty. */
function descriptionOf(site: SiteInfo, { description }: PageAbout): string {
  const line = (description ?? '').replace(/\s+/g, ' ').trim()
  return cutText(line === '' ? siteDescription(site) : line, maxDescriptionLength)
}

/** The description of the site: the user's, or a default. */
export function siteDescription({ description }: SiteInfo): string {
  return description ?? 'Transcripts of Codex sessions.'
}

/**
 * Canonical address, feed and Open Graph properties of the page at `path`; `undefined` without a `siteUrl`, because they
 * need absolute addresses.
 */
function socialView(path: string, title: string, site: SiteInfo, about: PageAbout): SocialView | undefined {
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
