/**
 * What a build set in its cache since it began, line by line, so that a build that is killed has not worked in vain.
 * It is read with the index, and goes when the next index is written.
 */

import { closeSync, fstatSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeAll } from '../../util/files-fs.ts'
import { hashKey, sha256 } from '../../util/hash.ts'
import { parseJson } from '../../util/json.ts'
import { explainDiskError } from '../output/disk-fs.ts'
import type { CacheIndex, LogRange, ReadBytes } from './cache-index.ts'
import { windowOf } from './file-window-fs.ts'

/** Takes what is set. Throws the error of the system. */
export interface CacheLog {
  /** Hands a value to the system at once, and gives the place of its JSON; none where another program writes to the file too. */
  entry(key: string, value: unknown): LogRange | undefined
  blob(key: string, hash: string, bytes: number): void
  /** Reads what was handed to the system; nothing once it is closed. */
  read: ReadBytes
  /** Hands what was taken to the system. */
  flush(): void
  close(): void
}

/** UTF-16 units that wait in memory at most. */
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

/** Goes on with a log; the file is made, by `makeFolder` before it, when there is something to write. */
export function cacheLog(file: string, makeFolder: () => void): CacheLog {
  let open: { descriptor: number; read: ReadBytes } | undefined
  let pending = ''
  /** Writes what waits, and gives where it ends; nothing where another program wrote too. */
  const flush = (): { end: number } | undefined => {
    if (pending === '') return undefined
    makeFolder()
    return explained(dirname(file), () => {
      if (open === undefined) {
        const descriptor = openSync(file, 'a+', 0o600)
        open = { descriptor, read: windowOf(descriptor) }
        // The line before may have been cut off.
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
      // Behind it stand a bracket and a line feed.
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
 * Adds the lines of a log to an index. A line that is not what was written is left out, and so is a blob whose file has another size
 * (`sizeOf`): it was cut off.
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

/** What stands behind the hash in a line of a log; empty where the hash is another one. */
function soundText(line: string): string {
  const mark = line.indexOf(' ')
  const text = line.slice(mark + 1)
  return line.slice(0, mark) === hashKey(text) ? text : ''
}

/** Runs a step that writes to the folder of a cache. Throws `UsageError` where the disk refuses. */
export function explained<T>(folder: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw explainDiskError(error, folder, 'The cache needs it; `--cache` chooses another place.')
  }
}
