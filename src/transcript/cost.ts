/** Computes what tokens cost from a table of prices. Rollouts record no cost (rollout-format 7). */

import type { ModelPrice, PriceTable } from '../config/prices.ts'
import type { Usage } from '../rollout/terms.ts'
import { sumBy } from '../util/groups.ts'
import { ownValue } from '../util/own.ts'

/** The cost of some tokens. */
export interface Cost {
  /** Absent if no token had a price. */
  amount?: number
  currency: string
  /** Day of the prices. */
  date: string
  /** Tokens of models that the table lacks. */
  unpriced: number
}

/** The cost of tokens given by model; `undefined` if there are none, or if the table has no prices at all. */
export function costOf(usage: Readonly<Record<string, Usage>>, prices: PriceTable): Cost | undefined {
  const { currency, date, models } = prices
  const used = Object.entries(usage).filter(([, { total }]) => total > 0)
  if (used.length === 0 || Object.keys(models).length === 0) return undefined
  const cost: Cost = { currency, date, unpriced: 0 }
  for (const [model, tokens] of used) {
    const price = ownValue(models, model)
    if (price === undefined) cost.unpriced += tokens.total
    else cost.amount = (cost.amount ?? 0) + amountOf(tokens, price)
  }
  return cost
}

/** `input` includes what was read from the cache and what was written to it, which have prices of their own. */
function amountOf({ input, cached, cacheWrite = 0, output }: Usage, price: ModelPrice): number {
  const fresh = Math.max(0, input - cached - cacheWrite)
  const written = cacheWrite * (price.cacheWrite ?? price.input)
  return (fresh * price.input + cached * price.cached + written + output * price.output) / 1_000_000
}

/** The sum of costs from one table; `undefined` if there are none. */
export function sumCosts(costs: readonly Cost[]): Cost | undefined {
  const [first] = costs
  if (first === undefined) return undefined
  const amounts = costs.flatMap(({ amount }) => (amount === undefined ? [] : [amount]))
  return {
    ...(amounts.length === 0 ? {} : { amount: amounts.reduce((sum, amount) => sum + amount, 0) }),
    currency: first.currency,
    date: first.date,
    unpriced: sumBy(costs, ({ unpriced }) => unpriced),
  }
}
