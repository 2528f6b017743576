/** What a build does to the output folder and in which order, decided only from the two manifests. */

import { type FileRecord, installRank, type WritePlan } from '../../render/output.ts'
import { compareText } from '../../util/compare.ts'
import { isObject, parseJson } from '../../util/json.ts'
import { toPieces } from '../../util/pieces.ts'
import { manifestName, obstaclesTo, pathProblem } from './paths.ts'

/** A file of the new site. */
export interface NextFile extends FileRecord {
  /** Its content waits in staging; absent if the old file stays. */
  staged?: true
}

/** The renames of a swap, in order. */
interface SwapOrder {
  /** Old files where a new one needs a folder, or the reverse: they are removed first. */
  clear: string[]
  /**
   * New files: first those that the old site does not have, because nothing links to them yet, then those that replace one.
   * Within each, first what pages load, then pages, session by session with the pages of each last, then what links to them.
   */
  install: string[]
  /** Old files that are no longer produced: they are removed last, so that no reachable page lacks anything. */
  remove: string[]
}

/** Compares the old site's files with the new ones; all lists are in code unit order. */
export function planWrites(old: Readonly<Record<string, string>>, next: Iterable<NextFile>): WritePlan {
  const plan: WritePlan = { written: [], kept: [], removed: [] }
  const unused = new Set(Object.keys(old))
  for (const file of next) {
    unused.delete(file.path)
    const list = file.staged === undefined ? plan.kept : plan.written
    list.push(file.path)
  }
  for (const path of unused) plan.removed.push(path)
  plan.written.sort(compareText)
  plan.kept.sort(compareText)
  plan.removed.sort(compareText)
  return plan
}

/** Orders the renames of a plan, whose lists are in code unit order; `replaces` says whether the old site has a path. */
export function orderSwap(plan: WritePlan, replaces: (path: string) => boolean): SwapOrder {
  // Skipped for most builds, which remove nothing, because it goes through all paths again.
  const blocks = plan.removed.length === 0 ? () => false : obstaclesTo([...plan.written, ...plan.kept])
  return {
    clear: plan.removed.filter(blocks),
    install: installOrder(plan.written, replaces),
    // What links to pages is removed first, and what pages load last, so that even a page that nobody can reach any more has it.
    remove: plan.removed
      .filter((path) => !blocks(path))
      .sort((a, b) => installRank(b) - installRank(a) || compareText(a, b)),
  }
}

/**
 * Sorts paths, which are in code unit order, by what they are. The sort keys are numbers, because texts would be longer than all
 * paths together.
 */
function installOrder(paths: readonly string[], replaces: (path: string) => boolean): string[] {
  const keys = new Float64Array(paths.length)
  const ranks = 8
  let sessions = 0
  let last = ''
  for (const [index, path] of paths.entries()) {
    const session = /^sessions\/[^/]+\//.exec(path)?.[0]
    if (session !== undefined && session !== last) {
      last = session
      sessions++
    }
    const rank = installRank(path)
    // Sessions have the position of session texts, each as a group.
    const rankOfGroup = (replaces(path) ? ranks : 0) + (session === undefined ? rank : 1)
    keys[index] = (rankOfGroup * (paths.length + 1) + (session === undefined ? 0 : sessions)) * ranks + rank
  }
  const order = Uint32Array.from(paths.keys())
  order.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b)
  return Array.from(order, (index) => paths[index] ?? '')
}

// The journal of a swap: enough to complete or undo the swap after a kill at any point.

/** An old file that makes way. `aside`: its name in staging meanwhile. */
export interface JournalRemoval {
  path: string
  aside: string
}

/** A new file, which waits below `new/` in staging. `aside`: name of the old file there, if it replaces one. */
export interface JournalInstall {
  path: string
  /** SHA-256 of the new content in hex. */
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

/** Folder of new files in a staging folder: each is there at its path in the site. */
export const newFolder = 'new'

/** A journal as JSON, piece by piece, because it lists every file of a new site. */
export function encodeJournal(journal: Journal): Generator<string> {
  return toPieces(journalTexts(journal))
}

function* journalTexts({ schema, version, ...lists }: Journal): Generator<string> {
  yield JSON.stringify({ schema, version }).slice(0, -1)
  for (const [name, items] of Object.entries(lists)) {
    yield `,"${name}":[`
    for (const [index, item] of items.entries()) yield `${index === 0 ? '' : ','}${JSON.stringify(item)}`
    yield ']'
  }
  yield '}\n'
}

/** Reads a journal; `undefined` if it is incomplete or not of this version. Never throws. */
export function decodeJournal(text: string): Journal | undefined {
  const value = parseJson(text)
  return isJournal(value) ? value : undefined
}

const nameForm = /^o\d+$/

function isJournal(value: unknown): value is Journal {
  if (!isObject(value)) return false
  const { schema, version, clear, install, remove } = value
  if (schema !== 'codex-export/journal' || version !== 2) return false
  return listOf(clear, isRemoval) && listOf(install, isInstall) && listOf(remove, isRemoval)
}

function listOf(value: unknown, test: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isObject(item) && test(item))
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

/** Whether a path is inside the output folder: a swap touches nothing outside, whatever a journal says. */
function isInside(value: unknown): boolean {
  return typeof value === 'string' && (value === manifestName || pathProblem(value) === undefined)
}
