/** Segments of reverted threads (rollout-format 1.4). */

import type { HistoryBase, Segment, Thread } from '../rollout/discover/rollout.ts'
import { compareText } from '../util/compare.ts'
import { defined } from '../util/own.ts'

/**
 * Puts the segments of one thread in order, oldest first by stamp and rollout id, and marks what was undone: the
 * newest segment is live, it keeps its base up to a byte, the base keeps its own base, and so on. A segment off that
 * chain was undone whole, unless the chain breaks off: then nothing is known of the others.
 */
export function chainSegments(threadId: string, unordered: readonly Segment[]): Segment[] {
  const segments = unordered.toSorted(
    (a, b) => compareText(a.file.stamp ?? '', b.file.stamp ?? '') || byRollout(threadId, a, b),
  )
  const { ends, root } = liveChain(threadId, segments)
  return segments.map((segment) => ({
    ...segment,
    ...(root !== undefined && !ends.has(segment.rolloutId) ? { endByte: 0 } : ends.get(segment.rolloutId)),
  }))
}

/**
 * The segment in which what counts of a thread begins: what it inherits stands before this one. Not the first one where
 * a revert went back to before the thread's first turn, or into the thread that it was forked from.
 */
export function rootSegment({ id, segments }: Pick<Thread, 'id' | 'segments'>): Segment | undefined {
  return liveChain(id, segments).root ?? segments[0]
}

/** How far a segment counts; without either bound, to its end. */
export type SegmentEnd = Pick<Segment, 'endByte' | 'endOrdinal'>

/** The end that a later head names for the segment before it. */
export function endOf(base: HistoryBase | undefined): SegmentEnd {
  return defined({ endByte: base?.endByte, endOrdinal: base?.endOrdinal })
}

interface LiveChain {
  /** How far each segment on the chain from the newest one is kept, by rollout id. */
  ends: Map<string, SegmentEnd>
  /** The oldest segment of the chain; absent where the chain breaks off before it. */
  root?: Segment
}

function liveChain(threadId: string, segments: readonly Segment[]): LiveChain {
  const byRolloutId = new Map(segments.map((segment) => [segment.rolloutId, segment]))
  const first = byRolloutId.get(threadId)
  const ends = new Map<string, SegmentEnd>()
  let segment = segments.at(-1)
  let end: SegmentEnd = {}
  // A base that was met before would lead round in a circle.
  while (segment !== undefined && !ends.has(segment.rolloutId)) {
    ends.set(segment.rolloutId, end)
    if (segment === first || leavesThread(segment, first)) return { ends, root: segment }
    const base = segment.head.historyBase
    end = endOf(base)
    segment = base === undefined ? undefined : byRolloutId.get(base.rolloutId)
  }
  return { ends }
}

/**
 * Whether nothing of the thread's other files counts before a later segment: a revert to before the first turn names no
 * base, one in a fork to before its own first turn a place in the history that the fork inherited. Ordinals count on
 * from there, so that the thread's own records have higher ones.
 */
function leavesThread({ head: { historyBase, idFrom } }: Segment, first: Segment | undefined): boolean {
  // Of a head that cannot be read, the base is not known.
  if (historyBase === undefined) return idFrom === 'meta'
  const inherited = first?.head.historyBase?.endOrdinal
  return inherited !== undefined && historyBase.endOrdinal !== undefined && historyBase.endOrdinal <= inherited
}

/** The thread's own first segment has no rollout id in its name and comes before the others of its second. */
function byRollout(threadId: string, a: Segment, b: Segment): number {
  return Number(b.rolloutId === threadId) - Number(a.rolloutId === threadId) || compareText(a.rolloutId, b.rolloutId)
}
