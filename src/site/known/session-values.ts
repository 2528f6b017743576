/** The values that threads reveal as secrets, and whether a thread was redacted before they were known. */

import { searchOf } from '../../redact/known/search.ts'
import type { KnownValue, KnownValues } from '../../redact/known/values.ts'
import type { ValueReport } from '../../redact/session-values.ts'
import { type SourceSearch, sourceSearch } from '../../redact/source-search.ts'
import type { Segment, Thread } from '../../rollout/discover/rollout.ts'
import type { Reading } from '../../rollout/read/open-fs.ts'
import { throwOwnFault } from '../../rollout/read/source.ts'
import type { ThreadScan } from '../../survey/lineage.ts'
import { type Privacy, privateThread } from '../../survey/privacy.ts'
import { openThread, readInSteps, type SegmentReader, type ThreadLine } from '../../survey/thread-lines.ts'
import type { PagePlan, ScannedThread } from '../../transcript/summary.ts'
import { yieldToEventLoop } from '../../util/event-loop.ts'
import { slicesOf } from '../slices.ts'
import { findFamilies, joinValues, valuesFor } from './families.ts'

/** Reads a thread for the values that it reveals, including those that are known only there. Throws what reading throws. */
export async function sessionValuesOf(
  { thread, facts }: ScannedThread,
  options: Reading & { privacy: Privacy },
): Promise<KnownValues> {
  const { privacy, ...reading } = options
  const { redactor, ...shown } = privateThread(thread, facts, privacy)
  if (redactor === undefined) return new Map()
  const { slices } = slicesOf(shown.thread, shown.facts, { ...reading, redactor, assets: () => undefined })
  while (!(await slices.next()).done);
  return redactor.values().values
}

/** Whether any of the texts contains one of the values. */
export function holdsAny(texts: readonly string[], values: KnownValues): boolean {
  if (values.size === 0) return false
  const search = searchOf(values)
  return texts.some((text) => search.find(text).length > 0)
}

/** A thread that was redacted by this build or by an earlier one. */
interface RedactedThread {
  thread: Thread
  pages: readonly PagePlan[]
  /** Files of other threads in which it begins. */
  history: readonly Segment[]
  /** The redactor's report about its facts, and if `isRead`, about the whole thread. */
  report: ValueReport
  isRead: boolean
}

/**
 * Whether a thread may contain one of the values that are known to it by now, but was redacted without that value. Errs only
 * towards `true`, which is also the answer if its files cannot be read any more.
 */
export async function mayMiss(
  { thread, pages, history, report, isRead }: RedactedThread,
  known: KnownValues,
  spoolDir: () => string,
): Promise<boolean> {
  const { values, isStale, late, heads } = report
  if (isRead && isStale) return true
  const unknown = isRead ? missing(known, values) : known
  if (unknown.size > 0) {
    if (holdsAny(heads, unknown)) return true
    // Pages also show what was pruned from a rollout, from the backups next to it.
    if (thread.segments.at(-1)?.file.backups !== undefined) return true
  }
  try {
    if (isRead && (await mayHoldEarlier(thread, pages, { values, late, spoolDir }))) return true
    return await mayHold(thread, unknown, { history, spoolDir })
  } catch {
    return true
  }
}

/** Values that the session did not reveal itself, or only under another name. */
function missing(known: KnownValues, own: KnownValues): KnownValues {
  return new Map([...known].filter(([value, { rank }]) => (own.get(value)?.rank ?? Number.POSITIVE_INFINITY) > rank))
}

// Whether a thread's files may contain values that were not known when they were redacted.

/** Whether any line of a thread may contain one of the values. Throws what reading throws. */
async function mayHold(
  thread: Thread,
  values: KnownValues,
  { history, spoolDir }: Pick<RedactedThread, 'history'> & Pick<Reading, 'spoolDir'>,
): Promise<boolean> {
  if (values.size === 0) return false
  const search = sourceSearch(values)
  return withReaders({ ...thread, segments: [...history, ...thread.segments] }, spoolDir, async (readers) => {
    for (const reader of readers) if (await holdsLine(reader, search)) return true
    return false
  })
}

