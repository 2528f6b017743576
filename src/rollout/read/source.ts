/** Bytes with random access, from which every reader here reads, and a builder that joins bytes. */

import { isExpected } from '../../diagnostics/errors.ts'
import { defined } from '../../util/own.ts'
import { isSystemError } from '../../util/reason.ts'

/** Plain bytes of one rollout: decompressed, and converted to UTF-8 if they were UTF-16. */
export interface ByteSource {
  /** Number of bytes, fixed when the source is opened: bytes that a writer appends later are not part of it. */
  readonly size: number
  /** Why the bytes end before the rollout does: a compressed file that is cut off or broken. */
  readonly damage?: string
  /**
   * Copies up to `length` bytes from `position` on into `target` and returns their number, which is smaller only at the
   * end. Throws `VanishedFileError` if the file became shorter than `size`.
   */
  read(target: Uint8Array, targetOffset: number, length: number, position: number): number
  /** Closes the file, and removes it if it is a temporary one. May be called twice. */
  close(): void
}

/** Thrown when a file vanishes or shrinks while it is read. */
export class VanishedFileError extends Error {
  override readonly name = 'VanishedFileError'
}

/** Thrown when a file is no rollout that can be read: a folder, broken, or too large once it is decompressed. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
}

/** Which rule of the diagnostics an error breaks if its cause is a file or the system; `undefined` for a fault of the program. */
export function fileFault(error: unknown): 'vanished-file' | 'unreadable-file' | undefined {
  if (error instanceof VanishedFileError) return 'vanished-file'
  return error instanceof UnreadableFileError || isSystemError(error) ? 'unreadable-file' : undefined
}

/**
 * Throws a fault of the program again. For code that can do without a file: what a file, the system or the user causes is
 * reported by whoever needs the file, but nobody else reports a fault of this code.
 */
export function throwOwnFault(error: unknown): void {
  if (fileFault(error) === undefined && !isExpected(error)) throw error
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
 * The bytes of a source from `start` to `end` (at most to its own end) in pieces of `size` bytes, of which the last may
 * be shorter. Each piece is a buffer of its own.
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

// From UTF-16 to UTF-8: some Windows tools rewrite rollouts as UTF-16 (rollout-format 9, hazard 9).

/** The UTF-16 encoding that a byte order mark names, if there is one. */
export function utf16Of(start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : undefined
}

/** Passes bytes on. If they start with a UTF-16 byte order mark, they become UTF-8 without a mark. */
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

/** A growing sequence of bytes that doubles its memory, so that appending n bytes costs O(n). */
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

  /** Drops everything after the first `length` bytes. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, length)
  }

  /** The bytes held, as a view that the next `append` may invalidate. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
