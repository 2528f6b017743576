/**
 * The cache of a site: what a build learned, kept outside the site for the next one.
 * It is never trusted: what does not fit, is damaged or is from another version counts as absent.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivate, namesIn, writeInOneStep } from '../../util/files-fs.ts'
import { sha256 } from '../../util/hash.ts'
import { encoded } from '../../util/pieces.ts'
import { markOf } from './cache-folder-fs.ts'
import {
  type CacheIndex,
  decodeIndex,
  encodeIndex,
  JsonLines,
  type ReadBytes,
  stampOf,
  textInMemory,
} from './cache-index.ts'
import { cacheLog, explained, isLogName, logName, replayLog } from './cache-log-fs.ts'
import { type OpenFile, openFile } from './file-window-fs.ts'

/** A cache in memory: one index of small entries, and blobs in files of their own. */
export interface Cache {
  /** The entry under a key, as it was set; callers decode it. */
  get(key: string): unknown
  /** Keys of all entries. */
  keys(): string[]
  /**
   * Sets an entry to a JSON value, which counts from the next `save` on. `atOnce`: also where this process is killed before,
   * and with it the blobs so far.
   */
  set(key: string, value: unknown, options?: { atOnce?: boolean }): void
  /** Bytes under a key; `undefined`, and forgotten, unless they are the very bytes that were set. */
  getBlob(key: string): Uint8Array | undefined
  /** SHA-256 of the bytes that were set under a key, which are not read. */
  blobHash(key: string): string | undefined
  /** Whether there is a file for the bytes under a key, which is not read. */
  hasBlob(key: string): boolean
  /** Writes bytes under a key at once; they count from the next `save` on. */
  setBlob(key: string, content: string | Uint8Array): void
  /** Marks the entry and the blob under a key as used, or as not used, whichever there are. */
  use(key: string, isUsed?: boolean): void
  /** Forgets every entry and blob that is not used; what is left is not used either from then on. */
  forgetUnused(): void
  /** Writes the index, in one step, if it changed, and removes forgotten blobs. Throws `UsageError` where the disk refuses. */
  save(): void
  /** Closes the files that are read; what they hold is not there from then on. */
  close(): void
}

/** Options of `openCache`. */
export interface CacheOptions {
  /** Keep what is set `atOnce`, and blobs, for the next build though this one is killed. */
  keepsLog?: boolean
  /** Read what an index and a log hold from their files when it is asked for: it is there until `save` and `close`. */
  fromDisk?: boolean
}

/** Opens the cache in a folder. `stamp` names all that an entry depends on beside its key, at least the tool version. */
export function openCache(
  folder: string,
  stamp: string,
  { keepsLog = false, fromDisk = false }: CacheOptions = {},
): Cache {
  const index = join(folder, 'index.json')
  const readLog: ReadBytes = (start, end) => log?.read(start, end) ?? Buffer.alloc(0)
  const { known, file } = readIndex(index, stamp, { fromDisk, readLog })
  const { entries, blobs } = known ?? { entries: new JsonLines({ readLog }), blobs: new JsonLines() }
  /** Whether the index is, in its file, as it was read. */
  let isRead = known !== undefined
  const blobFolder = join(folder, 'blobs')
  const logFile = join(folder, logName(stamp))
  // With the stamp, so that a build that is given up leaves the blobs of builds with other options alone.
  const blobName = (key: string): string => sha256(`${stamp}\0${key}`)
  const blobPath = (key: string): string => join(blobFolder, blobName(key))
  let made = false
  let names: Set<string> | undefined // of the blobs on disk: one look at the folder is far cheaper than one a blob
  const makeFolders = (): void => {
    if (!made) explained(folder, () => makeFolder(folder, blobFolder))
    made = true
  }
  const unsaved = readText(logFile) ?? ''
  replayLog(unsaved, { entries, blobs, sizeOf: (key) => sizeOf(blobPath(key)) })
  /** Whether the index may differ from its file: to make its text only to see that it does not takes long. */
  let mayDiffer = !isRead || unsaved !== ''
  const log = keepsLog ? cacheLog(logFile, makeFolders) : undefined
  /** Whether the folder may hold blobs that are in no index: of what was forgotten, of a build that was killed or had other options. */
  let hasStrays = mayDiffer
  const blobHash = (key: string): string | undefined => hashOf(blobs.get(key))
  return {
    get: (key) => entries.get(key),
    keys: () => [...entries.keys()],
    set(key, value, { atOnce = false } = {}) {
      mayDiffer = true
      const place = atOnce ? log?.entry(key, value) : undefined
      if (place === undefined || !fromDisk) entries.set(key, value)
      else entries.setAt(key, place)
    },
    blobHash,
    getBlob(key) {
      const hash = blobHash(key)
      const content = hash === undefined ? undefined : readBytes(blobPath(key))
      if (content !== undefined && sha256(content) === hash) return content
      // Else the next build would find it in its place again, and again be misled.
      if (blobs.delete(key)) mayDiffer = hasStrays = true
      return undefined
    },
    hasBlob(key) {
      names ??= new Set(namesIn(blobFolder))
      return blobs.has(key) && names.has(blobName(key))
    },
    setBlob(key, content) {
      const hash = sha256(content)
      const path = blobPath(key)
      const bytes = Buffer.byteLength(content)
      // Of a session that grows most pages stay as they are. What was changed by hand is found out where it is read.
      if (blobs.get(key) === hash && sizeOf(path) === bytes) return
      makeFolders()
      // Half of it would not have its hash, so no draft is needed; a rename for each of thousands costs seconds.
      explained(folder, () => writeFileSync(path, content, { mode: 0o600 }))
      blobs.set(key, hash)
      mayDiffer = true
      names?.add(blobName(key))
      log?.blob(key, hash, bytes)
    },
    use(key, isUsed = true) {
      for (const map of [entries, blobs]) map.use(key, isUsed)
    },
    forgetUnused() {
      const forgotten = entries.deleteUnused() + blobs.deleteUnused()
      if (forgotten > 0) mayDiffer = hasStrays = true
    },
    save() {
      log?.flush()
      makeFolders()
      const differs = mayDiffer && !(isRead && !entries.isChanged() && !blobs.isChanged())
      mayDiffer = false
      if (!differs) {
        log?.close()
        rmSync(logFile, { force: true })
        return
      }
      isRead = false
      explained(folder, () => writeInOneStep(index, lastRead(encodeIndex(stamp, { entries, blobs }), file)))
      log?.close()
      // Also those of builds with other options: their blobs go now.
      const others = dropLogs(folder).filter((name) => name !== logName(stamp))
      if (hasStrays || others.length > 0) dropStrays(blobFolder, new Set(Array.from(blobs.keys(), blobName)))
      hasStrays = false
    },
    close() {
      file?.close()
      log?.close()
    },
  }
}

