/** Texts that wait in memory for a long time, packed. */

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { encoded } from './pieces.ts'

/** Bytes that zlib sets aside at least. */
const minChunk = 64

/** Texts that are packed together: alone, each of a kilobyte or two would hardly become shorter. A power of two. */
const blockBits = 5
const blockSize = 1 << blockBits

/** Texts without line breaks by the numbers that `add` gave. Those that were added one after the other are read fastest in that order. */
export class PackedTexts {
  readonly #blocks: (Uint8Array | undefined)[] = []
  /** Bytes of each block before it was packed. */
  readonly #plainBytes: number[] = []
  /** How many texts of each block were let go. */
  readonly #released: number[] = []
  /** The block that is being filled. */
  #open: string[] = []
  #last: { block: number; texts: readonly string[] } = { block: -1, texts: [] }
  #lastValue: { place: number; value: unknown } = { place: -1, value: undefined }

  /** Takes a text, and gives its number. */
  add(text: string): number {
    const place = (this.#blocks.length << blockBits) + this.#open.push(text) - 1
    if (this.#open.length === blockSize) {
      // Higher levels take twice as long for a tenth. A copy, for what comes is the beginning of a buffer of 16 KiB.
      const plain = encoded(this.#open.join('\n'))
      this.#blocks.push(Buffer.from(deflateRawSync(plain, { level: 1 })))
      this.#plainBytes.push(plain.length)
      this.#open = []
    }
    return place
  }

  /** Lets a text go for which nobody will ask again, with all others of its block once they are let go too. */
  letGo(place: number): void {
    const block = place >> blockBits
    const released = (this.#released[block] ?? 0) + 1
    this.#released[block] = released
    if (released === blockSize) this.#blocks[block] = undefined
  }

  /** The text with a number; empty where `add` gave no such number, or its block was let go. */
  get(place: number): string {
    const block = place >> blockBits
    if (this.#released[block] === blockSize) return ''
    const packed = this.#blocks[block]
    if (packed !== undefined && this.#last.block !== block) {
      // Room for all of it, and to see its end: zlib puts together what does not fit, in memory of its own.
      const chunkSize = Math.max(minChunk, (this.#plainBytes[block] ?? 0) + 1)
      this.#last = { block, texts: inflateRawSync(packed, { chunkSize }).toString('utf8').split('\n') }
    }
    const texts = packed === undefined ? this.#open : this.#last.texts
    return texts[place & (blockSize - 1)] ?? ''
  }

  /** The value of a text that is JSON: one and the same until another one is asked for. Throws a `SyntaxError` for any other text. */
  value(place: number): unknown {
    if (this.#lastValue.place !== place) this.#lastValue = { place, value: JSON.parse(this.get(place)) }
    return this.#lastValue.value
  }
}
