/** What a build does to the output folder, and in which order: decided from the two manifests alone. */

import { type FileRecord, installRank, type WritePlan } from '../../render/output.ts'
import { compareText } from '../../util/compare.ts'
import { isObject, parseJson } from '../../util/json.ts'
import { joined } from '../../util/pieces.ts'
import { manifestName, obstaclesTo, pathProblem } from './paths.ts'

/** A file of the new site. */
export interface NextFile extends FileRecord {
  /** Its content waits in staging; absent where the old file stays as it is. */
  staged?: true
}

/** The renames of a swap, in order. */
export interface SwapOrder {
  /** Old files that stand where a new one needs a folder, or the reverse: they go first. */
  clear: string[]
  /**
   * New files: those that the old site does not have, since nothing leads to them yet, then those that replace one. Of
   * either what pages load, then pages, each session by itself and its pages last, then what leads to them.
   */
  install: string[]
  /** Old files that are no longer produced: they go last, so that no reachable page lacks anything. */
  remove: string[]
}

/** Compares the old site's files with the new ones; all lists in code unit order. */
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

/** Orders the renames of a plan, whose lists are in code unit order; `replaces` tells whether a path stands in the old site. */
export function orderSwap(plan: WritePlan, replaces: (path: string) => boolean): SwapOrder {
  // Most builds remove nothing, and all paths once more are many.
  const blocks = plan.removed.length === 0 ? () => false : obstaclesTo([...plan.written, ...plan.kept])
  return {
    clear: plan.removed.filter(blocks),
    install: installOrder(plan.written, replaces),
    // What leads to pages first, what they load last: also a page that nobody reaches any more has it.
    remove: plan.removed
      .filter((path) => !blocks(path))
      .sort((a, b) => installRank(b) - installRank(a) || compareText(a, b)),
  }
}

/** Paths in code unit order, sorted by what they are. By numbers: a text for each of them would be longer than all paths. */
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
    // Sessions stand where texts of sessions do, each by itself.
    const place = (replaces(path) ? ranks : 0) + (session === undefined ? rank : 1)
    keys[index] = (place * (paths.length + 1) + (session === undefined ? 0 : sessions)) * ranks + rank
  }
  const order = Uint32Array.from(paths.keys())
  order.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b)
  return Array.from(order, (index) => paths[index] ?? '')
}

// The journal of a swap: enough to complete it or to undo it after a kill at any point.

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

/** A journal as JSON, piece by piece: it lists every file of a new site. */
export function encodeJournal(journal: Journal): Generator<string> {
  return joined(journalTexts(journal))
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

/** Reads a journal; `undefined` where it is not whole or not of this version. Never throws. */
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

/** A swap touches nothing outside the output folder, whatever a journal says. */
function isInside(value: unknown): boolean {
  return typeof value === 'string' && (value === manifestName || pathProblem(value) === undefined)
}
