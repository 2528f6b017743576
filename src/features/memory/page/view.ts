/** The view of the page about what the model remembers of a session. */

import type { AreaPlotView, ContextView } from '../../../render/cross-session-views.ts'
import { pageView } from '../../../render/pages/page-view.ts'
import { formatCompact, percentText } from '../../../render/phrases.ts'
import { percent, scaleOf } from '../../../render/plots.ts'
import type { SiteInfo } from '../../../render/site-info.ts'
import type { ProjectRef } from '../../../transcript/summary.ts'
import type { Session } from '../../../transcript/trast.ts'
import {
  anchorLink,
  contextPage,
  type PageAnchor,
  prunedAnchor,
  relativeLink,
  sessionPage,
} from '../../../transcript/urls.ts'
import { sumBy, sumOfCounts } from '../../../util/groups.ts'
import { defined } from '../../../util/own.ts'
import { formatAmount, formatCount } from '../../../util/time.ts'
import {
  categoriesIn,
  categoryNames,
  type MemoryCategory,
  type MemoryFacts,
  type MemoryPoint,
  type MemoryShares,
  type RememberedItem,
  sumOf,
} from '../history/categories.ts'

/** Rows of the table below the plot. */
const maxRows = 200

/** What the page is made from. */
interface ContextInput {
  session: Pick<Session, 'threadId' | 'title'>
  memory: MemoryFacts
  project: ProjectRef
  /** Number of pages of the session. */
  pages: number
  site: SiteInfo
}

/** The view for `html/context.eta`. */
export function contextView({ session, memory, project, pages, site }: ContextInput): ContextView {
  const path = contextPage(session.threadId)
  const href = (anchor: PageAnchor): string => relativeLink(path, anchorLink(session.threadId, { ...anchor, pages }))
  const title = `What the model remembers · ${session.title} · ${project.name}`
  const rows = (items: readonly RememberedItem[]) => items.map((item) => rowOf(item, href))
  return {
    ...pageView(path, title, site, { description: `What the model remembers of “${session.title}”, item by item.` }),
    heading: 'What the model remembers',
    session: { text: session.title, href: relativeLink(path, sessionPage(session.threadId)) },
    summary: summaryOf(memory),
    plot: plotOf(memory, seriesOf(memory), href),
    drops: memory.points.flatMap((point, index) => dropOf(point, memory.points[index - 1], href)),
    totals: totalsOf(memory),
    shares: [
      sharesOf('tools', 'By tool and program', 'Tool or program', memory.byTool),
      sharesOf('files', 'By file', 'File', memory.byFile),
    ].filter(({ rows: { length } }) => length > 0),
    largest: rows(memory.largest),
    items: rows(memory.items),
    rest: memory.moreItems === 0 ? '' : `Not listed: ${formatAmount(memory.moreItems, 'older item')}.`,
    itemsHeading: `${formatAmount(memory.items.length + memory.moreItems, 'item')} at the end`,
    ...droppedOf(memory, rows),
    ...prunedOf(memory, rows),
  }
}

function sharesOf(
  id: string,
  heading: string,
  name: string,
  { listed, more }: MemoryShares,
): ContextView['shares'][number] {
  const rows = listed.map(({ name: text, items, tokens }) => ({
    name: text,
    cells: [formatCount(items), formatCount(tokens)],
  }))
  const rest = `Not listed: ${formatCount(more.names)} with fewer tokens, ${formatCount(more.tokens)} together.`
  return { id, heading, columns: [name, 'Items', 'Tokens'], rows, remark: more.names === 0 ? '' : rest }
}

/** Categories that share a tone. Tones are the same on the pages of all sessions. */
interface MemorySeries {
  name: string
  tone: string
  categories: readonly MemoryCategory[]
}

