/**
 * The folder of a site's cache: where it lies, and what the last build or list was made from and said, so that the next one can
 * end before it begins. What it holds is never trusted: what does not fit is as good as absent.
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
import { joined } from '../../util/pieces.ts'
import { folderOf, manifestName } from '../output/paths.ts'
import { isStagingName } from '../output/staging-folder-fs.ts'

/** A folder below the user's cache folder, named after the absolute path of the output folder. */
export function defaultCacheDir(out: string, host: CacheHost): string {
  const path = pathsOf(host)
  const site = path.resolve(out)
  return cachePath(host, `${slugify(path.basename(site))}-${sha256(site).slice(0, 12)}`)
}

/**
 * The folder in which `list` keeps what it read in some places; `undefined` where the user has no cache folder, for a command
 * that only reads makes none.
 */
export function listCacheDir(roots: readonly Root[], host: CacheHost): string | undefined {
  const places = roots.map(({ path, kind, label }) => `${kind} ${path} ${label}`)
  return existsSync(userCache(host)) ? cachePath(host, `list-${sha256(places.join('\0')).slice(0, 12)}`) : undefined
}

/** The folder in which masks of pruned rollouts are kept. */
export function maskDir(host: CacheHost): string {
  return cachePath(host, 'memory')
}

/** The folder in which new files of an interrupted build wait for the next one. */
export function waitingFolder(cacheDir: string): string {
  return join(cacheDir, 'unfinished')
}

/** The folder of a build's cache. Throws a `UsageError` where one that was named lies in the site, or holds what is not ours. */
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

/** What a build that was stopped early may have left alone. Files may be drafts. */
const ownNames =
  /^(?:blobs|unfinished|unsealed-\d+|unsaved-[\da-f]{16}\.jsonl|(?:homes|index|last-build|lock|published-[\da-f]{12})\.json(?:\.\d+\.tmp)?)$/

/** A name in a folder that no build left there; `undefined` where there is none, no folder, or a cache among other things. */
function foreignName(folder: string): string | undefined {
  const names = namesIn(folder).toSorted() // of a folder that cannot be listed, who writes there is told
  if (names.length === 0 || readLastHomes(folder) !== undefined || hasIndex(folder)) return undefined
  const blob = namesIn(join(folder, 'blobs'))
    .toSorted()
    .find((name) => !/^[\da-f]{64}$/.test(name))
  return names.find((name) => !ownNames.test(name) || name === 'index.json') ?? (blob && `blobs/${blob}`)
}

/** What the index of a cache says first. */
export const indexSchema = 'codex-export/cache'

function hasIndex(folder: string): boolean {
  const path = join(folder, 'index.json')
  return existsSync(path) && isIndex(readFileSync(path))
}

/** Whether bytes are an index of any version, whole or not. */
function isIndex(bytes: Uint8Array): boolean {
  const head = JSON.stringify({ schema: indexSchema }).slice(0, -1)
  return Buffer.from(bytes.subarray(0, head.length)).toString('latin1') === head
}

/** Throws a `UsageError` where a cache folder is the output folder or lies in it: it would be published with the site. */
export function checkCacheDir(cache: string, out: string): void {
  if (!isWithin(cache, out)) return
  const hint = 'The cache contains text of private sessions: choose a `--cache` outside the site.'
  throw new UsageError(`The cache folder \`${cache}\` is inside the output folder \`${out}\`. ${hint}`)
}

// The last build.

/** A build that ended well. */
export interface LastBuild {
  /** Names all that the build was made from. */
  key: string
  /** SHA-256 of the manifest that it left. */
  manifest: string
  /** Paths of the site's files, a line each: they are read far sooner than from the manifest. */
  files: string
  /** Result as it was told; callers decode it. */
  result: unknown
}

const fileName = 'last-build.json'

/** The last build where it was made from the same and its site still stands, with the number of the site's files. */
export function findLastBuild(
  cacheDir: string,
  out: string,
  key: string,
): { result: unknown; files: number } | undefined {
  try {
    const last = JSON.parse(readFileSync(join(cacheDir, fileName), 'utf8')) as Partial<LastBuild> | null
    if (last?.key !== key || typeof last.files !== 'string') return undefined
    const paths = last.files.split('\n')
    return stands(out, last.manifest, paths) ? { result: last.result, files: paths.length } : undefined
  } catch {
    // Absent, damaged, or a site that somebody moved: there is work to do.
    return undefined
  }
}

/**
 * Remembers the build whose site has just been swapped in. The cache folder exists. In pieces, for a manifest of thousands of
 * sessions has megabytes.
 */