/** Makes the folders of a cache, which holds words of private sessions. */
function makeFolder(folder: string, blobFolder: string): void {
  makePrivate(folder)
  mkdirSync(blobFolder, { recursive: true, mode: 0o700 })
}

/**
 * Reads an index, and keeps its file open where its values are read when they are asked for. A file that cannot be read is as good
 * as absent: the cache is rebuilt.
 */
function readIndex(
  path: string,
  stamp: string,
  { fromDisk, readLog }: { fromDisk: boolean; readLog: ReadBytes },
): { known: CacheIndex | undefined; file: OpenFile | undefined } {
  const file = fromDisk ? openFile(path) : undefined
  const bytes = fromDisk ? undefined : readBytes(path)
  const text = bytes === undefined ? file : textInMemory(bytes)
  try {
    return { known: text && decodeIndex(text, stamp, readLog), file }
  } catch {
    return { known: undefined, file }
  }
}

/**
 * The text of an index as bytes, each there until the next: memory of its own for each would be tens of megabytes. It is the last
 * that is read of its file: one that is open cannot be replaced on every system.
 */
function* lastRead(text: Iterable<string | Uint8Array>, file: OpenFile | undefined): Generator<Uint8Array> {
  for (const piece of text) yield encoded(piece)
  file?.close()
}

/**
 * Opens caches as `openCache` does, and gives the last one again while nobody else wrote it: of thousands of sessions its index
 * takes long to read. For a process that builds one site again and again, one build after the other.
 */
export function cacheKeeper(): typeof openCache {
  let kept: { name: string; mark: string; cache: Cache } | undefined
  return (folder, stamp, options) => {
    const index = join(folder, 'index.json')
    const name = JSON.stringify([folder, stamp, options])
    if (kept?.name === name && kept.mark === markOf(index)) return kept.cache
    // It is asked again behind each `save`.
    const cache = openCache(folder, stamp, { ...options, fromDisk: false })
    const save = (): void => {
      cache.save()
      own.mark = markOf(index)
    }
    const own = { name, mark: markOf(index), cache: { ...cache, save, close: () => {} } }
    kept = own
    return own.cache
  }
}

/** Opens the cache in a folder as it was left, whatever its stamp; `undefined` where there is none. */
export function openStandingCache(folder: string): Cache | undefined {
  const stamp = stampOf(readBytes(join(folder, 'index.json')) ?? Buffer.alloc(0))
  return stamp === undefined ? undefined : openCache(folder, stamp)
}

function hashOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Removes the logs of a folder, and gives their names. */
function dropLogs(folder: string): string[] {
  const logs = namesIn(folder).filter(isLogName)
  for (const name of logs) rmSync(join(folder, name), { force: true })
  return logs
}

/** Removes the blobs of a folder but for some. */
function dropStrays(folder: string, wanted: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) {
    if (isBlobName(name) && !wanted.has(name)) rmSync(join(folder, name), { force: true })
  }
}

/** Only names that we give are removed, also those of drafts of builds that were killed. */
function isBlobName(name: string): boolean {
  return /^[0-9a-f]{64}(?:\.\d+\.tmp)?$/.test(name)
}

function readText(path: string): string | undefined {
  return readBytes(path)?.toString('utf8')
}

/** Size of a file in bytes; `undefined` where there is none. */
function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}

/** A file that cannot be read is as good as absent: the cache is rebuilt. */
function readBytes(path: string): Buffer | undefined {
  try {
    return existsSync(path) ? readFileSync(path) : undefined
  } catch {
    return undefined
  }
}
