/** A folder for temporary files of commands that write no site. */
import { mkdtempSync, rmSync } from 'node:fs'
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
