/** What a prune would do, before anything is written. */
import { defined } from '../../util/defined.ts'
import { countByLength } from '../estimate.ts'
import type { History, HistoryItem, ResponseItem } from '../history.ts'
import { type Choice, chooseItems } from './choose.ts'
import { fixedItems } from './fixed.ts'
import { ascending, exclude, include, type Mask, shiftDeleted } from './mask.ts'
import { withPairs } from './pairs.ts'
import { isReplaceable, withOutput } from './replace.ts'
import type { Selector } from './selector.ts'

/**
 * What is asked for. Where an item is named twice, `delete` wins over `exclude`, that over `replace`, and that over
 * `include`.
 */
export interface PruneRequest {
  exclude: readonly Selector[]
  include: readonly Selector[]
  delete: readonly Selector[]
  /** Outputs in whose place a text is to stand. */
  replace: readonly Selector[]
  /** That text. */
  text: string
}

/** What becomes of an item. `included`, `replaced` and `excluded` are as before; the others are changes. */
export type PlannedState = 'included' | 'replaced' | 'excluded' | 'exclude' | 'include' | 'replace' | 'delete'

/** An item with its fate. */
export interface PlannedItem {
  item: HistoryItem
  state: PlannedState
  /** What stands in place of its output. */
  text?: string
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
  const choose = (selectors: readonly Selector[]): Choice => chooseItems(history, selectors)
  const choices = {
    delete: choose(request.delete),
    exclude: choose(request.exclude),
    replace: choose(request.replace),
    include: choose(request.include),
  }
  const { delete: out, exclude: left, replace, include: back } = choices
  const named = { delete: out.indices, exclude: left.indices, replace: replace.indices, include: back.indices }
  const plan = planNamed(history, mask, { ...named, text: request.text })
  return { ...plan, notes: [...Object.values(choices).flatMap(({ notes }) => notes), ...plan.notes] }
}

/** Indices by what is asked for them, and the text for those that are to be replaced. */
export interface NamedItems {
  delete: readonly number[]
  exclude: readonly number[]
  replace: readonly number[]
  include: readonly number[]
  text: string
}

/** As `planPrune`, for items that are named by index, as by somebody who marks them in a list. */
export function planNamed(history: History, mask: Mask, named: NamedItems): PrunePlan {
  const { items } = history
  const fixed = fixedItems(history)
  const free = (indices: readonly number[]): number[] => indices.filter((index) => !fixed.has(index))
  const fates = fatesOf(items, mask, {
    ...named,
    delete: free(named.delete),
    exclude: free(named.exclude),
    replace: free(named.replace),
  })
  const planned = items.map((item) => plannedItem(item, fates, mask))
  return {
    items: planned,
    before: amountOf(items.filter(({ index }) => !mask.has(index)).map(({ tokens }) => tokens)),
    after: amountOf(planned.filter(({ state }) => stays(state)).map(sentTokens)),
    mask: shiftDeleted(fates.next, fates.deleted),
    notes: [
      ...fixedNotes([...named.delete, ...named.exclude, ...named.replace], fixed),
      ...stayNotes(
        free(named.replace).filter((index) => outputOf(items, index) === undefined),
        'not outputs of calls',
      ),
    ],
    changes: planned.some(({ state }) => isChange(state)),
  }
}

interface Fates {
  deleted: ReadonlySet<number>
  next: Mask
  /** Texts in place of outputs. */
  texts: ReadonlyMap<number, string>
  /** Go with the other half of their pair, without being named. */
  along: ReadonlySet<number>
}

/** Pairs follow their named half at each step, so that no mask ever parts one. */
function fatesOf(items: readonly HistoryItem[], mask: Mask, named: NamedItems): Fates {
  const deleted = withPairs(items, named.delete)
  const excluded = withPairs(items, named.exclude)
  const replaced = withPairs(
    items,
    named.replace.flatMap((index) => outputOf(items, index) ?? []),
  )
  const included = withPairs(items, named.include)
  const texts = new Map(items.flatMap(({ index, replaced: old }) => (old === undefined ? [] : [[index, old.text]])))
  for (const index of included.indices) texts.delete(index)
  for (const index of replaced.indices) if (outputOf(items, index) === index) texts.set(index, named.text)
  for (const index of excluded.indices) texts.delete(index)
  const all = new Set([...named.delete, ...named.exclude, ...named.replace, ...named.include])
  const touched = [deleted, excluded, replaced, included].flatMap(({ indices }) => indices)
  return {
    deleted: new Set(deleted.indices),
    next: exclude(include(mask, [...included.indices, ...replaced.indices]), excluded.indices),
    texts,
    along: new Set(touched.filter((index) => !all.has(index))),
  }
}

/** The output of a call, or an output itself, in whose place a text can stand. */
export function outputOf(items: readonly HistoryItem[], index: number): number | undefined {
  const item = items[index - 1]
  const output = item === undefined || isReplaceable(item) ? item : items[(item.pair ?? 0) - 1]
  return output !== undefined && isReplaceable(output) ? output.index : undefined
}

function plannedItem(item: HistoryItem, fates: Fates, before: Mask): PlannedItem {
  const state = stateOf(item, fates, before)
  const text = stays(state) ? fates.texts.get(item.index) : undefined
  const along = fates.along.has(item.index) && isChange(state)
  return { item, state, along, ...defined({ text }) }
}

function stateOf({ index, replaced }: HistoryItem, { deleted, next, texts }: Fates, before: Mask): PlannedState {
  if (deleted.has(index)) return 'delete'
  if (next.has(index)) return before.has(index) ? 'excluded' : 'exclude'
  const text = texts.get(index)
  if (text !== undefined) return text === replaced?.text && !before.has(index) ? 'replaced' : 'replace'
  return before.has(index) || replaced !== undefined ? 'include' : 'included'
}

/** An item as it is sent afterwards. */
export function sentItem({ item, text }: Pick<PlannedItem, 'item' | 'text'>): ResponseItem {
  return text === undefined ? item.item : withOutput(item.item, text)
}

/** What an item takes afterwards. */
function sentTokens({ item, text }: PlannedItem): number {
  if (text !== undefined) return countByLength(text)
  return item.replaced?.whole ?? item.tokens
}

/** Whether anything becomes of an item. */
export function isChange(state: PlannedState): boolean {
  return state !== 'included' && state !== 'excluded' && state !== 'replaced'
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
  return [...byReason].flatMap(([reason, indices]) => stayNotes(indices, reason))
}

function stayNotes(indices: readonly number[], reason: string): string[] {
  if (indices.length === 0) return []
  const [are, what] = indices.length === 1 ? ['stays', 'Item'] : ['stay', 'Items']
  return [`${what} ${runs(ascending(indices))} ${are}: ${reason}.`]
}

/** Whether the model remembers an item afterwards. */
export function stays(state: PlannedState): boolean {
  return state !== 'excluded' && state !== 'exclude' && state !== 'delete'
}

function amountOf(tokens: readonly number[]): Amount {
  return { items: tokens.length, tokens: tokens.reduce((sum, count) => sum + count, 0) }
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
