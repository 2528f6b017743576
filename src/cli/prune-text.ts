/** A planned prune as text for people. */
import { isChange, type PlannedItem, type PlannedState, type PruneResult } from '../app/prune.ts'
import { printable } from '../util/printable.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { layOut } from './table.ts'

const words: Readonly<Record<PlannedState, string>> = {
  included: '',
  excluded: 'excluded',
  replaced: 'replaced',
  exclude: 'exclude',
  replace: 'replace',
  include: 'include',
  delete: 'delete',
}

/** Lines of the plan: the items that change, or all where none does; what they save; notes. */
export function planLines({ plan, file }: PruneResult, width?: number): string[] {
  const shown = plan.changes ? plan.items.filter(({ state }) => isChange(state)) : plan.items
  const table = shown.length === 0 ? [] : ['', ...tableLines(shown, width)]
  const hint = shown.some(({ along }) => along) ? ['+ goes along with the other half of its pair.'] : []
  return [printable(file), ...table, '', ...hint, ...plan.notes.map(printable), sums({ plan })]
}

function tableLines(items: readonly PlannedItem[], width?: number): string[] {
  const column = (text: (item: PlannedItem) => string): string[] => items.map((item) => printable(text(item)))
  const { lines } = layOut(
    [
      { title: '#', cells: column(({ item }) => String(item.index)), align: 'right', rank: 0 },
      { title: 'Change', cells: column(({ state, along }) => words[state] + (along ? ' +' : '')), rank: 1 },
      { title: 'Category', cells: column(({ item }) => item.category), rank: 3 },
      { title: 'Tokens', cells: column(({ item }) => formatCount(item.tokens)), align: 'right', rank: 2 },
      { title: 'Turn', cells: column(({ item }) => String(item.turn ?? '')), align: 'right', rank: 5 },
      { title: 'Text', cells: column(({ item }) => item.preview), least: 20, most: 80, rank: 4 },
    ],
    width,
  )
  return lines
}

function sums({ plan: { before, after, changes } }: Pick<PruneResult, 'plan'>): string {
  const now = `${formatAmount(before.items, 'item')}, about ${formatAmount(before.tokens, 'token')}`
  if (!changes) return `The model remembers ${now}.`
  const then = `${formatAmount(after.items, 'item')}, about ${formatAmount(after.tokens, 'token')}`
  const saved = before.tokens - after.tokens
  const change = saved < 0 ? `${formatCount(-saved)} more` : `${formatCount(saved)} fewer`
  return `The model remembers ${now}; then ${then}: ${change}.`
}
