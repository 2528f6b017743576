/** The view of a session page: everything around its turns. */

import type { PriceTable } from '../../config/prices.ts'
import type { NamedThread } from '../../survey/neighbours.ts'
import { costOf } from '../../transcript/cost.ts'
import type { Session, Turn } from '../../transcript/trast.ts'
import {
  anchorLink,
  contextPage,
  type PageAnchor,
  projectPage,
  prunedAnchor,
  relativeLink,
  sessionJson,
  sessionMarkdown,
  threadFolder,
} from '../../transcript/urls.ts'
import { sumBy } from '../../util/groups.ts'
import { defined, ownValue } from '../../util/own.ts'
import { formatAmount, formatCount, formatDuration, formatInstant, isUuid } from '../../util/time.ts'
import { failuresLeft, firstLine, formatCompact, isTrouble, permissionOf, requestName, statusWord } from '../phrases.ts'
import type { SiteInfo } from '../site-info.ts'
import { isWebUrl } from '../transcript/prose/schemes.ts'
import type { FactView, LinkView, SessionView } from '../views.ts'
import { scriptLanguage } from '../visible-text.ts'
import { outlineView } from './chapters.ts'
import { commitUrl } from './commits.ts'
import type { SessionPage } from './page-type.ts'
import { type PageAbout, pageView } from './page-view.ts'
import { receipt } from './receipt.ts'
import { pagerView, sessionChanges } from './session-navigation.ts'
import { anchorHrefs, type LineageView, pathOf, storyHrefs } from './session-views.ts'
import { timelineView, tokenBar } from './timeline.ts'
import { costText, hiddenNodes } from './totals.ts'

/** The view for `html/session.eta`. */
export function sessionView(input: SessionPage): SessionView {
  const { session, page, site, body } = input
  const pages = Math.max(1, input.facts.pages.length)
  const path = pathOf(input)
  const { story } = input
  const isFirst = story === undefined ? pages === 1 : story.part === 1
  const place = story === undefined ? page : story.part
  const suffix = isFirst ? '' : ` (${story === undefined ? 'page' : 'part'} ${place})`
  return {
    ...pageView(path, `${session.title}${suffix} · ${input.project.name}`, site, aboutSession(input)),
    heading: session.title,
    ...defined({
      thread: isUuid(session.threadId) ? session.threadId : undefined,
      headingLanguage: scriptLanguage(session.title),
      waits: session.status === 'running' ? (input.overview?.running ?? 'answer') : undefined,
    }),
    downloads: downloads(session, path, site),
    place: placeFacts(input, path),
    ...(isFirst ? firstPage(input, path) : { facts: [], details: [], panels: [], relations: [] }),
    ...outlineView(input),
    pages: pagerView(input),
    // A later part of a story tells of nothing but itself, so that it stays as it is when the session grows.
    ...(place > 1 && story !== undefined
      ? {}
      : { receipt: receipt(session.stats, input.hidden ?? hiddenNodes(session)) }),
    body,
  }
}

/** The first words that were said tell more than anything else what a session is about. */
function aboutSession({ session, facts, story, context }: SessionPage): PageAbout {
  const { startedAt } = session
  return defined({
    beginning: startedAt === undefined ? undefined : formatInstant(startedAt, context.timeZone),
    description: firstLine(facts.firstPrompt ?? session.title, 1000),
    publishedAt: session.startedAt,
    modifiedAt: story === undefined || story.part === 1 ? (session.endedAt ?? facts.endedAt) : undefined,
  })
}

/** What the first page tells of the whole session; later ones lead back to it. */
function firstPage(
  input: SessionPage,
  path: string,
): Pick<SessionView, 'subtitle' | 'facts' | 'details' | 'panels' | 'relations' | 'resume' | 'timeline' | 'changes'> {
  const { session, facts, overview, detail, context } = input
  const href = anchorHrefs(input)
  const place = { href, turnHref: storyHrefs(input), timeZone: context.timeZone, outline: facts.outline }
  return {
    facts: sessionFacts(input),
    details: sessionDetails(input, path),
    panels: input.panels ?? [],
    relations: lineageTree(input, path),
    ...defined({
      subtitle: subtitleOf(facts.subtitle),
      resume: input.site.withoutInternals ? undefined : resumeCommand(session.threadId),
      changes: detail === undefined ? undefined : sessionChanges(detail, href),
      timeline: overview === undefined ? undefined : timelineView(overview, place),
    }),
  }
}