/** All tones with their categories, in the order of the plot. */
const series: readonly (Omit<MemorySeries, 'name'> & { many?: string })[] = [
  { tone: 's0', categories: ['userMessage', 'agentMessage'], many: 'user and agent messages' },
  { tone: 's1', categories: ['assistantMessage'] },
  { tone: 's2', categories: ['reasoning'] },
  { tone: 's3', categories: ['toolCall', 'webSearch'], many: 'tool calls, web searches' },
  { tone: 's4', categories: ['toolOutput'] },
  { tone: 's5', categories: ['image'] },
  {
    tone: 's6',
    categories: ['environmentContext', 'userInstructions', 'developer', 'injected'],
    many: 'instructions and context',
  },
  { tone: 's7', categories: ['compactionSummary'] },
]

const toneOf = new Map(series.flatMap(({ tone, categories }) => categories.map((category) => [category, tone])))

/** The series that the memory ever had. If only one category of a series was used, the series has its name. */
function seriesOf({ points }: MemoryFacts): MemorySeries[] {
  const isUsed = (category: MemoryCategory): boolean => points.some(({ tokens }) => (tokens[category] ?? 0) > 0)
  return series.flatMap(({ tone, categories, many }) => {
    const used = categories.filter(isUsed)
    const [first] = used
    if (first === undefined) return []
    return [{ tone, categories, name: used.length > 1 ? (many ?? '') : categoryNames[first].many }]
  })
}

function tokensIn({ tokens }: Pick<MemoryPoint, 'tokens'>, { categories }: MemorySeries): number {
  return sumBy(categories, (category) => tokens[category] ?? 0)
}

function summaryOf({ totals, items, moreItems, next, window }: MemoryFacts): string {
  const tokens = sumBy(Object.values(totals), (total) => total.tokens)
  const first = `${formatAmount(items.length + moreItems, 'item')} of about ${formatCount(tokens)} tokens go with the next request.`
  const whole =
    next === undefined
      ? ''
      : ` By what Codex counted, instructions and tools included, it is about ${formatCount(next)}.`
  const share = window === undefined ? '' : ` That is ${percentText(next ?? tokens, window)} of the model's window.`
  return `${first}${whole}${share}`
}

function plotOf(
  memory: MemoryFacts,
  series: readonly MemorySeries[],
  href: (anchor: PageAnchor) => string,
): AreaPlotView {
  const { points, turns, window } = memory
  const moments = momentsOf(points).map(
    ({ at, point }): Moment => ({ at, values: series.map((one) => tokensIn(point, one)) }),
  )
  const last = points.at(-1)
  return {
    id: 'course',
    heading: 'Tokens from turn to turn',
    summary: courseText(memory),
    ...areaPlot({
      moments,
      turns: Math.max(1, turns),
      tones: series.map(({ tone }) => tone),
      mark: formatCompact,
      ...(window === undefined ? {} : { limit: { value: window, text: `window of ${formatCompact(window)}` } }),
    }),
    marks: momentsOf(points).flatMap(({ at, point }) => {
      if (point.moment !== 'compacted' || point.place === undefined) return []
      const x = percent((100 * at) / Math.max(1, turns))
      return [{ x, href: href(point.place), title: `Compaction in turn ${point.turn}` }]
    }),
    series: series.map((one) => ({
      tone: one.tone,
      name: one.name,
      total: last === undefined ? '' : formatCompact(tokensIn(last, one)),
    })),
    columns: ['Moment', ...series.map(({ name }) => name), 'In all', 'Recorded'],
    rows: thinned(points)
      .map((point) => ({
        name: momentName(point),
        cells: [
          ...series.map((one) => formatCount(tokensIn(point, one))),
          formatCount(sumOfCounts(point.tokens)),
          point.recorded === undefined ? '' : formatCount(point.recorded),
        ],
      }))
      .reverse(),
  }
}

