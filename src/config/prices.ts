/** Prices that a user gave. */

/** Price of a million tokens of one model. */
export interface ModelPrice {
  /** Input that was not read from the provider's cache. */
  input: number
  /** Input from the cache. */
  cached: number
  output: number
  /** Input that was written to the cache; without it such input costs as any other. */
  cacheWrite?: number
}

/** A dated price table. */
export interface PriceTable {
  /** Day on which the prices held, `YYYY-MM-DD`; shown with every cost. */
  date: string
  /** ISO 4217 code, for example `USD`. */
  currency: string
  /** By the model's name as the rollout has it. */
  models: Readonly<Record<string, ModelPrice>>
}

// Reads the price table of a configuration file.

/** A price table, or `undefined` for what is none: also a key that does not exist, a negative price, a day that never was. */
export function pricesFrom(value: unknown): PriceTable | undefined {
  const table = fields(value, ['date', 'currency', 'models'])
  const { date, currency, models } = table ?? {}
  if (!isDay(date) || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return undefined
  const entries = Object.entries(object(models) ?? {}).map(([name, price]) => [name, priceFrom(price)] as const)
  const known = entries.flatMap(([name, price]) => (price === undefined ? [] : [[name, price] as const]))
  if (known.length === 0 || known.length < entries.length) return undefined
  return { date, currency, models: Object.fromEntries(known) }
}

function priceFrom(value: unknown): ModelPrice | undefined {
  const { input, cached, output, cacheWrite } = fields(value, ['input', 'cached', 'output', 'cacheWrite']) ?? {}
  if (!isPrice(input) || !isPrice(cached) || !isPrice(output)) return undefined
  if (cacheWrite === undefined) return { input, cached, output }
  return isPrice(cacheWrite) ? { input, cached, output, cacheWrite } : undefined
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}

function object(value: unknown): Record<string, unknown> | undefined {
  // Any object may be read by key.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** An object that holds no other keys. */
function fields(value: unknown, known: readonly string[]): Record<string, unknown> | undefined {
  const found = object(value)
  return found === undefined || Object.keys(found).some((key) => !known.includes(key)) ? undefined : found
}
