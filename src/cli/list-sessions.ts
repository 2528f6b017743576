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
  return (await listOnce(askFor(options, host), host)).result
}

/** Lists threads as text, newest first on a terminal. Throws as `list` does. */
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

/** Which sessions to list, and where the answer may be cached. */
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

/** The cached answer to the same question, or else a new one; also returns whether it may be cached. */
async function listOnce({ memory, ...input }: Question, host: Host): Promise<{ result: ListResult; mayKeep: boolean }> {
  // What is cached under our key was written by `saveLastList`.
  const last = memory && (findLastList(memory.folder, memory.key) as ListResult | undefined)
  if (last !== undefined) return { result: last, mayKeep: true }
  // Loaded only now, because loading the code that reads sessions takes as long as checking thousands of files.
  const { listAnew } = await import('./list-rows.ts')
  const { result, isClean } = await listAnew(input, host)
  // Problems are reported each time, so an answer with problems is not cached.
  const mayKeep = memory !== undefined && isClean
  if (mayKeep) saveLastList(memory.folder, memory.key, result)
  return { result, mayKeep }
}

/** Where an answer is cached, and a hash of the names, sizes and times of all sources and of everything else that affects it. */
interface Memory {
  folder: string
  key: string
}

function memoryOf(
  roots: readonly Root[],
  filters: unknown,
  { options: { redact = true, personal = personalDefaults }, host }: { options: ListOptions; host: Host },
): Memory | undefined {
  // Unredacted output is not cached.
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
