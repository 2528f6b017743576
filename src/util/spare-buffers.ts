/**
 * Memory that is lent again and again. Buffers of tens of kilobytes that are thrown away lie about until a collection, and
 * the gaps that they leave stay with the process: of 20,000 sessions they came to 40 MB.
 */

/** So many wait to be lent at most: as many are used at once where readers of several files take turns. */
const maxSpare = 8

/** Buffers of one size, for work that ends soon. */
export class SpareBuffers {
  /** Bytes of each. */
  readonly size: number
  readonly #spare: Buffer[] = []

  constructor(size: number) {
    this.size = size
  }

  /** A buffer with whatever stands in it. */
  take(): Buffer {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.size)
  }

  /** Takes a buffer back, which nobody may read any more, nor views of it; one of another size is left to the collector. */
  giveBack(buffer: Buffer): void {
    if (buffer.length === this.size && this.#spare.length < maxSpare) this.#spare.push(buffer)
  }
}
