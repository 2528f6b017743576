/** Whether a thread's files may hold values that were not known yet when they were redacted. */
import type { Segment, Thread } from '../model/rollout.ts'
import type { PagePlan } from '../model/summary.ts'
import type { KnownValues } from '../redact/known.ts'
import { type SourceSearch, sourceSearch } from '../redact/source-search.ts'
import { openThread, type SegmentReader, type ThreadLine } from './thread-lines.ts'

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
  return withReaders({ ...thread, segments: [...history, ...thread.segments] }, spoolDir, (readers) =>
    readers.some((reader) => holdsLine(reader, search)),
  )
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
  return withReaders(thread, spoolDir, (readers) =>
    pages.slice(0, Math.max(...late.values())).some((page, index) =>
      [...page.ranges, ...page.late].some((range) => {
        const reader = readers[range.segment]
        return (
          reader !== undefined &&
          holdsLine(reader, search, { range, counts: (value) => (late.get(value) ?? 0) > index })
        )
      }),
    ),
  )
}

async function withReaders(
  thread: Thread,
  spoolDir: () => string,
  run: (readers: readonly SegmentReader[]) => boolean,
): Promise<boolean> {
  const readers = await openThread(thread, spoolDir)
  try {
    return run(readers)
  } finally {
    for (const reader of readers) reader.close()
  }
}

function holdsLine(
  reader: SegmentReader,
  search: SourceSearch,
  { range, counts }: { range?: PagePlan['ranges'][number]; counts?: (value: string) => boolean } = {},
): boolean {
  let holds = false
  reader.read((line) => {
    holds ||= search.mayHold(textOf(line), counts)
  }, range)
  return holds
}

/** Items of a document have no bytes of their own. */
function textOf({ bytes, values }: ThreadLine): Buffer | string {
  return bytes ?? JSON.stringify(values().values)
}
