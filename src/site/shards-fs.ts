/**
 * A site built on several machines. Each renders the sessions of some families into its own folder, which is a cache with new
 * files waiting in it; the merge is a build that finds all of them kept.
 */

import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pluginKey } from '../config/plugins.ts'
import { ConfigError, UsageError } from '../diagnostics/errors.ts'
import { findRoots } from '../rollout/discover/homes-fs.ts'
import { makePrivate, writeInOneStep } from '../util/files-fs.ts'
import { sha256 } from '../util/hash.ts'
import { parseJson } from '../util/json.ts'
import { refuseSessionFolder, requireWritable } from './build.ts'
import { cacheDirOf, forgetLastBuild, waitingFolder } from './cache/cache-folder-fs.ts'
import { openCache } from './cache/cache-fs.ts'
import { type BuildContext, type BuildFeatures, closeBuild, openBuild } from './context.ts'
import { type Discovery, discover, scannedThreads } from './discover.ts'
import { findFamilies } from './known/families.ts'
import { countLevel } from './report.ts'
import { runStages } from './stages-fs.ts'
import { reportedOutcomes } from './transcribe.ts'
import type { BuildOptions, BuildResult, Host } from './types.ts'

/** One of several parts of the sessions of about the same size. */
export interface Shard {
  /** Counts from 1. */
  index: number
  total: number
}

/** What the build of a shard did. */
export interface ShardResult {
  /** Absolute. */
  folder: string
  /** Number of sessions in the shard, without those that have no page. */
  sessions: number
  /** How many of them were rendered; the others were already there. */
  rendered: number
  failed: number
  warnings: number
  /** Diagnostics of that level: something is missing. */
  fatal: number
}

// Which shard.

/** Variables by which an engine says which of several parallel tasks this one is; `first` is the number of the first task. */
const engines: readonly { index: string; total: string; first: string | number }[] = [
  { index: 'JOB_COMPLETION_INDEX', total: 'JOB_COMPLETIONS', first: 0 },
  { index: 'CI_NODE_INDEX', total: 'CI_NODE_TOTAL', first: 1 },
  { index: 'SLURM_ARRAY_TASK_ID', total: 'SLURM_ARRAY_TASK_COUNT', first: 'SLURM_ARRAY_TASK_MIN' },
]

/** Reads `I/N`, or for `auto` the variables of an engine. Throws a `UsageError` if they do not give the numbers. */
export function shardOf(text: string, env: Readonly<Record<string, string | undefined>>): Shard {
  if (text !== 'auto') {
    const [index = 0, total = 0] = text.split('/').map(Number)
    return { index, total }
  }
  const engine = engines.find(({ index }) => (env[index] ?? '') !== '')
  if (engine === undefined)
    throw new UsageError(
      `\`--shard auto\` found none of ${engines.map(({ index }) => `\`${index}\``).join(', ')} in the environment: use \`--shard I/N\`.`,
    )
  const numberIn = (name: string): number => {
    const value = env[name] ?? ''
    if (!/^\d{1,6}$/.test(value))
      throw new UsageError(
        `\`--shard auto\` needs a whole number in \`${name}\`, beside \`${engine.index}\`; it is ${value === '' ? 'not set' : `\`${value}\``}.`,
      )
    return Number(value)
  }
  const first = typeof engine.first === 'string' ? numberIn(engine.first) : engine.first
  const shard = { index: numberIn(engine.index) - first + 1, total: numberIn(engine.total) }
  if (shard.index < 1 || shard.index > shard.total)
    throw new UsageError(
      `\`${engine.index}\` and \`${engine.total}\` say that this is shard ${nameOf(shard)}, which does not exist: the number must be from 1 to ${shard.total}.`,
    )
  return shard
}

const nameOf = ({ index, total }: Shard): string => `${index}/${total}`

/** The shard of a family, chosen by the id of its first thread, so that it stays the same as the family grows. */
function shardOfFamily(firstId: string, total: number): number {
  return (Number.parseInt(sha256(firstId).slice(0, 12), 16) % total) + 1
}

// Building a shard.

const markName = 'shard.json'
const folderForm = /^(\d+)-of-(\d+)$/

/**
 * Renders the sessions of a shard into its folder below `options.shards`. It can be run again, even after a kill: sessions that
 * are there and did not change are kept. Throws as `build` does.
 */
