/** The timeline of a session as shapes on a band whose places are per cent of its width. */
import type { MarkKind, SessionOverview, Timeline, TimelineMark, TimelineSpan } from '../model/overview.ts'
import type { PagePlace } from '../model/view.ts'
import { formatAmount, formatDuration, formatInstant } from '../util/time.ts'
import type { TimelineView } from './session-views.ts'
import { type Axis, type Break, timeAxis } from './timeline-axis.ts'
import { tickViews } from './timeline-ticks.ts'
import { percent } from './token-bar.ts'

type BarsView = TimelineView['bars']

/** What drawing needs beside the times. */
export interface TimelinePlace {
  /** Link to a place of the thread. */
  href: (place: PagePlace) => string
  /** IANA zone of shown times. */
  timeZone: string
}

/** Per cent of the width that a bar takes at least. */
const leastWidth = 0.3

/** Breaks that carry their length as text; where there are more, the title alone tells it. */
const mostBreakTexts = 8

/** The view of a timeline; `undefined` where nothing was timed. */
export function timelineView({ timeline }: SessionOverview, place: TimelinePlace): TimelineView | undefined {
  if (timeline === undefined || timeline.turns.length === 0) return undefined
  const axis = timeAxis(timeline, timeline.turns)
  const named = axis.breaks.length <= mostBreakTexts
  return {
    bars: [
      ...bars(timeline.turns, { axis, place, kind: 'turn', many: 'turns' }),
      ...bars(timeline.work, { axis, place, kind: 'work', many: 'commands and calls' }),
    ],
    marks: timeline.marks.map((mark) => markView(mark, axis, place)),
    breaks: axis.breaks.map((item) => breakView(item, named)),
    ticks: tickViews(timeline, axis, place.timeZone),
    legend: legend(timeline),
    remark: remark(timeline, axis),
  }
}

interface Drawing {
  axis: Axis
  place: TimelinePlace
  kind: 'turn' | 'work'
  many: string
}

function bars(spans: readonly (TimelineSpan & { undone?: boolean })[], drawing: Drawing): BarsView {
  const { axis, place, kind, many } = drawing
  return spans.map((span) => {
    const from = axis.place(span.from)
    const width = Math.max(leastWidth, axis.place(span.to) - from)
    return {
      kind: span.undone ? 'undone' : kind,
      x: percent(Math.min(from, 100 - width)),
      width: percent(width),
      href: place.href(span),
      title: title(span, { many, timeZone: place.timeZone }),
    }
  })
}

/** `Turn 3 · 14:03 · 9 min 12 s`, or how many there are and which is the first. */
function title(
  { count, from, to, label }: TimelineSpan,
  { many, timeZone, word = '' }: { many: string; timeZone: string; word?: string },
): string {
  const first = [word, label].filter((part) => part !== '').join(': ')
  const what = count === 1 ? first : [formatAmount(count, many, many), `first ${label}`].slice(0, label === '' ? 1 : 2)
  const length = to > from ? [formatDuration(to - from)] : []
  const time = `${formatInstant(new Date(from).toISOString(), timeZone, 'minute')} ${timeZone}`
  return [...[what].flat(), time, ...length].join(' · ')
}

/** One and many of each kind. */
const markWords: Readonly<Record<MarkKind, readonly [one: string, many: string, title: string]>> = {
  failed: ['failed call', 'failed calls', 'Failed'],
  error: ['error', 'errors', 'Error'],
  compaction: ['compaction', 'compactions', 'Context compacted'],
  interrupted: ['interruption', 'interruptions', 'Interrupted'],
}

/** Shapes around the middle of 12 by 12 units: kinds differ by more than their colour. */
const markShapes: Readonly<Record<MarkKind, string>> = {
  failed: 'M-4 2H4L0 9Z',
  error: 'M-3.5 2.5 3.5 9.5M3.5 2.5-3.5 9.5',
  compaction: 'M-5 2.5V9.5L0 6ZM5 2.5V9.5L0 6Z',
  interrupted: 'M-3.5 2.5H3.5V9.5H-3.5Z',
}

function markView(mark: TimelineMark, axis: Axis, { href, timeZone }: TimelinePlace): TimelineView['marks'][number] {
  const [, many, word] = markWords[mark.kind]
  return {
    kind: mark.kind,
    x: percent(axis.place(mark.from)),
    shape: markShapes[mark.kind],
    href: href(mark),
    title: title(mark, { many, timeZone, word }),
  }
}

function breakView({ from, to, ms }: Break, named: boolean): TimelineView['breaks'][number] {
  const whole = formatDuration(ms)
  // The larger unit is enough: `3 d` of `3 d 2 h`.
  const text = whole.split(' ').slice(0, 2).join(' ')
  return {
    x: percent(from),
    width: percent(to - from),
    middle: percent((from + to) / 2),
    title: `Pause of ${whole}`,
    text: named && to - from > 5 ? text : '',
  }
}

function legend({ from, to, turnMs, workMs, marks }: Timeline): TimelineView['legend'] {
  const pause = to - from - turnMs
  const times = [
    { kind: 'turn' as const, ms: turnMs - workMs, name: 'Model' },
    { kind: 'work' as const, ms: workMs, name: 'Commands and tools' },
    { kind: 'pause' as const, ms: pause, name: 'Pauses' },
  ]
  const kinds = Object.keys(markWords) as MarkKind[] // the table is total
  return [
    ...times.flatMap(({ kind, ms, name }) => (ms > 0 ? [{ kind, text: `${name} ${formatDuration(ms)}` }] : [])),
    ...kinds.flatMap((kind) => {
      const count = marks.reduce((sum, mark) => sum + (mark.kind === kind ? mark.count : 0), 0)
      const [one, many] = markWords[kind]
      return count === 0 ? [] : [{ kind, shape: markShapes[kind], text: formatAmount(count, one, many) }]
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
