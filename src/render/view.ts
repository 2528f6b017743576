/** The view of a session page: everything around its turns. */

import type { Session } from '../model/trast.ts'
import { relativeLink, sessionJson, sessionMarkdown, sessionPage } from '../model/urls.ts'
import type { SiteInfo } from '../model/view.ts'
import { defined } from '../util/defined.ts'
import { hiddenNodes } from './hidden.ts'
import { lineageTree } from './lineage-tree.ts'
import type { PageAbout } from './open-graph.ts'
import { outlineView } from './outline-view.ts'
import { pageView } from './page-view.ts'
import { pagerView } from './pager-view.ts'
import { placeHrefs } from './place-href.ts'
import { receipt } from './receipt.ts'
import { sessionChanges } from './session-changes.ts'
import { placeFacts, sessionFacts } from './session-facts.ts'
import type { SessionPage } from './session-page.ts'
import { timelineView } from './timeline.ts'
import { turnTable } from './turn-table.ts'
import type { LinkView, SessionView } from './views.ts'
import { firstLine } from './words.ts'

/** The view for `html/session.eta`. */
export function sessionView(input: SessionPage): SessionView {
  const { session, page, site, body } = input
  const path = sessionPage(session.threadId, page)
  const suffix = page === 1 ? '' : ` (page ${page})`
  return {
    ...pageView(path, `${session.title}${suffix} · ${input.project.name}`, site, aboutSession(input)),
    heading: session.title,
    downloads: downloads(session, path, site),
    ...(page === 1 ? firstPage(input, path) : { facts: placeFacts(input, path), relations: [] }),
    ...outlineView(input),
    pages: pagerView(input),
    receipt: receipt(session.stats, input.hidden ?? hiddenNodes(session)),
    body,
  }
}

/** The first words that were said tell more than anything else what a session is about. */
function aboutSession({ session, facts }: SessionPage): PageAbout {
  return defined({
    description: firstLine(facts.firstPrompt ?? session.title, 1000),
    publishedAt: session.startedAt,
    modifiedAt: session.endedAt ?? facts.endedAt,
  })
}

/** What the first page tells of the whole session; later ones lead back to it. */
function firstPage(
  input: SessionPage,
  path: string,
): Pick<SessionView, 'facts' | 'relations' | 'resume' | 'timeline' | 'changes' | 'turns'> {
  const { session, facts, overview, detail, context } = input
  const href = placeHrefs(session.threadId, 1)
  const place = { href, timeZone: context.timeZone, outline: facts.outline }
  return {
    facts: sessionFacts(input, path),
    relations: lineageTree(input, path),
    ...defined({
      resume: input.site.withoutInternals ? undefined : resumeCommand(session.threadId),
      changes: detail === undefined ? undefined : sessionChanges(detail, href),
      timeline: overview === undefined ? undefined : timelineView(overview, place),
      turns: overview === undefined ? undefined : turnTable(overview, place),
    }),
  }
}

/** Ids of other forms were made up for files that have none; nothing else may stand in a command line. */
function resumeCommand(threadId: string): string | undefined {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(threadId) ? `codex resume ${threadId}` : undefined
}

function downloads(session: Session, path: string, site: SiteInfo): LinkView[] {
  return [
    ...(site.markdown ? [{ text: 'Markdown', href: relativeLink(path, sessionMarkdown(session.threadId)) }] : []),
    ...(site.json ? [{ text: 'JSON', href: relativeLink(path, sessionJson(session.threadId)) }] : []),
  ]
}
