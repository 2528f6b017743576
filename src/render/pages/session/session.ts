/** The view of a session page: everything around its turns. */

import type { NamedThread } from '../../../survey/neighbours.ts'
import { lacksCalls, lacksTurns } from '../../../transcript/stats.ts'
import type { Session } from '../../../transcript/trast.ts'
import { anchorLink, relativeLink, sessionJson, sessionMarkdown, threadFolder } from '../../../transcript/urls.ts'
import { defined } from '../../../util/own.ts'
import { formatInstant, isUuid } from '../../../util/time.ts'
import { firstLine } from '../../phrases.ts'
import type { SiteInfo } from '../../site-info.ts'
import type { LinkView, SessionView } from '../../views.ts'
import { scriptLanguage } from '../../visible-text.ts'
import { type PageAbout, pageView } from '../page-view.ts'
import { receipt } from '../receipt.ts'
import { hiddenNodes } from '../totals.ts'
import { outlineView } from './chapters.ts'
import { placeFacts, sessionDetails, sessionFacts } from './facts.ts'
import { pagerView, sessionChanges } from './navigation.ts'
import { anchorHrefs, pathOf, type SessionPage, storyHrefs } from './session-page.ts'
import { timelineView } from './timeline.ts'
import type { LineageView } from './views.ts'

/** The view for `html/session.eta`. */
export function sessionView(input: SessionPage): SessionView {
  const { session, page, site, body } = input
  const pages = Math.max(1, input.facts.pages.length)
  const path = pathOf(input)
  const { story } = input
  const isFirst = story === undefined ? pages === 1 : story.part === 1
  const number = story === undefined ? page : story.part
  const suffix = isFirst ? '' : ` (${story === undefined ? 'page' : 'part'} ${number})`
  return {
    ...pageView(path, `${session.title}${suffix} · ${input.project.name}`, site, aboutSession(input)),
    heading: session.title,
    ...defined({
      thread: isUuid(session.threadId) ? session.threadId : undefined,
      headingLanguage: scriptLanguage(session.title),
      waits: session.status === 'running' ? (input.overview.running ?? 'answer') : undefined,
    }),
    downloads: downloads(session, path, site),
    place: placeFacts(input, path),
    ...(isFirst ? firstPage(input, path) : { facts: [], details: [], panels: [], relations: [] }),
    ...outlineView(input),
    pages: pagerView(input),
    // A later part of a story shows nothing but itself, so that it stays unchanged when the session grows.
    ...(number > 1 && story !== undefined
      ? {}
      : { receipt: receipt(session.stats, input.hidden ?? hiddenNodes(session)) }),
    body,
  }
}

/** The description is the first prompt, because it says best what a session is about. */
function aboutSession({ session, facts, story, context }: SessionPage): PageAbout {
  const { startedAt } = session
  return defined({
    beginning: startedAt === undefined ? undefined : formatInstant(startedAt, context.timeZone),
    description: firstLine(facts.firstPrompt ?? session.title, 1000),
    publishedAt: session.startedAt,
    modifiedAt: story === undefined || story.part === 1 ? (session.endedAt ?? facts.endedAt) : undefined,
  })
}

/** What the first page shows of the whole session; later pages link back to it. */
function firstPage(
  input: SessionPage,
  path: string,
): Pick<SessionView, 'subtitle' | 'facts' | 'details' | 'panels' | 'relations' | 'resume' | 'timeline' | 'changes'> {
  const { session, facts, overview, detail, context } = input
  const href = anchorHrefs(input)
  return {
    facts: sessionFacts(input),
    details: sessionDetails(input, path),
    panels: input.panels ?? [],
    relations: lineageTree(input, path),
    ...defined({
      subtitle: subtitleOf(facts.subtitle),
      resume: input.site.withoutInternals ? undefined : resumeCommand(session.threadId),
      changes: sessionChanges(detail, href),
      timeline: timelineView(overview, {
        ...{ href, turnHref: storyHrefs(input), timeZone: context.timeZone },
        lacks: { calls: lacksCalls(session.stats), turns: lacksTurns(session.stats) },
      }),
    }),
  }
}

function subtitleOf(text: string | undefined): SessionView['subtitle'] {
  return text === undefined ? undefined : { text, ...defined({ language: scriptLanguage(text) }) }
}

/** The command that resumes the session; only a real id may be part of a command line. */
function resumeCommand(threadId: string): string | undefined {
  return isUuid(threadId) ? `codex resume ${threadId}` : undefined
}

function downloads(session: Session, path: string, site: SiteInfo): LinkView[] {
  return [
    ...(site.markdown ? [{ text: 'Markdown', href: relativeLink(path, sessionMarkdown(session.threadId)) }] : []),
    ...(site.json ? [{ text: 'JSON', href: relativeLink(path, sessionJson(session.threadId)) }] : []),
  ]
}

// The relations of a session as a tree: where it came from, itself, what came from it.

/** Branches of a session that are shown; more are in a fold after them. */
const openBranches = 8

/** Branches that a page lists, including those in the fold. */
const maxBranches = 500

/** The tree with this session in it; empty if the session has no relations. */
export function lineageTree({ neighbours, session }: SessionPage, path: string): LineageView[] {
  const { parent, forkedFrom, forks, agents, above = [] } = neighbours
  const link = ({ threadId, title, built, place }: NamedThread, note: string): LineageView => ({
    text: title ?? threadId,
    note: built ? note : `${note}, not in this site`,
    ...(built ? { href: relativeLink(path, anchorLink(threadId, place)) } : {}),
    branches: [],
    more: [],
  })
  const branches = [
    ...agents.map(({ role, ...thread }) => link({ ...thread, built: true }, role ?? 'sub-agent')),
    ...forks.map((thread) => link({ ...thread, built: true }, 'fork')),
  ]
  const here: LineageView = { text: 'This session', note: noteOf(branches.length), here: true, ...folded(branches) }
  const origins = isSelf(forkedFrom, session.threadId) ? [] : [link(forkedFrom, 'forked into this one')]
  const starter = isSelf(parent, session.threadId) ? undefined : parent
  if (starter === undefined && origins.length === 0 && branches.length === 0) return []
  if (starter === undefined) return under(origins, [here])
  const chain = [...above].reverse().map((thread) => link(thread, 'above it'))
  return [...under([], origins), ...under([...chain, link(starter, 'started this one')], [here])]
}

/** How many branches are not listed; empty if all are. */
function noteOf(branches: number): string {
  return branches > maxBranches ? `${branches - maxBranches} more are not listed` : ''
}

function folded(branches: LineageView[]): Pick<LineageView, 'branches' | 'more'> {
  // A fold for a single branch would take as much space as the branch.
  const open = branches.length <= openBranches + 1 ? branches.length : openBranches
  return { branches: branches.slice(0, open), more: branches.slice(open, maxBranches) }
}

/** Nests sessions, each below the one before, and `last` below all of them. */
function under(chain: readonly LineageView[], last: LineageView[]): LineageView[] {
  return chain.reduceRight((branches, node) => [{ ...node, branches }], last)
}

function isSelf(thread: NamedThread | undefined, threadId: string): thread is undefined {
  return thread === undefined || threadFolder(thread.threadId) === threadFolder(threadId)
}
