/** What became of every line of a rollout, in words. */
import type { Stats } from '../model/trast.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import type { ReceiptView } from './views.ts'

/** The receipt of a thread. `hidden` is the number of nodes of the page that are not shown. */
export function receipt(stats: Stats, hidden = 0): Omit<ReceiptView, 'downloads'> {
  const { total, shown, folded, skipped, unknown, damaged } = stats.lines
  const redacted = sum(stats.redacted)
  const omitted = sum(stats.omitted)
  const parts = [
    `${formatAmount(total, 'line')} read: ${formatCount(shown)} shown`,
    `${formatCount(folded)} merged into those`,
    `${formatCount(sum(skipped))} counted only`,
    `${formatCount(sum(unknown))} unknown`,
    `${formatCount(damaged)} damaged`,
    ...(redacted === 0 ? [] : [`${formatAmount(redacted, 'secret')} redacted`]),
    ...(omitted === 0 ? [] : [`${formatAmount(omitted, 'part')} left out`]),
    ...(hidden === 0 ? [] : [`${formatAmount(hidden, 'item')} of this page hidden`]),
  ]
  const details = [
    { name: 'Counted only', counts: countsOf(skipped) },
    { name: 'Unknown', counts: countsOf(unknown) },
    { name: 'Redacted', counts: countsOf(stats.redacted) },
    { name: 'Left out', counts: countsOf(stats.omitted) },
  ]
  return { summary: `${parts.join(', ')}.`, details: details.filter(({ counts }) => counts.length > 0) }
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
