/** The timeline of a session as shapes on a band; positions are per cent of its width. */

import type { MarkKind, SessionOverview, Timeline, TimelineMark, TimelineSpan } from '../../../transcript/overview.ts'
import type { PageAnchor } from '../../../transcript/urls.ts'
import { sumBy } from '../../../util/groups.ts'
import type { Span } from '../../../util/spans.ts'
import { joinTexts } from '../../../util/text.ts'
import { formatAmount, formatDuration, formatInstant } from '../../../util/time.ts'
import { mixedTime } from '../../phrases.ts'
import { percent } from '../../plots.ts'
import type { TickView, TimelineView } from './views.ts'

type BarsView = TimelineView['bars']

/** What drawing needs in addition to the times. */
interface TimelineContext {
  /** Link to an anchor of the thread. */
  href: (target: PageAnchor) => string
  /** Link to a turn. */
  turnHref: (target: PageAnchor) => string
  /** IANA zone of shown times. */
  timeZone: string
  /** Calls, or whole turns, were left out of the session. */
  lacks: { calls: boolean; turns: boolean }
}

/** Smallest width of a bar, in per cent of the whole width. */
const minWidth = 0.3

/** A timeline is shown from this many events on, or from this much time on. */
const minimum = { events: 3, ms: 60_000 }

/** The view of a timeline; `undefined` if it would say nothing. */
export function timelineView({ timeline }: SessionOverview, context: TimelineContext): TimelineView | undefined {
  if (timeline === undefined || timeline.turns.length === 0) return undefined
  const { turns, work, marks, from, to } = timeline
  if (turns.length + work.length + marks.length < minimum.events && to - from < minimum.ms) return undefined
  const axis = timeAxis(timeline, turns)
  return {
    bars: [
      ...bars(turns, { axis, context, kind: 'turn', many: 'turns' }),
      ...bars(work, { axis, context, kind: 'work', many: 'commands and calls' }),
    ],
    marks: marks.map((mark) => markView(mark, axis, context)),
    breaks: axis.breaks.map(breakView),
    ticks: tickViews(timeline, axis, context.timeZone),
    summary: joinTexts([...legend(timeline, context.lacks), remark(timeline, axis)], '. '),
  }
}

function bars(
  spans: readonly (TimelineSpan & { undone?: boolean })[],
  { axis, context, kind, many }: { axis: Axis; context: TimelineContext; kind: 'turn' | 'work'; many: string },
): BarsView {
  return spans.map((span) => {
    const from = axis.positionOf(span.from)
    const width = Math.max(minWidth, axis.positionOf(span.to) - from)
    return {
      kind: span.undone ? 'undone' : kind,
      x: percent(Math.min(from, 100 - width)),
      width: percent(width),
      href: kind === 'turn' ? context.turnHref(span) : context.href(span),
      title: title(span, { many, timeZone: context.timeZone }),
    }
  })
}

/** `Turn 3 · 14:03 · 9 min 12 s`; for several spans drawn as one, their number and the first of them. */
function title(
  { count, from, to, label, durationMs }: TimelineSpan & { durationMs?: number },
  { many, timeZone, word = '' }: { many: string; timeZone: string; word?: string },
): string {
  const first = joinTexts([word, label], ': ')
  const what = count === 1 ? first : [formatAmount(count, many, many), `first ${label}`].slice(0, label === '' ? 1 : 2)
  const ms = count === 1 && durationMs !== undefined ? durationMs : to - from
  const length = ms > 0 ? [formatDuration(ms)] : []
  const time = `${formatInstant(new Date(from).toISOString(), timeZone, 'minute')} ${timeZone}`
  return [...[what].flat(), time, ...length].join(' · ')
}

/** Words for one and for many of each kind, and for the title of a mark. */
const markWords: Readonly<Record<MarkKind, readonly [one: string, many: string, title: string]>> = {
  failed: ['failed command', 'failed commands', 'Failed'],
  edit: ['failed edit', 'failed edits', 'Failed'],
  tool: ['failed tool call', 'failed tool calls', 'Failed'],
  error: ['error', 'errors', 'Error'],
  compaction: ['compaction', 'compactions', 'Context compacted'],
  interrupted: ['interruption', 'interruptions', 'Interrupted'],
}

/** Shapes of 12 by 12 units, horizontally centred on 0, so that kinds differ by more than their colour. */
const markShapes: Readonly<Record<MarkKind, string>> = {
  failed: 'M-4 2H4L0 9Z',
  edit: 'M-4 9L4 9 0 2Z',
  tool: 'M0 2 4 6 0 10-4 6Z',
  error: 'M-3.5 2.5 3.5 9.5M3.5 2.5-3.5 9.5',
  compaction: 'M-5 2.5V9.5L0 6ZM5 2.5V9.5L0 6Z',
  interrupted: 'M-3.5 2.5H3.5V9.5H-3.5Z',
}

function markView(mark: TimelineMark, axis: Axis, { href, timeZone }: TimelineContext): TimelineView['marks'][number] {
  const [, many, word] = markWords[mark.kind]
  return {
    kind: mark.kind,
    x: percent(axis.positionOf(mark.from)),
    shape: markShapes[mark.kind],
    href: href(mark),
    title: title(mark, { many, timeZone, word }),
  }
}

/** Smallest width of a break with a symbol, in per cent: symbols of many short breaks would cover what is between them. */
const minSigned = 2

