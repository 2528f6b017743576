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
  /** Marks the entry and the blob under a key as used, whichever there are. */
  use(key: string): void
  /** Takes that mark away. */
  release(key: string): void
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
  const files = new BlobFiles(folder, stamp)
  const logFile = join(folder, logName(stamp))
  const unsaved = readText(logFile) ?? ''
  replayLog(unsaved, { entries, blobs, sizeOf: (key) => files.size(key) })
  /** Whether the index may differ from its file: to make its text only to see that it does not takes long. */
  let mayDiffer = !isRead || unsaved !== ''
  const log = keepsLog ? cacheLog(logFile, () => files.makeFolders()) : undefined
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
      const content = hash === undefined ? undefined : files.read(key)
      if (content !== undefined && sha256(content) === hash) return content
      // Else the next build would find it in its place again, and again be misled.
      if (blobs.delete(key)) mayDiffer = hasStrays = true
      return undefined
    },
    hasBlob: (key) => blobs.has(key) && files.has(key),
    setBlob(key, content) {
      const hash = sha256(content)
      const bytes = Buffer.byteLength(content)
      // Of a session that grows most pages stay as they are. What was changed by hand is found out where it is read.
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
      // Also those of builds with other options: their blobs go now.
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

/** The files of a cache that hold its blobs. */
class BlobFiles {
  readonly #cacheFolder: string
  readonly #folder: string
  readonly #stamp: string
  #isMade = false
  /** Of those on disk: one look at the folder is far cheaper than one a blob. */
  #names: Set<string> | undefined

  constructor(cacheFolder: string, stamp: string) {
    this.#cacheFolder = cacheFolder
    this.#folder = join(cacheFolder, 'blobs')
    this.#stamp = stamp
  }

  /** Makes the folders of the cache, which holds words of private sessions. Throws as `explained` does. */
  makeFolders(): void {
    if (this.#isMade) return
    explained(this.#cacheFolder, () => {
      makePrivate(this.#cacheFolder)
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    })
    this.#isMade = true
  }

  has(key: string): boolean {
    this.#names ??= new Set(namesIn(this.#folder))
    return this.#names.has(this.#name(key))
  }

  /** Bytes of a blob; `undefined` where there is no file. */
  size(key: string): number | undefined {
    return statSync(this.#path(key), { throwIfNoEntry: false })?.size
  }

  read(key: string): Buffer | undefined {
    return readBytes(this.#path(key))
  }

  /** Throws as `explained` does. */
  write(key: string, content: string | Uint8Array): void {
    this.makeFolders()
    // Half of it would not have its hash, so no draft is needed; a rename for each of thousands costs seconds.
    explained(this.#cacheFolder, () => writeFileSync(this.#path(key), content, { mode: 0o600 }))
    this.#names?.add(this.#name(key))
  }

  /** Removes all blobs but those under some keys. */
  keepOnly(keys: Iterable<string>): void {
    const wanted = new Set(Array.from(keys, (key) => this.#name(key)))
    for (const name of readdirSync(this.#folder)) {
      if (isBlobName(name) && !wanted.has(name)) rmSync(join(this.#folder, name), { force: true })
    }
  }

  /** With the stamp, so that a build that is given up leaves the blobs of builds with other options alone. */
  #name(key: string): string {
    return sha256(`${this.#stamp}\0${key}`)
  }

  #path(key: string): string {
    return join(this.#folder, this.#name(key))
  }
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

/** Only names that we give are removed, also those of drafts of builds that were killed. */
function isBlobName(name: string): boolean {
  return /^[0-9a-f]{64}(?:\.\d+\.tmp)?$/.test(name)
}

function readText(path: string): string | undefined {
  return readBytes(path)?.toString('utf8')
}

/** A file that cannot be read is as good as absent: the cache is rebuilt. */
function readBytes(path: string): Buffer | undefined {
  try {
    return existsSync(path) ? readFileSync(path) : undefined
  } catch {
    return undefined
  }
}
