/** A folder for temporary files of commands that write no site. */

import { randomUUID } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs `work` with a temporary folder that is made when first asked for and removed at the end, whatever happens. */
export async function withSpool<T>(work: (spoolDir: () => string) => Promise<T>): Promise<T> {
  let folder: string | undefined
  try {
    return await work(() => {
      folder ??= mkdtempSync(join(tmpdir(), 'codex-export-'))
      return folder
    })
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

// A temporary file that is written whole before it is read.

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
