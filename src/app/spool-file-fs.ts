/** A temporary file that is written whole before it is read. */
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Writes pieces to a new file in a folder and gives its path. Only its owner may read it: transcripts are private. */
export function writeSpoolFile(folder: string, content: Iterable<Uint8Array>): string {
  const path = join(folder, `${randomUUID()}.spool`)
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    for (const piece of content) for (let done = 0; done < piece.length; ) done += writeSync(descriptor, piece, done)
  } finally {
    closeSync(descriptor)
  }
  return path
}
