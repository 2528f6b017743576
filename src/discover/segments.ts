/** Segments of reverted threads (rollout-format 1.4). */
import type { Segment } from '../model/rollout.ts'
import { compareText } from '../util/compare.ts'

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
  return segments.map((segment) => {
    const endByte = complete && !ends.has(segment.rolloutId) ? 0 : ends.get(segment.rolloutId)
    return endByte === undefined ? segment : { ...segment, endByte }
  })
}

/** How far each segment on the chain from the newest one is kept, by rollout id; `undefined` is to its end. */
function keptEnds(segments: readonly Segment[]): Map<string, number | undefined> {
  const ends = new Map<string, number | undefined>()
  let segment = segments.at(-1)
  let endByte: number | undefined
  // A base that was met before would lead round in a circle.
  while (segment !== undefined && !ends.has(segment.rolloutId)) {
    ends.set(segment.rolloutId, endByte)
    const base = segment.head.historyBase
    endByte = base?.endByte
    segment = segments.find(({ rolloutId }) => rolloutId === base?.rolloutId)
  }
  return ends
}

/** The thread's own first segment has no rollout id in its name and comes before the others of its second. */
function byRollout(threadId: string, a: Segment, b: Segment): number {
  return Number(b.rolloutId === threadId) - Number(a.rolloutId === threadId) || compareText(a.rolloutId, b.rolloutId)
}
