/** Finds the thread that `show` is asked for. */

import type { Home } from '../../config/kinds.ts'
import type { SettingsOf } from '../../config/schema.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import type { Host, PublicationOptions } from '../../site/types.ts'
import { type ThreadScan, threadIndex, threadScan } from '../../survey/lineage.ts'
import { privacyOf, privateScan, publicIds } from '../../survey/privacy.ts'
import { type ProjectNames, projectNames, projectOf } from '../../survey/project.ts'
import { everything, isSelected, readFilters, threadAt, threadsNamed } from '../../survey/select.ts'
import { type Survey, surveyHomes } from '../../survey/survey.ts'
import type { ScanFacts } from '../../transcript/summary.ts'
import { cutToWidth } from '../../util/columns.ts'
import { yieldToEventLoop } from '../../util/event-loop.ts'
import { isFile, isFolder } from '../../util/files-fs.ts'
import { defined } from '../../util/own.ts'
import { printable } from '../../util/printable.ts'
import { joinTexts, shortened } from '../../util/text.ts'
import { formatAmount, formatCount, formatInstant } from '../../util/time.ts'
import { ask, canAsk, type World } from '../world.ts'

/** Options of `show`: the settings that it accepts, and what settings do not contain. */
export interface ShowOptions extends SettingsOf<'show'>, PublicationOptions {
  /** The program that made the pages, `codex-export x.y.z`. */
  readonly generator: string
  /** As typed: the beginning of a thread id, or a path; `undefined` if only the projects decide. */
  readonly target: string | undefined
  /** `target` as an absolute path, whether or not such a file exists. */
  readonly targetPath: string | undefined
  /**
   * Asks which of several threads is meant and returns its id; throws a `UsageError` if none is chosen. `undefined` if nobody can
   * be asked.
   */
  readonly choose: ((heading: string, candidates: readonly Candidate[]) => Promise<string>) | undefined
  /** Receives the pieces of the product in order, after everything has been read. */
  readonly write: (piece: string | Uint8Array) => Promise<void>
}

/** A thread to choose from. */
export interface Candidate {
  id: string
  title: string
  project?: string
  startedAt?: string
}

/** The chosen thread, among the threads of its homes. */
export interface Target {
  thread: Thread
  threads: readonly Thread[]
  scan: ThreadScan
}

/**
 * Finds the thread. A path that exists is read as it is, even outside a home; anything else is the beginning of a thread id.
 * Throws a `UsageError` for an unknown target, or if several threads match and nobody can be asked.
 */
export async function findTarget(options: ShowOptions, host: Host, spoolDir: () => string): Promise<Target> {
  const { target, targetPath, withAgents, homes } = options
  const publicId = publicIds(privacyOf(options, host))
  const surveyOf = (homes: readonly Home[]): Promise<Survey> => surveyHomes(homes, host, { spoolDir, publicId })
  if (targetPath === undefined || !isFile(targetPath)) {
    const found = await surveyOf(homes)
    const { threads } = found.catalog
    const scan = threadScan(threadIndex(threads), { spoolDir, signal: host.signal })
    const fitting = target === undefined ? threads : threadsNamed(target, found, isFolder(targetPath ?? target))
    const wanted = await ofProjects(fitting, options.projects, { scan, host })
    return { thread: await chooseThread(wanted, options, { scan, host }), threads, scan }
  }
  const found = await surveyOf([{ path: targetPath }])
  for (const item of found.diagnostics) host.report(item)
  const thread = threadAt(target ?? targetPath, found)
  // The sub-agents of a rollout have files of their own, which are in a home.
  const others = withAgents ? (await surveyOf(homes)).catalog.threads : []
  const threads = [...found.catalog.threads, ...others.filter(({ id }) => id !== thread.id)]
  return { thread, threads, scan: threadScan(threadIndex(threads), { spoolDir, signal: host.signal }) }
}

/** The threads of the given projects, as filters find them; this takes a scan of each. */
async function ofProjects(
  threads: readonly Thread[],
  projects: readonly string[],
  { scan, host }: { scan: ThreadScan; host: Host },
): Promise<Thread[]> {
  if (projects.length === 0) return [...threads]
  const selection = readFilters({ ...everything, projects, timeZone: 'UTC' }, host.now())
  host.progress.stage('Reading sessions', threads.length)
  const found: Thread[] = []
  for (const thread of threads) {
    await yieldToEventLoop()
    host.signal.throwIfAborted()
    const { facts } = await scan(thread)
    if (facts !== undefined && isSelected({ id: thread.id, archived: thread.archived, ...facts }, selection))
      found.push(thread)
    host.progress.tick()
  }
  return found
}

