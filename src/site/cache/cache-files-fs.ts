/** The files of a cache: blobs, the log of what a build has set, and long texts that are read a little at a time. */

import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { makePrivate, namesIn, readAt, writeAll } from '../../util/files-fs.ts'
import { hashKey, sha256 } from '../../util/hash.ts'
import { parseJson } from '../../util/json.ts'
import { explainDiskError } from '../output/disk-fs.ts'
import type { CacheIndex, IndexText, LogRange, ReadBytes } from './cache-index.ts'

/** The files of a cache that contain its blobs. */
export class BlobFiles {
  readonly #cacheFolder: string
  readonly #folder: string
  readonly #stamp: string
  #isMade = false
  /** Names of the files on disk: listing the folder once is far cheaper than checking each blob. */
  #names: Set<string> | undefined

  constructor(cacheFolder: string, stamp: string) {
    this.#cacheFolder = cacheFolder
    this.#folder = join(cacheFolder, 'blobs')
    this.#stamp = stamp
  }

  /** Makes the folders of the cache, which contains text of private sessions. Throws as `explained` does. */
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

  /** Size of a blob in bytes; `undefined` if it has no file. */
  size(key: string): number | undefined {
    return statSync(this.#path(key), { throwIfNoEntry: false })?.size
  }

  read(key: string): Buffer | undefined {
    return readBytes(this.#path(key))
  }

  /** Throws as `explained` does. */
  write(key: string, content: string | Uint8Array): void {
    this.makeFolders()
    // No draft is needed, because half a blob would not have its hash, and a rename for each of thousands costs seconds.
    explained(this.#cacheFolder, () => writeFileSync(this.#path(key), content, { mode: 0o600 }))
    this.#names?.add(this.#name(key))
  }

  /** Removes all blobs except those under the given keys. */
  keepOnly(keys: Iterable<string>): void {
    const wanted = new Set(Array.from(keys, (key) => this.#name(key)))
    for (const name of readdirSync(this.#folder)) {
      if (isBlobName(name) && !wanted.has(name)) rmSync(join(this.#folder, name), { force: true })
    }
  }

  /** The name includes the stamp, so that a build that is given up does not touch the blobs of builds with other options. */
  #name(key: string): string {
    return sha256(`${this.#stamp}\0${key}`)
  }

  #path(key: string): string {
    return join(this.#folder, this.#name(key))
  }
}

/** Whether a name is one that we give, including drafts of builds that were killed; only such files are removed. */
function isBlobName(name: string): boolean {
  return /^[0-9a-f]{64}(?:\.\d+\.tmp)?$/.test(name)
}

/** Bytes of a file. A file that cannot be read counts as absent: the cache is rebuilt. */
export function readBytes(path: string): Buffer | undefined {
  try {
    return existsSync(path) ? readFileSync(path) : undefined
  } catch {
    return undefined
  }
}

/** Runs a step that writes to the folder of a cache. Throws a `UsageError` if the disk refuses. */
export function explained<T>(folder: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw explainDiskError(error, folder, 'The cache needs it; `--cache` chooses another place.')
  }
}

// What a build has set in its cache since it began, line by line, so that the work of a build that is killed is not lost. The log
// is read together with the index, and removed when the next index is written.

/** Records what is set. Throws the error of the system. */
interface CacheLog {
  /**
   * Passes a value to the system immediately, and returns the range of its JSON; `undefined` if another program is also writing
   * to the file.
   */
  entry(key: string, value: unknown): LogRange | undefined
  blob(key: string, hash: string, bytes: number): void
  /** Reads what was passed to the system; empty once the log is closed. */
  read: ReadBytes
  /** Passes everything recorded so far to the system. */
  flush(): void
  close(): void
}

/** Most UTF-16 units that wait in memory. */
const maxPending = 64 * 1024

const form = /^unsaved-[0-9a-f]{16}\.jsonl$/

/** Name of the log of builds with a stamp. */
export function logName(stamp: string): string {
  return `unsaved-${sha256(stamp).slice(0, 16)}.jsonl`
}

/** Whether a name is that of a log. */
export function isLogName(name: string): boolean {
  return form.test(name)
}

/** Continues a log; its file is made, after `makeFolder`, when there is something to write. */
export function cacheLog(file: string, makeFolder: () => void): CacheLog {
  let open: { descriptor: number; read: ReadBytes } | undefined
  let pending = ''
  /** Writes what waits, and returns the offset at its end; `undefined` if another program wrote too. */
  const flush = (): { end: number } | undefined => {
    if (pending === '') return undefined
    makeFolder()
    return explained(dirname(file), () => {
      if (open === undefined) {
        const descriptor = openSync(file, 'a+', 0o600)
        open = { descriptor, read: windowOf(descriptor) }
        // The last line in the file may have been cut off.
        pending = `\n${pending}`
      }
      const bytes = Buffer.from(pending)
      pending = ''
      const start = fstatSync(open.descriptor).size
      writeAll(open.descriptor, bytes)
      const end = fstatSync(open.descriptor).size
      return end - start === bytes.length ? { end } : undefined
    })
  }
  const add = (json: string): void => {
    pending += `${hashKey(json)} ${json}\n`
  }
  return {
    entry(key, value) {
      const json = JSON.stringify(value)
      add(`[${JSON.stringify(key)},${json}]`)
      const written = flush()
      const bytes = Buffer.byteLength(json)
      // A bracket and a line feed follow the value.
      return written && { start: written.end - 2 - bytes, bytes }
    },
    blob(key, hash, bytes) {
      add(JSON.stringify([key, hash, bytes]))
      if (pending.length > maxPending) flush()
    },
    read: (start, end) => open?.read(start, end) ?? Buffer.alloc(0),
    flush,
    close() {
      if (open !== undefined) closeSync(open.descriptor)
      open = undefined
    },
  }
}

/**
 * Adds the lines of a log to an index. A damaged line is ignored, and so is a blob whose file has another size (`sizeOf`),
 * because it was cut off.
 */
export function replayLog(
  text: string,
  { entries, blobs, sizeOf }: CacheIndex & { sizeOf: (key: string) => number | undefined },
): void {
  if (text === '') return
  for (const line of text.split('\n')) {
    const fields = parseJson(soundText(line))
    const [key, value, bytes] = Array.isArray(fields) ? (fields as unknown[]) : []
    if (typeof key !== 'string') continue
    if (bytes === undefined) entries.set(key, value)
    else if (typeof value === 'string' && sizeOf(key) === bytes) blobs.set(key, value)
  }
}

/** The text after the hash in a line of a log; empty if the hash does not match. */
function soundText(line: string): string {
  const mark = line.indexOf(' ')
  const text = line.slice(mark + 1)
  return line.slice(0, mark) === hashKey(text) ? text : ''
}

// Text in a file, read a little at a time, mostly in order, so that it need not be in memory.

/** Smallest number of bytes that are read at once. */
const windowSize = 64 * 1024

/** How many windows are kept: a caller that asks for several kinds of entries reads at as many positions in turn. */
const maxWindows = 8

/** A file that stays open: another file that takes its name later is not read. */
export interface OpenFile extends IndexText {
  close(): void
}

/** Opens a file; `undefined` if there is none that can be read. */
export function openFile(path: string): OpenFile | undefined {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch {
    return undefined
  }
  let isOpen = true
  const close = (): void => {
    if (isOpen) closeSync(descriptor)
    isOpen = false
  }
  const source: IndexText['source'] = {
    size: fstatSync(descriptor).size,
    read: (target, offset, length, position) => readSync(descriptor, target, offset, length, position),
    close,
  }
  return { source, read: windowOf(descriptor), close }
}

/** Reads parts of an open file, which may grow at its end. Throws the error of the system. */
function windowOf(descriptor: number): ReadBytes {
  /** The windows that were read last, newest first. */
  const windows: { from: number; bytes: Buffer; memory: Buffer }[] = []
  return (start, end) => {
    const existing = windows.find(({ from, bytes }) => start >= from && end <= from + bytes.length)
    if (existing !== undefined) return existing.bytes.subarray(start - existing.from, end - existing.from)
    // The window starts at a multiple of its size, so it also serves callers that go backwards.
    const from = start - (start % windowSize)
    const size = Math.max(end - from, windowSize)
    const oldest = windows.length === maxWindows ? windows.pop()?.memory : undefined
    const memory = oldest !== undefined && size <= oldest.length ? oldest : Buffer.allocUnsafeSlow(size)
    const bytes = readAt(descriptor, from, from + size, memory)
    windows.unshift({ from, bytes, memory })
    return bytes.subarray(start - from, end - from)
  }
}
