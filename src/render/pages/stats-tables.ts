/** Sums for the stats page: totals of all sessions, tokens and cost by project and by model, numbers over time. */

import type { PriceTable } from '../../config/prices.ts'
import { type Cost, costOf } from '../../transcript/cost.ts'
import type { SessionDetail, SessionSummary, WorkTimes } from '../../transcript/summary.ts'
import type { Usage } from '../../transcript/trast.ts'
import { projectPage, relativeLink, statsPath } from '../../transcript/urls.ts'
import { sumUsage } from '../../transcript/usage.ts'
import { compareText } from '../../util/compare.ts'
import { sumBy } from '../../util/groups.ts'
import { defined, ownValue, setOwn } from '../../util/own.ts'
import { joinTexts } from '../../util/text.ts'
import { formatAmount, formatCount, formatDuration } from '../../util/time.ts'
import type { BarsView, StatsView } from '../cross-session-views.ts'
import { dayOf, undated } from '../dates.ts'
import { formatCompact, percentText } from '../phrases.ts'
import { percent, type Steps, stepsOver } from '../plots.ts'
import { cutName } from './rows.ts'
import { formatMoney } from './totals.ts'

/** Projects and models in a table. */
const maxRows = 20

/** Tokens of one project by model. */
interface ProjectUsage {
  name: string
  usage: Readonly<Record<string, Usage>>
}

/** Adds up tokens by project and model. */
interface UsageCollector {
  add: (slug: string, name: string, usage: Readonly<Record<string, Usage>>) => void
  projects: ReadonlyMap<string, ProjectUsage>
  models: Readonly<Record<string, Usage>>
}

/** An empty collector. */
export function usageCollector(): UsageCollector {
  const projects = new Map<string, ProjectUsage>()
  const { add, models } = modelUsage()
  return {
    projects,
    models,
    add(slug, name, usage) {
      projects.set(slug, { name, usage })
      add(usage)
    },
  }
}

/** Adds up tokens by model. */
export function modelUsage(): { add: (usage: Readonly<Record<string, Usage>>) => void; models: Record<string, Usage> } {
  const models: Record<string, Usage> = Object.create(null)
  return {
    models,
    add(usage) {
      for (const [model, used] of Object.entries(usage)) models[model] = sumUsage(models[model], used)
    },
  }
}

/** Sums over all sessions, without those that are zero. */
export function totalsView(
  sessions: readonly SessionSummary[],
  usage: UsageCollector,
  prices?: PriceTable,
): StatsView['totals'] {
  const sum = (of: (summary: SessionSummary) => number | undefined) => sumBy(sessions, (summary) => of(summary) ?? 0)
  const [commands, failed] = [sum(({ commands }) => commands.total), sum(({ commands }) => commands.failed)]
  const [added, removed] = [sum(({ edits }) => edits.added), sum(({ edits }) => edits.removed)]
  const tokens = tokensOf(usage.models)
  const cached = sumBy(Object.values(usage.models), ({ cached }) => cached)
  const cost = prices && costOf(usage.models, prices)
  const rows: [name: string, value: string, note?: string][] = [
    ['Sessions', number(sessions.length)],
    ['Turns', number(sum(({ turns }) => turns))],
    ['Active time', formatDuration(sum(({ activeMs }) => activeMs))],
    ['Commands', number(commands), failed === 0 ? '' : `${percentText(failed, commands)} failed`],
    ['Lines changed', number(added + removed), `+${formatCount(added)} \u2212${formatCount(removed)}`],
    ['Commits', number(sum(({ commits }) => commits))],
    ['Pull requests', number(sum(({ pullRequests }) => pullRequests))],
    [
      'Tokens',
      tokens === 0 ? '' : formatCompact(tokens),
      cached === 0 ? '' : `${percentText(cached, tokens)} from the cache`,
    ],
    [
      'Cost',
      moneyOf(cost),
      cost === undefined ? '' : `for ${percentText(tokens - cost.unpriced, tokens)} of the tokens`,
    ],
  ]
  return rows.flatMap(([name, value, note]) =>
    value === '' || value === '0' || value === '0 ms' ? [] : [{ name, value, note: note ?? '' }],
  )
}

