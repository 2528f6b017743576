/** One of several threads: asks where somebody can be asked, else lists them. */
import { UsageError } from '../diagnostics/errors.ts'
import type { Thread } from '../model/rollout.ts'
import { defined } from '../util/defined.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { candidateLine } from './candidate-line.ts'
import { type Privacy, privacyOf, privateScan } from './privacy.ts'
import { projectOf } from './project.ts'
import type { ThreadScan } from './thread-scan.ts'
import type { Candidate, Host, ShowOptions } from './types.ts'

/** Threads that are presented; more would be no choice. */
const most = 20

/** Gives the thread that is meant. Throws `UsageError` where there is none, and where nobody can be asked. */
export async function chooseThread(
  threads: readonly Thread[],
  options: ShowOptions,
  { scan, host }: { scan: ThreadScan; host: Host },
): Promise<Thread> {
  const [only] = threads
  const asked = askedFor(options)
  if (only === undefined) throw new UsageError(`No session fits ${asked}; \`codex-export list\` shows what is there.`)
  if (threads.length === 1) return only
  // The catalog is sorted by start: the newest are the likely ones.
  const shown = threads.slice(-most).reverse()
  const privacy = privacyOf(options, host)
  const candidates = await Promise.all(shown.map((thread) => candidateOf(thread, scan, privacy)))
  const heading = `${formatAmount(threads.length, 'session')} fit ${asked}`
  const more = threads.length > most ? `, the newest ${formatCount(most)} of them` : ''
  host.progress.done()
  if (options.choose === undefined) {
    const rows = candidates.map((candidate) => `  ${candidate.id} · ${candidateLine(candidate, options.look.timeZone)}`)
    throw new UsageError(`${heading}${more}:\n${rows.join('\n')}\nName one of them by its id.`)
  }
  const id = await options.choose(`${heading}${more}:`, candidates)
  return threads.find((thread) => thread.id === id) ?? only
}

function askedFor({ target, projects }: ShowOptions): string {
  const names = projects.map((name) => `\`${name}\``).join(' or ')
  return [
    ...(target === undefined ? [] : [`the id \`${target}\``]),
    ...(names === '' ? [] : [`the project ${names}`]),
  ].join(' and ')
}

async function candidateOf(thread: Thread, scan: ThreadScan, privacy: Privacy | undefined): Promise<Candidate> {
  const { facts } = privateScan(await scan(thread), privacy)
  const title = facts?.title ?? 'cannot be read'
  return {
    id: thread.id,
    title,
    ...defined({ startedAt: facts?.startedAt, project: facts && projectOf(facts.remote, facts.cwds[0]).name }),
  }
}