/** Positions of moments, in turns from 0; several compactions in a turn divide its width. */
function momentsOf(points: readonly MemoryPoint[]): { at: number; point: MemoryPoint }[] {
  const inTurn = new Map<number, number>()
  for (const { turn, moment } of points) if (moment === 'full') inTurn.set(turn, (inTurn.get(turn) ?? 0) + 1)
  let [turn, seen] = [0, 0]
  const moments = points.map((point) => {
    if (point.turn !== turn) [turn, seen] = [point.turn, 0]
    if (point.moment === 'full') seen++
    const within = point.moment === 'end' ? 1 : seen / ((inTurn.get(turn) ?? 0) + 1)
    return { at: Math.max(0, turn - 1 + within), point }
  })
  const [first] = moments
  // What comes before the first turn is there from the start.
  return first === undefined || first.at === 0 ? moments : [{ at: 0, point: emptyPoint }, ...moments]
}

const emptyPoint: MemoryPoint = { turn: 0, moment: 'end', tokens: {} }

function courseText({ points, turns, window }: MemoryFacts): string {
  const highest = points.reduce(
    (high, point) => (sumOfCounts(point.tokens) > sumOfCounts(high.tokens) ? point : high),
    emptyPoint,
  )
  const compactions = points.filter(({ moment }) => moment === 'compacted').length
  const drops = compactions === 0 ? '' : `, with ${formatAmount(compactions, 'compaction')}`
  const limit = window === undefined ? '' : ` The window holds ${formatCount(window)}.`
  return `Estimated tokens over ${formatAmount(turns, 'turn')}${drops}; peak: ${formatCount(sumOfCounts(highest.tokens))} ${inTurn(highest)}.${limit}`
}

function inTurn({ turn }: MemoryPoint): string {
  return turn === 0 ? 'before the first turn' : `in turn ${formatCount(turn)}`
}

function momentName({ turn, moment }: MemoryPoint): string {
  if (turn === 0) return 'Before turn 1'
  const name = `Turn ${formatCount(turn)}`
  if (moment === 'end') return name
  return moment === 'full' ? `${name}, before a compaction` : `${name}, behind it`
}

/** At most `maxRows` of the moments, evenly spaced, including the last. */
function thinned(points: readonly MemoryPoint[]): readonly MemoryPoint[] {
  const step = Math.ceil(points.length / maxRows)
  return points.filter((_, index) => (points.length - 1 - index) % step === 0)
}

function dropOf(
  point: MemoryPoint,
  before: MemoryPoint | undefined,
  href: (anchor: PageAnchor) => string,
): ContextView['drops'] {
  if (point.moment !== 'compacted' || before === undefined) return []
  const text = point.turn === 0 ? 'Before turn 1' : `Turn ${formatCount(point.turn)}`
  const change = `${formatCompact(sumOfCounts(before.tokens))} to ${formatCompact(sumOfCounts(point.tokens))} tokens`
  return [{ text, change, ...defined({ href: point.place === undefined ? undefined : href(point.place) }) }]
}

function totalsOf({ totals, dropped = {} }: MemoryFacts): ContextView['totals'] {
  const isCompacted = Object.keys(dropped).length > 0
  return {
    columns: ['', 'Items', 'Tokens', ...(isCompacted ? ['Dropped items', 'Dropped tokens'] : [])],
    rows: categoriesIn(totals, dropped).map((category) => {
      const [now, lost] = [totals[category], dropped[category]]
      const numbers = [now?.items, now?.tokens, ...(isCompacted ? [lost?.items, lost?.tokens] : [])]
      return { name: categoryNames[category].many, cells: numbers.map((value) => formatCount(value ?? 0)) }
    }),
    remark: isCompacted ? 'Dropped by the last compaction.' : '',
  }
}

type Rows = (items: readonly RememberedItem[]) => ContextView['items']

