/**
 * The folder of a site's cache: where it is, and what the last build or list was made from and printed, so that the next one can
 * end before it begins. Its content is never trusted: what does not fit counts as absent.
 */

import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import { type Root, statOf } from '../../rollout/discover/homes-fs.ts'
import { slugify } from '../../transcript/urls.ts'
import {
  type CacheHost,
  cachePath,
  filePieces,
  isWithin,
  namesIn,
  pathsOf,
  textAt,
  userCache,
  writeInOneStep,
} from '../../util/files-fs.ts'
import { sha256, sha256OfPieces } from '../../util/hash.ts'
import { isObject, parseJson } from '../../util/json.ts'
import { toPieces } from '../../util/pieces.ts'
import { folderOf, manifestName } from '../output/paths.ts'
import { isStagingName } from '../output/staging-folder-fs.ts'

/** A folder below the user's cache folder, named after the absolute path of the output folder. */
export function defaultCacheDir(out: string, host: CacheHost): string {
  const path = pathsOf(host)
  const site = path.resolve(out)
  return cachePath(host, `${slugify(path.basename(site))}-${sha256(site).slice(0, 12)}`)
}

/**
 * The folder in which `list` keeps what it read from some roots; `undefined` if the user has no cache folder, because a command
 * that only reads makes none.
 */
export function listCacheDir(roots: readonly Root[], host: CacheHost): string | undefined {
  const rootKeys = roots.map(({ path, kind, label }) => `${kind} ${path} ${label}`)
  return existsSync(userCache(host)) ? cachePath(host, `list-${sha256(rootKeys.join('\0')).slice(0, 12)}`) : undefined
}

/** The folder for masks of pruned rollouts. */
export function maskDir(host: CacheHost): string {
  return cachePath(host, 'memory')
}

/** The folder in which new files of an interrupted build wait for the next one. */
export function waitingFolder(cacheDir: string): string {
  return join(cacheDir, 'unfinished')
}

/**
 * The folder of a build's cache. Throws a `UsageError` if a folder that was named is inside the site, or contains something that
 * is not ours.
 */
export function cacheDirOf({ out, cache }: { out: string; cache?: string | undefined }, host: CacheHost): string {
  const folder = cache ?? defaultCacheDir(out, host)
  checkCacheDir(folder, out)
  const stat = statOf(folder)
  if (!(stat instanceof Error) && !stat.isDirectory())
    throw new UsageError(`\`${folder}\` is not a folder. Choose another \`--cache\`.`)
  const foreign = foreignName(folder)
  if (foreign === undefined) return folder
  const hint = 'Choose another `--cache`, or empty the folder. Nothing was changed.'
  throw new UsageError(`\`${folder}\` contains \`${foreign}\` but no cache of codex-export. ${hint}`)
}

/** Names that a build that was stopped early may have left without an index. Files may be drafts. */
const ownNames =
  /^(?:blobs|unfinished|unsealed-\d+|unsaved-[\da-f]{16}\.jsonl|(?:homes|index|last-build|lock|published-[\da-f]{12})\.json(?:\.\d+\.tmp)?)$/

/**
 * A name in a folder that no build has put there; `undefined` if there is none, if there is no folder, or if the folder also
 * contains a cache.
 */
function foreignName(folder: string): string | undefined {
  const names = namesIn(folder).toSorted() // if it cannot be listed, writing to it reports that
  if (names.length === 0 || isCache(folder)) return undefined
  const blob = namesIn(join(folder, 'blobs'))
    .toSorted()
    .find((name) => !/^[\da-f]{64}$/.test(name))
  return names.find((name) => !ownNames.test(name) || name === 'index.json') ?? (blob && `blobs/${blob}`)
}

/** Whether a folder contains the cache of a build. */
export function isCache(folder: string): boolean {
  return readLastHomes(folder) !== undefined || hasIndex(folder)
}

/** The first property in the index of a cache. */
export const indexSchema = 'codex-export/cache'

function hasIndex(folder: string): boolean {
  const path = join(folder, 'index.json')
  return existsSync(path) && isIndex(readFileSync(path))
}

