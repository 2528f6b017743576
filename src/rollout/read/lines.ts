/** Bytes to lines: one reused buffer and one callback a line, which measured faster than streams and iterators. */

import { SpareBuffers } from '../../util/spare-buffers.ts'
import { ByteBuilder, type ByteSource } from './source.ts'

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

/** Bounds of the reader; lines up to `maxLineBytes` stand in memory whole (default: 8 MiB), longer ones are skimmed. */
export interface LineOptions extends SkimOptions {
  /** First size of the buffer (default: 128 KiB). */
  chunkBytes?: number
}

/** What was read: `bytes` is the sum of all line lengths and newlines. */
export interface LineTotals {
  lines: number
  bytes: number
}

/**
 * Calls `onLine` for every line of a source or of a range of it, in order; `false` from it ends the walk.
 * Memory is one buffer of at most 8 MiB at any size of file or line. Throws what the source throws.
 */
export function readLines(
  source: ByteSource,
  onLine: (line: Line) => unknown,
  range: LineRange = { start: 0, end: source.size, firstLine: 1 },
  options: LineOptions = {},
): LineTotals {
  const cursor = new LineCursor(source, range, options)
  let lines = 0
  for (let line = cursor.next(); line !== undefined; line = cursor.next()) {
    lines++
    if (onLine(line) === false) break
  }
  cursor.close()
  return { lines, bytes: cursor.offset - range.start }
}

/**
 * Walks over the lines of a source or of a range of it in steps: each call goes on where `onLine` ended the one before by
 * `false`, and tells whether it was ended so.
 */
export function lineWalker(
  source: ByteSource,
  range: LineRange = { start: 0, end: source.size, firstLine: 1 },
): (onLine: (line: Line) => unknown) => boolean {
  const cursor = new LineCursor(source, range, {})
  return (onLine) => {
    for (let line = cursor.next(); line !== undefined; line = cursor.next()) if (onLine(line) === false) return true
    return false
  }
}

/** Gives one line a call and `undefined` behind the last: for walks over two sources at once. As `readLines` otherwise. */
export function lineStepper(source: ByteSource): () => Line | undefined {
  const cursor = new LineCursor(source, { start: 0, end: source.size, firstLine: 1 }, {})
  return () => cursor.next()
}

/** What lines are read into at first: of a size that stays in the cache of a processor. */
export const lineBuffers: SpareBuffers = new SpareBuffers(128 * 1024)

