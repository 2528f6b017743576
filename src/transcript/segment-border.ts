/** Borders between segments, and between what counts and what a revert undid (rollout-format 6.3). */

import type { UndonePart } from './summary.ts'

/** Looks at the lines of a thread in order. */
export interface SegmentBorders {
  /** Takes the next line; whether a border stands before it. */
  crosses: (line: { segment: number; line: number; undone?: boolean }) => boolean
  /** Undone parts so far, in order. */
  undone: () => UndonePart[]
}

/** Follows the lines of a thread from the first one on. */
export function segmentBorders(): SegmentBorders {
  const parts: UndonePart[] = []
  let place: string | undefined
  return {
    crosses({ segment, line, undone = false }) {
      const before = place
      place = `${segment} ${undone}`
      if (place === before) return false
      if (undone) parts.push({ segment, from: line })
      return before !== undefined
    },
    undone: () => parts,
  }
}

/** Whether a revert undid a line of a segment. */
export function isUndone(parts: readonly UndonePart[], segment: number, line: number): boolean {
  return parts.some((part) => part.segment === segment && line >= part.from)
}
