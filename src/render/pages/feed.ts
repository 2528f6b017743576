/** `feed.xml`: the sessions with the latest activity as an Atom feed (RFC 4287). */

import type { SessionSummary } from '../../transcript/summary.ts'
import { projectPage, publicUrl, sessionMarkdown, sessionPage, workPage } from '../../transcript/urls.ts'
import { compareText } from '../../util/compare.ts'
import { groupBy } from '../../util/groups.ts'
import { sha256 } from '../../util/hash.ts'
import { defined } from '../../util/own.ts'
import { formatAmount, formatCount, isUuid } from '../../util/time.ts'
import { dayOf } from '../dates.ts'
import type { OutputFile } from '../output.ts'
import { firstLine } from '../phrases.ts'
import type { SiteInfo } from '../site-info.ts'
import { withoutControls } from '../visible-text.ts'
import { siteDescription } from './page-view.ts'

/** Sessions that the feed contains. */
const maxEntries = 50

/** A session whose last activity is known. */
type Dated = SessionSummary & { endedAt: string }

/**
 * The feed of a site at `url`, newest activity first. Entries keep their ids when titles or addresses change. Sessions
 * without a time are left out.
 */
export function feedFile(sessions: readonly SessionSummary[], site: SiteInfo, url: string): string {
  const entries = sessions.filter(isDated).sort(byActivity).slice(0, maxEntries)
  const updated = entries[0]?.endedAt ?? '1970-01-01T00:00:00Z'
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xmlText(site.language)}">`,
    `<id>${uuidUrn(`feed of ${url}`)}</id>`,
    `<title>${xmlText(site.title)}</title>`,
    `<subtitle>${xmlText(siteDescription(site))}</subtitle>`,
    `<updated>${xmlText(updated)}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${xmlText(publicUrl(url, 'feed.xml'))}"/>`,
    `<link rel="alternate" type="text/html" href="${xmlText(publicUrl(url, 'index.html'))}"/>`,
    `<author><name>${xmlText(site.title)}</name></author>`,
    `<generator>${xmlText(site.generator)}</generator>`,
    ...entries.map((entry) => entryOf(entry, url)),
    '</feed>',
    '',
  ].join('\n')
}

function entryOf(session: Dated, url: string): string {
  const { threadId, title, project, startedAt, endedAt, firstPrompt, subtitle } = session
  const summary = firstLine(subtitle ?? firstPrompt ?? '', 300)
  return [
    '<entry>',
    `<id>${uuidUrn(threadId)}</id>`,
    `<title>${xmlText(firstLine(title, 200) || threadId)}</title>`,
    `<link rel="alternate" type="text/html" href="${xmlText(publicUrl(url, sessionPage(threadId)))}"/>`,
    ...(startedAt === undefined ? [] : [`<published>${xmlText(startedAt)}</published>`]),
    `<updated>${xmlText(endedAt)}</updated>`,
    `<category term="${xmlText(project.slug)}" label="${xmlText(project.name)}"/>`,
    ...(summary === '' ? [] : [`<summary>${xmlText(summary)}</summary>`]),
    '</entry>',
  ].join('\n')
}

function isDated(session: SessionSummary): session is Dated {
  return session.endedAt !== undefined && !Number.isNaN(Date.parse(session.endedAt))
}

function byActivity(a: Dated, b: Dated): number {
  return compareText(b.endedAt, a.endedAt) || compareText(a.threadId, b.threadId)
}

// `sitemap.xml` (sitemaps.org, protocol 0.9).

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Addresses that one file may contain. */
const maxUrls = 50_000

/** A page of the site. */
interface SitemapPage {
  path: string
  /** Instant of the last record that it shows. */
  modifiedAt?: string
}

/**
 * The pages of a site at `url`, in their order: one file or, for more addresses than one file may contain, several files and
 * an index named `sitemap.xml`.
 */
export function sitemapFiles(pages: readonly SitemapPage[], url: string, max: number = maxUrls): OutputFile[] {
  const parts: SitemapPage[][] = []
  for (let start = 0; start < pages.length; start += max) parts.push(pages.slice(start, start + max))
  const [only = []] = parts
  if (parts.length <= 1) return [{ path: 'sitemap.xml', content: listOf('urlset', 'url', only, url) }]
  const files = parts.map((part, index) => ({
    path: `sitemap-${index + 1}.xml`,
    content: listOf('urlset', 'url', part, url),
  }))
  const index = files.map(({ path }) => ({ path }))
  return [{ path: 'sitemap.xml', content: listOf('sitemapindex', 'sitemap', index, url) }, ...files]
}

function listOf(list: string, item: string, pages: readonly SitemapPage[], url: string): string {
  const lines = pages.map(({ path, modifiedAt }) => {
    const modified = modifiedAt === undefined ? '' : `<lastmod>${xmlText(modifiedAt)}</lastmod>`
    return `<${item}><loc>${xmlText(publicUrl(url, path))}</loc>${modified}</${item}>`
  })
  const head = ['<?xml version="1.0" encoding="utf-8"?>', `<${list} xmlns="${namespace}">`]
  return [...head, ...lines, `</${list}>`, ''].join('\n')
}

// Small text files at the root of the site.

