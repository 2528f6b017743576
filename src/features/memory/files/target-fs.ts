/** Finds the thread that a command about memory is asked for, among the threads of its home. */

import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../../config/schema.ts'
import { UsageError } from '../../../diagnostics/errors.ts'
import { findRoots } from '../../../rollout/discover/homes-fs.ts'
import { plainName } from '../../../rollout/discover/names.ts'
import type { RolloutFile, Segment, Thread } from '../../../rollout/discover/rollout.ts'
import type { Host } from '../../../site/types.ts'
import { noSession, threadsNamed } from '../../../survey/select.ts'
import { type Survey, surveyHomes } from '../../../survey/survey.ts'
import { isFile, isFolder, isWithin } from '../../../util/files-fs.ts'

/** The thread that is asked for. */
export interface MemoryTargetOptions extends Pick<Settings, 'homes'> {
  /** As typed: the start of a thread id, or a path. */
  readonly target: string
  /** `target` as an absolute path, whether or not there is such a file. */
  readonly targetPath: string
}

/** A thread, the file in which it continues, and the threads that may refer to that file. */
export interface MemoryTarget {
  thread: Thread
  live: Segment
  /** Path of that file with all links resolved. */
  path: string
  threads: readonly Thread[]
  /** Paths of other copies of that file, if the thread was named by its id, which does not say which copy is meant. */
  copies: readonly string[]
}

/**
 * Finds the thread. Throws a `UsageError` if there is none, if several fit, or if the path is that of an older file of a
 * thread.
 */
export async function findMemoryTarget(
  options: MemoryTargetOptions,
  host: Host,
  spoolDir: () => string,
): Promise<MemoryTarget> {
  const { target, targetPath, homes } = options
  if (!isFile(targetPath)) {
    const looked = await surveyHomes(homes, host, { spoolDir })
    const thread = byId(looked, options)
    const found = targetOf(thread, looked.catalog.threads)
    return { ...found, copies: copiesOf(thread).map(({ path }) => path) }
  }
  const path = realpathSync(targetPath)
  // Forks and later files of the thread are in the same home, so only a survey of that home shows what refers to this
  // file.
  const { catalog, diagnostics } = await surveyHomes([{ path: homeOfPath(path, options, host) ?? path }], host, {
    spoolDir,
  })
  const thread = findByFile(catalog.threads, path)
  if (thread === undefined) throw noSession(target, diagnostics, 'contains no session, or is a copy of one next to it')
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
  return { thread, live, path: realpathSync(live.file.path), threads, copies: [] }
}

/**
 * Copies of the file in which a thread continues, except the compressed one that Codex ignores if there is a plain one
 * next to it.
 */
function copiesOf({ segments, duplicates }: Thread): { file: RolloutFile; path: string }[] {
  const live = segments.at(-1)
  if (live === undefined) return []
  const own = plainName(realpathSync(live.file.path))
  return duplicates
    .filter(({ chosen, reason }) => chosen === live.file.name && reason !== 'later-save')
    .map(({ file }) => ({ file, path: realpathSync(file.path) }))
    .filter(({ path }) => plainName(path) !== own)
}

/** The thread that a file belongs to. If the file is a copy of the one in which the thread continues, it replaces that one. */
function findByFile(threads: readonly Thread[], path: string): Thread | undefined {
  for (const thread of threads) {
    if (thread.segments.some(({ file }) => realpathSync(file.path) === path)) return thread
    const copy = copiesOf(thread).find((other) => other.path === path)
    const live = thread.segments.at(-1)
    if (copy !== undefined && live !== undefined)
      return { ...thread, segments: thread.segments.with(-1, { ...live, file: copy.file }) }
  }
  return undefined
}

function byId(looked: Survey, { target, targetPath }: MemoryTargetOptions): Thread {
  const named = threadsNamed(target, looked, isFolder(targetPath))
  const [thread] = named
  if (thread !== undefined && named.length === 1) return thread
  const ids = named.map(({ id }) => id).sort()
  throw new UsageError(`Several thread ids start with \`${target}\`:\n${ids.join('\n')}\nName one of them.`)
}

/**
 * The Codex home that contains a rollout. Its sessions may be on another disk, behind a link. So the homes that are read
 * anyway come first, then the home by the path as it was named, then by the path with links resolved.
 */
function homeOfPath(path: string, { homes, targetPath }: MemoryTargetOptions, host: Host): string | undefined {
  const { roots } = findRoots(homes, { ...host, mayMiss: () => true })
  const around = [targetPath, path].flatMap((place) => homeAround(place) ?? [])
  const homePaths = roots.filter(({ kind }) => kind === 'home').map((root) => root.path)
  return [...homePaths, ...around].find((home) => holdsRollout(home, path))
}

/** The Codex home of a path, according to the session folder in it. */
function homeAround(path: string): string | undefined {
  return /^(.+)[\\/](?:archived_)?sessions[\\/]/s.exec(path)?.[1]
}

/** Whether a path is in a folder in which a Codex home keeps sessions, with links followed. */
function holdsRollout(home: string, path: string): boolean {
  return ['sessions', 'archived_sessions'].some((folder) => isWithin(path, join(home, folder)))
}
