/**
 * The cache of a site: what a build learned, kept outside the site for the next one. It is never trusted: what does not fit, is
 * damaged or is from another version counts as absent.
 */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn, writeInOneStep } from '../../util/files-fs.ts'
import { sha256 } from '../../util/hash.ts'
import { encoded } from '../../util/pieces.ts'
import {
  BlobFiles,
  cacheLog,
  explained,
  isLogName,
  logName,
  type OpenFile,
  openFile,
  readBytes,
  replayLog,
} from './cache-files-fs.ts'
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

/** A cache: one index of small entries, and blobs in separate files. */
export interface Cache {
  /** The value of the entry under a key, as it was set; callers decode it. */
  get(key: string): unknown
  /** Keys of all entries. */
  keys(): string[]
  /**
   * Sets an entry to a JSON value, which takes effect with the next `save`. With `atOnce`, it does so even if this process is
   * killed before, together with the blobs so far.
   */
  set(key: string, value: unknown, options?: { atOnce?: boolean }): void
  /** Bytes under a key; if they are not exactly those that were set, `undefined`, and the blob is forgotten. */
  getBlob(key: string): Uint8Array | undefined
  /** SHA-256 of the bytes that were set under a key; they are not read. */
  blobHash(key: string): string | undefined
  /** Whether there is a file with the bytes under a key; it is not read. */
  hasBlob(key: string): boolean
  /** Writes bytes under a key immediately; they take effect with the next `save`. */
  setBlob(key: string, content: string | Uint8Array): void
  /** Marks the entry and the blob under a key as used, as far as they exist. */
  use(key: string): void
  /** Removes that mark. */
  release(key: string): void
  /** Forgets every entry and blob that is not marked as used, and removes all marks. */
  forgetUnused(): void
  /** Writes the index in one step if it changed, and removes forgotten blobs. Throws a `UsageError` if the disk refuses. */
  save(): void
  /** Closes the files that are being read; their values are no longer available. */
  close(): void
}

/** Options of `openCache`. */
interface CacheOptions {
  /** Keep blobs and what is set `atOnce` for the next build, even if this one is killed. */
  keepsLog?: boolean
  /**
   * Read values of the index and the log from their files when they are asked for. They are available until `save` and `close`.
   */
  fromDisk?: boolean
}

/**
 * Opens the cache in a folder. `stamp` identifies everything that an entry depends on besides its key, at least the tool version.
 */
export function openCache(
  folder: string,
  stamp: string,
  { keepsLog = false, fromDisk = false }: CacheOptions = {},
): Cache {
  const index = join(folder, 'index.json')
  const readLog: ReadBytes = (start, end) => log?.read(start, end) ?? Buffer.alloc(0)
  const { known, file } = readIndex(index, stamp, { fromDisk, readLog })
  const { entries, blobs } = known ?? { entries: new JsonLines({ readLog }), blobs: new JsonLines() }
  /** Whether the index file still has the text that was read. */
  let isRead = known !== undefined
  const files = new BlobFiles(folder, stamp)
  const logFile = join(folder, logName(stamp))
  const unsaved = readText(logFile) ?? ''
  replayLog(unsaved, { entries, blobs, sizeOf: (key) => files.size(key) })
  /** Whether the index may differ from its file; making its text just to compare takes long. */
  let mayDiffer = !isRead || unsaved !== ''
  const log = keepsLog ? cacheLog(logFile, () => files.makeFolders()) : undefined
  /**
   * Whether the folder may contain blobs that are in no index: forgotten ones, or those of a build that was killed or had other
   * options.
   */
  let hasStrays = mayDiffer
  const blobHash = (key: string): string | undefined => hashOf(blobs.get(key))
  return {
    get: (key) => entries.get(key),
    keys: () => [...entries.keys()],
    set(key, value, { atOnce = false } = {}) {
      mayDiffer = true
      const range = atOnce ? log?.entry(key, value) : undefined
      if (range === undefined || !fromDisk) entries.set(key, value)
      else entries.setAt(key, range)
    },
    blobHash,
    getBlob(key) {
      const hash = blobHash(key)
      const content = hash === undefined ? undefined : files.read(key)
      if (content !== undefined && sha256(content) === hash) return content
      // Otherwise the next build would find it again and be misled again.
      if (blobs.delete(key)) mayDiffer = hasStrays = true
      return undefined
    },
    hasBlob: (key) => blobs.has(key) && files.has(key),
    setBlob(key, content) {
      const hash = sha256(content)
      const bytes = Buffer.byteLength(content)
      // When a session grows, most of its pages stay unchanged. A change made by hand is detected when the blob is read.
      if (blobs.get(key) === hash && files.size(key) === bytes) return
      files.write(key, content)
      blobs.set(key, hash)
      mayDiffer = true
      log?.blob(key, hash, bytes)
    },
    use(key) {
      for (const map of [entries, blobs]) map.use(key)
    },
    release(key) {
      for (const map of [entries, blobs]) map.release(key)
    },
    forgetUnused() {
      const forgotten = entries.deleteUnused() + blobs.deleteUnused()
      if (forgotten > 0) mayDiffer = hasStrays = true
    },
    save() {
      log?.flush()
      files.makeFolders()
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
      // Also the logs of builds with other options, whose blobs are removed now.
      const others = dropLogs(folder).filter((name) => name !== logName(stamp))
      if (hasStrays || others.length > 0) files.keepOnly(blobs.keys())
      hasStrays = false
    },
    close() {
      file?.close()
      log?.close()
    },
  }
}

/**
 * Reads an index, and keeps its file open if values are read when they are asked for. A file that cannot be read counts as
 * absent: the cache is rebuilt.
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
 * The text of an index as bytes, each piece valid until the next, because separate memory for each would be tens of megabytes.
 * The file of the old index is closed at the end, because an open file cannot be replaced on every system.
 */
function* lastRead(text: Iterable<string | Uint8Array>, file: OpenFile | undefined): Generator<Uint8Array> {
  for (const piece of text) yield encoded(piece)
  file?.close()
}

/**
 * Opens caches as `openCache` does, and returns the last one again as long as nobody else has written it, because the index of
 * thousands of sessions takes long to read. For a process that builds one site again and again, one build at a time.
 */
export function cacheKeeper(): typeof openCache {
  let kept: { name: string; mark: string; cache: Cache } | undefined
  return (folder, stamp, options) => {
    const index = join(folder, 'index.json')
    const name = JSON.stringify([folder, stamp, options])
    if (kept?.name === name && kept.mark === markOf(index)) return kept.cache
    // It is used again after each `save`, so its values must not depend on open files.
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

/** Opens the cache in a folder as it was left, whatever its stamp; `undefined` if there is none. */
export function openStandingCache(folder: string): Cache | undefined {
  const stamp = stampOf(readBytes(join(folder, 'index.json')) ?? Buffer.alloc(0))
  return stamp === undefined ? undefined : openCache(folder, stamp)
}

function hashOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Removes the logs in a folder, and returns their names. */
function dropLogs(folder: string): string[] {
  const logs = namesIn(folder).filter(isLogName)
  for (const name of logs) rmSync(join(folder, name), { force: true })
  return logs
}

function readText(path: string): string | undefined {
  return readBytes(path)?.toString('utf8')
}
