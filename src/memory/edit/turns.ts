/** How old items are, in turns: also of history that was inherited, whose turns have no numbers. */
import type { MemoryCategory } from '../../model/memory.ts'
import type { HistoryItem } from '../history.ts'

/** A position among the turns by index of item: below 0 for turns without numbers, else the number. */
type TurnsByItem = ReadonlyMap<number, number>

const context: ReadonlySet<MemoryCategory> = new Set([
  'developer',
  'userInstructions',
  'environmentContext',
  'injected',
])

/**
 * The turns of items. Inherited ones have no numbers: there each message of the user begins a turn, and they count down
 * from -1, the youngest. Context before the first message belongs to no turn and is absent.
 */
function turnsOf(items: readonly HistoryItem[]): TurnsByItem {
  const unnumbered = items.filter(({ turn }) => turn === undefined)
  const prompts = unnumbered.filter(({ category }) => category === 'userMessage').length
  const turns = new Map<number, number>()
  let begun = 0
  for (const { index, turn, category } of items) {
    if (turn === undefined && category === 'userMessage') begun++
    if (turn !== undefined) turns.set(index, turn)
    else if (begun > 0 || !context.has(category)) turns.set(index, Math.max(begun, 1) - 1 - prompts)
  }
  return turns
}

/** How far back: before the last so many turns of which anything is remembered, or before a numbered one. */
export type Age = { by: 'older'; turns: number } | { by: 'before'; turn: number }

/** Whether an item is as old as that. */
export function isOlder(items: readonly HistoryItem[], age: Age): (item: Pick<HistoryItem, 'index'>) => boolean {
  const turns = turnsOf(items)
  const limit = age.by === 'before' ? age.turn : firstOfLast(age.turns, turns)
  return ({ index }) => (turns.get(index) ?? Number.POSITIVE_INFINITY) < limit
}

function firstOfLast(count: number, turns: TurnsByItem): number {
  const known = [...new Set(turns.values())].sort((a, b) => b - a)
  return count === 0 ? Number.POSITIVE_INFINITY : (known[count - 1] ?? Number.NEGATIVE_INFINITY)
}
