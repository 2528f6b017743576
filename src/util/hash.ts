/** Content hashes. */

import { createHash, hash, scryptSync } from 'node:crypto'
import { codePointOffset } from './text.ts'

/** UTF-16 units of a text that are hashed at once: the engine allocates three bytes for each of them, in one block. */
const pieceUnits = 1 << 16

/** SHA-256 of bytes, or of a text as UTF-8, as 64 hex digits. */
export function sha256(content: string | Uint8Array): string {
  const isShort = typeof content !== 'string' || content.length <= pieceUnits
  return isShort ? hash('sha256', content, 'hex') : sha256OfPieces(piecesOf(content))
}

/** A long text in pieces, none of which ends inside a character. */
function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = codePointOffset(text, Math.min(text.length, start + pieceUnits))
    yield text.slice(start, end)
    start = end
  }
}

/**
 * A key of 24 hex digits: the beginning of the SHA-256. It is cut as bytes, because engines keep a whole text alive for a part of
 * it.
 */
export function hashKey(content: string | Uint8Array): string {
  return hash('sha256', content, 'buffer').toString('hex', 0, 12)
}

/** SHA-256 of a text as UTF-8 in base64, as a Content Security Policy expects it. */
export function sha256Base64(content: string): string {
  return hash('sha256', content, 'base64')
}

/** SHA-256 of the pieces joined together, text as UTF-8, as 64 hex digits. */
export function sha256OfPieces(pieces: Iterable<string | Uint8Array>): string {
  const whole = createHash('sha256')
  for (const piece of pieces) whole.update(piece)
  return whole.digest('hex')
}

/** The same in steps, with the number of bytes. `rest` is awaited after each piece, so that the process can handle signals. */
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

/** Takes pieces as they come, text as UTF-8; `digest` returns their SHA-256 as 64 hex digits and may be called once. */
interface Hasher {
  add(piece: string | Uint8Array): void
  digest(): string
}

/** A hasher for SHA-256. */
export function hasher(): Hasher {
  const whole = createHash('sha256')
  return {
    add: (piece) => {
      whole.update(piece)
    },
    digest: () => whole.digest('hex'),
  }
}

/** A hash of 16 hex digits that takes some 30 ms, which makes it slow to guess a short password from it. */
export function slowHash(text: string): string {
  return scryptSync(text, 'codex-export', 8, { N: 2 ** 14 }).toString('hex')
}