export function saveLastBuild(cacheDir: string, out: string, { key, result }: Pick<LastBuild, 'key' | 'result'>): void {
  const path = join(out, manifestName)
  const last = { key, manifest: sha256OfPieces(filePieces(path)), result }
  writeInOneStep(join(cacheDir, fileName), joined(lastBuildTexts(last, path)))
}

/** The JSON of a `LastBuild`, with the paths that a manifest lists, one a line: as they are escaped there. */
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

/** Forgets the last build, so that the next one looks at everything. */
export function forgetLastBuild(cacheDir: string): void {
  rmSync(join(cacheDir, fileName), { force: true })
}

/**
 * Whether a site's manifest is the one that we wrote, all its files are there and were not written since, and no build is
 * under way. Throws where something is missing.
 */
function stands(out: string, manifest: string | undefined, paths: readonly string[]): boolean {
  if (readdirSync(out).some(isStagingName)) return false
  const path = join(out, manifestName)
  if (sha256(readFileSync(path)) !== manifest) return false
  const builtAtMs = lstatSync(path).mtimeMs
  // `join` for each of thousands takes as long as to look at one.
  return areFolders(out, paths) && paths.every((name) => isOlder(`${out}/${name}`, builtAtMs))
}

/** Whether what holds the files are folders and no links: one look into a folder shows it of all that are in it. */
function areFolders(out: string, paths: readonly string[]): boolean {
  const folders = new Set(paths.map(folderOf))
  folders.delete('')
  return [...new Set([...folders].map(folderOf))].every((parent) => {
    const prefix = parent === '' ? '' : `${parent}/`
    const entries = readdirSync(join(out, parent), { withFileTypes: true })
    return entries.every((entry) => entry.isDirectory() || !folders.has(`${prefix}${entry.name}`))
  })
}

/** Whether a path is a file that nobody wrote since a build, whose manifest is the last thing that it writes. */
function isOlder(path: string, builtAtMs: number): boolean {
  const entry = lstatSync(path)
  return entry.isFile() && entry.mtimeMs <= builtAtMs
}

// Which sessions each home gave to the last build. It lies with the cache, and whatever options a build has, it
// counts.

/** A place that sessions are read from, and those that it gave, by the names of their folders in a site. */
export interface HomeSessions {
  /** Absolute. */
  path: string
  /** Empty where it has none. */
  label: string
  sessions: readonly string[]
  /** Those in the folder of archived sessions, which are not among `sessions`. */
  archived: readonly string[]
}

const homesFile = 'homes.json'
const schema = 'codex-export/homes'

/** The homes of the last build; `undefined` where nothing, or nothing whole, is known of them. */
export function readLastHomes(cacheDir: string): HomeSessions[] | undefined {
  const value = parseJson(textAt(join(cacheDir, homesFile)))
  if (!isObject(value) || value['schema'] !== schema || value['version'] !== 1) return undefined
  const { homes } = value
  return Array.isArray(homes) && homes.every(isHome) ? homes : undefined
}

/** Remembers the homes of a build whose site stands. The cache folder exists. Throws the error of the system. */
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

// Whether anything changed in a small folder.

/** Names, sizes and times of all files below a folder as a text; empty where there is no such folder. */
export function folderMark(folder: string): string {
  return marksBelow(folder).join('\n')
}

/** Folder by folder: `recursive` of Node 20 takes ten times as long. */
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

/** Size and time of a file; empty where there is none. */
export function markOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.size} ${stat.mtimeMs}`
}

// The last list of sessions, as values and as it was printed.

const listFile = 'last-list.json'

/** What the last list gave, where `key`, which names all that it was made from, is the same; callers decode it. */
export function findLastList(cacheDir: string, key: string): unknown {
  return parseJson(findUnder(join(cacheDir, listFile), key)?.toString('utf8') ?? '')
}

/** Remembers a list, where that can be. */
export function saveLastList(cacheDir: string, key: string, result: unknown): void {
  saveUnder(join(cacheDir, listFile), key, JSON.stringify(result))
}

const printFile = 'last-list.txt'

/** The text that was printed last, as UTF-8, where `key`, which also names how it was printed, is the same. */
export function findLastPrint(cacheDir: string, key: string): Uint8Array | undefined {
  return findUnder(join(cacheDir, printFile), key)
}

/** Remembers a text that is printed, where that can be. */
export function saveLastPrint(cacheDir: string, key: string, text: string): void {
  saveUnder(join(cacheDir, printFile), key, text)
}

/** The bytes of a file behind its first line, where that is a key. */
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

/** A full disk or a folder that cannot be written makes the next list slower, and this one no worse. */
function saveUnder(path: string, key: string, text: string): void {
  try {
    writeInOneStep(path, `${key}\n${text}`)
  } catch {
    // As said.
  }
}
