/** Digests of files, read piece by piece. */
import { createHash, type Hash } from 'node:crypto'
import { filePieces } from '../util/file-pieces-fs.ts'
import type { MarkKind } from './store.ts'

/** Digests of a file, hex, in the order of the kinds. Throws the error of the system. */
export function digestsOf(path: string, size: number, kinds: readonly MarkKind[]): string[] {
  const hashes = kinds.map((kind) => startDigest(kind, size))
  for (const piece of filePieces(path)) for (const hash of hashes) hash.update(piece)
  return hashes.map((hash) => hash.digest('hex'))
}

/** A digest of one kind, to which the content is then added. */
export function startDigest(kind: MarkKind, size: number): Hash {
  if (kind !== 'git') return createHash(kind)
  // git names a file by the SHA-1 over its kind, its size and its bytes.
  return createHash('sha1').update(`blob ${size}\0`)
}