/** A section of items that the model no longer has. */
function removedSection(
  { items, more, tokens }: { items: readonly RememberedItem[]; more: number; tokens: number },
  rows: Rows,
  text: { id: string; what: string; remark: (tokens: string) => string; kind: string },
): NonNullable<ContextView['dropped']> {
  const rest = more === 0 ? '' : ` Not listed: ${formatAmount(more, text.kind)}.`
  return {
    id: text.id,
    heading: `${formatAmount(items.length + more, 'item')} ${text.what}`,
    remark: text.remark(formatCount(tokens)) + rest,
    items: rows(items),
  }
}

/** What the last compaction removed, item by item. */
function droppedOf({ droppedItems, dropped = {} }: MemoryFacts, rows: Rows): Pick<ContextView, 'dropped'> {
  if (droppedItems === undefined || droppedItems.items.length === 0) return {}
  const remark = (tokens: string): string => `About ${tokens} tokens that the model no longer sees.`
  const what = 'dropped by the last compaction'
  const all = { ...droppedItems, tokens: sumOf(dropped).tokens }
  return { dropped: removedSection(all, rows, { id: 'dropped', what, remark, kind: 'older item' }) }
}

/** What was pruned: the transcript still shows it, but the model no longer has it. */
function prunedOf({ pruned }: MemoryFacts, rows: Rows): Pick<ContextView, 'pruned'> {
  if (pruned === undefined) return {}
  const remark = (tokens: string): string => `Taken out of the rollout: about ${tokens} tokens. A backup has them.`
  return { pruned: removedSection(pruned, rows, { id: prunedAnchor, what: 'pruned', remark, kind: 'further item' }) }
}

function rowOf(
  { category, preview, tokens, turn, synthetic, outOfWindow, place }: RememberedItem,
  href: (anchor: PageAnchor) => string,
): ContextView['items'][number] {
  const about = [
    categoryNames[category].one,
    ...(turn === undefined ? [] : [`turn ${formatCount(turn)}`]),
    ...(synthetic ? ['put in by Codex'] : []),
    ...(outOfWindow ? ['dropped by the model'] : []),
  ]
  return {
    tone: toneOf.get(category) ?? 's7',
    text: preview,
    about: about.join(' · '),
    tokens: formatCount(tokens),
    ...defined({ href: place === undefined ? undefined : href(place) }),
  }
}

// A plot of areas over the turns of a thread, stacked on one another.

/** Height of the highest line in pixels, and the space above it for its number. */
const height = 190
const top = 14
/** Width of the plot in its own units; it is stretched to the available width. */
const fieldWidth = 1000
/** A limit is drawn only if the areas reach this share of it, because a higher one would flatten them. */
const nearLimit = 0.25

/** One moment: its position in turns from 0, and its values by series. */
interface Moment {
  at: number
  values: readonly number[]
}

/** What is plotted. */
interface Areas {
  /** In order; two moments at the same position draw a step. */
  moments: readonly Moment[]
  turns: number
  /** Classes of the series, from the bottom up. */
  tones: readonly string[]
  /** The label of a value at the side. */
  mark: (value: number) => string
  /** A line across, with its label. */
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
  const peak = moments.reduce((high, { values }) => Math.max(high, sum(values, values.length)), 0)
  const isNear = limit !== undefined && peak >= limit.value * nearLimit
  const scale = scaleOf(isNear ? Math.max(peak, limit.value) : peak, 100)
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

/** The outline of an area: its upper edge from left to right, and its lower edge back. */
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

/** The sum of the first `count` values. */
function sum(values: readonly number[], count: number): number {
  return values.slice(0, count).reduce((total, value) => total + value, 0)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Labels of turns, evenly spaced and none too near the right edge. */
function ticksOf(turns: number): AreaPlotView['ticks'] {
  const step = scaleOf(turns).at(1) ?? 1
  const numbers = Array.from({ length: Math.ceil(turns / step) }, (_, index) => 1 + index * step)
  return numbers
    .filter((number) => (number - 1) / turns < 0.85)
    .map((number) => ({ x: percent((100 * (number - 1)) / turns), text: `Turn ${number}` }))
}
