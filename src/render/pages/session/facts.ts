/** The line of facts under a session's title, and its details. */

import type { PriceTable } from '../../../config/prices.ts'
import { costOf } from '../../../transcript/cost.ts'
import type { Permissions } from '../../../transcript/overview.ts'
import { allTurns } from '../../../transcript/stats.ts'
import type { Session, Usage } from '../../../transcript/trast.ts'
import { contextPage, type PageAnchor, projectPage, prunedAnchor, relativeLink } from '../../../transcript/urls.ts'
import { sumBy } from '../../../util/groups.ts'
import { defined, ownValue } from '../../../util/own.ts'
import { joinTexts } from '../../../util/text.ts'
import { formatAmount, formatCount, formatDuration, formatInstant } from '../../../util/time.ts'
import { failuresLeft, formatCompact, isTrouble, requestName, rolledBackText, statusWord } from '../../phrases.ts'
import { percent } from '../../plots.ts'
import { isWebUrl } from '../../transcript/prose/schemes.ts'
import type { FactView, SessionView } from '../../views.ts'
import { commitUrl } from '../commits.ts'
import { costText } from '../totals.ts'
import { anchorHrefs, type SessionPage } from './session-page.ts'
import type { BarView } from './views.ts'

type Part = FactView['parts'][number]

/** What helps a reader to decide whether to read on: how long, how much, what was changed, what went wrong. */
export function sessionFacts(input: SessionPage): FactView[] {
  const { session } = input
  return [duration(input), turns(input), edits(input), ...troubles(input), outcome(session)]
    .filter((parts) => parts.length > 0)
    .map((parts) => ({ parts }))
}

/** `★`, and the tags with commas between them. */
function tagsOf({ facts: { star, tags = [] } }: SessionPage): Part[] {
  const words = [...(star ? ['★'] : []), tags.join(', ')].filter((text) => text !== '')
  return words.length === 0 ? [] : [plain(words.join(' '))]
}

