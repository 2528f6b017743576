/** What a locked site was sealed from: the ledger of the last build, in the cache. */

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FileRecord } from '../../render/output.ts'
import { pathProblem } from '../../site/output/paths.ts'
import { makePrivate, writeInOneStep } from '../../util/files-fs.ts'
import { isRunning } from '../../util/process-owner-fs.ts'
import type { LockFacts } from './vault-fs.ts'

/** A file of the site and its sealed files, in the order of its parts; none if it is left out. */
export interface LedgerEntry {
  /** SHA-256 of its content. */
  hash: string
  files: readonly FileRecord[]
}

/** Entries by path. */
export type LedgerEntries = ReadonlyMap<string, LedgerEntry>

/** The ledger, with the parameters from which its keys are derived, but never the keys. */
export interface Ledger {
  facts: LockFacts
  /** Changes whenever the login page around a sealed page would. */
  shell: string
  entries: LedgerEntries
}

/** The entries that can be used with a login page: without those of pages if the login page around them has changed. */
export function usableEntries({ shell, entries }: Pick<Ledger, 'shell' | 'entries'>, now: string): LedgerEntries {
  return shell === now ? entries : new Map([...entries].filter(([path]) => dispositionOf(path) !== 'page'))
}

const schema = 'codex-export/lock'

/** Writes a ledger as JSON. */
export function encodeLedger({ facts: { salt, rounds, check }, shell, entries }: Ledger): string {
  const files = [...entries].map(([path, entry]) => [
    path,
    entry.hash,
    ...entry.files.map((file) => [file.path, file.hash]),
  ])
  return JSON.stringify({ schema, version: 1, salt, rounds, check, shell, files })
}

/** Reads a ledger; `undefined` if it is of another version or damaged. Never throws. */
export function decodeLedger(json: string): Ledger | undefined {
  try {
    const value = JSON.parse(json) as Record<string, unknown>
    if (value['schema'] !== schema || value['version'] !== 1) return undefined
    const { salt, rounds, check, shell, files } = value
    if (typeof rounds !== 'number' || !Array.isArray(files)) return undefined
    const facts = { salt: text(salt), rounds, check: text(check) }
    return { facts, shell: text(shell), entries: new Map(files.map(decodeEntry)) }
  } catch {
    return undefined
  }
}

function decodeEntry(value: unknown): [string, LedgerEntry] {
  const [path, hash, ...files] = value as unknown[] // anything but a list cannot be destructured, and counts as damaged
  return [text(path), { hash: text(hash), files: files.map(decodeFile) }]
}

function decodeFile(value: unknown): FileRecord {
  const [path, hash] = value as unknown[] // as above
  const record = { path: text(path), hash: text(hash) }
  if (pathProblem(record.path) !== undefined) throw new Error('Not a path of a site')
  return record
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error('Not a text')
  return value
}

// What a lock does with each file of a site.

/**
 * `page`: gets a login page of its own that opens it, because links lead to it. `file`: sealed, read by pages. `open`: unchanged.
 * `none`: left out.
 */
type Disposition = 'page' | 'file' | 'open' | 'none'

/** Files that hosts and browsers look for; they contain nothing about the sessions. */
const open = new Set(['.nojekyll', 'favicon.svg'])

/** Files that nobody could find, read or use behind a lock, and those that a locked site has in its own form. */
const without = new Set([
  ...['404.html', '_headers', 'build-report.json', 'llms.txt', 'robots.txt', 'sw.js'],
  'pagefind/pagefind-entry.json',
])

/** The only script of the index that pages run. The others are its files in another form, or Pagefind's own interface. */
const searchScript = 'pagefind/search.js'

/** What a lock does with the file at a path. */
export function dispositionOf(path: string): Disposition {
  if (open.has(path)) return 'open'
  if (without.has(path)) return 'none'
  if (path.startsWith('pagefind/') && path.endsWith('.js') && path !== searchScript) return 'none'
  return /\.(?:html|md|json|txt)$/.test(path) ? 'page' : 'file'
}

// The ledger on disk.

const fileName = 'lock.json'

/** Reads the ledger of a cache folder; `undefined` if there is no usable one. */
export function readLedger(cacheDir: string): Ledger | undefined {
  try {
    return decodeLedger(readFileSync(join(cacheDir, fileName), 'utf8'))
  } catch {
    // The ledger is created again, with everything that it lists.
    return undefined
  }
}

/** Writes the ledger in one step. Throws the system's error. */
export function writeLedger(cacheDir: string, ledger: Ledger): void {
  makePrivate(cacheDir)
  writeInOneStep(join(cacheDir, fileName), encodeLedger(ledger))
}

// A folder for what the build of a locked site must store unsealed while it runs.

/** How its name begins; the id of the process that created it follows. */
const prefix = 'unsealed-'

/** A folder that is created on first use. */
export interface Scratch {
  path(): string
  remove(): void
}

/**
 * A private folder in the cache. In the site's folder, somebody might copy its content, even if it is there only for a moment.
 */
export function scratchFolder(cacheDir: string): Scratch {
  let folder: string | undefined
  return {
    path() {
      if (folder !== undefined) return folder
      makePrivate(cacheDir)
      removeLeftovers(cacheDir)
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

/** Removes what killed builds left. */
function removeLeftovers(cacheDir: string): void {
  for (const name of readdirSync(cacheDir)) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length) : Number.NaN)
    if (Number.isInteger(pid) && !isRunning(pid)) rmSync(join(cacheDir, name), { recursive: true, force: true })
  }
}
