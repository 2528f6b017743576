/** Texts that wait in memory for a long time, compressed. */

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { encoded } from './pieces.ts'

/** The smallest `chunkSize` that zlib accepts, in bytes. */
const minChunk = 64

/** Texts are packed in blocks of two to this power: a text of a kilobyte or two would hardly shrink on its own. */
const blockBits = 5
const blockSize = 1 << blockBits

/**
 * Texts without line breaks, found by the numbers that `add` returned. Reading them in the order in which they were added is
 * fastest.
 */
export class PackedTexts {
  readonly #blocks: (Uint8Array | undefined)[] = []
  /** Bytes of each block before compression. */
  readonly #plainBytes: number[] = []
  /** How many texts of each block have been released. */
  readonly #released: number[] = []
  /** The block that is being filled. */
  #open: string[] = []
  #last: { block: number; texts: readonly string[] } = { block: -1, texts: [] }
  #lastValue: { number: number; value: unknown } = { number: -1, value: undefined }

  /** Adds a text and returns its number. */
  add(text: string): number {
    const number = (this.#blocks.length << blockBits) + this.#open.push(text) - 1
    if (this.#open.length === blockSize) {
      // Higher levels take twice as long to save another tenth. The result is the beginning of a buffer of 16 KiB; a copy as
      // a `Buffer` would be a part of a pool, which lives on until all its parts are released.
      const plain = encoded(this.#open.join('\n'))
      this.#blocks.push(new Uint8Array(deflateRawSync(plain, { level: 1 })))
      this.#plainBytes.push(plain.length)
      this.#open = []
    }
    return number
  }

  /** Releases a text that nobody will ask for again. Its block is freed once all its texts are released. */
  release(number: number): void {
    const block = number >> blockBits
    const released = (this.#released[block] ?? 0) + 1
    this.#released[block] = released
    if (released === blockSize) this.#blocks[block] = undefined
  }

  /** The text with a number; empty if `add` returned no such number, or if its block was freed. */
  get(number: number): string {
    const block = number >> blockBits
    if (this.#released[block] === blockSize) return ''
    const packed = this.#blocks[block]
    if (packed !== undefined && this.#last.block !== block) {
      // Large enough for the whole text, plus one byte to detect its end: otherwise zlib joins several chunks in memory of its
      // own.
      const chunkSize = Math.max(minChunk, (this.#plainBytes[block] ?? 0) + 1)
      this.#last = { block, texts: inflateRawSync(packed, { chunkSize }).toString('utf8').split('\n') }
    }
    const texts = packed === undefined ? this.#open : this.#last.texts
    return texts[number & (blockSize - 1)] ?? ''
  }

  /**
   * The parsed value of a text that is JSON; the same object until another text is asked for. Throws a `SyntaxError` for any
   * other text.
   */
  value(number: number): unknown {
    if (this.#lastValue.number !== number) this.#lastValue = { number, value: JSON.parse(this.get(number)) }
    return this.#lastValue.value
  }
}