function subtitleOf(text: string | undefined): SessionView['subtitle'] {
  return text === undefined ? undefined : { text, ...defined({ language: scriptLanguage(text) }) }
}

/** Nothing but an id may stand in a command line. */
function resumeCommand(threadId: string): string | undefined {
  return isUuid(threadId) ? `codex resume ${threadId}` : undefined
}

function downloads(session: Session, path: string, site: SiteInfo): LinkView[] {
  return [
    ...(site.markdown ? [{ text: 'Markdown', href: relativeLink(path, sessionMarkdown(session.threadId)) }] : []),
    ...(site.json ? [{ text: 'JSON', href: relativeLink(path, sessionJson(session.threadId)) }] : []),
  ]
}

// Where a session stands among others, as a tree: who it came from, itself, what came of it.

/** Branches of a session that stand open; more are folded behind them. */
const openBranches = 8

/** Branches that a page lists at all. */
const maxBranches = 500

/** The tree with this session in it, or nothing where it stands alone. */
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

/** Counted only where not all of them can be seen at once. */
function noteOf(branches: number): string {
  return branches > maxBranches ? `${branches - maxBranches} more are not listed` : ''
}

function folded(branches: LineageView[]): Pick<LineageView, 'branches' | 'more'> {
  // A fold for a single one would take as much room as the one itself.
  const open = branches.length <= openBranches + 1 ? branches.length : openBranches
  return { branches: branches.slice(0, open), more: branches.slice(open, maxBranches) }
}

/** One below the other, the last ones below all. */
function under(chain: readonly LineageView[], last: LineageView[]): LineageView[] {
  return chain.reduceRight((branches, node) => [{ ...node, branches }], last)
}

function isSelf(thread: NamedThread | undefined, threadId: string): thread is undefined {
  return thread === undefined || threadFolder(thread.threadId) === threadFolder(threadId)
}

// The line of facts under a session's title, and the details beside its turns.

type Part = FactView['parts'][number]

/** What decides whether to read on: how long, how much, what was changed, what went wrong. */
function sessionFacts(input: SessionPage): FactView[] {
  const { session } = input
  return [
    duration(input),
    [plain(formatAmount(session.stats.turns, 'turn'))],
    edits(session),
    left(input),
    editsLeft(input),
    errors(input),
    outcome(session),
  ]
    .filter((parts) => parts.length > 0)
    .map((parts) => ({ parts }))
}

/** `★`, and the tags with commas between them. */
function tagsOf({ facts: { star, tags = [] } }: SessionPage): Part[] {
  const words = [...(star ? ['★'] : []), tags.join(', ')].filter((text) => text !== '')
  return words.length === 0 ? [] : [plain(words.join(' '))]
}

/** Everything else that is known of the whole session, by name. */
function sessionDetails(input: SessionPage, path: string): SessionView['details'] {
  const { session, context } = input
  const bar = tokenBar(session.stats.usage)
  const rows: [name: string, parts: Part[]][] = [
    ['Tags', tagsOf(input)],
    ['Person', input.label === undefined ? [] : [plain(input.label)]],
    ['Model', models(input)],
    ['Permissions', permissions(input)],
    ['Tokens', usage(session)],
    ['Cost', cost(session, context.prices)],
    ['Memory', [...memory(input, path), ...pruned(input, path)]],
    ['Commit', commit(session)],
    ['Made', made(session)],
    ['Failures', failures(input)],
    ['Ended', end(input)],
    ['Codex', client(session)],
    ['State', session.archived ? [plain('archived')] : []],
  ]
  return rows
    .filter(([, parts]) => parts.length > 0)
    .map(([name, parts]) => ({ name, parts, ...(name === 'Tokens' && bar !== undefined ? { bar } : {}) }))
}

/** Where a session ran and when it began. */
function placeFacts(input: SessionPage, path: string): FactView[] {
  const { session, context } = input
  return [...place(input, path), start(session, context.timeZone)]
    .filter((parts) => parts.length > 0)
    .map((parts) => ({ parts }))
}

