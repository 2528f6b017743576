/** The ledger on disk. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivate } from '../util/private-folder-fs.ts'
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