/** Everything else that is known about the whole session, by name. */
export function sessionDetails(input: SessionPage, path: string): SessionView['details'] {
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
export function placeFacts(input: SessionPage, path: string): FactView[] {
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

/** Link to the list of the project's branches, which has only branches that session heads name. */
function branchLink({ git }: Session, project: string): { href?: string } {
  return git?.branch === undefined ? {} : { href: `${project}#branches` }
}

/** Link to the page of what the model remembers. */
function memory({ session, remembers }: SessionPage, path: string): Part[] {
  if (!remembers) return []
  return [{ text: 'What the model remembers', href: relativeLink(path, contextPage(session.threadId)) }]
}

/** Number of items that were pruned from what the model remembers. */
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
  const { efforts } = overview
  const named = session.models.map((model) => efforts.find((entry) => entry.model === model) ?? { model, efforts: [] })
  const others = efforts.filter((entry) => !named.includes(entry))
  const words = [...named, ...others].map(({ model, efforts }) => joinTexts([model, efforts.join('/')], ' '))
  return [plain(words.join(', '))]
}

/** How far the agent was trusted: what its sandbox allowed and when it asked. */
function permissions({ overview }: SessionPage): Part[] {
  const words = permissionText(overview.permissions)
  return words === '' ? [] : [plain(words)]
}

/**
 * Permissions in words: `read only, asks when needed; then full access, never asks`. If they went back to earlier ones, the
 * text says how often they changed instead.
 */
function permissionText({ all, changes, next }: Permissions): string {
  const isTrail = changes === all.length - 1
  const parts = all.map((words, index) => (isTrail && index > 0 ? `then ${words}` : words))
  if (!isTrail && changes > 0) parts.push(`changed ${changes === 2 ? 'twice' : formatAmount(changes, 'time')}`)
  if (next !== undefined) parts.push(`for the next turn: ${next}`)
  return parts.join('; ')
}

/** Time inside turns if it is known, because nobody works between two turns; else the time from start to end. */
function duration({ session, facts, overview }: SessionPage): Part[] {
  const active = overview.timeline?.turnMs ?? 0
  if (active > 0) return [{ text: formatDuration(active), strong: true }, plain(' active')]
  const to = session.endedAt ?? facts.endedAt
  const ms = session.startedAt === undefined || to === undefined ? 0 : Date.parse(to) - Date.parse(session.startedAt)
  return ms > 0 ? [{ text: formatDuration(ms), strong: true }] : []
}

function turns({ session: { stats } }: SessionPage): Part[] {
  return [plain(`${formatAmount(allTurns(stats), 'turn')}${rolledBackText(stats)}`)]
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

/** Pull requests that are linked one by one; of more, only the number is shown. */
const maxRequests = 5

/** How many commits, and the pull requests by name, with links. */
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

function edits({ session: { stats }, overview: { written } }: SessionPage): Part[] {
  const { files, added, removed } = stats.edits
  const by = `written by ${written === 1 ? 'a command' : 'commands'}`
  if (files === 0) return written === 0 ? [] : [plain(`${formatAmount(written, 'file')} ${by}`)]
  const parts: Part[] = []
  if (added > 0) parts.push({ text: `+${formatCount(added)}`, strong: true, tone: 'good' }, plain(' '))
  if (removed > 0) parts.push({ text: `\u2212${formatCount(removed)}`, strong: true, tone: 'bad' }, plain(' '))
  return [
    ...parts,
    plain(parts.length === 0 ? `${formatAmount(files, 'file')} edited` : `in ${formatAmount(files, 'file')}`),
    ...(written === 0 ? [] : [plain(`, ${formatCount(written)} more ${by}`)]),
  ]
}

/** Failed commands and edits that nothing fixed later, and errors that the session shows, each with a link to the first. */
function troubles(input: SessionPage): Part[][] {
  const { failuresLeft: commands, firstLeft, editsLeft, firstEditLeft, errors, firstError } = input.overview
  const part = (count: number, text: string, first: PageAnchor | undefined): Part[] =>
    count === 0 ? [] : [{ text, strong: true, tone: 'bad', ...defined({ href: first && anchorHrefs(input)(first) }) }]
  return [
    part(commands, failuresLeft(commands), firstLeft),
    part(editsLeft, failuresLeft(editsLeft, 'failed edit'), firstEditLeft),
    part(errors, formatAmount(errors, 'error'), firstError),
  ]
}

/** Everything that failed, including what was fixed later. */
function failures({ session, overview }: SessionPage): Part[] {
  const { commands, tools } = session.stats
  // Patches are counted under the name of their tool.
  const edits = ownValue(tools, 'apply_patch')?.failed ?? 0
  const others = sumBy(Object.values(tools), ({ failed }) => failed) - edits
  const { failuresLeft, fixedEdits } = overview
  const fixed = commands.failed - failuresLeft
  // Without it, "all fixed" after the edits would be read as including the commands.
  const none = fixedEdits > 0 ? ' (none fixed)' : ''
  const texts = [
    ...failedText(commands.failed, fixed, { what: 'failed command', none }),
    ...failedText(edits, fixedEdits, { what: 'failed edit' }),
    ...failedText(others, 0, { what: 'failed tool call' }),
  ]
  return texts.length === 0 ? [] : [plain(texts.join(', '))]
}

/** `2 failed commands (1 fixed)`; `none` follows the amount if nothing was fixed. */
function failedText(count: number, fixed: number, { what, none = '' }: { what: string; none?: string }): string[] {
  if (count === 0) return []
  const came = fixed < count ? `${formatCount(fixed)} fixed` : `${count === 1 ? '' : 'all '}fixed`
  return [`${formatAmount(count, what)}${fixed > 0 ? ` (${came})` : none}`]
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

// Tokens of a session as a small bar: fresh input, cached input, output.

/** Smallest share of the bar for a kind, in per cent, so that it is visible. */
const minShare = 2

/** The bar of the tokens of all models; `undefined` if none were counted, or if the parts are not known. */
function tokenBar(usage: Readonly<Record<string, Usage>>): BarView | undefined {
  const sum = (pick: (used: Usage) => number) => sumBy(Object.values(usage), (used) => Math.max(0, pick(used)))
  const [input, cached] = [sum((used) => used.input), sum((used) => Math.min(used.cached, used.input))]
  const [output, reasoning] = [sum((used) => used.output), sum((used) => Math.min(used.reasoning, used.output))]
  const parts = [
    { kind: 'fresh' as const, count: input - cached },
    { kind: 'cached' as const, count: cached },
    { kind: 'output' as const, count: output - reasoning },
    { kind: 'reasoning' as const, count: reasoning },
  ].filter(({ count }) => count > 0)
  if (parts.length === 0) return undefined
  const text = [
    `${formatCompact(input)} input${cached === 0 ? '' : `, of which ${formatCompact(cached)} cached`}`,
    `${formatCompact(output)} output${reasoning === 0 ? '' : `, of which ${formatCompact(reasoning)} reasoning`}`,
  ]
  return { text: text.join('; '), parts: widths(parts) }
}

function widths(parts: readonly { kind: BarView['parts'][number]['kind']; count: number }[]): BarView['parts'] {
  const total = sumBy(parts, ({ count }) => count)
  const raised = parts.map(({ kind, count }) => ({ kind, share: Math.max(minShare, (100 * count) / total) }))
  const whole = sumBy(raised, ({ share }) => share)
  let at = 0
  return raised.map(({ kind, share }) => {
    const part = { kind, x: percent(at), width: percent((100 * share) / whole) }
    at += (100 * share) / whole
    return part
  })
}
