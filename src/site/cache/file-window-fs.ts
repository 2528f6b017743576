/** Reads text in a file a little at a time, mostly in order, so that it need not be in memory. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readAt } from '../../util/files-fs.ts'
import type { IndexText, ReadBytes } from './cache-index.ts'

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
export function windowOf(descriptor: number): ReadBytes {
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