// Asks on a terminal which of several threads is meant.

/**
 * Returns a function that prints a numbered list and a question on stderr, until the answer is one of the numbers or empty;
 * `undefined` if nobody can be asked.
 */
export function choose(world: World, signal: AbortSignal, timeZone: string): ShowOptions['choose'] {
  if (!canAsk(world)) return undefined
  return async (heading, candidates) => {
    const lines = candidates.map((candidate, index) => lineOf(candidate, index + 1, { world, timeZone }))
    await world.stderr.write(`${[printable(heading), ...lines].join('\n')}\n`)
    for (;;) {
      const answer = await ask(`Number (1 to ${candidates.length}), or enter to stop: `, world, signal)
      if (answer === '') throw new UsageError('No session was chosen.')
      const chosen = /^\d{1,3}$/.test(answer) ? candidates[Number(answer) - 1] : undefined
      if (chosen !== undefined) return chosen.id
      await world.stderr.write(`\`${printable(answer)}\` is not one of these numbers.\n`)
    }
  }
}

function lineOf(candidate: Candidate, number: number, { world, timeZone }: { world: World; timeZone: string }): string {
  const line = `${String(number).padStart(3)}  ${printable(candidateLine(candidate, timeZone))}`
  // A terminal that does not know its width reports 0.
  return cutToWidth(line, (world.stderr.columns || 80) - 1)
}

// Threads to choose from, one per line.

/** A candidate on one line, without its id: when it began, its project and its title. */
function candidateLine({ title, startedAt, project }: Candidate, timeZone: string): string {
  const when = startedAt === undefined ? undefined : formatInstant(startedAt, timeZone)
  const line = title.replace(/\s+/g, ' ').trim()
  const parts = [when, project, shortened(line, 60, 59)]
  return parts.filter((part) => part !== undefined).join(' · ')
}

// One of several threads: asks if somebody can be asked, otherwise lists them.

/** How many threads are offered; more would be hard to choose from. */
const maxChoices = 20

/** Returns the thread that is meant. Throws a `UsageError` if there is none, or if nobody can be asked. */
async function chooseThread(
  threads: readonly Thread[],
  options: ShowOptions,
  { scan, host }: { scan: ThreadScan; host: Host },
): Promise<Thread> {
  const [only] = threads
  const request = describeRequest(options)
  if (only === undefined)
    throw new UsageError(`No session matches ${request}; \`codex-export list\` lists the sessions.`)
  if (threads.length === 1) return only
  // The catalog is sorted by start, and the newest threads are the likely ones.
  const shown = threads.slice(-maxChoices).reverse()
  const privacy = privacyOf(options, host)
  const scans = await Promise.all(
    shown.map(async (thread) => ({ thread, ...privateScan(await scan(thread), privacy) })),
  )
  const names = projectNames(scans.flatMap(({ facts }) => facts ?? []))
  const candidates = scans.map(({ thread, facts }) => candidateOf(thread.id, facts, names))
  const heading = `${formatAmount(threads.length, 'session')} match ${request}`
  const more = threads.length > maxChoices ? `, the newest ${formatCount(maxChoices)} of them` : ''
  host.progress.done()
  if (options.choose === undefined) {
    const rows = candidates.map((candidate) => `  ${candidate.id} · ${candidateLine(candidate, options.timeZone)}`)
    throw new UsageError(`${heading}${more}:\n${rows.join('\n')}\nGive the id of one of them.`)
  }
  const id = await options.choose(`${heading}${more}:`, candidates)
  return threads.find((thread) => thread.id === id) ?? only
}

function describeRequest({ target, projects }: ShowOptions): string {
  const names = projects.map((name) => `\`${name}\``).join(' or ')
  return joinTexts([target === undefined ? '' : `the id \`${target}\``, names && `the project ${names}`], ' and ')
}

function candidateOf(id: string, facts: ScanFacts | undefined, names: ProjectNames): Candidate {
  if (facts === undefined) return { id, title: 'cannot be read' }
  const { title, startedAt } = facts
  return { id, title, project: projectOf(facts, names).name, ...defined({ startedAt }) }
}
