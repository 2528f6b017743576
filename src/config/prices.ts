/** Prices: those that ship with the package, and those that a user gives. */

import { isObject } from '../util/json.ts'
import { defined } from '../util/own.ts'

/** Price of a million tokens of a model. */
export interface ModelPrice {
  /** Input that did not come from the provider's cache. */
  input: number
  /** Input that came from the cache. */
  cached: number
  output: number
  /** Input that was written to the cache; without it, such input costs as much as any other. */
  cacheWrite?: number
  /** Address at which the price was read, and the day (`YYYY-MM-DD`) if it differs from that of the table. */
  source?: string
  date?: string
}

/** A dated price table. */
export interface PriceTable {
  /** Day on which the prices applied, `YYYY-MM-DD`; shown with every cost. */
  date: string
  /** ISO 4217 code, for example `USD`. */
  currency: string
  /** Prices by the name of the model, as in rollouts. */
  models: Readonly<Record<string, ModelPrice>>
}

// List prices of requests of ordinary length through OpenAI's API, each as its source gave it on that day. A model without such a
// source has no price.

const llmPrices = {
  source: 'https://github.com/simonw/llm-prices/blob/397ec5f/data/openai.json',
  date: '2026-08-05',
}
const codexPrices = {
  source: 'https://fernando-nog.netlify.app/gpt-coding-model-costs-2026/',
  date: '2026-05-05',
}

/** The price table that ships with the package. */
export const listPrices: PriceTable = {
  date: '2026-08-05',
  currency: 'USD',
  models: {
    'gpt-5': { input: 1.25, cached: 0.125, output: 10, ...llmPrices },
    'gpt-5-mini': { input: 0.25, cached: 0.025, output: 2, ...llmPrices },
    'gpt-5-nano': { input: 0.05, cached: 0.005, output: 0.4, ...llmPrices },
    'gpt-5-codex': { input: 1.25, cached: 0.125, output: 10, ...codexPrices },
    'gpt-5.1': { input: 1.25, cached: 0.125, output: 10, ...llmPrices },
    'gpt-5.1-codex': { input: 1.25, cached: 0.125, output: 10, ...llmPrices },
    'gpt-5.1-codex-mini': { input: 0.25, cached: 0.025, output: 2, ...llmPrices },
    'gpt-5.1-codex-max': { input: 1.25, cached: 0.125, output: 10, ...codexPrices },
    'gpt-5.2': { input: 1.75, cached: 0.175, output: 14, ...llmPrices },
    'gpt-5.2-codex': { input: 1.75, cached: 0.175, output: 14, ...codexPrices },
    'gpt-5.3-codex': { input: 1.75, cached: 0.175, output: 14, ...codexPrices },
    'gpt-5.4': { input: 2.5, cached: 0.25, output: 15, ...llmPrices },
    'gpt-5.4-mini': { input: 0.75, cached: 0.075, output: 4.5, ...llmPrices },
    'gpt-5.4-nano': { input: 0.2, cached: 0.02, output: 1.25, ...llmPrices },
    'gpt-5.5': { input: 5, cached: 0.5, output: 30, ...llmPrices },
    'gpt-5.6-sol': { input: 5, cached: 0.5, output: 30, ...llmPrices },
    'gpt-5.6-terra': { input: 2, cached: 0.2, output: 12, ...llmPrices },
    'gpt-5.6-luna': { input: 0.2, cached: 0.02, output: 1.2, ...llmPrices },
  },
}

// Reading the price table of a configuration file.

const priceKeys = ['input', 'cached', 'output', 'cacheWrite', 'source', 'date'] as const

/** A table in which no model has a price. */
const noPrices: PriceTable = { ...listPrices, models: {} }

/**
 * A price table; for `false`, one without prices. `undefined` if the value is not valid, for example because of an unknown key, a
 * negative price or a day that does not exist.
 */
export function pricesFrom(value: unknown): PriceTable | undefined {
  if (value === false) return noPrices
  const table = fields(value, ['date', 'currency', 'models'])
  const { date, currency, models } = table ?? {}
  if (!isDay(date) || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return undefined
  const entries = Object.entries(isObject(models) ? models : {}).map(
    ([name, price]) => [name, priceFrom(price)] as const,
  )
  const valid = entries.flatMap(([name, price]) => (price === undefined ? [] : [[name, price] as const]))
  if (valid.length === 0 || valid.length < entries.length) return undefined
  return { date, currency, models: Object.fromEntries(valid) }
}

function priceFrom(value: unknown): ModelPrice | undefined {
  const { input, cached, output, ...rest } = fields(value, [...priceKeys]) ?? {}
  const { cacheWrite, source, date } = rest
  if (!isPrice(input) || !isPrice(cached) || !isPrice(output)) return undefined
  if (cacheWrite !== undefined && !isPrice(cacheWrite)) return undefined
  if (source !== undefined && !(typeof source === 'string' && /^https:\/\/\S+$/.test(source))) return undefined
  if (date !== undefined && !isDay(date)) return undefined
  return { input, cached, output, ...defined({ cacheWrite, source, date }) }
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}

/** The value as an object, if it has only known keys. */
function fields(value: unknown, allowed: readonly string[]): Record<string, unknown> | undefined {
  return isObject(value) && Object.keys(value).every((key) => allowed.includes(key)) ? value : undefined
}
