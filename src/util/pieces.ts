/** Texts in pieces: pages are hundreds of kilobytes, and each string of a whole one costs more than all of its pieces. */

import { sumBy } from './groups.ts'

/** Bytes, or a text; in pieces that follow each other, none of which ends within a character. */
export type Content = string | Uint8Array | readonly (string | Uint8Array)[]

/** UTF-16 units from which on a piece of a growing text is closed: it then lives where memory is young and is used again. */
export const pieceUnits = 16_384

/** Bytes of one content after the other: memory of its own for each would cost its measure and its collection. */
const place = Buffer.allocUnsafeSlow(3 << 20)

/** Short texts, one after the other, as pieces of some length. */
export function* joined(texts: Iterable<string>): Generator<string> {
  let piece = ''
  for (const text of texts) {
    piece += text
    if (piece.length < pieceUnits) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

/** Whether pieces are a text, which is not put together for it. */
export function areText(pieces: Iterable<string>, text: string): boolean {
  let end = 0
  for (const piece of pieces) {
    if (!text.startsWith(piece, end)) return false
    end += piece.length
  }
  return end === text.length
}

/** A content as bytes, text as UTF-8. They hold until the next call. */
export function encoded(content: Content): Uint8Array {
  if (content instanceof Uint8Array) return content
  const pieces = typeof content === 'string' ? [content] : content
  // No unit needs more than three bytes.
  const target = unitsOf(pieces) * 3 > place.length ? Buffer.allocUnsafeSlow(sumBy(pieces, Buffer.byteLength)) : place
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

/** The same in memory of its own. */
export function encodedCopy(content: Content): Uint8Array {
  return Buffer.from(encoded(content))
}

/** UTF-16 units of a content, and bytes of what is bytes. */
export function unitsOf(content: Content): number {
  if (typeof content === 'string' || content instanceof Uint8Array) return content.length
  let units = 0
  for (const { length } of content) units += length
  return units
}

/** The text of bytes that are UTF-8. */
export function decoded({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8')
}
