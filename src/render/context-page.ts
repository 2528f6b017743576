/** The view of the page that tells what the model remembers of a session. */
import {
  categoryNames,
  type MemoryCategory,
  type MemoryFacts,
  type MemoryPoint,
  memoryCategories,
  type RememberedItem,
} from '../model/memory.ts'
import type { ProjectRef } from '../model/summary.ts'
import type { Session } from '../model/trast.ts'
import { contextPage, placeLink, prunedAnchor, relativeLink, sessionPage } from '../model/urls.ts'
import type { PagePlace, SiteInfo } from '../model/view.ts'
import { defined } from '../util/defined.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import type { AreaPlotView, ContextView } from './across-views.ts'
import { pageView } from './page-view.ts'
import { areaPlot, type Moment } from './plots/areas.ts'
import { percent } from './plots/columns.ts'
import { formatCompact, percentText } from './words.ts'

/** Rows of the table below the plot. */
const mostRows = 200

/** Tones of plots. */
const tones = 8

/** What the page is made of. */
export interface ContextInput {
  session: Pick<Session, 'threadId' | 'title'>
  memory: MemoryFacts
  project: ProjectRef
  site: SiteInfo
}

/** The view for `html/context.eta`. */
export function contextView({ session, memory, project, site }: ContextInput): ContextView {
  const path = contextPage(session.threadId)
  const href = (place: PagePlace): string => relativeLink(path, placeLink(session.threadId, place))
  const title = `What the model remembers · ${session.title} · ${project.name}`
  const series = seriesOf(memory)
  return {
    ...pageView(path, title, site, { description: `What the model remembers of “${session.title}”, item by item.` }),
    heading: 'What the model remembers',
    session: { text: session.title, href: relativeLink(path, sessionPage(session.threadId)) },
    summary: summaryOf(memory),
    plot: plotOf(memory, series, href),
    drops: memory.points.flatMap((point, index) => dropOf(point, memory.points[index - 1], href)),
    totals: totalsOf(memory),
    items: memory.items.map((item) => rowOf(item, series, href)),
    rest: memory.moreItems === 0 ? '' : `Not listed: ${formatAmount(memory.moreItems, 'older item')}.`,
    itemsHeading: `${formatAmount(memory.items.length + memory.moreItems, 'item')} at the end`,
    ...prunedOf(memory, series, href),
  }
}

/** A category with a tone, or several that share the last one. */
interface MemorySeries {
  name: string
  tone: string
  categories: readonly MemoryCategory[]
}

/** Categories that the memory ever had, in their order; the smallest share a tone where there are many. */
function seriesOf({ points }: MemoryFacts): MemorySeries[] {
  const peak = (category: MemoryCategory): number =>
    points.reduce((high, { tokens }) => Math.max(high, tokens[category] ?? 0), 0)
  const used = memoryCategories.filter((category) => peak(category) > 0)
  const bySize = used.toSorted((a, b) => peak(b) - peak(a))
  const small = new Set(used.length > tones ? bySize.slice(tones - 1) : [])
  const own = used.filter((category) => !small.has(category))
  const series = own.map((category, index) => ({
    name: categoryNames[category].many,
    tone: `s${index}`,
    categories: [category],
  }))
  return small.size === 0 ? series : [...series, { name: 'others', tone: `s${own.length}`, categories: [...small] }]
}

function tokensIn({ tokens }: Pick<MemoryPoint, 'tokens'>, { categories }: MemorySeries): number {
  return categories.reduce((sum, category) => sum + (tokens[category] ?? 0), 0)
}

function sumOf({ tokens }: Pick<MemoryPoint, 'tokens'>): number {
  return Object.values(tokens).reduce((sum, value) => sum + value, 0)
}

function summaryOf({ totals, items, moreItems, next, window }: MemoryFacts): string {
  const tokens = Object.values(totals).reduce((sum, total) => sum + total.tokens, 0)
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
  href: (place: PagePlace) => string,
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
          formatCount(sumOf(point)),
          point.recorded === undefined ? '' : formatCount(point.recorded),
        ],
      }))
      .reverse(),
  }
}

