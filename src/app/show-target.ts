/** Which thread `show` is asked for. */
import type { Home } from '../config/settings.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { findRoots } from '../discover/homes-fs.ts'
import { isSelected, matchThread, readFilters } from '../discover/select.ts'
import type { Thread } from '../model/rollout.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { isFile } from './is-file-fs.ts'
import { threadIndex } from './lineage.ts'
import { privacyOf, publicIds } from './privacy.ts'
import { chooseThread } from './show-choice.ts'
import { type Survey, type SurveyOptions, survey } from './survey.ts'
import { type ThreadScan, threadScan } from './thread-scan.ts'
import type { Host, ShowOptions } from './types.ts'

/** The thread that is meant, among the threads of its homes. */
export interface Target {
  thread: Thread
  threads: readonly Thread[]
  scan: ThreadScan
}

/**
 * Finds the thread. A path that exists is read as it is, also outside of a home; anything else is the beginning of a
 * thread id. Throws `UsageError` for an unknown target, and where several threads fit and nobody can be asked.
 */
export async function findTarget(options: ShowOptions, host: Host, spoolDir: () => string): Promise<Target> {
  const { target, targetPath, withAgents, sources } = options
  const publicId = publicIds(privacyOf(options, host))
  const look = (homes: readonly Home[]): Promise<Survey> => lookFor(homes, host, { spoolDir, publicId })
  if (targetPath === undefined || !isFile(targetPath)) {
    const { catalog, places } = await look(sources.homes)
    const { threads } = catalog
    const scan = threadScan(threadIndex(threads), { spoolDir, signal: host.signal })
    const fitting = target === undefined ? threads : byBeginning(threads, target, places)
    const wanted = await ofProjects(fitting, options.projects, { scan, host })
    return { thread: await chooseThread(wanted, options, { scan, host }), threads, scan }
  }
  const found = await look([{ path: targetPath }])
  for (const item of found.diagnostics) host.report(item)
  const [thread] = found.catalog.threads
  if (thread === undefined) throw new UsageError(`\`${target}\` holds no session.`)
  // A rollout names its sub-agents, whose files lie beside it in a home.
  const homes = withAgents ? (await look(sources.homes)).catalog.threads : []
  const threads = [...found.catalog.threads, ...homes.filter(({ id }) => id !== thread.id)]
  return { thread, threads, scan: threadScan(threadIndex(threads), { spoolDir, signal: host.signal }) }
}

function lookFor(
  homes: readonly Home[],
  host: Host,
  tools: Pick<SurveyOptions, 'spoolDir' | 'publicId'>,
): Promise<Survey> {
  const { env, homeDir, signal, progress } = host
  const roots = findRoots({ codexHomes: homes, env, homeDir })
  progress.stage('Looking for sessions')
  return survey(roots, { ...tools, signal })
}

function byBeginning(threads: readonly Thread[], target: string, places: readonly string[]): Thread[] {
  const match = matchThread(
    threads.map(({ id }) => id),
    target,
  )
  if (match.kind === 'none')
    throw new UsageError(
      `No thread id begins with \`${target}\`, and there is no such file. Looked in ${places.join(', ')}; \`codex-export list\` shows what is there.`,
    )
  const ids = new Set(match.kind === 'one' ? [match.id] : match.candidates)
  return threads.filter(({ id }) => ids.has(id))
}

/** The threads of projects, as filters find them; that takes a scan of each. */
async function ofProjects(
  threads: readonly Thread[],
  projects: readonly string[],
  { scan, host }: { scan: ThreadScan; host: Host },
): Promise<Thread[]> {
  if (projects.length === 0) return [...threads]
  const filters = { projects, since: undefined, until: undefined, ids: [], archived: undefined }
  const selection = readFilters(filters, { now: host.now(), timeZone: 'UTC' })
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