/** Buffer over a source: `#buffer[#start..#filled)` are the bytes from `offset` on that were read and not yet given. */
class LineCursor {
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
    this.#buffer = size === lineBuffers.size ? lineBuffers.take() : Buffer.allocUnsafeSlow(size)
    this.#number = range.firstLine
    this.offset = range.start
  }

  /** Ends the walk: no line that was given may be read any more. */
  close(): void {
    lineBuffers.giveBack(this.#buffer)
    this.#buffer = nothing
    this.#start = 0
    this.#filled = 0
    this.#end = this.offset
  }

  /** The next line; `undefined` behind the last, which ends the walk. */
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

  /** Index of the first newline at or behind `from` among the bytes read, else -1. */
  #newline(from: number): number {
    const at = this.#buffer.indexOf(newline, from)
    return at < this.#filled ? at : -1
  }

  /** Moves the pending bytes to the front, makes room and reads on; `false` at the end of the range. */
  #fill(): boolean {
    const pending = this.#filled - this.#start
    const position = this.offset + pending
    if (position >= this.#end) return false
    if (this.#start > 0) this.#buffer.copyWithin(0, this.#start, this.#filled)
    if (pending === this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(this.#buffer.length * 2, this.#maxLine))
      this.#buffer.copy(larger, 0, 0, pending)
      lineBuffers.giveBack(this.#buffer)
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

  /** Reads on to the end of a line that is longer than the buffer may grow. */
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

// Lines too long for memory: copied as a stream without the content of their long strings.

const quote = 0x22
const backslash = 0x5c

/** Takes the content of one long JSON string, for example an image. */
export interface LongString {
  /** Takes the next raw bytes of the string, JSON escapes included; they are a view, valid during the call only. */
  write(part: Buffer): void
  /** Ends the string and gives the text that stands in its place, unescaped. */
  end(): string
}

/** Bounds of a skimmed line, in bytes. */
interface SkimOptions {
  /** Strings whose raw content is longer leave the line (default: 1 MiB). */
  maxStringBytes?: number
  /** A line that is longer without its long strings is not kept whole (default: 32 MiB). */
  maxKeptBytes?: number
  /** How much is kept of such a line, and of a line that cannot be JSON (default: 8 MiB). */
  maxLineBytes?: number
  /** Offers a long string by its first 64 raw bytes; without a taker it becomes `[omitted N bytes]`. */
  longString?: ((start: Buffer) => LongString | undefined) | undefined
}

/** Copies one line piece by piece; memory follows what is kept, not the line. */
class Skimmer {
  readonly #options: SkimOptions
  readonly #maxString: number
  readonly #maxRest: number
  readonly #kept = new ByteBuilder()
  #maxKept: number
  #seen = 0
  #inString = false
  #escaped = false
  /** Where the content of the open string begins in `#kept`. */
  #stringStart = 0
  /** Bytes of the open string that left the line; 0 while it is short. */
  #longBytes = 0
  #taker: LongString | undefined
  #omitted = 0
  #oversized = false

  constructor(options: SkimOptions) {
    this.#options = options
    this.#maxString = options.maxStringBytes ?? 1024 * 1024
    this.#maxKept = options.maxKeptBytes ?? 32 * 1024 * 1024
    this.#maxRest = options.maxLineBytes ?? 8 * 1024 * 1024
  }

  /** Takes the next bytes of the line, without its newline. */
  write(part: Buffer): void {
    if (this.#seen === 0 && !/^(?:\xef\xbb\xbf)?[\0\s]*[{[]/.test(part.toString('latin1', 0, 4096))) {
      this.#maxKept = Math.min(this.#maxKept, this.#maxRest)
    }
    this.#seen += part.length
    let from = 0
    for (let at = 0; at < part.length && !this.#oversized; at++) {
      if (!this.#endsSpan(part[at])) continue
      // The opening quote belongs to the span before it, the closing one to the span behind it.
      if (this.#inString) {
        this.#content(part.subarray(from, at))
        this.#closeString()
        from = at
      } else {
        this.#keep(part.subarray(from, at + 1))
        this.#openString()
        from = at + 1
      }
    }
    if (this.#inString) this.#content(part.subarray(from))
    else this.#keep(part.subarray(from))
  }

  /** Ends the line: what was kept (a view), and how many bytes of the line are neither kept nor taken. */
  finish(): { bytes: Buffer; omitted: number; oversized: boolean } {
    if (this.#inString) this.#closeString()
    const bytes = this.#kept.view()
    return { bytes, omitted: this.#oversized ? this.#seen - bytes.length : this.#omitted, oversized: this.#oversized }
  }

  /** Whether a byte is a quote that opens or closes a string. */
  #endsSpan(byte: number | undefined): boolean {
    if (this.#escaped) {
      this.#escaped = false
      return false
    }
    if (byte === backslash) this.#escaped = this.#inString
    return byte === quote
  }

  #openString(): void {
    this.#inString = true
    this.#stringStart = this.#kept.length
  }

  #content(span: Buffer): void {
    if (this.#longBytes > 0) {
      this.#longBytes += span.length
      this.#taker?.write(span)
      return
    }
    if (this.#kept.length - this.#stringStart + span.length <= this.#maxString) {
      this.#keep(span)
      return
    }
    const before = this.#kept.view().subarray(this.#stringStart)
    const start = Buffer.concat([before.subarray(0, 64), span.subarray(0, 64)]).subarray(0, 64)
    this.#taker = this.#options.longString?.(start)
    this.#taker?.write(before)
    this.#taker?.write(span)
    this.#longBytes = before.length + span.length
    this.#kept.truncate(this.#stringStart)
  }

  #closeString(): void {
    this.#inString = false
    if (this.#longBytes === 0) return
    const text = this.#taker?.end()
    if (text === undefined) this.#omitted += this.#longBytes
    this.#keep(Buffer.from(JSON.stringify(text ?? `[omitted ${this.#longBytes} bytes]`).slice(1, -1)))
    this.#longBytes = 0
    this.#taker = undefined
  }

  #keep(span: Buffer): void {
    if (this.#oversized) return
    if (this.#kept.length + span.length <= this.#maxKept) {
      this.#kept.append(span)
      return
    }
    this.#oversized = true
    this.#kept.append(span.subarray(0, Math.max(0, this.#maxRest - this.#kept.length)))
    this.#kept.truncate(this.#maxRest)
  }
}
