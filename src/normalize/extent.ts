/** How much a thread holds and how long it lasted. */
import type { ScanFacts } from '../model/summary.ts'
import { defined } from '../util/defined.ts'
import type { ScanHead, ScanLine } from './scan-line.ts'

/** Counts line by line. */
export interface Extent {
  take: (line: ScanLine) => void
  /** The head's start counts before that of the first record. */
  facts: (head: ScanHead) => Pick<ScanFacts, 'lines' | 'bytes' | 'startedAt' | 'endedAt'>
}

/** Measures the lines of a thread, whose times may run backwards. */
export function extent(): Extent {
  let [lines, bytes] = [0, 0]
  let first: string | undefined
  let last: string | undefined
  return {
    take({ at, start, end }) {
      lines++
      bytes += end - start
      first ??= at
      if (at !== undefined && at > (last ?? '')) last = at
    },
    facts: ({ startedAt }) => ({
      lines,
      bytes,
      ...defined({ startedAt: startedAt ?? first, endedAt: last ?? startedAt }),
    }),
  }
}
