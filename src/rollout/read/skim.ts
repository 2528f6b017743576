/** Copies lines that are too long for memory as a stream, without the content of their long strings. */

import { ByteBuilder } from './source.ts'

const quote = 0x22
const backslash = 0x5c

/** Receives the content of one long JSON string, for example an image. */
interface LongString {
  /** Receives the next raw bytes of the string, with JSON escapes; they are a view that is valid only during the call. */
  write(part: Buffer): void
  /** Ends the string and returns the unescaped text that replaces it. */
  end(): string
}

/** Bounds of a skimmed line, in bytes. */
export interface SkimOptions {
  /** Strings whose raw content is longer are removed from the line (default: 1 MiB). */
  maxStringBytes?: number
  /** A line that is longer than this even without its long strings is not kept whole (default: 32 MiB). */
  maxKeptBytes?: number
  /** How much is kept of such a line, and at most of a line that cannot be JSON (default: 8 MiB). */
  maxLineBytes?: number
  /** Called with the first 64 raw bytes of a long string. If it returns nothing, the string becomes `[omitted N bytes]`. */
  longString?: ((start: Buffer) => LongString | undefined) | undefined
}

/** Copies one line piece by piece; memory depends on what is kept, not on the line. */
export class Skimmer {
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
  /** Bytes of the open string that were removed from the line; 0 while it is short. */
  #longBytes = 0
  #replacer: LongString | undefined
  #omitted = 0
  #oversized = false

  constructor(options: SkimOptions) {
    this.#options = options
    this.#maxString = options.maxStringBytes ?? 1024 * 1024
    this.#maxKept = options.maxKeptBytes ?? 32 * 1024 * 1024
    this.#maxRest = options.maxLineBytes ?? 8 * 1024 * 1024
  }

  /** Adds the next bytes of the line, without its newline. */
  write(part: Buffer): void {
    if (this.#seen === 0 && !/^(?:\xef\xbb\xbf)?[\0\s]*[{[]/.test(part.toString('latin1', 0, 4096))) {
      this.#maxKept = Math.min(this.#maxKept, this.#maxRest)
    }
    this.#seen += part.length
    let from = 0
    for (let at = 0; at < part.length && !this.#oversized; at++) {
      if (!this.#endsSpan(part[at])) continue
      // The opening quote belongs to the span that precedes it, the closing quote to the span that follows.
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

  /** Ends the line. Returns what was kept (a view) and how many bytes were neither kept nor given to a `LongString`. */
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
      this.#replacer?.write(span)
      return
    }
    if (this.#kept.length - this.#stringStart + span.length <= this.#maxString) {
      this.#keep(span)
      return
    }
    const before = this.#kept.view().subarray(this.#stringStart)
    const start = Buffer.concat([before.subarray(0, 64), span.subarray(0, 64)]).subarray(0, 64)
    this.#replacer = this.#options.longString?.(start)
    this.#replacer?.write(before)
    this.#replacer?.write(span)
    this.#longBytes = before.length + span.length
    this.#kept.truncate(this.#stringStart)
  }

  #closeString(): void {
    this.#inString = false
    if (this.#longBytes === 0) return
    const text = this.#replacer?.end()
    if (text === undefined) this.#omitted += this.#longBytes
    this.#keep(Buffer.from(JSON.stringify(text ?? `[omitted ${this.#longBytes} bytes]`).slice(1, -1)))
    this.#longBytes = 0
    this.#replacer = undefined
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
