/** How the memory of a thread grows and shrinks from turn to turn. */
import type { MemoryPoint } from '../model/memory.ts'
import type { MemoryBuilder } from './builder.ts'
import type { Place } from './entry.ts'
import type { MemorySource } from './history.ts'
import type { MemoryRecord } from './records.ts'

/** Moments that are kept; of a longer thread every second end of a turn goes, then the oldest compactions. */
const mostPoints = 480

/** A moment, and the record of the compaction behind which it is. */
export interface CoursePoint extends MemoryPoint {
  source?: MemorySource
}

/** Takes records in order, hands them on to a builder, and notes what becomes of its sums. */
export interface Course {
  take: (record: MemoryRecord, place: Place) => void
  /** The moments so far; the last is now. */
  points: () => CoursePoint[]
}

/** A course over what goes into a builder. */
export function memoryCourse(builder: MemoryBuilder): Course {
  let points: CoursePoint[] = []
  let turn = 0
  let recorded: number | undefined
  const note = (moment: MemoryPoint['moment'], source?: MemorySource): CoursePoint => ({
    turn,
    moment,
    tokens: { ...builder.sums() },
    ...(recorded === undefined ? {} : { recorded }),
    ...(source === undefined ? {} : { source }),
  })
  return {
    take(record, place) {
      const now = place.turn ?? turn
      // Before the first turn there may be nothing to tell.
      if (now !== turn && (turn > 0 || Object.keys(builder.sums()).length > 0)) points.push(note('end'))
      turn = now
      if (record.kind === 'compaction') points.push(note('full'))
      builder.take(record, place)
      if (record.kind === 'compaction') {
        recorded = undefined
        points.push(note('compacted', place.source))
      }
      if (record.kind === 'tokens' && record.total !== undefined && record.total > 0) recorded = record.total
      if (points.length > mostPoints) points = thinned(points)
    },
    points: () => [...points, note('end')],
  }
}

/** About half of the moments, evenly. */
function thinned(points: readonly CoursePoint[]): CoursePoint[] {
  let ends = 0
  const kept = points.filter(({ moment }) => moment !== 'end' || ends++ % 2 === 1)
  // A compaction is two moments.
  return kept.length > (mostPoints * 3) / 4 ? kept.slice(-mostPoints / 2) : kept
}
