/** Texts in pieces: pages are hundreds of kilobytes, and building each as one string costs more than all of its pieces. */

import { sumBy } from './groups.ts'

/** Bytes or a text, or pieces that follow each other, none of which ends inside a character. */
export type Content = string | Uint8Array | readonly (string | Uint8Array)[]

/**
 * UTF-16 units after which a piece of a growing text is closed: pieces this short stay in the young part of the heap, where
 * memory is reused soon.
 */
export const pieceUnits = 16_384

/**
 * Shared memory in which one content after the other is encoded: a buffer for each would have to be measured first and collected
 * later.
 */
const sharedBuffer = Buffer.allocUnsafeSlow(3 << 20)

/** Joins short texts into pieces of a useful length. */
export function* toPieces(texts: Iterable<string>): Generator<string> {
  let piece = ''
  for (const text of texts) {
    piece += text
    if (piece.length < pieceUnits) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

/** Whether the pieces make up a text, compared without joining them. */
export function areText(pieces: Iterable<string>, text: string): boolean {
  let end = 0
  for (const piece of pieces) {
    if (!text.startsWith(piece, end)) return false
    end += piece.length
  }
  return end === text.length
}

/** A content as bytes, text as UTF-8. The bytes are valid only until the next call. */
export function encoded(content: Content): Uint8Array {
  if (content instanceof Uint8Array) return content
  const pieces = typeof content === 'string' ? [content] : content
  // No UTF-16 unit takes more than three bytes.
  const target =
    unitsOf(pieces) * 3 > sharedBuffer.length ? Buffer.allocUnsafeSlow(sumBy(pieces, Buffer.byteLength)) : sharedBuffer
  let end = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') end += target.write(piece, end)
    else {
      target.set(piece, end)
      end += piece.length
    }
  }
  return target.subarray(0, end)
}

/** The same in memory that later calls do not overwrite. */
export function encodedCopy(content: Content): Uint8Array {
  return Buffer.from(encoded(content))
}

/** The length of a content: UTF-16 units of text plus bytes. */
export function unitsOf(content: Content): number {
  if (typeof content === 'string' || content instanceof Uint8Array) return content.length
  let units = 0
  for (const { length } of content) units += length
  return units
}

/** The text of UTF-8 bytes. */
export function decoded({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8')
}
