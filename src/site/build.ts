/** `build`: does nothing if nothing changed since the last build, otherwise runs five stages over one context. */

import { codeName, templatesFolder } from '../config/package-fs.ts'
import { pluginKey } from '../config/plugins.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { type FoundRoots, findRoots, homesAbove, type Root } from '../rollout/discover/homes-fs.ts'
import { isLive } from '../rollout/discover/rollout.ts'
import { rootFingerprints } from '../rollout/discover/thread-names-fs.ts'
import { sessionFolderAround, type WalkResult, walk } from '../rollout/discover/walk-fs.ts'
import { readFilters } from '../survey/select.ts'
import { writeFault } from '../util/files-fs.ts'
import { sha256 } from '../util/hash.ts'
import { defined } from '../util/own.ts'
import {
  cacheDirOf,
  findLastBuild,
  folderMark,
  forgetLastBuild,
  readLastHomes,
  saveLastBuild,
} from './cache/cache-folder-fs.ts'
import type { BuildFeatures, Sealing } from './context.ts'
import { countLevel } from './report.ts'
import type { BuildRunOptions } from './stages-fs.ts'
import type { BuildOptions, BuildResult, Host } from './types.ts'

/**
 * Builds the site. Throws a `UsageError` (including `RemovalError`), a `ConfigError`, the signal's reason, or the error of a full
 * disk; the old site then stays in place.
 */
export async function build(
  options: BuildOptions,
  host: Host,
  features: BuildFeatures,
  runOptions: BuildRunOptions = {},
): Promise<BuildResult> {
  const { out, dryRun } = options
  const { roots, cacheDir } = findFolders(options, host)
  const sealing = await features.seal?.(options, cacheDir)
  host.progress.stage('Looking for sessions')
  const walks = roots.roots.map(walk)
  const key = keyOf(options, host, { roots: roots.roots, walks }, sealing)
  const sameResult = key === undefined ? undefined : sameBuild(cacheDir, out, key)
  if (sameResult !== undefined) {
    for (const item of sameResult.diagnostics) host.report(item)
    return sameResult
  }
  if (!dryRun) {
    requireWritable('output', out)
    requireWritable('cache', cacheDir)
  }
  const { openCache, keepSlices, requests } = runOptions
  const input = { options: sealing?.options ?? options, host, features, roots, walks, cacheDir, sealing }
  const { buildInSteps } = await import('./stages-fs.ts')
  const result = await buildInSteps({ ...input, ...defined({ openCache, keepSlices, requests }) }, runOptions)
  if (dryRun) return result
  // What went wrong may succeed next time even if no file has changed.
  const { failed, diagnostics } = result
  const isMissing = diagnostics.some(({ ruleId }) => ruleId === 'missing-detail')
  const isComplete = failed === 0 && !isMissing && countLevel(diagnostics, 'fatal') === 0
  if (key !== undefined && isComplete) saveLastBuild(cacheDir, out, { key, result })
  else forgetLastBuild(cacheDir)
  return result
}

/** The homes and the cache folder of a build. Throws a `UsageError` for a missing home and for folders that cannot be used. */
export function findFolders(
  { out, cache, homes, allowRemoval }: BuildOptions,
  host: Pick<Host, 'env' | 'homeDir'>,
): { roots: FoundRoots; cacheDir: string } {
  const cacheDir = cacheDirOf({ out, cache }, host)
  // A missing home that had sessions is not refused here: `refuseRemoval` reports it with its numbers, and the user may give it
  // up.
  const mayMiss = (path: string): boolean => {
    const last = readLastHomes(cacheDir)
    if (last === undefined) return allowRemoval === true
    return last.some((home) => home.path === path && home.sessions.length + home.archived.length > 0)
  }
  const roots = findRoots(homes, { ...host, mayMiss })
  refuseSessionFolder('output', out, roots)
  refuseSessionFolder('cache', cacheDir, roots)
  return { roots, cacheDir }
}

/** Throws a `UsageError` if a folder to be written to is among the sessions of a home. */
export function refuseSessionFolder(kind: 'output' | 'cache' | 'shards', folder: string, { roots }: FoundRoots): void {
  const around = sessionFolderAround(folder, [...roots, ...homesAbove(folder)])
  if (around !== undefined)
    throw new UsageError(
      `The ${kind} folder \`${folder}\` is in \`${around}\`, where Codex keeps its sessions: choose another \`${flagOf(kind)}\`.`,
    )
}

/** Throws a `UsageError` if nothing can be written to a folder that a build needs: it would show only after everything was read. */
export function requireWritable(kind: 'output' | 'cache' | 'shards', folder: string): void {
  const fault = writeFault(folder)
  if (fault !== undefined)
    throw new UsageError(`Cannot write the ${kind} folder \`${folder}\`: ${fault}. Choose another \`${flagOf(kind)}\`.`)
}

function flagOf(kind: 'output' | 'cache' | 'shards'): string {
  return kind === 'output' ? '--out' : `--${kind}`
}

// Whether anything changed since the last build.

/** Options that do not affect any file. */
const optionsWithoutEffect: ReadonlySet<string> = new Set(
  'dryRun allowRemoval json strict configFile jobs shard shards watch poll'.split(' '),
)

/** The mark of the package's own templates, which a process loads once. */
let ownTemplates: string | undefined

/** Identifies everything that a build is made from; `undefined` if it cannot be known what plugins do. */
function keyOf(
  options: BuildOptions,
  host: Host,
  { roots, walks }: { roots: readonly Root[]; walks: readonly WalkResult[] },
  sealing?: Sealing,
): string | undefined {
  const { plugins, templatesDir } = options
  if (pluginKey(plugins) === undefined) return undefined
  const selection = readFilters(options, host.now())
  ownTemplates ??= folderMark(templatesFolder)
  const files = [ownTemplates, templatesDir === undefined ? '' : folderMark(templatesDir)]
  const sealed = sealing === undefined ? [] : [sealing.key, sealing.diagnostics]
  // Nothing records that a session has stopped running: its file stays unchanged.
  const running = walks.flatMap((walk) => walk.files.filter((file) => isLive(file, host.now(), options.liveMs)))
  const live = running.map(({ path }) => path)
  const shaping = Object.entries(options).filter(([name]) => !optionsWithoutEffect.has(name))
  const all = [codeName(), shaping, selection, files, rootFingerprints(roots, walks), host.homeDir, sealed, live]
  return sha256(JSON.stringify(all))
}

function sameBuild(cacheDir: string, out: string, key: string): BuildResult | undefined {
  const last = findLastBuild(cacheDir, out, key)
  // What is stored under our key was written by `saveLastBuild`.
  return (
    last && { ...(last.result as BuildResult), rendered: 0, written: 0, kept: last.files, removed: 0, withdrawn: [] }
  )
}
