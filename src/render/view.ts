/** The view of a session page: everything around its turns. */

import type { Session } from '../model/trast.ts'
import { placeLink, relativeLink, sessionJson, sessionMarkdown, sessionPage, threadFolder } from '../model/urls.ts'
import type { Neighbours, PagePlace, SiteInfo } from '../model/view.ts'
import { defined } from '../util/defined.ts'
import { hiddenNodes } from './hidden.ts'
import type { PageAbout } from './open-graph.ts'
import { pageView } from './page-view.ts'
import { receipt } from './receipt.ts'
import { sessionFacts } from './session-facts.ts'
import type { SessionPage } from './session-page.ts'
import type { LinkView, OutlineView, RelationView, SessionView } from './views.ts'
import { firstLine } from './words.ts'

/** The view for `html/session.eta`. */
export function sessionView(input: SessionPage): SessionView {
  const { session, facts, page, site, body } = input
  const path = sessionPage(session.threadId, page)
  const total = Math.max(1, facts.pages.length)
  const suffix = page === 1 ? '' : ` (page ${page})`
  return {
    ...pageView(path, `${session.title}${suffix} · ${input.project.name}`, site, aboutSession(input)),
    heading: session.title,
    facts: sessionFacts(input, path),
    relations: relations(input, path),
    outline: outline(input, path),
    pages: pager(session.threadId, page, total, path),
    receipt: {
      ...receipt(session.stats, input.hidden ?? hiddenNodes(session)),
      downloads: downloads(session, path, site),
    },
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

/** Prompts of other pages that an outline holds on either side of its own: every page of a giant would list them all. */
const outlineReach = 100

function outline({ facts, session, page }: SessionPage, path: string): OutlineView[] {
  const first = facts.outline.findIndex((entry) => entry.page >= page)
  const last = facts.outline.findLastIndex((entry) => entry.page <= page)
  const start = Math.max(0, (first < 0 ? facts.outline.length : first) - outlineReach)
  return facts.outline.slice(start, last + 1 + outlineReach).map((entry) => {
    const here = entry.page === page
    const target = here ? '' : relativeLink(path, sessionPage(session.threadId, entry.page))
    return { text: entry.text === '' ? `Turn ${entry.turn}` : entry.text, href: `${target}#${entry.anchor}`, here }
  })
}

function pager(threadId: string, current: number, total: number, path: string): SessionView['pages'] {
  const link = (number: number) => relativeLink(path, sessionPage(threadId, number))
  return {
    current,
    total,
    ...(current > 1 ? { previous: link(current - 1) } : {}),
    ...(current < total ? { next: link(current + 1) } : {}),
    all: total === 1 ? [] : pagesAround(current, total).map((number) => ({ number, href: link(number) })),
  }
}

/** Pages that a pager lists on either side of the current one, beside the first and the last. */
const pagerReach = 9

function pagesAround(current: number, total: number): number[] {
  const start = Math.max(1, current - pagerReach)
  const end = Math.min(total, current + pagerReach)
  const near = Array.from({ length: end - start + 1 }, (_, index) => start + index)
  return [...(start > 1 ? [1] : []), ...near, ...(end < total ? [total] : [])]
}

function downloads(session: Session, path: string, site: SiteInfo): LinkView[] {
  return [
    ...(site.markdown ? [{ text: 'Markdown', href: relativeLink(path, sessionMarkdown(session.threadId)) }] : []),
    ...(site.json ? [{ text: 'JSON', href: relativeLink(path, sessionJson(session.threadId)) }] : []),
  ]
}

function relations({ neighbours, session }: SessionPage, path: string): RelationView[] {
  const href = (id: string, place?: PagePlace) => relativeLink(path, placeLink(id, place))
  const one = (heading: string, thread: Neighbours['parent']): RelationView[] => {
    if (thread === undefined || threadFolder(thread.threadId) === threadFolder(session.threadId)) return []
    const link = thread.built ? { href: href(thread.threadId, thread.place) } : { note: 'not in this site' }
    return [{ heading, items: [{ text: thread.title ?? thread.threadId, ...link }] }]
  }
  const many = (heading: string, items: RelationView['items']): RelationView[] =>
    items.length === 0 ? [] : [{ heading, items }]
  const forks = neighbours.forks.map(({ threadId, title }) => ({ text: title, href: href(threadId) }))
  const agents = neighbours.agents.map(({ threadId, title, role }) => ({
    text: title,
    href: href(threadId),
    ...(role === undefined ? {} : { note: role }),
  }))
  return [
    ...one('Sub-agent of', neighbours.parent),
    ...one('Forked from', neighbours.forkedFrom),
    ...many('Forks', forks),
    ...many('Sub-agents', agents),
  ]
}