/** Whether bytes are an index of any version, complete or not. */
function isIndex(bytes: Uint8Array): boolean {
  const head = JSON.stringify({ schema: indexSchema }).slice(0, -1)
  return Buffer.from(bytes.subarray(0, head.length)).toString('latin1') === head
}

/** Throws a `UsageError` if a cache folder is the output folder or inside it, because it would be published with the site. */
export function checkCacheDir(cache: string, out: string): void {
  if (!isWithin(cache, out)) return
  const hint = 'The cache contains text of private sessions: choose a `--cache` outside the site.'
  throw new UsageError(`The cache folder \`${cache}\` is inside the output folder \`${out}\`. ${hint}`)
}

// The last build.

/** A build that succeeded. */
interface LastBuild {
  /** Identifies everything that the build was made from. */
  key: string
  /** SHA-256 of the manifest that it wrote. */
  manifest: string
  /** Paths of the site's files, one per line; reading them takes much less time than reading the manifest. */
  files: string
  /** The result as it was reported; callers decode it. */
  result: unknown
}

const fileName = 'last-build.json'

/** The last build, if it was made from the same inputs and its site is still in place, with the number of the site's files. */
export function findLastBuild(
  cacheDir: string,
  out: string,
  key: string,
): { result: unknown; files: number } | undefined {
  try {
    const last = JSON.parse(readFileSync(join(cacheDir, fileName), 'utf8')) as Partial<LastBuild> | null
    if (last?.key !== key || typeof last.files !== 'string') return undefined
    const paths = last.files.split('\n')
    return isUnchanged(out, last.manifest, paths) ? { result: last.result, files: paths.length } : undefined
  } catch {
    // Absent, damaged, or a site that somebody moved: a build is needed.
    return undefined
  }
}

/**
 * Records the build whose site has just been swapped in. The cache folder exists. Written in pieces, because a manifest of
 * thousands of sessions has megabytes.
 */
export function saveLastBuild(cacheDir: string, out: string, { key, result }: Pick<LastBuild, 'key' | 'result'>): void {
  const path = join(out, manifestName)
  const last = { key, manifest: sha256OfPieces(filePieces(path)), result }
  writeInOneStep(join(cacheDir, fileName), toPieces(lastBuildTexts(last, path)))
}

