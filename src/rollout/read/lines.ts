/**
 * Splits bytes into lines with one reused buffer and one callback per line, which measured faster than streams and
 * iterators.
 */

import { Skimmer, type SkimOptions } from './skim.ts'
import type { ByteSource } from './source.ts'

const newline = 0x0a
const carriageReturn = 0x0d
const nothing = Buffer.alloc(0)

/** One physical line of a rollout. */
export interface Line {
  /** 1-based. */
  number: number
  /** Offset of the first byte in the source. */
  byteOffset: number
  /** Physical length without the newline. */
  byteLength: number
  /** Content without byte order mark and trailing CR: a view that is valid during the callback only. */
  bytes: Buffer
  /** Whether a newline ends the line; only the last one may lack it. */
  terminated: boolean
  /** Bytes of long strings that were left out of `bytes`. */
  omitted?: number
  /** `bytes` holds only the beginning: the line is over the limit even without its long strings. */
  oversized?: true
}

/** A part of a source that begins at the start of a line. */
export interface LineRange {
  start: number
  end: number
  /** 1-based number of the line at `start`. */
  firstLine: number
}

/** Limits of the reader. Lines up to `maxLineBytes` (default: 8 MiB) are held in memory whole; longer ones are skimmed. */
export interface LineOptions extends SkimOptions {
  /** Initial size of the buffer (default: 128 KiB). */
  chunkBytes?: number
}

/** What was read: `bytes` is the sum of all line lengths and newlines. */
interface LineTotals {
  lines: number
  bytes: number
}

/**
 * Calls `onLine` for every line of a source or of a range of it, in order, until it returns `false`. Memory is bounded at
 * any size of file or line: one buffer of at most 8 MiB, and for a longer line what is kept of it (`SkimOptions`). Throws
 * what the source throws.
 */
export function readLines(
  source: ByteSource,
  onLine: (line: Line) => unknown,
  range: LineRange = { start: 0, end: source.size, firstLine: 1 },
  options: LineOptions = {},
): LineTotals {
  const cursor = new LineCursor(source, range, options)
  let lines = 0
  try {
    for (let line = cursor.next(); line !== undefined; line = cursor.next()) {
      lines++
      if (onLine(line) === false) break
    }
  } finally {
    cursor.close()
  }
  return { lines, bytes: cursor.offset - range.start }
}

/** A walk over lines whose pace the caller sets, for example over two sources at once. */
interface LineWalk {
  /** The next line, which is valid until the one after it; `undefined` after the last. */
  next(): Line | undefined
  /** Ends the walk, wherever it is: lines that were returned may not be read any more. May be called twice. */
  close(): void
}

/** Begins a walk over the lines of a source or of a range of it. Otherwise like `readLines`. The caller must close the walk. */
export function walkLines(
  source: ByteSource,
  range: LineRange = { start: 0, end: source.size, firstLine: 1 },
): LineWalk {
  return new LineCursor(source, range, {})
}

// Buffers that are reused. Discarded buffers of tens of kilobytes stay until a garbage collection, and the gaps
// that they leave are never returned to the system: for 20,000 sessions they came to 40 MB.

/** Most unused buffers that are kept: about as many are in use at once when readers of several files alternate. */
const maxSpare = 8

/** A pool of buffers of one size, for short work. */
export class SpareBuffers {
  /** Bytes of each. */
  readonly size: number
  readonly #spare: Buffer[] = []

  constructor(size: number) {
    this.size = size
  }

  /** A buffer with arbitrary content. */
  acquire(): Buffer {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.size)
  }

  /**
   * Makes a buffer available again. Nobody may read it, or views of it, any more. A buffer of another size is left to the
   * garbage collector.
   */
  release(buffer: Buffer): void {
    if (buffer.length === this.size && this.#spare.length < maxSpare) this.#spare.push(buffer)
  }
}

/** The buffers into which lines are first read; their size fits into a processor's cache. */
export const lineBuffers: SpareBuffers = new SpareBuffers(128 * 1024)

// From bytes to lines.

