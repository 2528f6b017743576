/** The line of facts under a session's title. */
import type { Session } from '../model/trast.ts'
import { projectPage, relativeLink } from '../model/urls.ts'
import { formatAmount, formatDuration, formatInstant } from '../util/time.ts'
import type { SessionPage } from './session-page.ts'
import type { FactView } from './views.ts'
import { formatCompact, statusWord } from './words.ts'

type Part = FactView['parts'][number]

/** Facts in the order of their use: where, by whom, when, how much, how it ended. */
export function sessionFacts(input: SessionPage, path: string): FactView[] {
  const { session, facts, context } = input
  const lists = [
    place(input, path),
    commit(session),
    models(session),
    session.startedAt === undefined ? [] : [plain(formatInstant(session.startedAt, context.timeZone, 'minute'))],
    duration(session.startedAt, session.endedAt ?? facts.endedAt),
    [plain(formatAmount(session.stats.turns, 'turn'))],
    usage(session),
    edits(session),
    failures(session),
    outcome(session),
    client(session),
    session.archived ? [plain('archived')] : [],
  ]
  return lists.filter((parts) => parts.length > 0).map((parts) => ({ parts }))
}

function plain(text: string): Part {
  return { text }
}

function place({ project, facts, session }: SessionPage, path: string): Part[] {
  const branch = session.git?.branch ?? facts.branch
  return [
    { text: project.name, href: relativeLink(path, projectPage(project.slug)), strong: true },
    ...(branch === undefined ? [] : [plain(' on '), { text: branch, code: true }]),
  ]
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

function models(session: Session): Part[] {
  if (session.models.length === 0) return []
  const efforts = new Set(session.children.map((child) => (child.type === 'turn' ? child.effort : undefined)))
  const effort = [...efforts].filter((name) => name !== undefined)
  return [plain([session.models.join(', '), ...effort].join(', '))]
}

function duration(from: string | undefined, to: string | undefined): Part[] {
  const ms = from === undefined || to === undefined ? Number.NaN : Date.parse(to) - Date.parse(from)
  return ms > 0 ? [{ text: formatDuration(ms), strong: true }] : []
}

function usage(session: Session): Part[] {
  const total = Object.values(session.stats.usage).reduce((sum, used) => sum + used.total, 0)
  return total === 0 ? [] : [plain(`${formatCompact(total)} tokens`)]
}

function edits({ stats }: Session): Part[] {
  const { files, added, removed } = stats.edits
  if (files === 0) return []
  const parts: Part[] = []
  if (added > 0) parts.push({ text: `+${added}`, strong: true, tone: 'good' }, plain(' '))
  if (removed > 0) parts.push({ text: `\u2212${removed}`, strong: true, tone: 'bad' }, plain(' '))
  return [
    ...parts,
    plain(parts.length === 0 ? `${formatAmount(files, 'file')} edited` : `in ${formatAmount(files, 'file')}`),
  ]
}

function failures({ stats }: Session): Part[] {
  const { failed } = stats.commands
  return failed === 0 ? [] : [{ text: formatAmount(failed, 'failed command'), tone: 'bad' }]
}

function outcome(session: Session): Part[] {
  const word = statusWord(session.status)
  return word === '' ? [] : [{ text: word, tone: 'bad' }]
}

function client({ client: { version, originator } }: Session): Part[] {
  const parts = [version === undefined ? undefined : `Codex ${version}`, originator].filter(
    (part) => part !== undefined,
  )
  return parts.length === 0 ? [] : [plain(parts.join(', '))]
}
