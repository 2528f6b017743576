/** Turns what was built into the memory as Codex sends it. */

import { defined } from '../../../util/own.ts'
import type { Built } from './builder.ts'
import type { CategoryTotals, MemoryCategory, MemorySums } from './categories.ts'
import { type Entry, type Locate, paired } from './entry.ts'
import type { History, HistoryItem, MemoryItem, MemoryOutline, MemorySegment } from './history.ts'
import { previewOf } from './preview.ts'

/** What is known about a thread besides its records. */
export interface MemoryHead {
  threadId: string
  /** Number of the last turn that was read. */
  turn: number
  segments: MemorySegment[]
  /** Version of the Codex that began the rollout, by whose rules the memory is read. */
  codex?: string
}

/** Redacts a text so that it may be shown. */
export type Show = (text: string) => string

/** The memory, without the items themselves. */
export function outlineOf(built: Built, head: MemoryHead, show?: Show): MemoryOutline {
  return finish(built, head, show, (item) => item)
}

/** The memory with its items, which `built` must have kept. */
export function historyOf(built: Built, head: MemoryHead, show?: Show): History {
  return finish(built, head, show, (item, entry): HistoryItem => ({ ...item, item: entry.item ?? {} }))
}

function finish<I extends MemoryItem>(
  { window, violations, model, size, recorded, reasoningKept }: Built,
  head: MemoryHead,
  show: Show | undefined,
  make: (item: MemoryItem, entry: Entry) => I,
): MemoryOutline<I> {
  const keepItems = window.entries.some(({ item }) => item !== undefined)
  const { entries, partner, violations: broken } = paired(window.entries, locator(head), keepItems)
  const items = entries.map((entry, index) => {
    const item = itemOf(entry, index, partner.get(index))
    return make({ ...inWindow(item, reasoningKept), preview: previewOf(entry.text, show) }, entry)
  })
  const shown = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : (show?.(text) ?? text)
  return {
    ...head,
    ...defined({ codex: shown(head.codex) }),
    items,
    violations: [...violations, ...broken],
    ...(window.older === undefined ? {} : { older: totalsInWindow(window.older, reasoningKept) }),
    ...defined({ model: shown(model), window: size, recorded, reasoningKept, compaction: window.compaction }),
  }
}

// The model's side drops the reasoning of finished turns, unless counts of the session show otherwise.

function inWindow<I extends { category: MemoryCategory; tokens: number }>(item: I, reasoningKept?: boolean): I {
  return reasoningKept || item.category !== 'reasoning' ? item : { ...item, tokens: 0, outOfWindow: true }
}

function totalsInWindow(totals: CategoryTotals, reasoningKept?: boolean): CategoryTotals {
  const { reasoning } = totals
  return reasoningKept || reasoning === undefined ? totals : { ...totals, reasoning: { ...reasoning, tokens: 0 } }
}

/** Estimated tokens at a moment between two turns, without reasoning unless it is kept. */
export function sumsInWindow(sums: MemorySums, reasoningKept: boolean | undefined): MemorySums {
  const { reasoning, ...others } = sums
  return reasoningKept || reasoning === undefined ? sums : others
}

function itemOf(
  { category, tokens, sources, synthetic, turn }: Entry,
  at: number,
  pair?: number,
): Omit<MemoryItem, 'preview'> {
  return {
    index: at + 1,
    category,
    tokens,
    included: true,
    sources,
    ...defined({ synthetic, turn }),
    ...(pair === undefined ? {} : { pair: pair + 1 }),
  }
}

/** Returns a function that names the file and line of a source. */
export function locator({ segments }: Pick<MemoryHead, 'segments'>): Locate {
  return (source) => {
    const file = source === undefined ? undefined : segments[source.segment]?.file
    return source === undefined || file === undefined ? {} : { file, line: source.line }
  }
}
