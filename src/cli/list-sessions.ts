/** `list`: repeats the last text if nothing has changed since, or else makes a new one from the rows of all threads. */

import { codeName } from '../config/package-fs.ts'
import { personalDefaults, personalKey } from '../config/personal.ts'
import { findRoots, type Root } from '../rollout/discover/homes-fs.ts'
import { rootFingerprints } from '../rollout/discover/thread-names-fs.ts'
import {
  findLastList,
  findLastPrint,
  listCacheDir,
  saveLastList,
  saveLastPrint,
} from '../site/cache/cache-folder-fs.ts'
import type { Host } from '../site/types.ts'
import { readFilters } from '../survey/select.ts'
import { sha256 } from '../util/hash.ts'
import type { ListForm, ListInput, ListOptions, ListResult, PrintedList } from './list-rows.ts'

/**
 * Lists the threads that pass the filters, oldest first. Each thread is read once, and again only after it changed. Throws a
 * `UsageError` for an invalid date or home.
 */
export async function list(options: ListOptions, host: Host): Promise<ListResult> {
  return (await listOnce(questionOf(options, host), host)).result
}

/** Lists threads as text, newest first on a terminal. Throws as `list` does. */
export async function listText(options: ListOptions, form: ListForm, host: Host): Promise<PrintedList> {
  const question = questionOf(options, host)
  const { slot, roots } = question
  const key = slot && sha256(JSON.stringify([slot.key, form]))
  const printed = slot && key && findLastPrint(slot.folder, key)
  if (printed) return { ...decodePrint(printed), failed: 0, places: roots.places, found: 0 }
  const { result, mayCache } = await listOnce(question, host)
  const { printList } = await import('./list-rows.ts')
  const print = printList(result, form)
  if (slot && key && mayCache && print.text !== '') saveLastPrint(slot.folder, key, encodePrint(print))
  return print
}

/** Which sessions to list, and where the answer may be cached. */
interface Question extends ListInput {
  slot: CacheSlot | undefined
}

function questionOf(options: ListOptions, host: Host): Question {
  const selection = readFilters(options, host.now())
  const roots = findRoots(options.homes, host)
  host.progress.stage('Looking for sessions')
  const slot = cacheSlotOf(roots.roots, [selection, options.branches], { options, host })
  return { options, selection, roots, slot }
}

/** The cached answer to the same question, or else a new one; also returns whether it may be cached. */
async function listOnce({ slot, ...input }: Question, host: Host): Promise<{ result: ListResult; mayCache: boolean }> {
  // What is cached under our key was written by `saveLastList`.
  const last = slot && (findLastList(slot.folder, slot.key) as ListResult | undefined)
  if (last !== undefined) return { result: last, mayCache: true }
  // Loaded only now, because loading the code that reads sessions takes as long as checking thousands of files.
  const { readList } = await import('./list-rows.ts')
  const { result, isClean } = await readList(input, host)
  // Problems are reported each time, so an answer with problems is not cached.
  const mayCache = slot !== undefined && isClean
  if (mayCache) saveLastList(slot.folder, slot.key, result)
  return { result, mayCache }
}

/** Where an answer is cached; its key is a hash of the names, sizes and times of all sources, and of all else that affects it. */
interface CacheSlot {
  folder: string
  key: string
}

function cacheSlotOf(
  roots: readonly Root[],
  filters: unknown,
  { options: { redact = true, personal = personalDefaults }, host }: { options: ListOptions; host: Host },
): CacheSlot | undefined {
  // Unredacted output is not cached.
  const folder = redact ? listCacheDir(roots, host) : undefined
  if (folder === undefined) return undefined
  const program = [codeName(), personalKey(personal, host.homeDir)]
  return { folder, key: sha256(JSON.stringify([program, filters, rootFingerprints(roots)])) }
}

function encodePrint({ sum, text }: Pick<PrintedList, 'sum' | 'text'>): string {
  return `${sum}\n${text}`
}

function decodePrint(bytes: Uint8Array): Pick<PrintedList, 'sum' | 'text'> {
  const end = bytes.indexOf(newline)
  return { sum: Buffer.from(bytes.subarray(0, end)).toString('utf8'), text: bytes.subarray(end + 1) }
}

const newline = 10