export async function buildShard(
  shard: Shard,
  options: BuildOptions,
  host: Host,
  features: BuildFeatures,
): Promise<ShardResult> {
  checkOptions(options)
  const folder = join(options.shards, `${shard.index}-of-${shard.total}`)
  const roots = findRoots(options.homes, host)
  refuseSessionFolder('shards', options.shards, roots)
  requireWritable('shards', options.shards)
  makePrivate(folder)
  // Without its mark a shard counts as missing.
  rmSync(join(folder, markName), { force: true })
  const own = { ...options, out: join(folder, 'staging'), cache: folder }
  const context = await openBuild({ options: own, host, features, roots, cacheDir: folder })
  try {
    const found = await discover(context)
    const all = await reportedOutcomes(context, { ...found, wanted: wantedIn(shard, found) })
    const built = all.filter(({ session }) => session !== undefined)
    const counts = {
      sessions: built.length,
      rendered: built.filter(({ isKept }) => !isKept).length,
      failed: found.unreadable + all.length - built.length,
    }
    context.cache.save()
    await context.staging.abort({ forNext: true })
    writeInOneStep(join(folder, markName), `${JSON.stringify({ ...mark, ...shard, sessions: counts.sessions })}\n`)
    const { diagnostics } = context
    return { folder, ...counts, warnings: countLevel(diagnostics, 'warning'), fatal: countLevel(diagnostics, 'fatal') }
  } finally {
    await closeBuild(context)
  }
}

/** The wanted sessions of whole families, because a secret that one session reveals is replaced in all. */
function wantedIn({ index, total }: Shard, { catalog, wanted, unwanted }: Discovery): Discovery['wanted'] {
  const families = findFamilies(catalog.threads, scannedThreads({ wanted, unwanted }))
  return wanted.filter(({ thread }) => {
    const [first] = families.get(thread.id) ?? []
    return shardOfFamily(first?.id ?? thread.id, total) === index
  })
}

/** Refuses options with which a site cannot be made in parts. */
function checkOptions({ plugins, passwordFile, dryRun }: BuildOptions): void {
  if (pluginKey(plugins) === undefined)
    throw new ConfigError(
      'Sessions with plugins that have no `cacheKey` cannot be built in shards: `merge` would render them again.',
    )
  if (passwordFile !== undefined)
    throw new UsageError('A locked site cannot be built in shards: each build encrypts it with other keys.')
  if (dryRun) throw new UsageError('`--dry-run` cannot be used with shards.')
}

// Merging.

const mark = { schema: 'codex-export/shard', version: 1 } as const

/** What a shard says about itself. */
interface ShardMark extends Shard {
  folder: string
  sessions: number
}

/**
 * Makes the site around the sessions of all shards below `options.shards`; sessions that changed since, or have no page, are
 * rendered here. Throws a `UsageError` that names the missing shards, and as `build` does.
 */
export async function mergeShards(options: BuildOptions, host: Host, features: BuildFeatures): Promise<BuildResult> {
  checkOptions(options)
  const shards = completeShards(options.shards)
  const cacheDir = cacheDirOf(options, host)
  const roots = findRoots(options.homes, host)
  requireWritable('output', options.out)
  requireWritable('cache', cacheDir)
  makePrivate(cacheDir)
  forgetLastBuild(cacheDir)
  for (const { folder } of shards) {
    const files = waitingFolder(folder)
    if (existsSync(files)) cpSync(files, waitingFolder(cacheDir), { recursive: true })
  }
  return await runStages({ options, host, features, roots, cacheDir }, (context) => adoptShards(shards, context))
}

/** All shards, which must have been made for the same number of shards and be complete. */
function completeShards(folder: string): ShardMark[] {
  const found = marksIn(folder)
  const [total, ...others] = [...new Set(found.map((shard) => shard.total))].sort((a, b) => a - b)
  if (total === undefined)
    throw new UsageError(`There are no shards in \`${folder}\`: \`build --shard I/N\` makes them.`)
  if (others.length > 0)
    throw new UsageError(
      `\`${folder}\` holds shards of ${[total, ...others].join(', ')}: remove the folders of all numbers but one.`,
    )
  const present = new Set(found.map(({ index }) => index))
  const missing = Array.from({ length: total }, (_, at) => at + 1).filter((index) => !present.has(index))
  if (missing.length > 0)
    throw new UsageError(
      `Shards are missing in \`${folder}\`: ${missing.map((index) => nameOf({ index, total })).join(', ')}. Build them with \`build --shard ${nameOf({ index: missing[0] ?? 1, total })}\`.`,
    )
  return found
}

function marksIn(folder: string): ShardMark[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const [, index, total] = folderForm.exec(name) ?? []
    const path = join(folder, name)
    if (index === undefined || !existsSync(join(path, markName))) return []
    // A mark that a full disk cut off counts as missing.
    const value = (parseJson(readFileSync(join(path, markName), 'utf8')) ?? {}) as Partial<ShardMark> & {
      schema?: unknown
    }
    const isOurs = value.schema === mark.schema && value.index === Number(index) && value.total === Number(total)
    return isOurs
      ? [{ folder: path, index: value.index ?? 0, total: value.total ?? 0, sessions: value.sessions ?? 0 }]
      : []
  })
}

/** Puts the entries that the shards kept into the cache of the build. */
function adoptShards(shards: readonly ShardMark[], { cache, stamp }: BuildContext): void {
  for (const { folder, sessions, ...shard } of shards) {
    const from = openCache(folder, stamp)
    if (sessions > 0 && from.keys().length === 0)
      throw new UsageError(
        `Shard ${nameOf(shard)} was built by another version, or with other options or templates: build it again with those of the merge.`,
      )
    cache.adopt(from)
  }
}
