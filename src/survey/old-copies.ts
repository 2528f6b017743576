/**
 * Finds sessions of 2025 builds that contain a whole older session without marking it: a resume by 0.29 copied the history into a
 * new file, and the TypeScript CLI wrote a new file at every save (rollout-format 1.4, 2.1).
 */

import type { Diagnostic } from '../diagnostics/codes.ts'
import type { Duplicate, KnownCopy, Thread } from '../rollout/discover/rollout.ts'
import { throwOwnFault } from '../rollout/read/source.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import { duplicateDiagnostic } from './catalog.ts'
import { sessionFault } from './scan.ts'
import { openThread, readInSteps, type SegmentReader, type ThreadLine } from './thread-lines.ts'

/** What was found, as plain data. */
export interface OldCopies {
  /** Resumed threads, by id, with the lines that are copies. */
  resumed: [id: string, copy: KnownCopy][]
  /** Saves by id, with the id of the next one that continues it. */
  saves: [id: string, later: string][]
  /** One for each session that could not be compared because of a fault of ours. */
  diagnostics: Diagnostic[]
}

/** Whether a thread's file has no envelope: only the builds that wrote such files copied without a mark. */
export function hasNoEnvelope({ segments }: Thread): boolean {
  const generation = segments[0]?.head.generation
  return generation === 'G0' || generation === 'G1'
}

/** Reads bare threads, each once. They are sorted by start, so a file comes after the one that it continues. */
export async function findOldCopies(bare: readonly Thread[], spoolDir: () => string): Promise<OldCopies> {
  const byItems = new Map<string, Thread>()
  const found: OldCopies = { resumed: [], saves: [], diagnostics: [] }
  for (const thread of bare) {
    await yieldToEventLoop()
    const prefix = await findPrefix(thread, byItems, spoolDir).catch((error: unknown) => {
      found.diagnostics.push(sessionFault(thread, error))
      return undefined
    })
    if (prefix === undefined) continue
    const { older, lastLine } = prefix
    if (isSave(thread)) found.saves.push([older.id, thread.id])
    else found.resumed.push([thread.id, { from: 2, to: lastLine + 1, threadId: older.id }])
  }
  return found
}

/** An older thread whose items all come at the beginning of a newer one, where they end at `lastLine`. */
interface Prefix {
  older: Thread
  lastLine: number
}

/**
 * Finds the longest older thread with which a thread begins, by a running hash of the items; then adds this thread to the known
 * ones.
 */
async function findPrefix(
  thread: Thread,
  byItems: Map<string, Thread>,
  spoolDir: () => string,
): Promise<Prefix | undefined> {
  let prefix: Prefix | undefined
  let whole: Prefix | undefined
  let hash = ''
  let made = false
  const take = (line: ThreadLine): void => {
    const item = itemOf(line)
    if (item === undefined) return
    // The older thread is a prefix of this one only if something follows it here.
    prefix = whole ?? prefix
    hash = sha256(hash + item)
    made ||= isMade(item)
    const older = made ? byItems.get(hash) : undefined
    whole = older === undefined ? undefined : { older, lastLine: line.line }
  }
  let readers: SegmentReader[] = []
  try {
    readers = await openThread(thread, spoolDir)
    if (readers[0] !== undefined) await readInSteps(readers[0], take)
  } catch (error) {
    throwOwnFault(error)
    // The scan opens the file again and reports what is wrong.
    return undefined
  } finally {
    for (const reader of readers) reader.close()
  }
  if (made && !byItems.has(hash)) byItems.set(hash, thread)
  return prefix
}

const itemStart = Buffer.from('{"type":')

/** The text of an item; `undefined` for heads and state lines, which are not copied. */
function itemOf({ bytes, values }: ThreadLine): string | undefined {
  if (bytes === undefined) return JSON.stringify(values().values[0])
  return bytes.subarray(0, itemStart.length).equals(itemStart) ? bytes.toString('utf8') : undefined
}

/** Whether the model made an item. The same prompt may be sent twice, but an answer or a call is not made twice. */
function isMade(item: string): boolean {
  return /"role":"assistant"|"call_id":"/.test(item)
}

function isSave({ segments }: Thread): boolean {
  return segments[0]?.file.format === 'document'
}

/** Marks resumed threads, and makes each save a duplicate of the last one that continues it. */
export function foldOldCopies(
  threads: readonly Thread[],
  { resumed, saves, diagnostics: faults }: OldCopies,
): { threads: Thread[]; diagnostics: Diagnostic[] } {
  const copies = new Map(resumed)
  const later = new Map(saves)
  const diagnostics = [...faults]
  const kept = new Map<string, Thread>()
  for (const thread of threads) {
    const copied = copies.get(thread.id)
    if (!later.has(thread.id)) kept.set(thread.id, copied === undefined ? thread : { ...thread, copied })
  }
  for (const thread of threads) {
    const file = thread.segments[0]?.file
    const into = kept.get(lastSave(thread.id, later))
    const chosen = into?.segments[0]?.file.name
    if (!later.has(thread.id) || file === undefined || into === undefined || chosen === undefined) continue
    const duplicate: Duplicate = { file, chosen, reason: 'later-save' }
    kept.set(into.id, { ...into, duplicates: [...into.duplicates, duplicate] })
    diagnostics.push(duplicateDiagnostic(duplicate))
  }
  return { threads: [...kept.values()], diagnostics }
}

function lastSave(id: string, later: ReadonlyMap<string, string>): string {
  let last = id
  for (let next = later.get(last); next !== undefined; next = later.get(last)) last = next
  return last
}
