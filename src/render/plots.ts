/** Columns over time, each of one or more series stacked on each other. */

import { compareText } from '../util/compare.ts'
import { countBy, sumBy } from '../util/groups.ts'
import type { PlotView } from './cross-session-views.ts'
import { dayNumber, dayOf, dayOfNumber, monthShort, monthTitle, shortDayTitle, undated } from './dates.ts'

/** Height of the highest line in pixels, and the space above it for its number. */
const height = 150
const top = 14
/** With fewer steps, space is left at the right, so that columns do not become too wide. */
const minSteps = 16
/** Share of a step that its column fills, and the smallest height in pixels that is still visible. */
const fill = 0.78
const lowest = 1.5
/** Labels below a plot. */
const maxTicks = 5

/** One series: a value for each step. */
export interface Series {
  name: string
  tone: string
  values: readonly number[]
}

/** What is plotted. */
interface Columns {
  steps: Steps
  /** From the bottom up. */
  series: readonly Series[]
  /** Formats a value with its unit, for the label of a column. */
  say: (value: number, step: number, name: string) => string
  /** Formats a number at the side. */
  mark: (value: number) => string
  /** Smallest step between the lines. */
  minStep?: number
}

/** The sum of all series at each step. */
export function totalsOf({ starts }: Steps, series: readonly Pick<Series, 'values'>[]): number[] {
  return starts.map((_, step) => sumBy(series, ({ values }) => values[step] ?? 0))
}

/** Bars, lines and labels of a plot. */
export function columnPlot({
  steps,
  series,
  say,
  mark,
  minStep: smallest,
}: Columns): Pick<PlotView, 'height' | 'lines' | 'bars' | 'ticks'> {
  const { starts, unit } = steps
  const totals = totalsOf(steps, series)
  const scale = scaleOf(Math.max(0, ...totals), smallest)
  const highest = scale.at(-1) ?? 1
  const width = 100 / Math.max(starts.length, minSteps)
  const yOf = (value: number): number => top + height - (height * value) / highest
  const bars = starts.flatMap((start, step) => {
    let below = 0
    return series.flatMap(({ name, tone, values }) => {
      const value = values[step] ?? 0
      if (value <= 0) return []
      const tall = Math.max(lowest, yOf(below) - yOf(below + value))
      const bar = {
        x: percent((step + (1 - fill) / 2) * width),
        y: pixels(yOf(below) - tall),
        width: percent(fill * width),
        height: pixels(tall),
        tone,
        title: `${stepTitle(start, unit)}: ${say(value, step, name)}`,
      }
      below += value
      return [bar]
    })
  })
  const lines = scale.map((value) => ({ y: Math.round(yOf(value)), text: mark(value) }))
  return { height: top + height, lines, bars, ticks: ticksOf(steps, width) }
}

/**
 * Evenly thinned labels where a month, a year or a quarter of the day begins: none near the right edge, and none for an
 * incomplete first group if the next label is too near.
 */
function ticksOf({ starts, unit }: Steps, width: number): PlotView['ticks'] {
  const begins = starts
    .map((start, step) => ({ start, step }))
    .filter(({ start, step }) => step === 0 || groupOf(start, unit) !== groupOf(starts[step - 1] ?? '', unit))
  const stride = Math.ceil(begins.length / maxTicks)
  return begins
    .filter((_, index) => index % stride === 0)
    .filter(({ step }) => step * width < 82)
    .filter(
      ({ step }, index, ticks) => index > 0 || ((ticks[1]?.step ?? Number.POSITIVE_INFINITY) - step) * width >= 20,
    )
    .map(({ start, step }) => ({ x: percent(step * width), text: tickText(start, unit) }))
}

function groupOf(start: string, unit: Steps['unit']): string {
  if (unit === 'hour') return String(Math.floor(Number(start) / 6))
  return unit === 'week' ? start.slice(0, 7) : start.slice(0, 4)
}

function tickText(start: string, unit: Steps['unit']): string {
  if (unit === 'hour') return stepTitle(start, unit)
  return unit === 'month' ? start.slice(0, 4) : `${monthShort(start.slice(0, 7))} ${start.slice(0, 4)}`
}

/** `12.5%`, with at most two digits after the point. */
export function percent(value: number): string {
  return `${Math.round(value * 100) / 100}%`
}

