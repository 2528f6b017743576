/** Bytes at random access, what every reader here reads from, and bytes that are put together. */

import { defined } from '../../util/own.ts'

/** Plain bytes of one rollout, decompressed and UTF-8 where that was possible. */
export interface ByteSource {
  /** Number of bytes, fixed when the source was opened: what a writer appends later is not part of it. */
  readonly size: number
  /** Why the bytes end before the rollout does: a compressed file that is cut off or broken. */
  readonly damage?: string
  /**
   * Copies up to `length` bytes from `position` on into `target` and gives their number, less only at the end.
   * Throws `VanishedFileError` when the file became shorter than `size`.
   */
  read(target: Uint8Array, targetOffset: number, length: number, position: number): number
  /** Gives up the file, and removes it where it was a temporary one. May be called twice. */
  close(): void
}

/** A file that vanished or shrank while it was read. */
export class VanishedFileError extends Error {
  override readonly name = 'VanishedFileError'
}

/** A source over bytes in memory. */
export function bufferSource(bytes: Uint8Array, damage?: string): ByteSource {
  return {
    size: bytes.length,
    ...defined({ damage }),
    read(target, targetOffset, length, position) {
      const part = bytes.subarray(position, position + length)
      target.set(part, targetOffset)
      return part.length
    },
    close() {},
  }
}

/**
 * The bytes of a source from `start` to `end`, or to its own end, in pieces of `size` bytes, the last one shorter; each piece is
 * a buffer of its own.
 */
export function* pieces(
  source: ByteSource,
  { start = 0, end = source.size, size = 64 * 1024 }: { start?: number; end?: number; size?: number } = {},
): Generator<Buffer> {
  const stop = Math.min(end, source.size)
  for (let position = start; position < stop; position += size) {
    const piece = Buffer.allocUnsafeSlow(Math.min(size, stop - position))
    source.read(piece, 0, piece.length, position)
    yield piece
  }
}

// UTF-16 to UTF-8: Windows tools rewrite rollouts so (rollout-format 9, hazard 9).

/** The UTF-16 encoding that a byte order mark names. */
export function utf16Of(start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : undefined
}

/** Passes bytes on; where the first ones are a UTF-16 byte order mark, as UTF-8 without mark. */
export async function* asUtf8(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let first = true
  for await (const chunk of chunks) {
    if (first) {
      const encoding = utf16Of(chunk)
      if (encoding !== undefined) decoder = new TextDecoder(encoding)
      first = false
    }
    yield decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }))
  }
  if (decoder !== undefined) yield Buffer.from(decoder.decode())
}

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