/** The JSON of a `LastBuild`, with the paths that a manifest lists, one per line and escaped as they are there. */
function* lastBuildTexts(last: Omit<LastBuild, 'files'>, manifest: string): Generator<string> {
  yield `${JSON.stringify(last).slice(0, -1)},"files":"`
  const decoder = new TextDecoder()
  let parting = ''
  let rest = ''
  for (const piece of filePieces(manifest)) {
    const lines = `${rest}${decoder.decode(piece, { stream: true })}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const path = /^ {4}"(.*)": "[\da-f]{64}",?$/.exec(line)?.[1]
      if (path === undefined) continue
      yield `${parting}${path}`
      parting = '\\n'
    }
  }
  yield '"}'
}

/** Forgets the last build, so that the next one examines everything. */
export function forgetLastBuild(cacheDir: string): void {
  rmSync(join(cacheDir, fileName), { force: true })
}

/**
 * Whether a site's manifest is the one that we wrote, all its files exist and were not written since, and no build is running.
 * Throws if something is missing.
 */
function isUnchanged(out: string, manifest: string | undefined, paths: readonly string[]): boolean {
  if (readdirSync(out).some(isStagingName)) return false
  const path = join(out, manifestName)
  if (sha256(readFileSync(path)) !== manifest) return false
  const builtAtMs = lstatSync(path).mtimeMs
  // Not `join`: for thousands of files it takes as long as looking at each.
  return areFolders(out, paths) && paths.every((name) => isOlder(`${out}/${name}`, builtAtMs))
}

/** Whether the folders of files are folders and not links; listing a folder shows this for all folders inside it. */
function areFolders(out: string, paths: readonly string[]): boolean {
  const folders = new Set(paths.map(folderOf))
  folders.delete('')
  return [...new Set([...folders].map(folderOf))].every((parent) => {
    const prefix = parent === '' ? '' : `${parent}/`
    const entries = readdirSync(join(out, parent), { withFileTypes: true })
    return entries.every((entry) => entry.isDirectory() || !folders.has(`${prefix}${entry.name}`))
  })
}

/** Whether a path is a file that nobody has written since a build, whose last file is its manifest. */
function isOlder(path: string, builtAtMs: number): boolean {
  const entry = lstatSync(path)
  return entry.isFile() && entry.mtimeMs <= builtAtMs
}

// Which sessions each home gave to the last build. This is kept next to the cache, and applies whatever options a build has.

/** A location from which sessions are read, and the sessions found there, by the names of their folders in a site. */
export interface HomeSessions {
  /** Absolute path. */
  path: string
  /** Empty if it has none. */
  label: string
  sessions: readonly string[]
  /** Sessions in the folder of archived sessions, which are not in `sessions`. */
  archived: readonly string[]
}

const homesFile = 'homes.json'
const schema = 'codex-export/homes'

/** The homes of the last build; `undefined` if nothing complete is known about them. */
export function readLastHomes(cacheDir: string): HomeSessions[] | undefined {
  const value = parseJson(textAt(join(cacheDir, homesFile)))
  if (!isObject(value) || value['schema'] !== schema || value['version'] !== 1) return undefined
  const { homes } = value
  return Array.isArray(homes) && homes.every(isHome) ? homes : undefined
}

/** Records the homes of a build whose site is in place. The cache folder exists. Throws the error of the system. */
export function saveLastHomes(cacheDir: string, homes: readonly HomeSessions[]): void {
  const list = homes.map(({ path, label, sessions, archived }) => ({ path, label, sessions, archived }))
  writeInOneStep(join(cacheDir, homesFile), `${JSON.stringify({ schema, version: 1, homes: list })}\n`)
}

function isHome(value: unknown): value is HomeSessions {
  if (!isObject(value)) return false
  const { path, label, sessions, archived } = value
  return typeof path === 'string' && typeof label === 'string' && isNames(sessions) && isNames(archived)
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

// Finding out whether anything changed in a small folder.

/** Names, sizes and times of all files below a folder as a text; empty if the folder does not exist. */
export function folderMark(folder: string): string {
  return marksBelow(folder).join('\n')
}

/** Walks folder by folder, because `recursive` of Node 20 takes ten times as long. */
function marksBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const path = join(folder, entry.name)
        return entry.isDirectory() ? marksBelow(path) : [`${path} ${markOf(path)}`]
      })
  } catch {
    return []
  }
}

/** Size and time of a file; empty if it does not exist. */
export function markOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.size} ${stat.mtimeMs}`
}

// The last list of sessions, as values and as printed text.

const listFile = 'last-list.json'

/** The last list, if `key`, which identifies everything that it was made from, is the same; callers decode it. */
export function findLastList(cacheDir: string, key: string): unknown {
  return parseJson(findUnder(join(cacheDir, listFile), key)?.toString('utf8') ?? '')
}

/** Stores a list if possible. */
export function saveLastList(cacheDir: string, key: string, result: unknown): void {
  saveUnder(join(cacheDir, listFile), key, JSON.stringify(result))
}

const printFile = 'last-list.txt'

/** The text that was last printed, as UTF-8, if `key`, which also identifies how it was printed, is the same. */
export function findLastPrint(cacheDir: string, key: string): Uint8Array | undefined {
  return findUnder(join(cacheDir, printFile), key)
}

/** Stores a printed text if possible. */
export function saveLastPrint(cacheDir: string, key: string, text: string): void {
  saveUnder(join(cacheDir, printFile), key, text)
}

/** The bytes of a file after its first line, if that line is the key. */
function findUnder(path: string, key: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path)
    const head = Buffer.byteLength(key)
    return bytes[head] === newline && bytes.toString('utf8', 0, head) === key ? bytes.subarray(head + 1) : undefined
  } catch {
    return undefined
  }
}

const newline = 10

/**
 * Stores a text after its key. If the disk is full or the folder is read-only, the next list is slower, but this one is complete.
 */
function saveUnder(path: string, key: string, text: string): void {
  try {
    writeInOneStep(path, `${key}\n${text}`)
  } catch {
    // See above.
  }
}
