/** `feed.xml`: the sessions with the latest activity as an Atom feed (RFC 4287). */
import type { SessionSummary } from '../model/summary.ts'
import { publicUrl, sessionPage } from '../model/urls.ts'
import type { SiteInfo } from '../model/view.ts'
import { compareText } from '../util/compare.ts'
import { uuidUrn } from '../util/uuid-urn.ts'
import { siteDescription } from './open-graph.ts'
import { firstLine } from './words.ts'
import { xmlText } from './xml.ts'

/** Sessions that the feed holds. */
const most = 50

/** A session whose last activity is known. */
type Dated = SessionSummary & { endedAt: string }

/**
 * The feed of a site at `url`: newest activity first. Entries keep their ids when titles or addresses change; sessions
 * without any time have no place in it.
 */
export function feedFile(sessions: readonly SessionSummary[], site: SiteInfo, url: string): string {
  const entries = sessions.filter(isDated).sort(byActivity).slice(0, most)
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

function entryOf({ threadId, title, project, startedAt, endedAt, firstPrompt }: Dated, url: string): string {
  const summary = firstLine(firstPrompt ?? '', 300)
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
