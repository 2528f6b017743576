/** A folder for what a build of a locked site must put down unsealed while it runs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivate } from './private-fs.ts'

/** A folder that is made on first use. */
export interface Scratch {
  path(): string
  remove(): void
}

/** A private folder in the cache: in the folder of the site, even for a moment, somebody might copy what it holds. */
export function scratchFolder(cacheDir: string): Scratch {
  let folder: string | undefined
  return {
    path() {
      if (folder !== undefined) return folder
      makePrivate(cacheDir)
      folder = mkdtempSync(join(cacheDir, 'unsealed-'))
      return folder
    },
    remove() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
      folder = undefined
    },
  }
}
