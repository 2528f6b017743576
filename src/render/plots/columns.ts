/** Columns over time, each of one or more series stacked on another. */
import type { PlotView } from '../across-views.ts'
import { monthShort } from '../dates.ts'
import { scaleOf } from './scale.ts'
import { type Steps, stepTitle } from './spans.ts'

/** Height of the highest line in pixels, with room above for its number. */
const height = 150
const top = 14
/** Fewer steps leave room at the right, so that a column stays a column. */
const fewestSteps = 16
/** Share of a step that its column fills, and height in pixels below which nothing would be seen. */
const fill = 0.78
const lowest = 1.5
/** Labels below a plot. */
const mostTicks = 5

/** One series: a value for each step. */
export interface Series {
  name: string
  tone: string
  values: readonly number[]
}

/** What is plotted. */
export interface Columns {
  steps: Steps
  /** From the bottom up. */
  series: readonly Series[]
  /** A value with its unit, for the label of a column. */
  say: (value: number, step: number, name: string) => string
  /** A number at the side. */
  mark: (value: number) => string
  /** Smallest step between the lines. */
  smallest?: number
}

/** Bars, lines and labels of a plot. */
export function columnPlot({
  steps,
  series,
  say,
  mark,
  smallest,
}: Columns): Pick<PlotView, 'height' | 'lines' | 'bars' | 'ticks'> {
  const { starts, unit } = steps
  const totals = starts.map((_, step) => series.reduce((sum, { values }) => sum + (values[step] ?? 0), 0))
  const scale = scaleOf(Math.max(0, ...totals), smallest)
  const highest = scale.at(-1) ?? 1
  const width = 100 / Math.max(starts.length, fewestSteps)
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

/** A label where a month or a year begins, evenly spaced and none too near the right edge. */
function ticksOf({ starts, unit }: Steps, width: number): PlotView['ticks'] {
  const begins = starts
    .map((start, step) => ({ start, step }))
    .filter(({ start, step }) => step === 0 || groupOf(start, unit) !== groupOf(starts[step - 1] ?? '', unit))
  const stride = Math.ceil(begins.length / mostTicks)
  return begins
    .filter((_, index) => index % stride === 0)
    .filter(({ step }) => step * width < 82)
    .map(({ start, step }) => ({ x: percent(step * width), text: tickText(start, unit) }))
}

function groupOf(start: string, unit: Steps['unit']): string {
  return unit === 'week' ? start.slice(0, 7) : start.slice(0, 4)
}

function tickText(start: string, unit: Steps['unit']): string {
  return unit === 'month' ? start.slice(0, 4) : `${monthShort(start.slice(0, 7))} ${start.slice(0, 4)}`
}

/** `12.5%`, with at most two digits behind the point. */
export function percent(value: number): string {
  return `${Math.round(value * 100) / 100}%`
}

function pixels(value: number): string {
  return String(Math.round(value * 10) / 10)
}
