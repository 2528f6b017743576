/** What a prune would do, before anything is written. */
import type { History, HistoryItem } from '../history.ts'
import { chooseItems } from './choose.ts'
import { fixedItems } from './fixed.ts'
import { ascending, exclude, include, type Mask, shiftDeleted } from './mask.ts'
import { withPairs } from './pairs.ts'
import type { Selector } from './selector.ts'

/** What is asked for. Where an item is named twice, `delete` wins over `exclude`, and `exclude` over `include`. */
export interface PruneRequest {
  exclude: readonly Selector[]
  include: readonly Selector[]
  delete: readonly Selector[]
}

/** What becomes of an item. `included` and `excluded` are as before; the others are changes. */
export type PlannedState = 'included' | 'excluded' | 'exclude' | 'include' | 'delete'

/** An item with its fate. */
export interface PlannedItem {
  item: HistoryItem
  state: PlannedState
  /** Nobody named it: it goes with the other half of its pair. */
  along: boolean
}

/** Items and estimated tokens. */
export interface Amount {
  items: number
  tokens: number
}

/** A prune, thought through. */
export interface PrunePlan {
  items: PlannedItem[]
  /** What the model remembers before and after. */
  before: Amount
  after: Amount
  /** The mask afterwards, over the list without the deleted items. */
  mask: Mask
  notes: string[]
  /** Whether anything would be another one. */
  changes: boolean
}

/** Thinks a prune through. `mask` is what was excluded before. */
export function planPrune(history: History, mask: Mask, request: PruneRequest): PrunePlan {
  const gone = chooseItems(history, request.delete)
  const out = chooseItems(history, request.exclude)
  const back = chooseItems(history, request.include)
  const plan = planNamed(history, mask, { gone: gone.indices, out: out.indices, back: back.indices })
  return { ...plan, notes: [...gone.notes, ...out.notes, ...back.notes, ...plan.notes] }
}

/** Indices by what is asked for them. */
export interface NamedItems {
  gone: readonly number[]
  out: readonly number[]
  back: readonly number[]
}

/** As `planPrune`, for items that are named by index, as by somebody who marks them in a list. */
export function planNamed(history: History, mask: Mask, named: NamedItems): PrunePlan {
  const { items } = history
  const fixed = fixedItems(history)
  const free = (indices: readonly number[]): number[] => indices.filter((index) => !fixed.has(index))
  const { deleted, next, along } = fatesOf(items, mask, {
    gone: free(named.gone),
    out: free(named.out),
    back: named.back,
  })
  const planned = items.map((item): PlannedItem => {
    const state = stateOf(item.index, { deleted, next, before: mask })
    return { item, state, along: along.has(item.index) && isChange(state) }
  })
  return {
    items: planned,
    before: amountOf(items.filter(({ index }) => !mask.has(index))),
    after: amountOf(planned.filter(({ state }) => stays(state)).map(({ item }) => item)),
    mask: shiftDeleted(next, deleted),
    notes: fixedNotes([...named.gone, ...named.out], fixed),
    changes: planned.some(({ state }) => isChange(state)),
  }
}

interface Fates {
  deleted: ReadonlySet<number>
  next: Mask
  /** Go with the other half of their pair, without being named. */
  along: ReadonlySet<number>
}

/** Pairs follow their named half at each step, so that no mask ever parts one. */
function fatesOf(items: readonly HistoryItem[], mask: Mask, { gone, out, back }: NamedItems): Fates {
  const deleted = withPairs(items, gone)
  const excluded = withPairs(items, out)
  const included = withPairs(items, back)
  const named = new Set([...gone, ...out, ...back])
  return {
    deleted: new Set(deleted.indices),
    next: exclude(include(mask, included.indices), excluded.indices),
    along: new Set([...deleted.along, ...excluded.along, ...included.along].filter((index) => !named.has(index))),
  }
}

function stateOf(
  index: number,
  { deleted, next, before }: { deleted: ReadonlySet<number>; next: Mask; before: Mask },
): PlannedState {
  if (deleted.has(index)) return 'delete'
  if (next.has(index)) return before.has(index) ? 'excluded' : 'exclude'
  return before.has(index) ? 'include' : 'included'
}

function isChange(state: PlannedState): boolean {
  return state !== 'included' && state !== 'excluded'
}

/** One note a reason. */
function fixedNotes(named: readonly number[], fixed: ReadonlyMap<number, string>): string[] {
  const byReason = new Map<string, number[]>()
  for (const index of ascending(new Set(named))) {
    const reason = fixed.get(index)
    if (reason === undefined) continue
    const others = byReason.get(reason) ?? []
    others.push(index)
    byReason.set(reason, others)
  }
  return [...byReason].map(([reason, indices]) => {
    const [are, what] = indices.length === 1 ? ['stays', 'Item'] : ['stay', 'Items']
    return `${what} ${runs(indices)} ${are}: ${reason}.`
  })
}

/** Whether the model remembers an item afterwards. */
export function stays(state: PlannedState): boolean {
  return state === 'included' || state === 'include'
}

function amountOf(items: readonly HistoryItem[]): Amount {
  return { items: items.length, tokens: items.reduce((sum, { tokens }) => sum + tokens, 0) }
}

/** Indices in order as people write them: `3, 7-12`. */
export function runs(indices: readonly number[]): string {
  const parts: { from: number; to: number }[] = []
  for (const index of indices) {
    const last = parts.at(-1)
    if (last !== undefined && index === last.to + 1) last.to = index
    else parts.push({ from: index, to: index })
  }
  return parts.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}
