/** Segments of reverted threads (rollout-format 1.4). */

import type { HistoryBase, Segment } from '../rollout/discover/rollout.ts'
import { compareText } from '../util/compare.ts'
import { defined } from '../util/defined.ts'

/**
 * Puts the segments of one thread in order, oldest first by stamp and rollout id, and marks what was undone: the
 * newest segment is live, it keeps its base up to a byte, the base keeps its own base, and so on. A segment off that
 * chain was undone whole, unless the chain breaks off before the first segment: then nothing is known of the others.
 */
export function chainSegments(threadId: string, unordered: readonly Segment[]): Segment[] {
  const segments = unordered.toSorted(
    (a, b) => compareText(a.file.stamp ?? '', b.file.stamp ?? '') || byRollout(threadId, a, b),
  )
  const ends = keptEnds(segments)
  const complete = ends.has(threadId)
  return segments.map((segment) => ({
    ...segment,
    ...(complete && !ends.has(segment.rolloutId) ? { endByte: 0 } : ends.get(segment.rolloutId)),
  }))
}

/** How far a segment counts; without either bound, to its end. */
export type SegmentEnd = Pick<Segment, 'endByte' | 'endOrdinal'>

/** The end that a later head names for the segment before it. */
export function endOf(base: HistoryBase | undefined): SegmentEnd {
  return defined({ endByte: base?.endByte, endOrdinal: base?.endOrdinal })
}

/** How far each segment on the chain from the newest one is kept, by rollout id. */
function keptEnds(segments: readonly Segment[]): Map<string, SegmentEnd> {
  const ends = new Map<string, SegmentEnd>()
  let segment = segments.at(-1)
  let end: SegmentEnd = {}
  // A base that was met before would lead round in a circle.
  while (segment !== undefined && !ends.has(segment.rolloutId)) {
    ends.set(segment.rolloutId, end)
    const base = segment.head.historyBase
    end = endOf(base)
    segment = segments.find(({ rolloutId }) => rolloutId === base?.rolloutId)
  }
  return ends
}

/** The thread's own first segment has no rollout id in its name and comes before the others of its second. */
function byRollout(threadId: string, a: Segment, b: Segment): number {
  return Number(b.rolloutId === threadId) - Number(a.rolloutId === threadId) || compareText(a.rolloutId, b.rolloutId)
}