/** A buffer over a source: `#buffer[#start..#filled)` are the bytes from `offset` on that were read but not yet returned. */
class LineCursor implements LineWalk {
  readonly #source: ByteSource
  readonly #options: LineOptions
  #end: number
  readonly #maxLine: number
  #buffer: Buffer
  #start = 0
  #filled = 0
  #number: number
  /** Source offset of the next line. */
  offset: number

  constructor(source: ByteSource, range: LineRange, options: LineOptions) {
    this.#source = source
    this.#options = options
    this.#end = Math.min(range.end, source.size)
    this.#maxLine = options.maxLineBytes ?? 8 * 1024 * 1024
    const size = Math.min(options.chunkBytes ?? lineBuffers.size, this.#maxLine)
    this.#buffer = size === lineBuffers.size ? lineBuffers.acquire() : Buffer.allocUnsafeSlow(size)
    this.#number = range.firstLine
    this.offset = range.start
  }

  /** Ends the walk: lines that were returned may not be read any more. */
  close(): void {
    lineBuffers.release(this.#buffer)
    this.#buffer = nothing
    this.#start = 0
    this.#filled = 0
    this.#end = this.offset
  }

  /** The next line; `undefined` after the last, which ends the walk. */
  next(): Line | undefined {
    let from = this.#start
    for (;;) {
      const at = this.#newline(from)
      if (at !== -1) return this.#line(at, true)
      const pending = this.#filled - this.#start
      if (pending >= this.#maxLine) return this.#skim()
      if (!this.#fill()) {
        if (pending > 0) return this.#line(this.#filled, false)
        this.close()
        return undefined
      }
      from = pending
    }
  }

  /** Index of the first newline at or after `from` among the bytes read, else -1. */
  #newline(from: number): number {
    const at = this.#buffer.indexOf(newline, from)
    return at < this.#filled ? at : -1
  }

  /** Moves the pending bytes to the front, makes room and reads more; `false` at the end of the range. */
  #fill(): boolean {
    const pending = this.#filled - this.#start
    const position = this.offset + pending
    if (position >= this.#end) return false
    if (this.#start > 0) this.#buffer.copyWithin(0, this.#start, this.#filled)
    if (pending === this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(this.#buffer.length * 2, this.#maxLine))
      this.#buffer.copy(larger, 0, 0, pending)
      lineBuffers.release(this.#buffer)
      this.#buffer = larger
    }
    this.#start = 0
    const capacity = Math.min(this.#buffer.length - pending, this.#end - position)
    this.#filled = pending + this.#source.read(this.#buffer, pending, capacity, position)
    return this.#filled > pending
  }

  #line(at: number, terminated: boolean): Line {
    const byteLength = at - this.#start
    const line = this.#head(byteLength, this.#buffer.subarray(this.#start, at), terminated)
    this.#start = terminated ? at + 1 : at
    return line
  }

  /** Reads to the end of a line that is longer than the buffer may become. */
  #skim(): Line {
    const skimmer = new Skimmer(this.#options)
    const start = this.offset
    for (;;) {
      const at = this.#newline(this.#start)
      const stop = at === -1 ? this.#filled : at
      skimmer.write(this.#buffer.subarray(this.#start, stop))
      this.offset += stop - this.#start
      this.#start = stop
      if (at === -1 && this.#fill()) continue
      const { bytes, omitted, oversized } = skimmer.finish()
      const byteLength = this.offset - start
      this.offset = start
      this.#start = at === -1 ? stop : stop + 1
      const line = this.#head(byteLength, bytes, at !== -1)
      if (omitted > 0) line.omitted = omitted
      if (oversized) line.oversized = true
      return line
    }
  }

  #head(byteLength: number, bytes: Buffer, terminated: boolean): Line {
    const byteOffset = this.offset
    const from = byteOffset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    const to = bytes.length > from && bytes[bytes.length - 1] === carriageReturn ? bytes.length - 1 : bytes.length
    this.offset += terminated ? byteLength + 1 : byteLength
    const content = to - from === bytes.length ? bytes : bytes.subarray(from, to)
    return { number: this.#number++, byteOffset, byteLength, bytes: content, terminated }
  }
}
