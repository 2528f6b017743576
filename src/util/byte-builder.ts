/** A growing run of bytes; doubles its memory, so that n appended bytes cost O(n). */
export class ByteBuilder {
  #bytes: Buffer
  #length = 0

  constructor(capacity: number = 64 * 1024) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity)
  }

  /** Number of bytes held. */
  get length(): number {
    return this.#length
  }

  /** Adds a copy of `part`. */
  append(part: Uint8Array): void {
    const length = this.#length + part.length
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    this.#bytes.set(part, this.#length)
    this.#length = length
  }

  /** Forgets everything behind the first `length` bytes. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, length)
  }

  /** The bytes held, as a view that the next `append` may outdate. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
