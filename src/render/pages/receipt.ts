/** The receipt, in words: an account of every line of a rollout. */

import { partCounts } from '../../config/personal.ts'
import type { ContentKind } from '../../config/publication.ts'
import type { Stats } from '../../transcript/trast.ts'
import { byCount, sumOfCounts } from '../../util/groups.ts'
import { ownValue } from '../../util/own.ts'
import { formatAmount, formatCount } from '../../util/time.ts'
import type { ReceiptView } from '../views.ts'
import type { ReceiptRowView } from './session/views.ts'

/** The receipt of a thread. `hidden` is the number of nodes of the page that are not shown. */
export function receipt(stats: Stats, hidden = 0): ReceiptView {
  const { total, shown, folded, skipped, unknown, damaged } = stats.lines
  const { secrets, personal } = partCounts(stats.redacted)
  const [redacted, replaced] = [sumOfCounts(secrets), sumOfCounts(personal)]
  const omitted = sumOfCounts(stats.omitted)
  const parts = [
    `${formatAmount(total, 'line')} read: ${formatCount(shown)} shown`,
    `${formatCount(folded)} merged into those`,
    `${formatCount(sumOfCounts(skipped))} counted only`,
    `${formatCount(sumOfCounts(unknown))} unknown`,
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
  return {
    name,
    count: formatCount(sumOfCounts(counts)),
    kinds: byCount(counts).map(([kind, count]) => ({ name: kind, count: formatCount(count) })),
  }
}

// What was left out, in words.

type Counted = Exclude<ContentKind, 'stats' | 'internals'> | 'turns' | 'items' | 'picture'

/** Names of one and of many. */
const names: Readonly<Record<Counted, readonly [one: string, many: string]>> = {
  turns: ['turn', 'turns'],
  items: ['item', 'items'],
  prompts: ['prompt', 'prompts'],
  answers: ['answer', 'answers'],
  reasoning: ['thought', 'thoughts'],
  injected: ['context message', 'context messages'],
  commands: ['command', 'commands'],
  tools: ['tool call', 'tool calls'],
  toolOutput: ['output', 'outputs'],
  toolArguments: ['call without its long arguments', 'calls without their long arguments'],
  edits: ['edit', 'edits'],
  diffs: ['diff', 'diffs'],
  searches: ['web search', 'web searches'],
  plans: ['plan', 'plans'],
  images: ['picture', 'pictures'],
  picture: ['picture', 'pictures'],
  agents: ['sub-agent call', 'sub-agent calls'],
  approvals: ['approval', 'approvals'],
  notices: ['notice', 'notices'],
  errors: ['error', 'errors'],
  unknown: ['unrecognised record', 'unrecognised records'],
}

/** `12 outputs, 3 thoughts`, most first, then by name; empty if nothing was left out. */
export function leftOutText(omitted: Readonly<Record<string, number>>): string {
  return byCount(omitted)
    .map(([name, count]) => {
      const words = ownValue<readonly [string, string]>(names, name)
      return words === undefined ? `${name} ${formatCount(count)}` : formatAmount(count, ...words)
    })
    .join(', ')
}