function start({ startedAt }: Session, timeZone: string): Part[] {
  return startedAt === undefined ? [] : [{ text: formatInstant(startedAt, timeZone, 'minute'), iso: startedAt }]
}

function plain(text: string): Part {
  return { text }
}

function end({ session, facts, context }: SessionPage): Part[] {
  const at = session.endedAt ?? facts.endedAt
  return at === undefined || at === session.startedAt
    ? []
    : [{ text: formatInstant(at, context.timeZone, 'minute'), iso: at }]
}

function place({ project, facts, session }: SessionPage, path: string): Part[][] {
  const branch = session.git?.branch ?? facts.branch
  const href = relativeLink(path, projectPage(project.slug))
  return [
    [{ text: project.name, href, strong: true }],
    ...(branch === undefined ? [] : [[{ text: branch, code: true, ...branchLink(session, href) }]]),
  ]
}

/** The list of the project's branches, which holds those that session heads name. */
function branchLink({ git }: Session, project: string): { href?: string } {
  return git?.branch === undefined ? {} : { href: `${project}#branches` }
}

/** The page of what the model remembers. */
function memory({ session, remembers }: SessionPage, path: string): Part[] {
  if (!remembers) return []
  return [{ text: 'What the model remembers', href: relativeLink(path, contextPage(session.threadId)) }]
}

/** Items that the model no longer remembers although the session goes on with it. */
function pruned({ session, remembers, pruned: count = 0 }: SessionPage, path: string): Part[] {
  if (!remembers || count === 0) return []
  const href = `${relativeLink(path, contextPage(session.threadId))}#${prunedAnchor}`
  return [plain(', '), { text: `${formatAmount(count, 'item')} pruned`, href }]
}

function commit(session: Session): Part[] {
  const { commit: hash, remote } = session.git ?? {}
  if (hash === undefined) return []
  const href = commitUrl(remote, hash)
  return [{ text: hash.slice(0, 10), code: true, ...(href === undefined ? {} : { href, foreign: true }) }]
}

function models({ session, overview }: SessionPage): Part[] {
  if (session.models.length === 0) return []
  const efforts = overview?.efforts ?? settingsOf(session, ({ effort }) => effort)
  return [plain([...session.models, ...efforts].join(', '))]
}

/** How far the agent was trusted: when it asked, and what its sandbox allowed. */
function permissions({ session, overview }: SessionPage): Part[] {
  const words = overview?.permissions ?? settingsOf(session, permissionOf)
  return words.length === 0 ? [] : [plain(words.join('; '))]
}

/** What the turns of a whole tree at hand were set to. */
function settingsOf({ children }: Session, setting: (turn: Turn) => string | undefined): string[] {
  const settings = new Set(children.map((child) => (child.type === 'turn' ? setting(child) : undefined)))
  return [...settings].filter((name) => name !== undefined)
}

/** Time inside turns where it is known: nobody worked through the night between two of them. */
function duration({ session, facts, overview }: SessionPage): Part[] {
  const active = overview?.timeline?.turnMs ?? 0
  if (active > 0) return [{ text: formatDuration(active), strong: true }, plain(' active')]
  const to = session.endedAt ?? facts.endedAt
  const ms = session.startedAt === undefined || to === undefined ? 0 : Date.parse(to) - Date.parse(session.startedAt)
  return ms > 0 ? [{ text: formatDuration(ms), strong: true }] : []
}

function usage(session: Session): Part[] {
  const total = sumBy(Object.values(session.stats.usage), (used) => used.total)
  return total === 0 ? [] : [plain(formatCompact(total))]
}

function cost({ stats }: Session, prices: PriceTable | undefined): Part[] {
  const cost = prices === undefined ? undefined : costOf(stats.usage, prices)
  const text = cost === undefined ? '' : costText(cost)
  return text === '' ? [] : [plain(text)]
}

/** Pull requests that are named one by one; of more only the number is told. */
const maxRequests = 5