function number(count: number): string {
  return count === 0 ? '' : formatCount(count)
}

function tokensOf(usage: Readonly<Record<string, Usage>>): number {
  return sumBy(Object.values(usage), ({ total }) => total)
}

function moneyOf(cost: Cost | undefined): string {
  return cost?.amount === undefined ? '' : `${formatMoney(cost.amount)}\u00A0${cost.currency}`
}

/** Tokens and cost by project and by model, the most tokens first, with a remark on tokens without a price. */
export function usageTables({ projects, models }: UsageCollector, table?: PriceTable): BarsView[] {
  // A cost column without a single price would say nothing.
  const prices = table !== undefined && costOf(models, table)?.amount !== undefined ? table : undefined
  const rows = [...projects].map(([slug, { name, usage }]) => ({
    name: cutName(name),
    href: relativeLink(statsPath, projectPage(slug)),
    usage,
  }))
  const ofModels = Object.entries(models).map(([name, used]) => ({
    name: cutName(name),
    usage: { [name]: used },
  }))
  return [
    tableOf({ id: 'projects', of: 'project', rows, prices, remark: '' }),
    tableOf({
      id: 'models',
      of: 'model',
      rows: ofModels,
      prices,
      remark: prices === undefined ? '' : pricedText(models, prices),
    }),
  ]
}

interface UsageRows {
  id: string
  of: 'project' | 'model'
  rows: { name: string; href?: string; usage: Readonly<Record<string, Usage>> }[]
  prices: PriceTable | undefined
  remark: string
}

function tableOf({ id, of, rows, prices, remark }: UsageRows): BarsView {
  const sized = rows
    .map((row) => ({ ...row, tokens: tokensOf(row.usage) }))
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => b.tokens - a.tokens || compareText(a.name, b.name))
  const all = sumBy(sized, ({ tokens }) => tokens)
  const rest = sized.length - maxRows
  return {
    id,
    heading: `Tokens${prices !== undefined ? ' and cost' : ''} by ${of}`,
    columns: [of === 'project' ? 'Project' : 'Model', 'Tokens', 'Share', ...(prices !== undefined ? ['Cost'] : [])],
    rows: sized.slice(0, maxRows).map(({ name, href, usage, tokens }) => ({
      name,
      width: percent((100 * tokens) / (sized[0]?.tokens ?? 1)),
      ...defined({ href }),
      cells: [
        formatCompact(tokens),
        percentText(tokens, all),
        ...(prices !== undefined ? [costCell(costOf(usage, prices), tokens)] : []),
      ],
    })),
    remark: joinTexts([remark, rest > 0 ? `${formatAmount(rest, `more ${of}`)} used less.` : ''], ' '),
  }
}

/** `12.30 USD`, with the share of tokens that have a price if not all do. */
function costCell(cost: Cost | undefined, tokens: number): string {
  const money = moneyOf(cost)
  if (cost === undefined || money === '') return 'no price'
  return cost.unpriced === 0 ? money : `${money} for ${percentText(tokens - cost.unpriced, tokens)}`
}

/** Which share of the tokens has a price, and which models have none. */
function pricedText(models: Readonly<Record<string, Usage>>, prices: PriceTable): string {
  const cost = costOf(models, prices)
  if (cost === undefined) return ''
  const all = tokensOf(models)
  const lacking = Object.keys(models).filter(
    (name) => !Object.hasOwn(prices.models, name) && (models[name]?.total ?? 0) > 0,
  )
  const names = lacking.slice(0, 5).map((name) => cutName(name))
  const more = lacking.length > names.length ? ` and ${formatCount(lacking.length - names.length)} more` : ''
  const none = names.length === 0 ? '' : ` No price is known for ${names.join(', ')}${more}.`
  return `${percentText(all - cost.unpriced, all)} of the tokens have a price.${none} These are prices of requests through the API; what a subscription costs is another matter.`
}

