/** Text in a file that is read a little at a time, mostly one part behind the other: it need not lie in memory for that. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { ReadBytes } from './cache-index.ts'

/** Bytes that are read at once at least. */
const windowSize = 64 * 1024

/** A file that stays open: what takes its name later is not read. */
export interface OpenFile {
  read: ReadBytes
  /** All of it. Throws the error of the system. */
  readAll(): Buffer
  close(): void
}

/** Opens a file; `undefined` where there is none that can be read. */
export function openFile(path: string): OpenFile | undefined {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch {
    return undefined
  }
  let isOpen = true
  return {
    read: windowOf(descriptor),
    readAll: () => readAt(descriptor, 0, fstatSync(descriptor).size),
    close() {
      if (isOpen) closeSync(descriptor)
      isOpen = false
    },
  }
}

/** Reads parts of an open file, which may grow at its end. Throws the error of the system. */
export function windowOf(descriptor: number): ReadBytes {
  let from = 0
  let window: Buffer = Buffer.alloc(0)
  return (start, end) => {
    if (start < from || end > from + window.length) {
      // From a round place on, so that it serves who goes backwards too.
      from = start - (start % windowSize)
      window = readAt(descriptor, from, Math.max(end, from + windowSize))
    }
    return window.subarray(start - from, end - from)
  }
}

/** What stands between two places; less where the file ends before. */
function readAt(descriptor: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start)
  let length = 0
  while (length < bytes.length) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, start + length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}
