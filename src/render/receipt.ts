/** What became of every line of a rollout, in words. */
import { partCounts } from '../model/personal.ts'
import type { Stats } from '../model/trast.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { leftOutText } from './left-out.ts'
import type { ReceiptRowView } from './session-views.ts'
import type { ReceiptView } from './views.ts'

/** The receipt of a thread. `hidden` is the number of nodes of the page that are not shown. */
export function receipt(stats: Stats, hidden = 0): ReceiptView {
  const { total, shown, folded, skipped, unknown, damaged } = stats.lines
  const { secrets, personal } = partCounts(stats.redacted)
  const [redacted, replaced] = [sum(secrets), sum(personal)]
  const omitted = sum(stats.omitted)
  const parts = [
    `${formatAmount(total, 'line')} read: ${formatCount(shown)} shown`,
    `${formatCount(folded)} merged into those`,
    `${formatCount(sum(skipped))} counted only`,
    `${formatCount(sum(unknown))} unknown`,
    `${formatCount(damaged)} damaged`,
    ...(redacted === 0 ? [] : [`${formatAmount(redacted, 'secret')} redacted`]),
    ...(replaced === 0 ? [] : [`personal data replaced in ${formatAmount(replaced, 'place')}`]),
    ...(hidden === 0 ? [] : [`${formatAmount(hidden, 'item')} of this page hidden`]),
  ]
  const rows = [
    row('Lines read', total),
    row('Shown', shown),
    row('Merged into those', folded),
    row('Counted only', skipped),
    row('Unknown', unknown),
    row('Damaged', damaged),
    ...(redacted === 0 ? [] : [row('Secrets redacted', secrets)]),
    ...(replaced === 0 ? [] : [row('Places with personal data', personal)]),
    ...(omitted === 0 ? [] : [row('Parts left out', stats.omitted)]),
    ...(hidden === 0 ? [] : [row('Items of this page hidden', hidden)]),
  ]
  const left = omitted === 0 ? '' : ` Left out: ${leftOutText(stats.omitted)}.`
  return { summary: `${parts.join(', ')}.${left}`, rows }
}

function row(name: string, counts: number | Readonly<Record<string, number>>): ReceiptRowView {
  if (typeof counts === 'number') return { name, count: formatCount(counts), kinds: [] }
  return { name, count: formatCount(sum(counts)), kinds: countsOf(counts) }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}

/** Most frequent first, then by name. */
function countsOf(counts: Readonly<Record<string, number>>): { name: string; count: string }[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([nameA, a], [nameB, b]) => b - a || (nameA < nameB ? -1 : 1))
    .map(([name, count]) => ({ name, count: formatCount(count) }))
}
