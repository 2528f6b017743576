/** `list`: the text of the last one where nothing changed since, else one from the rows of all threads. */

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
 * Lists the threads that pass the filters, oldest first; reads each of them once, and again only when it changed. Throws
 * `UsageError` for a date or a home that does not fit.
 */
export async function list(options: ListOptions, host: Host): Promise<ListResult> {
  return (await listOnce(askFor(options, host), host)).result
}

/** Lists them as text, on a terminal newest first. Throws as `list` does. */
export async function listText(options: ListOptions, form: ListForm, host: Host): Promise<PrintedList> {
  const question = askFor(options, host)
  const { memory, roots } = question
  const key = memory && sha256(JSON.stringify([memory.key, form]))
  const printed = memory && key && findLastPrint(memory.folder, key)
  if (printed) return { ...decodePrint(printed), failed: 0, places: roots.places, found: 0 }
  const { result, mayKeep } = await listOnce(question, host)
  const { printList } = await import('./list-rows.ts')
  const print = printList(result, form)
  if (memory && key && mayKeep && print.text !== '') saveLastPrint(memory.folder, key, encodePrint(print))
  return print
}

/** Which sessions of which places are wanted, and where the answer may be remembered. */
interface Question extends ListInput {
  memory: Memory | undefined
}

function askFor(options: ListOptions, host: Host): Question {
  const selection = readFilters(options, { now: host.now(), timeZone: options.timeZone })
  const roots = findRoots(options.homes, host)
  host.progress.stage('Looking for sessions')
  const memory = memoryOf(roots.roots, [selection, options.branches], { options, host })
  return { options, selection, roots, memory }
}

/** The last answer where the question is the same, else a new one; tells also whether it may be kept. */
async function listOnce({ memory, ...input }: Question, host: Host): Promise<{ result: ListResult; mayKeep: boolean }> {
  // What stands under our key is what `saveLastList` wrote.
  const last = memory && (findLastList(memory.folder, memory.key) as ListResult | undefined)
  if (last !== undefined) return { result: last, mayKeep: true }
  // Only now what reads sessions: to load it takes as long as to look at thousands of files.
  const { listAnew } = await import('./list-rows.ts')
  const { result, isClean } = await listAnew(input, host)
  // What went wrong is told each time.
  const mayKeep = memory !== undefined && isClean
  if (mayKeep) saveLastList(memory.folder, memory.key, result)
  return { result, mayKeep }
}

/** Where an answer is remembered, and the names, sizes and times of all sources with all that shapes it. */
interface Memory {
  folder: string
  key: string
}

function memoryOf(
  roots: readonly Root[],
  filters: unknown,
  { options: { redact = true, personal = personalDefaults }, host }: { options: ListOptions; host: Host },
): Memory | undefined {
  // What is printed as recorded is not kept.
  const folder = redact ? listCacheDir(roots, host) : undefined
  if (folder === undefined) return undefined
  const made = [codeName(), personalKey(personal, host.homeDir)]
  return { folder, key: sha256(JSON.stringify([made, filters, rootFingerprints(roots)])) }
}

function encodePrint({ sum, text }: Pick<PrintedList, 'sum' | 'text'>): string {
  return `${sum}\n${text}`
}

function decodePrint(bytes: Uint8Array): Pick<PrintedList, 'sum' | 'text'> {
  const end = bytes.indexOf(newline)
  return { sum: Buffer.from(bytes.subarray(0, end)).toString('utf8'), text: bytes.subarray(end + 1) }
}

const newline = 10
