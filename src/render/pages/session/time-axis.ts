/** The axis of a timeline: maps instants to per cent of its width. Long pauses are drawn shorter than they were. */

import { sumBy } from '../../../util/groups.ts'
import type { Span } from '../../../util/spans.ts'

/** A pause that is drawn much shorter than it was. `from` and `to` are per cent. */
export interface Break {
  from: number
  to: number
  ms: number
}

/** An axis with its breaks. */
export interface Axis {
  /** Position of an instant in per cent, 0 to 100; never decreases with time. */
  positionOf: (time: number) => number
  breaks: Break[]
  /** Where the axis begins and where it resumes after each break, in milliseconds since the epoch. */
  starts: number[]
}

interface Stretch {
  from: number
  to: number
  /** Length as drawn, in milliseconds; shorter than `to - from` for a shortened pause. */
  drawn: number
  busy: boolean
}

/** Length that all pauses together may take in a drawing, as a share of the busy time. */
const pauseShare = 0.5

/** A pause is marked as a break if it is drawn at less than this share of its length. */
const breakShare = 0.7

/** An axis from the first to the last instant over stretches of work, sorted by start. */
export function timeAxis(range: { from: number; to: number }, work: readonly Span[]): Axis {
  const stretches = stretchesOf(range, work)
  const busyMs = lengthOf(stretches.filter(({ busy }) => busy))
  const pauses = stretches.filter(({ busy }) => !busy)
  const longest = busyMs === 0 ? Number.POSITIVE_INFINITY : longestPause(pauses, busyMs * pauseShare)
  for (const pause of pauses) pause.drawn = Math.min(pause.drawn, longest)
  return axisOf(stretches)
}

/** Work and the pauses in between, without gaps or overlaps. */
function stretchesOf({ from, to }: { from: number; to: number }, work: readonly Span[]): Stretch[] {
  const stretches: Stretch[] = []
  let end = from
  const push = (until: number, busy: boolean): void => {
    if (until <= end) return
    stretches.push({ from: end, to: until, drawn: until - end, busy })
    end = until
  }
  for (const span of work) {
    push(Math.min(span.from, to), false)
    push(Math.min(span.to, to), true)
  }
  push(to, false)
  return stretches
}

function lengthOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** The length to which longer pauses are cut, so that all pauses together take at most `capacity`. */
function longestPause(pauses: readonly Stretch[], capacity: number): number {
  const lengths = pauses.map(({ drawn }) => drawn).sort((left, right) => left - right)
  let left = capacity
  for (const [index, length] of lengths.entries()) {
    const each = left / (lengths.length - index)
    if (length > each) return each
    left -= length
  }
  return Number.POSITIVE_INFINITY
}

function axisOf(stretches: readonly Stretch[]): Axis {
  const whole = sumBy(stretches, ({ drawn }) => drawn)
  const scale = whole === 0 ? 0 : 100 / whole
  const knots: { time: number; at: number; slope: number }[] = []
  const breaks: Break[] = []
  const starts = stretches[0] === undefined ? [] : [stretches[0].from]
  let at = 0
  for (const { from, to, drawn } of stretches) {
    const width = drawn * scale
    knots.push({ time: from, at, slope: width / (to - from) })
    if (drawn < (to - from) * breakShare) {
      breaks.push({ from: at, to: at + width, ms: to - from })
      starts.push(to)
    }
    at += width
  }
  return { positionOf: (time) => positionOn(knots, time), breaks, starts }
}

/** Position of an instant, by binary search, because a timeline has hundreds of marks. */
function positionOn(knots: readonly { time: number; at: number; slope: number }[], time: number): number {
  let low = 0
  let high = knots.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((knots[middle]?.time ?? time) <= time) low = middle
    else high = middle - 1
  }
  const knot = knots[low]
  if (knot === undefined) return 0
  return Math.min(100, Math.max(0, knot.at + (time - knot.time) * knot.slope))
}
