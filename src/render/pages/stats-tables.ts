/** Sums of the page of numbers: totals of all sessions, and tokens with their cost by project and model. */

import type { PriceTable } from '../../config/prices.ts'
import { type Cost, costOf, sumCosts } from '../../transcript/cost.ts'
import { sumUsage } from '../../transcript/stats.ts'
import type { SessionDetail, SessionSummary } from '../../transcript/summary.ts'
import type { Usage } from '../../transcript/trast.ts'
import { projectPage, relativeLink, statsPath } from '../../transcript/urls.ts'
import { compareText } from '../../util/compare.ts'
import { defined } from '../../util/own.ts'
import { formatAmount, formatCount, formatDuration } from '../../util/time.ts'
import type { BarsView, StatsView } from '../cross-session-views.ts'
import { formatCompact, percentText } from '../phrases.ts'
import { percent } from '../plots.ts'
import { cutBytes, placeBytes } from './rows.ts'
import { formatMoney } from './totals.ts'

/** Projects and models in a table. */
const maxRows = 20

/** Tokens of one project by model. */
interface ProjectUsage {
  name: string
  usage: Record<string, Usage>
}

/** Adds up tokens by project and model. */
export interface UsageCollector {
  add: (summary: SessionSummary, detail: Pick<SessionDetail, 'usage'>) => void
  projects: ReadonlyMap<string, ProjectUsage>
  models: Readonly<Record<string, Usage>>
}

/** A collector without a token. */
export function usageCollector(): UsageCollector {
  const projects = new Map<string, ProjectUsage>()
  const models: Record<string, Usage> = Object.create(null)
  return {
    projects,
    models,
    add({ project }, { usage }) {
      const entry = projects.get(project.slug) ?? { name: project.name, usage: Object.create(null) }
      projects.set(project.slug, entry)
      for (const [model, used] of Object.entries(usage)) {
        entry.usage[model] = sumUsage(entry.usage[model], used)
        models[model] = sumUsage(models[model], used)
      }
    },
  }
}

/** Sums over all sessions, those that are not zero. */
export function totalsView(
  sessions: readonly SessionSummary[],
  usage: UsageCollector,
  prices?: PriceTable,
): StatsView['totals'] {
  const sum = (of: (summary: SessionSummary) => number | undefined) =>
    sessions.reduce((total, summary) => total + (of(summary) ?? 0), 0)
  const [commands, failed] = [sum(({ commands }) => commands.total), sum(({ commands }) => commands.failed)]
  const [added, removed] = [sum(({ edits }) => edits.added), sum(({ edits }) => edits.removed)]
  const tokens = tokensOf(usage.models)
  const cached = Object.values(usage.models).reduce((total, { cached }) => total + cached, 0)
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
  return Object.values(usage).reduce((sum, { total }) => sum + total, 0)
}

function moneyOf(cost: Cost | undefined): string {
  return cost?.amount === undefined ? '' : `${formatMoney(cost.amount)} ${cost.currency}`
}

/** Tokens and cost by project and by model, the most tokens first, with what the prices leave out. */
export function usageTables({ projects, models }: UsageCollector, table?: PriceTable): BarsView[] {
  // A column in which nothing has a price tells nothing.
  const prices = table !== undefined && costOf(models, table)?.amount !== undefined ? table : undefined
  const rows = [...projects].map(([slug, { name, usage }]) => ({
    name: cutBytes(name, placeBytes),
    href: relativeLink(statsPath, projectPage(slug)),
    usage,
  }))
  const ofModels = Object.entries(models).map(([name, used]) => ({
    name: cutBytes(name, placeBytes),
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
  rows: { name: string; href?: string; usage: Record<string, Usage> }[]
  prices: PriceTable | undefined
  remark: string
}

function tableOf({ id, of, rows, prices, remark }: UsageRows): BarsView {
  const sized = rows
    .map((row) => ({ ...row, tokens: tokensOf(row.usage) }))
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => b.tokens - a.tokens || compareText(a.name, b.name))
  const all = sized.reduce((sum, { tokens }) => sum + tokens, 0)
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
    remark: [remark, rest > 0 ? `${formatAmount(rest, `more ${of}`)} used fewer.` : '']
      .filter((part) => part !== '')
      .join(' '),
  }
}

/** `12.30 USD`, and for which share of the tokens where not all of them have a price. */
function costCell(cost: Cost | undefined, tokens: number): string {
  const money = moneyOf(cost)
  if (cost === undefined || money === '') return 'no price'
  return cost.unpriced === 0 ? money : `${money} for ${percentText(tokens - cost.unpriced, tokens)}`
}

/** How much of the tokens has a price, and what has none. */
function pricedText(models: Readonly<Record<string, Usage>>, prices: PriceTable): string {
  const cost = sumCosts([costOf(models, prices) ?? []].flat())
  if (cost === undefined) return ''
  const all = tokensOf(models)
  const lacking = Object.keys(models).filter(
    (name) => !Object.hasOwn(prices.models, name) && (models[name]?.total ?? 0) > 0,
  )
  const names = lacking.slice(0, 5).map((name) => cutBytes(name, placeBytes))
  const more = lacking.length > names.length ? ` and ${formatCount(lacking.length - names.length)} more` : ''
  const none = names.length === 0 ? '' : ` No price is known for ${names.join(', ')}${more}.`
  return `${percentText(all - cost.unpriced, all)} of the tokens have a price.${none} These are prices of requests through the API; what a subscription costs is another matter.`
}

/** The prices of models that were used, each with its source and day. */
export function pricesView(models: Readonly<Record<string, Usage>>, prices?: PriceTable): StatsView['prices'] {
  if (prices === undefined) return []
  return Object.entries(prices.models)
    .filter(([name]) => (models[name]?.total ?? 0) > 0)
    .map(([name, { input, cached, output, source, date = prices.date }]) => ({
      name: cutBytes(name, placeBytes),
      cells: [input, cached, output].map((price) => `${price} ${prices.currency}`),
      date,
      ...defined({ source: source === undefined ? undefined : { text: new URL(source).host, href: source } }),
    }))
}