/** Places of moments, in turns from 0; several compactions of a turn share its width. */
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
  // What stands before the first turn is there from the beginning.
  return first === undefined || first.at === 0 ? moments : [{ at: 0, point: emptyPoint }, ...moments]
}

const emptyPoint: MemoryPoint = { turn: 0, moment: 'end', tokens: {} }

function courseText({ points, turns, window }: MemoryFacts): string {
  const most = points.reduce((high, point) => (sumOf(point) > sumOf(high) ? point : high), emptyPoint)
  const compactions = points.filter(({ moment }) => moment === 'compacted').length
  const drops = compactions === 0 ? '' : `, with ${formatAmount(compactions, 'compaction')}`
  const limit = window === undefined ? '' : ` The window holds ${formatCount(window)}.`
  return `Estimated tokens over ${formatAmount(turns, 'turn')}${drops}; most, ${formatCount(sumOf(most))}, ${inTurn(most)}.${limit}`
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

/** So many of the moments that a table can be read, the last among them. */
function thinned(points: readonly MemoryPoint[]): readonly MemoryPoint[] {
  const step = Math.ceil(points.length / mostRows)
  return points.filter((_, index) => (points.length - 1 - index) % step === 0)
}

function dropOf(
  point: MemoryPoint,
  before: MemoryPoint | undefined,
  href: (place: PagePlace) => string,
): ContextView['drops'] {
  if (point.moment !== 'compacted' || before === undefined) return []
  const text = point.turn === 0 ? 'Before turn 1' : `Turn ${formatCount(point.turn)}`
  const change = `${formatCompact(sumOf(before))} to ${formatCompact(sumOf(point))} tokens`
  return [{ text, change, ...defined({ href: point.place === undefined ? undefined : href(point.place) }) }]
}

function totalsOf({ totals, dropped = {} }: MemoryFacts): ContextView['totals'] {
  const rows = memoryCategories.filter((category) => totals[category] !== undefined || dropped[category] !== undefined)
  const isCompacted = Object.keys(dropped).length > 0
  return {
    columns: ['', 'Items', 'Tokens', ...(isCompacted ? ['Dropped items', 'Dropped tokens'] : [])],
    rows: rows.map((category) => {
      const [now, gone] = [totals[category], dropped[category]]
      const numbers = [now?.items, now?.tokens, ...(isCompacted ? [gone?.items, gone?.tokens] : [])]
      return { name: categoryNames[category].many, cells: numbers.map((value) => formatCount(value ?? 0)) }
    }),
    remark: isCompacted ? 'Dropped: by the last compaction.' : '',
  }
}

/** What was pruned: the transcript tells of it still, the model knows nothing of it. */
function prunedOf(
  { pruned }: MemoryFacts,
  series: readonly MemorySeries[],
  href: (place: PagePlace) => string,
): Pick<ContextView, 'pruned'> {
  if (pruned === undefined) return {}
  const { items, more } = pruned
  const tokens = items.reduce((sum, item) => sum + item.tokens, 0)
  const rest = more === 0 ? '' : ` Not listed: ${formatAmount(more, 'further item')}.`
  return {
    pruned: {
      id: prunedAnchor,
      heading: `${formatAmount(items.length + more, 'item')} pruned`,
      remark: `Taken out of the rollout: about ${formatCount(tokens)} tokens. A backup has them.${rest}`,
      items: items.map((item) => rowOf(item, series, href)),
    },
  }
}

function rowOf(
  { category, preview, tokens, turn, synthetic, place }: RememberedItem,
  series: readonly MemorySeries[],
  href: (place: PagePlace) => string,
): ContextView['items'][number] {
  const about = [
    categoryNames[category].one,
    ...(turn === undefined ? [] : [`turn ${formatCount(turn)}`]),
    ...(synthetic ? ['put in by Codex'] : []),
  ]
  return {
    tone: series.find(({ categories }) => categories.includes(category))?.tone ?? 's7',
    text: preview,
    about: about.join(' · '),
    tokens: formatCount(tokens),
    ...defined({ href: place === undefined ? undefined : href(place) }),
  }
}
