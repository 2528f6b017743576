/** The journal of a swap: enough to complete it or to undo it after a kill at any point. */
import { manifestName, pathProblem } from '../model/paths.ts'

/** An old file that makes place. `aside`: its name in staging meanwhile. */
export interface JournalRemoval {
  path: string
  aside: string
}

/** A new file, which waits below `new/` in staging. `aside`: name of the old file there, where it replaces one. */
export interface JournalInstall {
  path: string
  /** SHA-256 of the new content, hex. */
  hash: string
  aside?: string
  /** A folder above it that the old site does not have: it is put in place as a whole, with all new files in it. */
  folder?: string
}

/** What a swap does, in order. Paths are relative to the output folder, names to the staging folder. */
export interface Journal {
  schema: 'codex-export/journal'
  version: 2
  clear: JournalRemoval[]
  install: JournalInstall[]
  remove: JournalRemoval[]
}

/** Name of the journal in a staging folder. */
export const journalName = 'journal.json'

/** Folder of new files in a staging folder: each lies there at its path in the site. */
export const newFolder = 'new'

/** Reads a journal; `undefined` where it is not whole or not of this version. Never throws. */
export function decodeJournal(text: string): Journal | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJournal(value) ? value : undefined
  } catch {
    return undefined
  }
}

const nameForm = /^o\d+$/

function isJournal(value: unknown): value is Journal {
  if (typeof value !== 'object' || value === null) return false
  const { schema, version, clear, install, remove } = value as Partial<Record<keyof Journal, unknown>>
  if (schema !== 'codex-export/journal' || version !== 2) return false
  return listOf(clear, isRemoval) && listOf(install, isInstall) && listOf(remove, isRemoval)
}

function listOf(value: unknown, test: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && test(item))
}

function isRemoval(item: Record<string, unknown>): boolean {
  return isInside(item['path']) && isName(item['aside'])
}

function isInstall(item: Record<string, unknown>): boolean {
  if (item['aside'] !== undefined && !isName(item['aside'])) return false
  if (item['folder'] !== undefined && !isInside(item['folder'])) return false
  return isInside(item['path']) && typeof item['hash'] === 'string'
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && nameForm.test(value)
}

/** A swap touches nothing outside the output folder, whatever a journal says. */
function isInside(value: unknown): boolean {
  return typeof value === 'string' && (value === manifestName || pathProblem(value) === undefined)
}
