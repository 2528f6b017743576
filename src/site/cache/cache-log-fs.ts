/**
 * What a build has set in its cache since it began, line by line, so that the work of a build that is killed is not lost. The log
 * is read together with the index, and removed when the next index is written.
 */

import { closeSync, fstatSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeAll } from '../../util/files-fs.ts'
import { hashKey, sha256 } from '../../util/hash.ts'
import { parseJson } from '../../util/json.ts'
import { explainDiskError } from '../output/disk-fs.ts'
import type { CacheIndex, LogRange, ReadBytes } from './cache-index.ts'
import { windowOf } from './file-window-fs.ts'

/** Records what is set. Throws the error of the system. */
export interface CacheLog {
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

/** Runs a step that writes to the folder of a cache. Throws a `UsageError` if the disk refuses. */
export function explained<T>(folder: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw explainDiskError(error, folder, 'The cache needs it; `--cache` chooses another place.')
  }
}
