/**
 * What a build set in its cache since it began, line by line, so that a build that is killed has not worked in vain. It
 * is read with the index, and goes when the next index is written.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { sha256 } from '../util/hash.ts'
import type { CacheIndex } from './cache-index.ts'

/** Takes what is set. Throws the error of the system. */
export interface CacheLog {
  entry(key: string, value: unknown): void
  blob(key: string, hash: string, bytes: number): void
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
  let descriptor: number | undefined
  let pending = ''
  const flush = (): void => {
    if (pending === '') return
    if (descriptor === undefined) {
      makeFolder()
      descriptor = openSync(file, 'a', 0o600)
      // The line before may have been cut off.
      pending = `\n${pending}`
    }
    writeSync(descriptor, pending)
    pending = ''
  }
  const add = (line: readonly unknown[]): void => {
    pending += `${JSON.stringify(line)}\n`
    if (pending.length > maxPending) flush()
  }
  return {
    entry: (key, value) => add([key, value]),
    blob: (key, hash, bytes) => add([key, hash, bytes]),
    flush,
    close() {
      flush()
      if (descriptor !== undefined) closeSync(descriptor)
      descriptor = undefined
    },
  }
}

/**
 * Adds the lines of a log to an index. A line that is not whole is left out, and so is a blob whose file has another size
 * (`sizeOf`): it was cut off.
 */
export function replayLog(
  text: string,
  { entries, blobs, sizeOf }: CacheIndex & { sizeOf: (key: string) => number | undefined },
): void {
  if (text === '') return
  for (const line of text.split('\n')) {
    const [key, value, bytes] = parse(line)
    if (typeof key !== 'string') continue
    if (bytes === undefined) entries.set(key, value)
    else if (typeof value === 'string' && sizeOf(key) === bytes) blobs.set(key, value)
  }
}

function parse(line: string): unknown[] {
  try {
    const value: unknown = JSON.parse(line)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
