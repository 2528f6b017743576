/** Costs in words: never without the day of the prices, and never zero for what has no price. */

import type { Cost } from '../../transcript/cost.ts'
import type { TrastNode } from '../../transcript/trast.ts'
import { formatAmount } from '../../util/time.ts'

/** `12.30 USD at prices of 2026-11-01, not priced for 1,234 tokens`. */
export function costText({ amount, currency, date, unpriced }: Cost): string {
  const rest = unpriced === 0 ? '' : `not priced for ${formatAmount(unpriced, 'token')}`
  if (amount === undefined) return `${rest} at prices of ${date}`
  return [`${formatMoney(amount)} ${currency} at prices of ${date}`, rest].filter((part) => part !== '').join(', ')
}

/** Two decimals from one unit on, four below, with separators. */
function formatMoney(amount: number): string {
  if (amount > 0 && amount < 0.0001) return 'less than 0.0001'
  const [whole = '', part] = amount.toFixed(amount === 0 || amount >= 0.995 ? 2 : 4).split('.')
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}.${part}`
}

// Counts what a page does not show.

/** Number of nodes below a node that a plugin has hidden; what lies inside a hidden node is not counted again. */
export function hiddenNodes(node: TrastNode): number {
  let count = 0
  const open: TrastNode[] = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.data?.visibility === 'hidden') count += 1
    else if ('children' in next) open.push(...next.children)
  }
  return count
}
