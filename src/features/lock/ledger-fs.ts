/** The ledger on disk. */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivate } from '../../util/files-fs.ts'
import { errorCode } from '../../util/reason.ts'
import { decodeLedger, encodeLedger, type Ledger } from './ledger.ts'

const fileName = 'lock.json'

/** Reads the ledger of a cache folder; `undefined` where there is none that can be used. */
export function readLedger(cacheDir: string): Ledger | undefined {
  try {
    return decodeLedger(readFileSync(join(cacheDir, fileName), 'utf8'))
  } catch {
    // It is made anew, with everything that it names.
    return undefined
  }
}

/** Writes the ledger in one step. Throws the error of the system. */
export function writeLedger(cacheDir: string, ledger: Ledger): void {
  makePrivate(cacheDir)
  const draft = join(cacheDir, `${fileName}.${process.pid}.tmp`)
  writeFileSync(draft, encodeLedger(ledger), { mode: 0o600 })
  renameSync(draft, join(cacheDir, fileName))
}

// A folder for what a build of a locked site must put down unsealed while it runs.

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
