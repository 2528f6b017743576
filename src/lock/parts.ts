/** Long files in parts, so that memory follows the part. */
import { partBytes } from './format.ts'

/** Number of parts of a file; an empty one has one too. */
export function partCount(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / partBytes))
}

/** Cuts pieces, texts as UTF-8, into parts of `partBytes`; the last one is shorter. */
export function* cutParts(pieces: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  let isFirst = true
  for (const piece of pieces) {
    let bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    while (length + bytes.length > partBytes) {
      const room = partBytes - length
      yield Buffer.concat([...waiting, bytes.subarray(0, room)])
      isFirst = false
      waiting = []
      length = 0
      bytes = bytes.subarray(room)
    }
    waiting.push(bytes)
    length += bytes.length
  }
  if (length > 0 || isFirst) yield Buffer.concat(waiting)
}
