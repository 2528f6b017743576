/** Whether a thread's files may hold values that were not known yet when they were redacted. */
import type { Segment, Thread } from '../model/rollout.ts'
import type { PagePlan } from '../model/summary.ts'
import type { KnownValues } from '../redact/known.ts'
import { type SourceSearch, sourceSearch } from '../redact/source-search.ts'
import { openThread, readInSteps, type SegmentReader, type ThreadLine } from './thread-lines.ts'

/** How to read. */
export interface MissedOptions {
  spoolDir: () => string
  /** Files of other threads that the thread begins in. */
  history?: readonly Segment[]
}

/** Whether any line of a thread may hold one of the values. Throws what reading throws. */
export async function mayHold(thread: Thread, values: KnownValues, options: MissedOptions): Promise<boolean> {
  if (values.size === 0) return false
  const { history = [], spoolDir } = options
  const search = sourceSearch(values)
  return withReaders({ ...thread, segments: [...history, ...thread.segments] }, spoolDir, async (readers) => {
    for (const reader of readers) if (await holdsLine(reader, search)) return true
    return false
  })
}

/** Whether a page may hold a value that only a later one told: `late` gives the index of that page. */
export async function mayHoldEarlier(
  thread: Thread,
  pages: readonly PagePlan[],
  { values, late, spoolDir }: { values: KnownValues; late: ReadonlyMap<string, number>; spoolDir: () => string },
): Promise<boolean> {
  const told = new Map([...values].filter(([value]) => late.has(value)))
  if (told.size === 0) return false
  const search = sourceSearch(told)
  return withReaders(thread, spoolDir, async (readers) => {
    for (const [index, page] of pages.slice(0, Math.max(...late.values())).entries()) {
      const counts = (value: string): boolean => (late.get(value) ?? 0) > index
      for (const range of [...page.ranges, ...page.late]) {
        const reader = readers[range.segment]
        if (reader !== undefined && (await holdsLine(reader, search, { range, counts }))) return true
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
  { range, counts }: { range?: PagePlan['ranges'][number]; counts?: (value: string) => boolean } = {},
): Promise<boolean> {
  let holds = false
  const take = (line: ThreadLine): void => {
    holds ||= search.mayHold(textOf(line), counts)
  }
  await readInSteps(reader, take, { range })
  return holds
}

/** Items of a document have no bytes of their own. */
function textOf({ bytes, values }: ThreadLine): Buffer | string {
  return bytes ?? JSON.stringify(values().values)
}
