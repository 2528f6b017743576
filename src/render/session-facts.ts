/** The line of facts under a session's title. */
import { costOf } from '../model/cost.ts'
import type { PriceTable } from '../model/prices.ts'
import type { Session } from '../model/trast.ts'
import { contextPage, projectPage, prunedAnchor, relativeLink } from '../model/urls.ts'
import { formatAmount, formatCount, formatDuration, formatInstant } from '../util/time.ts'
import { costText } from './cost.ts'
import { placeHrefs } from './place-href.ts'
import { isWebUrl } from './prose/schemes.ts'
import type { SessionPage } from './session-page.ts'
import { tokenBar } from './token-bar.ts'
import type { FactView } from './views.ts'
import { formatCompact, isTrouble, requestName, statusWord } from './words.ts'

type Part = FactView['parts'][number]

/** Facts in the order of their use: where, by whom, when, how much, how it ended. */
export function sessionFacts(input: SessionPage, path: string): FactView[] {
  const { session, facts, context } = input
  const tokens = usage(session)
  const lists = [
    place(input, path),
    commit(session),
    models(input),
    start(session, context.timeZone),
    duration(session.startedAt, session.endedAt ?? facts.endedAt),
    [plain(formatAmount(session.stats.turns, 'turn'))],
    tokens,
    cost(session, context.prices),
    edits(session),
    made(session),
    failures(input),
    outcome(session),
    client(session),
    session.archived ? [plain('archived')] : [],
    memory(input, path),
    pruned(input, path),
  ]
  const bar = tokenBar(session.stats.usage)
  return lists
    .filter((parts) => parts.length > 0)
    .map((parts) => ({ parts, ...(parts === tokens && bar !== undefined ? { bar } : {}) }))
}

/** Where a session ran and when it began: enough for its later pages. */
export function placeFacts(input: SessionPage, path: string): FactView[] {
  const { session, context } = input
  return [place(input, path), start(session, context.timeZone)]
    .filter((parts) => parts.length > 0)
    .map((parts) => ({ parts }))
}

function start({ startedAt }: Session, timeZone: string): Part[] {
  return startedAt === undefined ? [] : [{ text: formatInstant(startedAt, timeZone, 'minute'), iso: startedAt }]
}

function plain(text: string): Part {
  return { text }
}

function place({ project, facts, session }: SessionPage, path: string): Part[] {
  const branch = session.git?.branch ?? facts.branch
  const href = relativeLink(path, projectPage(project.slug))
  return [
    { text: project.name, href, strong: true },
    ...(branch === undefined ? [] : [plain(' on '), { text: branch, code: true, ...branchLink(session, href) }]),
  ]
}

/** The list of the project's branches, which holds those that session heads name. */
function branchLink({ git }: Session, project: string): { href?: string } {
  return git?.branch === undefined ? {} : { href: `${project}#branches` }
}

/** The page of what the model remembers. */
function memory({ session, remembers }: SessionPage, path: string): Part[] {
  if (!remembers) return []
  return [{ text: 'what the model remembers', href: relativeLink(path, contextPage(session.threadId)) }]
}

/** Items that the model no longer remembers although the session goes on with it. */
function pruned({ session, remembers, pruned: count = 0 }: SessionPage, path: string): Part[] {
  if (!remembers || count === 0) return []
  const href = `${relativeLink(path, contextPage(session.threadId))}#${prunedAnchor}`
  return [{ text: `pruned: ${formatAmount(count, 'item')}`, href }]
}

function commit(session: Session): Part[] {
  const { commit: hash, remote } = session.git ?? {}
  if (hash === undefined) return []
  const href = /^[0-9a-f]{7,64}$/.test(hash) ? commitUrl(remote, hash) : undefined
  return [plain('at '), { text: hash.slice(0, 10), code: true, ...(href === undefined ? {} : { href, foreign: true }) }]
}

/** Page of a commit on a host that names it `<repository>/commit/<hash>`; `undefined` for other remotes. */
export function commitUrl(remote: string | undefined, hash: string): string | undefined {
  const match = /^(?:https?:\/\/|ssh:\/\/(?:git@)?|git@)([\w.-]+)[:/]([\w./-]+?)(?:\.git)?\/?$/.exec(remote ?? '')
  const [, host, repository] = match ?? []
  if (host === undefined || repository === undefined || /\.\.|^\d+\//.test(repository)) return undefined
  return `https://${host}/${repository}/commit/${hash}`
}

function models({ session, overview }: SessionPage): Part[] {
  if (session.models.length === 0) return []
  return [plain([...session.models, ...(overview?.efforts ?? effortsOf(session))].join(', '))]
}

/** Efforts of a whole tree at hand. */
function effortsOf({ children }: Session): string[] {
  const efforts = new Set(children.map((child) => (child.type === 'turn' ? child.effort : undefined)))
  return [...efforts].filter((name) => name !== undefined)
}

function duration(from: string | undefined, to: string | undefined): Part[] {
  const ms = from === undefined || to === undefined ? Number.NaN : Date.parse(to) - Date.parse(from)
  return ms > 0 ? [{ text: formatDuration(ms), strong: true }] : []
}

function usage(session: Session): Part[] {
  const total = Object.values(session.stats.usage).reduce((sum, used) => sum + used.total, 0)
  return total === 0 ? [] : [plain(`${formatCompact(total)} tokens`)]
}

function cost({ stats }: Session, prices: PriceTable | undefined): Part[] {
  const cost = prices === undefined ? undefined : costOf(stats.usage, prices)
  return cost === undefined ? [] : [plain(costText(cost))]
}

/** Pull requests that are named one by one; of more only the number is told. */
const mostRequests = 5

/** Commits by number, pull requests by name, with links. */
function made({ stats: { commits = [], pullRequests = [] } }: Session): Part[] {
  const parts: Part[] = commits.length === 0 ? [] : [plain(formatAmount(commits.length, 'commit'))]
  if (pullRequests.length === 0) return parts
  if (parts.length > 0) parts.push(plain(', '))
  parts.push(plain(formatAmount(pullRequests.length, 'pull request')))
  if (pullRequests.length > mostRequests) return parts
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

/** Failed commands, with a link to the first one. */
function failures({ session, overview, page }: SessionPage): Part[] {
  const { failed } = session.stats.commands
  if (failed === 0) return []
  const first = overview?.firstFailure
  const href = first === undefined ? {} : { href: placeHrefs(session.threadId, page)(first) }
  return [{ text: formatAmount(failed, 'failed command'), tone: 'bad', ...href }]
}

function outcome({ status }: Session): Part[] {
  if (status === 'completed') return [plain('completed')]
  const word = statusWord(status)
  return word === '' ? [] : [{ text: word, ...(isTrouble(status) ? { tone: 'bad' as const } : {}) }]
}

function client({ client: { version, originator } }: Session): Part[] {
  const parts = [version === undefined ? undefined : `Codex ${version}`, originator].filter(
    (part) => part !== undefined,
  )
  return parts.length === 0 ? [] : [plain(parts.join(', '))]
}
