/** A folder for what a build of a locked site must put down unsealed while it runs. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivate } from '../util/private-folder-fs.ts'
import { errorCode } from '../util/reason.ts'

/** What the name begins with; the number of the process that made it follows. */
const prefix = 'unsealed-'

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
      removeLeft(cacheDir)
      folder = join(cacheDir, `${prefix}${process.pid}`)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return folder
    },
    remove() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
      folder = undefined
    },
  }
}

/** Removes what builds left that were killed. */
function removeLeft(cacheDir: string): void {
  for (const name of readdirSync(cacheDir)) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length) : Number.NaN)
    if (Number.isInteger(pid) && !isAlive(pid)) rmSync(join(cacheDir, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process may not be asked, but it is there.
    return errorCode(error) === 'EPERM'
  }
}
