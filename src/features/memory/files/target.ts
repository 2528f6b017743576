/** Which thread a command that edits memory is asked for, among the threads of its home. */

import type { Home } from '../../../config/kinds.ts'
import type { Settings } from '../../../config/schema.ts'
import { UsageError } from '../../../diagnostics/errors.ts'
import { findRoots } from '../../../rollout/discover/homes-fs.ts'
import type { Segment, Thread } from '../../../rollout/discover/rollout.ts'
import type { Host } from '../../../site/types.ts'
import { matchThread, noThread } from '../../../survey/select.ts'
import { type Survey, survey } from '../../../survey/survey.ts'
import { isFile, isFolder } from '../../../util/files-fs.ts'
import { realRollout } from './backups-fs.ts'

/** What is asked for. */
export interface MemoryTargetOptions extends Pick<Settings, 'homes'> {
  /** As typed: the beginning of a thread id, or a path. */
  readonly target: string
  /** `target` as an absolute path, whether or not there is such a file. */
  readonly targetPath: string
}

/** A thread, the file that it goes on in, and the threads that may point into it. */
export interface MemoryTarget {
  thread: Thread
  live: Segment
  /** Path of that file behind all links. */
  path: string
  threads: readonly Thread[]
}

/** Finds the thread. Throws `UsageError` where there is none, where several fit, and for an old file of a thread. */
export async function findMemoryTarget(
  options: MemoryTargetOptions,
  host: Host,
  spoolDir: () => string,
): Promise<MemoryTarget> {
  const { target, targetPath, homes: given } = options
  const surveyHomes = (homes: readonly Home[]): Promise<Survey> => {
    const roots = findRoots(homes, host)
    host.progress.stage('Looking for sessions')
    return survey(roots, { spoolDir, signal: host.signal })
  }
  if (!isFile(targetPath)) {
    const { catalog, places } = await surveyHomes(given)
    return targetOf(byId(catalog.threads, options, places), catalog.threads)
  }
  const path = realRollout(targetPath)
  // Sessions may lie on another disk behind a link: then the path as it was named tells the home.
  const home = homeAround(path) ?? homeAround(targetPath)
  // Forks and later files of the thread lie in the same home; only there it shows what points into this one.
  const { catalog } = await surveyHomes([{ path: home ?? path }])
  const thread = catalog.threads.find(({ segments }) => segments.some(({ file }) => realRollout(file.path) === path))
  if (thread === undefined) throw new UsageError(`\`${target}\` contains no session, or is a copy of one next to it.`)
  const found = targetOf(thread, catalog.threads)
  if (found.path !== path)
    throw new UsageError(
      `The session continues in \`${found.live.file.name}\`; name that file or the id \`${thread.id}\`.`,
    )
  return found
}

function targetOf(thread: Thread, threads: readonly Thread[]): MemoryTarget {
  const live = thread.segments.at(-1)
  if (live === undefined) throw new UsageError(`The session \`${thread.id}\` has no file.`)
  return { thread, live, path: realRollout(live.file.path), threads }
}

function byId(
  threads: readonly Thread[],
  { target, targetPath }: MemoryTargetOptions,
  places: readonly string[],
): Thread {
  const match = matchThread(
    threads.map(({ id }) => id),
    target,
  )
  if (match.kind === 'ambiguous')
    throw new UsageError(
      `Several thread ids start with \`${target}\`:\n${match.candidates.join('\n')}\nName one of them.`,
    )
  const thread = match.kind === 'one' ? threads.find(({ id }) => id === match.id) : undefined
  if (thread !== undefined) return thread
  throw noThread(target, isFolder(targetPath), places)
}

/** The Codex home that a path lies in, by its session folders. */
function homeAround(path: string): string | undefined {
  return /^(.+)[\\/](?:archived_)?sessions[\\/]/s.exec(path)?.[1]
}
