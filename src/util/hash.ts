/** Content hashes. */

import { createHash, hash, scryptSync } from 'node:crypto'

/** Units of a text that are hashed at once: for each of them the engine sets three bytes aside, in one place. */
const pieceUnits = 1 << 16

/** SHA-256 of bytes, or of a text as UTF-8, as 64 hex digits. */
export function sha256(content: string | Uint8Array): string {
  const isShort = typeof content !== 'string' || content.length <= pieceUnits
  return isShort ? hash('sha256', content, 'hex') : sha256OfPieces(piecesOf(content))
}

/** A long text in pieces, none of which ends within a character. */
function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + pieceUnits)
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length) end--
    yield text.slice(start, end)
    start = end
  }
}

/** A key of 24 hex digits, the first of SHA-256. Cut as bytes: engines keep the whole text for a piece of it. */
export function hashKey(content: string | Uint8Array): string {
  return hash('sha256', content, 'buffer').toString('hex', 0, 12)
}

/** SHA-256 of a text as UTF-8 in base64, as a Content Security Policy wants it. */
export function sha256Base64(content: string): string {
  return hash('sha256', content, 'base64')
}

/** SHA-256 of pieces put together, text as UTF-8, as 64 hex digits. */
export function sha256OfPieces(pieces: Iterable<string | Uint8Array>): string {
  const whole = createHash('sha256')
  for (const piece of pieces) whole.update(piece)
  return whole.digest('hex')
}

/** The same in steps, with the number of bytes: `rest` is awaited after each piece, so that the process hears signals. */
export async function measureInSteps(
  pieces: Iterable<string | Uint8Array>,
  rest: () => Promise<void>,
): Promise<{ hash: string; bytes: number }> {
  const whole = createHash('sha256')
  let bytes = 0
  for (const piece of pieces) {
    whole.update(piece)
    bytes += Buffer.byteLength(piece)
    await rest()
  }
  return { hash: whole.digest('hex'), bytes }
}

/** Takes pieces, text as UTF-8, as they come and gives their SHA-256, 64 hex digits, once. */
export interface Hasher {
  add(piece: string | Uint8Array): void
  digest(): string
}

/** SHA-256 of what arrives in pieces. */
export function hasher(): Hasher {
  const whole = createHash('sha256')
  return {
    add: (piece) => {
      whole.update(piece)
    },
    digest: () => whole.digest('hex'),
  }
}

/** A hash of 16 hex digits that takes some 30 ms, so that a short password is not soon guessed from it. */
export function slowHash(text: string): string {
  return scryptSync(text, 'codex-export', 8, { N: 2 ** 14 }).toString('hex')
}
