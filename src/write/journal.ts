/** The journal of a swap: enough to complete it or to undo it after a kill at any point. */
import { manifestName, pathProblem } from '../model/paths.ts'

/** An old file that makes place. `aside`: its name in staging meanwhile. */
export interface JournalRemoval {
  path: string
  aside: string
}

/** A new file. `staged`: its name in staging; `aside`: that of the old file, where there is one. */
export interface JournalInstall {
  path: string
  /** SHA-256 of the new content, hex. */
  hash: string
  staged: string
  aside?: string
}

/** What a swap does, in order. Paths are relative to the output folder, names to the staging folder. */
export interface Journal {
  schema: 'codex-export/journal'
  version: 1
  clear: JournalRemoval[]
  install: JournalInstall[]
  remove: JournalRemoval[]
}

/** Name of the journal in a staging folder. */
export const journalName = 'journal.json'

/** Reads a journal; `undefined` where it is not whole or not of this version. Never throws. */
export function decodeJournal(text: string): Journal | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJournal(value) ? value : undefined
  } catch {
    return undefined
  }
}

const nameForm = /^[no]\d+$/

function isJournal(value: unknown): value is Journal {
  if (typeof value !== 'object' || value === null) return false
  const { schema, version, clear, install, remove } = value as Partial<Record<keyof Journal, unknown>>
  if (schema !== 'codex-export/journal' || version !== 1) return false
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
  return isInside(item['path']) && isName(item['staged']) && typeof item['hash'] === 'string'
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && nameForm.test(value)
}

/** A swap touches nothing outside the output folder, whatever a journal says. */
function isInside(value: unknown): boolean {
  return typeof value === 'string' && (value === manifestName || pathProblem(value) === undefined)
}