/** The prices of the models that were used, each with its source and day. */
export function pricesView(models: Readonly<Record<string, Usage>>, prices?: PriceTable): StatsView['prices'] {
  if (prices === undefined) return []
  return Object.entries(prices.models)
    .filter(([name]) => (models[name]?.total ?? 0) > 0)
    .map(([name, { input, cached, output, source, date = prices.date }]) => ({
      name: cutName(name),
      cells: [input, cached, output].map((price) => `${price} ${prices.currency}`),
      date,
      ...defined({ source: source === undefined ? undefined : { text: new URL(source).host, href: source } }),
    }))
}

// Numbers of all sessions over time.

/** Sums over the sessions by the week or month in which they began. */
export interface NumbersCollector {
  steps: Steps
  sessions: number[]
  runs: number[]
  failed: number[]
  /** Turns by hour of the day. */
  hours: number[]
  /** Tokens by model. */
  tokens: Map<string, number[]>
  times: WorkTimes
  /** Sessions that are in no step: without a date (`undated`), or too far from the others in time (`distant`). */
  undated: number
  distant: number
  add: (part: NumbersPart) => void
}

/** Sums over the sessions of one project: by day, because the steps depend on all sessions. */
export interface NumbersPart {
  days: Record<string, DayNumbers>
  hours: number[]
  times: WorkTimes
}

interface DayNumbers {
  sessions: number
  runs: number
  failed: number
  /** By model. */
  tokens: Record<string, number>
}

/** Adds up the sessions of a project. */
export function numbersOf(timeZone: string): {
  add: (summary: SessionSummary, detail: SessionDetail) => void
  part: NumbersPart
} {
  const part: NumbersPart = { days: {}, hours: noHours(), times: noTimes() }
  return {
    part,
    add({ startedAt }, detail) {
      addTimes(part.times, detail.times)
      for (const [hour, count] of detail.hours.entries()) increase(part.hours, hour, count)
      const name = dayOf(startedAt, timeZone)
      const day = part.days[name] ?? { sessions: 0, runs: 0, failed: 0, tokens: {} }
      part.days[name] = day
      day.sessions++
      for (const { runs, failed } of [...Object.values(detail.programs), detail.omitted.programs]) {
        day.runs += runs
        day.failed += failed
      }
      for (const [model, { total }] of Object.entries(detail.usage))
        setOwn(day.tokens, model, (ownValue(day.tokens, model) ?? 0) + total)
    },
  }
}

/** An empty collector with the steps for some sessions. */
export function numbersCollector(summaries: readonly SessionSummary[], timeZone: string): NumbersCollector {
  const steps = stepsOver(
    summaries.map(({ startedAt }) => startedAt),
    timeZone,
  )
  const row = (): number[] => steps.starts.map(() => 0)
  const collector: NumbersCollector = {
    steps,
    sessions: row(),
    runs: row(),
    failed: row(),
    hours: noHours(),
    tokens: new Map(),
    times: noTimes(),
    undated: 0,
    distant: 0,
    add({ days, hours, times }) {
      addTimes(collector.times, times)
      for (const [hour, count] of hours.entries()) increase(collector.hours, hour, count)
      for (const [name, day] of Object.entries(days)) {
        const step = steps.indexOf(name)
        if (step !== undefined) addDay(collector, step, day)
        else if (name === undated) collector.undated += day.sessions
        else collector.distant += day.sessions
      }
    },
  }
  return collector
}

function addDay(sums: NumbersCollector, step: number, { sessions, runs, failed, tokens }: DayNumbers): void {
  increase(sums.sessions, step, sessions)
  increase(sums.runs, step, runs)
  increase(sums.failed, step, failed)
  for (const [model, total] of Object.entries(tokens)) {
    const row = sums.tokens.get(model) ?? sums.steps.starts.map(() => 0)
    sums.tokens.set(model, row)
    increase(row, step, total)
  }
}

function noHours(): number[] {
  return new Array<number>(24).fill(0)
}

function noTimes(): WorkTimes {
  return { model: 0, commands: 0, tools: 0, idle: 0 }
}

function addTimes(sum: WorkTimes, { model, mixed = 0, commands, tools, idle }: WorkTimes): void {
  sum.model += model
  sum.mixed = (sum.mixed ?? 0) + mixed
  sum.commands += commands
  sum.tools += tools
  sum.idle += idle
}

function increase(row: number[], step: number, by: number): void {
  row[step] = (row[step] ?? 0) + by
}