/** Commits by number, pull requests by name, with links. */
function made({ stats: { commits = [], pullRequests = [] } }: Session): Part[] {
  const parts: Part[] = commits.length === 0 ? [] : [plain(formatAmount(commits.length, 'commit'))]
  if (pullRequests.length === 0) return parts
  if (parts.length > 0) parts.push(plain(', '))
  parts.push(plain(formatAmount(pullRequests.length, 'pull request')))
  if (pullRequests.length > maxRequests) return parts
  const links = pullRequests.map((url): Part => {
    return { text: requestName(url), ...(isWebUrl(url) ? { href: url, foreign: true } : {}) }
  })
  return [...parts, ...links.flatMap((link) => [plain(' '), link])]
}

function edits({ stats }: Session): Part[] {
  const { files, added, removed } = stats.edits
  if (files === 0) return []
  const parts: Part[] = []
  if (added > 0) parts.push({ text: `+${formatCount(added)}`, strong: true, tone: 'good' }, plain(' '))
  if (removed > 0) parts.push({ text: `\u2212${formatCount(removed)}`, strong: true, tone: 'bad' }, plain(' '))
  return [
    ...parts,
    plain(parts.length === 0 ? `${formatAmount(files, 'file')} edited` : `in ${formatAmount(files, 'file')}`),
  ]
}

/** Failed commands that nothing put right, with a link to the first one. */
function left(input: SessionPage): Part[] {
  const { failuresLeft: count = 0, firstLeft } = input.overview ?? {}
  return count === 0 ? [] : [trouble(input, failuresLeft(count), firstLeft)]
}

/** The same of failed edits. */
function editsLeft(input: SessionPage): Part[] {
  const { editsLeft: count = 0, firstEditLeft } = input.overview ?? {}
  return count === 0 ? [] : [trouble(input, failuresLeft(count, 'failed edit'), firstEditLeft)]
}

/** Errors that the session shows, with a link to the first one. */
function errors(input: SessionPage): Part[] {
  const { errors: count = 0, firstError } = input.overview ?? {}
  return count === 0 ? [] : [trouble(input, formatAmount(count, 'error'), firstError)]
}

function trouble(input: SessionPage, text: string, place: PageAnchor | undefined): Part {
  return { text, strong: true, tone: 'bad', ...(place === undefined ? {} : { href: anchorHrefs(input)(place) }) }
}

/** Everything that failed, also what came right later. */
function failures({ session, overview }: SessionPage): Part[] {
  const { commands, tools } = session.stats
  // Patches are counted under the name of their tool.
  const edits = ownValue(tools, 'apply_patch')?.failed ?? 0
  const others = sumBy(Object.values(tools), ({ failed }) => failed) - edits
  const fixed = overview === undefined ? 0 : commands.failed - overview.failuresLeft
  const texts = [
    ...failedText(commands.failed, fixed, 'failed command'),
    ...failedText(edits, overview?.fixedEdits ?? 0, 'failed edit'),
    ...failedText(others, 0, 'failed tool call'),
  ]
  return texts.length === 0 ? [] : [plain(texts.join(', '))]
}

/** `2 failed commands (1 fixed)` */
function failedText(count: number, fixed: number, what: string): string[] {
  if (count === 0) return []
  const came = fixed < count ? `${formatCount(fixed)} fixed` : `${count === 1 ? '' : 'all '}fixed`
  return [`${formatAmount(count, what)}${fixed > 0 ? ` (${came})` : ''}`]
}

function outcome({ status }: Session): Part[] {
  const word = statusWord(status)
  return word === '' ? [] : [{ text: word, ...(isTrouble(status) ? { tone: 'bad' as const } : {}) }]
}

/** Programs of Codex by the names that they give themselves (rollout-format 2.3). */
const clients: Readonly<Record<string, string>> = {
  codex_cli_rs: 'terminal',
  'codex-tui': 'terminal',
  codex_exec: 'codex exec',
  codex_vscode: 'VS Code',
  'Codex Desktop': 'desktop app',
  'codex-chrome-extension': 'Chrome extension',
}

function client({ client: { version, originator } }: Session): Part[] {
  const name = originator === undefined ? undefined : (ownValue(clients, originator) ?? originator)
  const parts = [version, name].filter((part) => part !== undefined)
  return parts.length === 0 ? [] : [plain(parts.join(', '))]
}
