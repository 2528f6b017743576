/** Numbers of a thread as rows of label and value, for the text formats; costs in words, for all formats. */

import { partCounts } from '../../config/personal.ts'
import type { PriceTable } from '../../config/prices.ts'
import { type Cost, costOf } from '../../transcript/cost.ts'
import { allTurns } from '../../transcript/stats.ts'
import type { Session, Stats, TrastNode } from '../../transcript/trast.ts'
import { compareText } from '../../util/compare.ts'
import { append, sumBy, sumOfCounts } from '../../util/groups.ts'
import { joinTexts } from '../../util/text.ts'
import { formatAmount, formatCount, formatDuration } from '../../util/time.ts'
import { formatCompact, rolledBackText, statusWord } from '../phrases.ts'
import { leftOutText } from './receipt.ts'

/** State, models, and numbers that are not zero. All are final only after the last item of a thread. */
export function totalRows(session: Session, prices: PriceTable | undefined): [label: string, value: string][] {
  const { models, status, stats, contextWindow } = session
  const { messages, commands, edits, tools, usage, redacted, omitted } = stats
  const failed = commands.failed === 0 ? '' : `, ${formatCount(commands.failed)} failed`
  const tokens = sumBy(Object.values(usage), (model) => model.total)
  const cost = prices === undefined ? undefined : costOf(usage, prices)
  const files = `${formatAmount(edits.files, 'file')}, +${formatCount(edits.added)} −${formatCount(edits.removed)}`
  const { secrets, personal } = partCounts(redacted)
  const rows: [string, string][] = [
    ['State', statusWord(status)],
    ['Models', models.join(', ')],
    ['Turns', allTurns(stats) === 0 ? '' : `${formatCount(allTurns(stats))}${rolledBackText(stats)}`],
    ['Messages', number(messages)],
    ['Commands', commands.total === 0 ? '' : `${formatCount(commands.total)}${failed}`],
    ['Edits', edits.files === 0 ? '' : files],
    ['Tool calls', toolsText(tools)],
    ['Time', durationsText(stats)],
    ['Tokens', number(tokens)],
    ['Context window', contextWindow === undefined ? '' : formatAmount(contextWindow, 'token')],
    ['Cost', cost === undefined ? '' : costText(cost)],
    ['Redacted', number(sumOfCounts(secrets))],
    ['Personal data replaced', number(sumOfCounts(personal))],
    ['Left out', leftOutText(omitted)],
  ]
  return rows.filter(([, value]) => value !== '')
}

function number(count: number): string {
  return count === 0 ? '' : formatCount(count)
}

/** `12: web_search 9, docs/read 3 (1 failed)`, most calls first. */
function toolsText(tools: Stats['tools']): string {
  const entries = Object.entries(tools).sort(([a, left], [b, right]) => right.calls - left.calls || compareText(a, b))
  if (entries.length === 0) return ''
  const total = entries.reduce((count, [, { calls }]) => count + calls, 0)
  const names = entries.map(([name, { calls, failed }]) => {
    return `${name} ${formatCount(calls)}${failed === 0 ? '' : ` (${formatCount(failed)} failed)`}`
  })
  return `${formatCount(total)}: ${names.join(', ')}`
}

/** `turns 4 min, commands 2 min, tools 1 s`, for the durations that were recorded. */
function durationsText({ durations }: Stats): string {
  return Object.entries(durations ?? {})
    .filter(([, ms]) => ms > 0)
    .map(([name, ms]) => `${name} ${formatDuration(ms)}`)
    .join(', ')
}

// Costs in words: always with the day of the prices, and never zero for tokens without a price.

/** `12.30 USD at prices of 2026-11-01, no price known for 1.2k tokens`; empty if nothing has a price. */
export function costText({ amount, currency, date, unpriced }: Cost): string {
  const rest =
    unpriced === 0 ? '' : `no price known for ${formatCompact(unpriced)} ${unpriced === 1 ? 'token' : 'tokens'}`
  if (amount === undefined) return ''
  return joinTexts([`${formatMoney(amount)} ${currency} at prices of ${date}`, rest], ', ')
}

/** Two decimals from one unit of the currency on, four below, with thousands separators. */
export function formatMoney(amount: number): string {
  if (amount > 0 && amount < 0.0001) return 'less than 0.0001'
  const [whole = '', part] = amount.toFixed(amount === 0 || amount >= 0.995 ? 2 : 4).split('.')
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}.${part}`
}

// Counts what a page does not show.

/** Number of nodes below a node that a plugin has hidden; nodes inside a hidden node are not counted. */
export function hiddenNodes(node: TrastNode): number {
  let count = 0
  const open: TrastNode[] = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.data?.visibility === 'hidden') count += 1
    else if ('children' in next) append(open, next.children)
  }
  return count
}
