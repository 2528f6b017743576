/** Areas over the turns of a thread, each stacked on another. */
import type { AreaPlotView } from '../across-views.ts'
import { percent } from './columns.ts'
import { scaleOf } from './scale.ts'

/** Height of the highest line in pixels, with room above for its number. */
const height = 190
const top = 14
/** Units of the field's own width, which is stretched to what there is. */
const fieldWidth = 1000
/** A limit is drawn where the areas reach this share of it; a higher one would press them flat. */
const nearLimit = 0.25

/** One moment: where it stands, in turns from 0, and its values by series. */
export interface Moment {
  at: number
  values: readonly number[]
}

/** What is plotted. */
export interface Areas {
  /** In order; two moments at one place draw a step. */
  moments: readonly Moment[]
  turns: number
  /** Classes of the series, from the bottom up. */
  tones: readonly string[]
  /** A number at the side. */
  mark: (value: number) => string
  /** A line across, with its words. */
  limit?: { value: number; text: string }
}

/** Areas, lines and labels of a plot. */
export function areaPlot({
  moments,
  turns,
  tones,
  mark,
  limit,
}: Areas): Pick<AreaPlotView, 'height' | 'top' | 'width' | 'lines' | 'areas' | 'ticks' | 'limit'> {
  const most = moments.reduce((high, { values }) => Math.max(high, sum(values, values.length)), 0)
  const isNear = limit !== undefined && most >= limit.value * nearLimit
  const scale = scaleOf(isNear ? Math.max(most, limit.value) : most, 100)
  const highest = scale.at(-1) ?? 1
  const yOf = (value: number): number => height - (height * value) / highest
  const xOf = (at: number): number => (turns === 0 ? 0 : (fieldWidth * at) / turns)
  return {
    height: top + height,
    top,
    width: fieldWidth,
    lines: scale.map((value) => ({ y: Math.round(top + yOf(value)), text: mark(value) })),
    areas: tones.map((tone, index) => ({ tone, points: outline(moments, index, xOf, yOf) })),
    ticks: ticksOf(turns),
    ...(isNear ? { limit: { y: Math.round(top + yOf(limit.value)), text: limit.text } } : {}),
  }
}

/** Upper edge from left to right, lower edge back. */
function outline(
  moments: readonly Moment[],
  index: number,
  xOf: (at: number) => number,
  yOf: (value: number) => number,
): string {
  const edge = (count: number): string[] =>
    moments.map(({ at, values }) => `${round(xOf(at))},${round(yOf(sum(values, count)))}`)
  return [...edge(index + 1), ...edge(index).reverse()].join(' ')
}

/** Sum of the first values. */
function sum(values: readonly number[], count: number): number {
  return values.slice(0, count).reduce((total, value) => total + value, 0)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Numbers of turns, evenly spaced and none too near the right edge. */
function ticksOf(turns: number): AreaPlotView['ticks'] {
  const step = scaleOf(turns).at(1) ?? 1
  const numbers = Array.from({ length: Math.ceil(turns / step) }, (_, index) => 1 + index * step)
  return numbers
    .filter((number) => (number - 1) / turns < 0.85)
    .map((number) => ({ x: percent((100 * (number - 1)) / turns), text: `Turn ${number}` }))
}