function breakView({ from, to, ms }: Break): TimelineView['breaks'][number] {
  const width = to - from
  const sign = width < minSigned ? {} : { sign: percent((from + to) / 2) }
  return { x: percent(from), width: percent(width), ...sign, title: `Pause of ${formatDuration(ms)}` }
}

/** The timeline in words: where the time went, and what happened. */
function legend({ from, to, turnMs, workMs, marks }: Timeline, lacks: TimelineContext['lacks']): string[] {
  const times: [ms: number, name: string][] = [
    [turnMs - workMs, lacks.calls ? mixedTime : 'Model'],
    [workMs, 'Commands and tools'],
    // Differences below a second are not pauses: the instants of neighbouring records differ slightly.
    [Math.floor((to - from - turnMs) / 1000) * 1000, lacks.turns ? 'Pauses and turns left out' : 'Pauses'],
  ]
  const kinds = Object.keys(markWords) as MarkKind[] // the table is total
  return [
    ...times.flatMap(([ms, name]) => (ms > 0 ? [`${name} ${formatDuration(ms)}`] : [])),
    ...kinds.flatMap((kind) => {
      const count = sumBy(marks, (mark) => (mark.kind === kind ? mark.count : 0))
      const [one, many] = markWords[kind]
      return count === 0 ? [] : [formatAmount(count, one, many)]
    }),
  ]
}

function remark({ turns, work, marks }: Timeline, { breaks }: Axis): string {
  const parts = [
    ...(breaks.length === 0 ? [] : ['long pauses are drawn shorter']),
    ...([...turns, ...work, ...marks].some(({ count }) => count > 1)
      ? ['what lies close together is drawn as one']
      : []),
  ]
  const text = parts.join(', ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

// Labels below a timeline: as many as fit, on a wide page and on a narrow one.

/** Width of a timeline in characters of a label, including the space between labels: on a page of 46 rem and on a phone. */
const columns = { wide: 120, narrow: 54 }

interface Candidate {
  time: number
  at: number
  anchor: TickView['anchor']
}

/** The labels of a timeline that is shorter than this show seconds. */
const shortMs = 10 * 60 * 1000

/** A label with its instant as a reader's clock shows it, `2026-03-01 10:00`; a minor one is on wide pages only. */
interface Label extends Candidate {
  whole: string
  minor: boolean
}

/** Labels for the start and end, for where work resumed after a pause, and for starts of turns; placed in this order. */
function tickViews(timeline: Timeline, axis: Axis, timeZone: string): TickView[] {
  const unit = timeline.to - timeline.from < shortMs ? 'second' : 'minute'
  let labels: Label[] = []
  for (const candidate of candidates(timeline, axis)) {
    const whole = formatInstant(isoOf(candidate.time), timeZone, unit)
    if (labels.some((label) => label.whole === whole)) continue
    const more = [false, true].map((minor) => withLabel(labels, { ...candidate, whole, minor }))
    labels = more.find((all) => haveSpace(all)) ?? labels
  }
  return textsOf(labels).map(([{ at, anchor, minor, time }, text]) => {
    return { x: percent(at), anchor, text, minor, iso: isoOf(time) }
  })
}

function isoOf(time: number): string {
  return new Date(time).toISOString()
}

function withLabel(labels: readonly Label[], label: Label): Label[] {
  return [...labels, label].sort((left, right) => left.time - right.time)
}

/** Labels with their texts: the time of day, after month and day on the first of each further day, also of those on a phone. */
function textsOf(labels: readonly Label[]): [label: Label, text: string][] {
  let [day, majorDay] = [dayOf(labels[0]), dayOf(labels[0])]
  return labels.map((label) => {
    const isDated = dayOf(label) !== day || (!label.minor && dayOf(label) !== majorDay)
    day = dayOf(label)
    if (!label.minor) majorDay = day
    return [label, label.whole.slice(isDated ? 5 : 11)]
  })
}

function dayOf(label: Label | undefined): string | undefined {
  return label?.whole.slice(0, 10)
}

function haveSpace(labels: readonly Label[]): boolean {
  const texts = textsOf(labels)
  return (
    isApart(texts, columns.wide) &&
    isApart(
      texts.filter(([{ minor }]) => !minor),
      columns.narrow,
    )
  )
}

/** Whether no text of a row overlaps the one before it, or an end of the row. */
function isApart(texts: readonly (readonly [label: Label, text: string])[], width: number): boolean {
  let end = -0.01
  return texts.every(([{ at, anchor }, { length }]) => {
    const share = (100 * (length + 2)) / width
    const from = at - { start: 0, middle: share / 2, end: share }[anchor]
    const isFree = from >= end && from + share <= 100.01
    end = from + share
    return isFree
  })
}

function candidates({ from, to, turns }: Timeline, { positionOf, starts }: Axis): Candidate[] {
  const inner = [...starts, ...turns.map((turn) => turn.from)]
  return [
    { time: from, at: 0, anchor: 'start' },
    { time: to, at: 100, anchor: 'end' },
    ...inner.map((time): Candidate => ({ time, at: positionOf(time), anchor: 'middle' })),
  ]
}

// The axis of a timeline: maps instants to per cent of its width. Long pauses are drawn shorter than they were.

/** A pause that is drawn much shorter than it was. `from` and `to` are per cent. */
interface Break {
  from: number
  to: number
  ms: number
}

/** An axis with its breaks. */
interface Axis {
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
  const busyMs = sumBy(stretches, ({ from, to, busy }) => (busy ? to - from : 0))
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