/** `favicon.svg`: a prompt character and a cursor. */
export const iconFile = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#2557ad"/>
<path d="M8 9l7 7-7 7M17 23h8" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`

/**
 * `robots.txt`: keeps search engines out, because transcripts are for their readers, unless the user set the address at
 * which the site is public.
 */
export function robotsFile({ siteUrl: url }: SiteInfo): string {
  if (url === undefined) return 'User-agent: *\nDisallow: /\n'
  return `User-agent: *\nAllow: /\n\nSitemap: ${publicUrl(url, 'sitemap.xml')}\n`
}

/**
 * Feed and sitemap of a site; none without `siteUrl`, because both need absolute links. `listed` are the sessions of the
 * start page, `lists` the paths of all pages that belong to no single session.
 */
export function publicFiles(
  sorted: readonly SessionSummary[],
  { listed, lists, site }: { listed: readonly SessionSummary[]; lists: readonly string[]; site: SiteInfo },
): OutputFile[] {
  if (site.siteUrl === undefined) return []
  return [
    { path: 'feed.xml', content: feedFile(listed, site, site.siteUrl) },
    ...sitemapFiles([...lists.map((path) => ({ path })), ...sorted.flatMap(pagesOf)], site.siteUrl),
  ]
}

function pagesOf({ threadId, pages, endedAt }: SessionSummary): SitemapPage[] {
  const work = Array.from({ length: pages > 1 ? pages : 0 }, (_, index) => workPage(threadId, index + 1, pages))
  return [sessionPage(threadId), ...work].map((path) => defined({ path, modifiedAt: endedAt }))
}

// `llms.txt`: says what the site is and where its texts are, for programs that read Markdown.

/** Sessions and projects that are named. */
const maxSessions = 200
const maxProjects = 100

/** `llms.txt`, from sessions sorted by `byStart`; it links the Markdown twins if those are built. */
export function llmsFile(sorted: readonly SessionSummary[], site: SiteInfo): string {
  // In the order of their newest session.
  const projects = [...groupBy(sorted, ({ project }) => project.slug)]
  const sections = [
    [`# ${plain(site.title)}`],
    [`> ${plain(siteDescription(site))}`],
    [about(sorted.length, site)],
    ['## Sessions'],
    sorted.slice(0, maxSessions).map((summary) => sessionLine(summary, site)),
    rest(sorted.length - maxSessions, 'older session', site),
    ['## Projects'],
    projects.slice(0, maxProjects).map((project) => projectLine(project, site)),
    rest(projects.length - maxProjects, 'more project', site),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function about(count: number, site: SiteInfo): string {
  const what = `${formatAmount(count, 'session')} of Codex, a coding agent, newest first: prompts, answers, commands, edits.`
  return site.markdown
    ? `${what} Each link leads to a whole session as Markdown; \`index.html\` beside it is the same as a page.`
    : what
}

function sessionLine(session: SessionSummary, site: SiteInfo): string {
  const { threadId, title, project, startedAt, firstPrompt, subtitle } = session
  const href = link(site.markdown ? sessionMarkdown(threadId) : sessionPage(threadId), site)
  const facts = [plain(project.name), dayOf(startedAt, site.timeZone)].join(', ')
  const said = plain(subtitle ?? firstPrompt ?? '')
  const name = plain(title) || threadId
  return `- [${name}](${href}): ${said === '' || said.startsWith(name) ? facts : `${facts}. ${said}`}`
}

function projectLine([slug, sessions]: [slug: string, SessionSummary[]], site: SiteInfo): string {
  const name = plain(sessions[0]?.project.name ?? slug)
  return `- [${name}](${link(projectPage(slug), site)}): ${formatAmount(sessions.length, 'session')}`
}

function rest(count: number, noun: string, site: SiteInfo): string[] {
  if (count <= 0) return []
  return [
    `And ${formatCount(count)} ${noun}${count === 1 ? '' : 's'}: see [the start page](${link('index.html', site)}).`,
  ]
}

function link(path: string, { siteUrl: url }: SiteInfo): string {
  return url === undefined ? path : publicUrl(url, path)
}

/** One line that Markdown shows literally. `<` becomes an entity, because a bare address would swallow a backslash before it. */
function plain(text: string): string {
  return withoutControls(firstLine(text, 120))
    .replace(/[\\`*_{}[\]!>#|~&]/g, '\\$&')
    .replace(/</g, '&lt;')
}

// Text in XML.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Lone surrogates and the two characters that XML 1.0 forbids in addition to controls. */
const forbidden = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uFFFE\uFFFF]/g

/** Text for an element or a quoted attribute. What XML cannot carry becomes its name, or U+FFFD. */
function xmlText(text: string): string {
  return withoutControls(text)
    .replace(forbidden, '\uFFFD')
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

// Permanent names, as URNs.

/** `urn:uuid:…` of a text: the text itself if it is a UUID, else a version 8 UUID made from its hash (RFC 9562). */
function uuidUrn(text: string): string {
  const lower = text.toLowerCase()
  return `urn:uuid:${isUuid(lower) ? lower : hashed(text)}`
}

function hashed(text: string): string {
  const digits = sha256(text)
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16)
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, variant + digits.slice(17, 20)]
  return [...parts, digits.slice(20, 32)].join('-')
}