function pixels(value: number): string {
  return String(Math.round(value * 10) / 10)
}

// Round numbers at the side of a plot.

/** Values for horizontal lines: 0 and one to four multiples of a round step, the last one not below `highest`. */
export function scaleOf(highest: number, minStep = 1): number[] {
  const step = Math.max(minStep, roundUp(highest / 4))
  const count = Math.max(1, Math.ceil(highest / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** The next number of the form 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 5].find((candidate) => candidate * power >= value) ?? 10
  return factor * power
}

// Weeks and months as equal steps of a plot.

/** Weeks that are plotted one by one; a longer history is plotted by months. */
const maxWeeks = 104
/** Months that are plotted; of a longer history the span with most sessions, so that one wrong clock does not hide the rest. */
const maxMonths = 120

/** Steps from the first to the newest instant that is plotted, without gaps, oldest first. */
export interface Steps {
  unit: 'week' | 'month' | 'hour'
  /** First day of each step, `YYYY-MM-DD`; for hours of the day two digits. */
  starts: string[]
  /** Index of a day's step; `undefined` for `undated` and for days before the first or after the last step. */
  indexOf: (day: string) => number | undefined
}

/** Steps over the fullest span of some instants in a zone, by week or, if it is longer than `maxWeeks`, by month. */
export function stepsOver(instants: readonly (string | undefined)[], timeZone: string): Steps {
  const days = instants.map((at) => dayOf(at, timeZone)).filter((day) => day !== undated)
  const [first, last] = fullestSpan(countBy(days, (day) => day))
  if (first === undefined || last === undefined) return { unit: 'week', starts: [], indexOf: () => undefined }
  const weeks = weeksBetween(first, last)
  const isLong = weeks > maxWeeks
  const starts = isLong ? monthStarts(first, last) : weekStarts(first, weeks)
  const indices = new Map(starts.map((start, index) => [start, index]))
  const startOf = (day: string): string => (isLong ? `${day.slice(0, 7)}-01` : mondayOf(day))
  const indexOf = (day: string) => (day === undated ? undefined : indices.get(startOf(day)))
  return { unit: isLong ? 'month' : 'week', starts, indexOf }
}

/**
 * First and last day of the ten years with the most sessions, the newest of equals; empty if no session has a date. All
 * drawings over time use it, because one wrong clock would move the end of a calendar by decades.
 */
export function fullestSpan(
  sessions: ReadonlyMap<string, number>,
): readonly [] | readonly [first: string, last: string] {
  const days = [...sessions].filter(([day]) => day !== undated).sort(([a], [b]) => compareText(a, b))
  let [from, count, highest] = [0, 0, 0]
  let best: readonly [] | readonly [string, string] = []
  for (const [last, added] of days) {
    count += added
    for (let first = days[from]; first && monthNumber(last) - monthNumber(first[0]) >= maxMonths; first = days[++from])
      count -= first[1]
    if (count < highest) continue
    highest = count
    best = [days[from]?.[0] ?? last, last]
  }
  return best
}

/** `Week of 3 November 2026`, `November 2026` or `09:00`. */
export function stepTitle(start: string, unit: Steps['unit']): string {
  if (unit === 'hour') return `${start}:00`
  return unit === 'week' ? `Week of ${shortDayTitle(start)}` : monthTitle(start.slice(0, 7))
}

/** Monday of a day's week. 1970-01-01 was a Thursday. */
function mondayOf(day: string): string {
  const number = dayNumber(day)
  return dayOfNumber(number - ((number + 3) % 7))
}

function weeksBetween(first: string, last: string): number {
  return (dayNumber(mondayOf(last)) - dayNumber(mondayOf(first))) / 7 + 1
}

function weekStarts(first: string, count: number): string[] {
  const start = dayNumber(mondayOf(first))
  return Array.from({ length: count }, (_, index) => dayOfNumber(start + 7 * index))
}

function monthStarts(first: string, last: string): string[] {
  const [start, end] = [monthNumber(first), monthNumber(last)]
  return Array.from({ length: end - start + 1 }, (_, index) => {
    const number = start + index
    const year = String(Math.floor(number / 12)).padStart(4, '0')
    return `${year}-${String((number % 12) + 1).padStart(2, '0')}-01`
  })
}

function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}