/** Whether a page may contain a value that only a later page revealed; `late` has the index of that later page. */
async function mayHoldEarlier(
  thread: Thread,
  pages: readonly PagePlan[],
  { values, late, spoolDir }: { values: KnownValues; late: ReadonlyMap<string, number>; spoolDir: () => string },
): Promise<boolean> {
  const own = new Map([...values].filter(([value]) => late.has(value)))
  if (own.size === 0) return false
  const search = sourceSearch(own)
  return withReaders(thread, spoolDir, async (readers) => {
    for (const [index, page] of pages.slice(0, Math.max(...late.values())).entries()) {
      const isWanted = (value: string): boolean => (late.get(value) ?? 0) > index
      for (const range of [...page.ranges, ...page.late]) {
        const reader = readers[range.segment]
        if (reader !== undefined && (await holdsLine(reader, search, { range, isWanted }))) return true
      }
    }
    return false
  })
}

async function withReaders(
  thread: Thread,
  spoolDir: () => string,
  run: (readers: readonly SegmentReader[]) => Promise<boolean>,
): Promise<boolean> {
  const readers = await openThread(thread, spoolDir)
  try {
    return await run(readers)
  } finally {
    for (const reader of readers) reader.close()
  }
}

async function holdsLine(
  reader: SegmentReader,
  search: SourceSearch,
  { range, isWanted }: { range?: PagePlan['ranges'][number]; isWanted?: (value: string) => boolean } = {},
): Promise<boolean> {
  let holds = false
  const take = (line: ThreadLine): void => {
    holds ||= search.mayHold(textOf(line), isWanted)
  }
  await readInSteps(reader, take, { range })
  return holds
}

/** The text of a line; items of a document have no bytes of their own. */
function textOf({ bytes, values }: ThreadLine): Buffer | string {
  return bytes ?? JSON.stringify(values().values)
}

// The secrets that the family of one thread reveals, for commands that show single threads.

/** How to read a family. */
interface FamilyOptions extends Reading {
  privacy: Privacy
  /** The threads among which the family is found. */
  threads: readonly Thread[]
  scan: ThreadScan
}

/**
 * The values that the family of a thread reveals, including those of the thread itself. Relatives are found from heads, and from
 * the scans of those found; one that cannot be read reveals nothing.
 */
export async function familyValues(thread: Thread, options: FamilyOptions): Promise<KnownValues> {
  const family = await readFamily(thread, options)
  const valuesByThread = new Map<string, KnownValues>()
  for (const member of family) valuesByThread.set(member.thread.id, await tryValues(member, options))
  return knownTo(thread.id, valuesByThread)
}

/** The values known in one thread of a family, from those that each member reveals. */
export function knownTo(id: string, valuesByThread: ReadonlyMap<string, KnownValues>): Map<string, KnownValue> {
  return valuesFor(joinValues(valuesByThread.values()), valuesByThread.get(id) ?? new Map())
}

/** A thread and all that belong to it, in the order of the catalog. */
export async function readFamily(
  thread: Thread,
  { threads, scan, signal }: Pick<FamilyOptions, 'threads' | 'scan' | 'signal'>,
): Promise<ScannedThread[]> {
  const all = threads.some(({ id }) => id === thread.id) ? threads : [thread, ...threads]
  const scanned = new Map<string, ScannedThread>()
  const tried = new Set<string>()
  for (;;) {
    const family = findFamilies(all, [...scanned.values()]).get(thread.id) ?? []
    if (family.every(({ id }) => tried.has(id))) return family.flatMap(({ id }) => scanned.get(id) ?? [])
    for (const member of family) {
      if (tried.has(member.id)) continue
      tried.add(member.id)
      await yieldToEventLoop()
      signal.throwIfAborted()
      const { facts } = await scan(member)
      if (facts !== undefined) scanned.set(member.id, { thread: member, facts })
    }
  }
}

/** The values that a thread reveals; none if it cannot be read. Throws a fault of the program: secrets may stay unknown. */
export async function tryValues(
  member: ScannedThread,
  { privacy, spoolDir, signal }: Pick<FamilyOptions, 'privacy' | 'spoolDir' | 'signal'>,
): Promise<KnownValues> {
  await yieldToEventLoop()
  signal.throwIfAborted()
  try {
    return await sessionValuesOf(member, { privacy, spoolDir, signal })
  } catch (error) {
    signal.throwIfAborted()
    throwOwnFault(error)
    return new Map()
  }
}
