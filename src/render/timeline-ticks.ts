/** Labels below a timeline: as many as fit, on a wide page and on a narrow one. */
import type { Timeline } from '../model/overview.ts'
import { formatInstant } from '../util/time.ts'
import type { TickView } from './session-views.ts'
import type { Axis } from './timeline-axis.ts'
import { percent } from './token-bar.ts'

/** Width of a timeline in characters of a label, with room between labels: on a page of 46 rem and on a phone. */
const columns = { wide: 120, narrow: 54 }

interface Candidate {
  time: number
  at: number
  anchor: TickView['anchor']
}

/** Up to this length a timeline's labels tell seconds. */
const shortMs = 10 * 60 * 1000

/** Start and end, where work went on after a pause, then starts of turns: in this order they take their room. */
export function tickViews(timeline: Timeline, axis: Axis, timeZone: string): TickView[] {
  const wide = room(columns.wide)
  const narrow = room(columns.narrow)
  const texts = labels(timeline, axis, timeZone)
  const ticks: (TickView & { time: number })[] = []
  const seen = new Set<string>()
  for (const { time, at, anchor } of candidates(timeline, axis)) {
    const text = texts.get(time) ?? ''
    if (seen.has(text) || !wide.takes(at, text.length, anchor)) continue
    seen.add(text)
    const minor = !narrow.takes(at, text.length, anchor)
    ticks.push({ x: percent(at), anchor, text, minor, iso: isoOf(time), time })
  }
  return ticks.sort((left, right) => left.time - right.time).map(({ time: _time, ...tick }) => tick)
}

function isoOf(time: number): string {
  return new Date(time).toISOString()
}

/** The time of day by instant; the first one of each further day has month and day before it. */
function labels(timeline: Timeline, axis: Axis, timeZone: string): Map<number, string> {
  const short = timeline.to - timeline.from < shortMs
  const texts = new Map<number, string>()
  let day = formatInstant(isoOf(timeline.from), timeZone, 'day')
  const times = candidates(timeline, axis).map(({ time }) => time)
  for (const time of times.sort((left, right) => left - right)) {
    if (texts.has(time)) continue
    const whole = formatInstant(isoOf(time), timeZone, short ? 'second' : 'minute')
    texts.set(time, whole.slice(whole.startsWith(day) ? 11 : 5))
    day = whole.slice(0, 10)
  }
  return texts
}

function candidates({ from, to, turns }: Timeline, { place, starts }: Axis): Candidate[] {
  const inner = [...starts, ...turns.map((turn) => turn.from)]
  return [
    { time: from, at: 0, anchor: 'start' },
    { time: to, at: 100, anchor: 'end' },
    ...inner.map((time): Candidate => ({ time, at: place(time), anchor: 'middle' })),
  ]
}

/** A row that texts take room on. */
function room(width: number): { takes: (at: number, length: number, anchor: TickView['anchor']) => boolean } {
  const taken: [from: number, to: number][] = []
  return {
    takes(at, length, anchor) {
      const share = (100 * (length + 2)) / width
      const before = { start: 0, middle: share / 2, end: share }[anchor]
      const [from, to] = [at - before, at - before + share]
      if (from < -0.01 || to > 100.01 || taken.some(([start, end]) => from < end && to > start)) return false
      taken.push([from, to])
      return true
    },
  }
}
