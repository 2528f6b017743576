/** Categories of the items that the model remembers, as in tables and plots, and their totals. */

import type { PageAnchor } from '../../../transcript/urls.ts'

/** The categories in the order of tables and plots. */
export const memoryCategories = [
  'userMessage',
  'assistantMessage',
  'reasoning',
  'toolCall',
  'toolOutput',
  'webSearch',
  'image',
  'agentMessage',
  'environmentContext',
  'userInstructions',
  'developer',
  'injected',
  'compactionSummary',
] as const

/** The category of an item of the memory. */
export type MemoryCategory = (typeof memoryCategories)[number]

/** Names of the categories for people: of one item, and of several. */
export const categoryNames: Readonly<Record<MemoryCategory, { one: string; many: string }>> = {
  userMessage: { one: 'user message', many: 'user messages' },
  assistantMessage: { one: 'answer', many: 'answers' },
  reasoning: { one: 'reasoning', many: 'reasoning' },
  toolCall: { one: 'tool call', many: 'tool calls' },
  toolOutput: { one: 'tool output', many: 'tool outputs' },
  webSearch: { one: 'web search', many: 'web searches' },
  image: { one: 'image', many: 'images' },
  agentMessage: { one: 'agent message', many: 'agent messages' },
  environmentContext: { one: 'environment', many: 'environment' },
  userInstructions: { one: 'instructions', many: 'instructions' },
  developer: { one: 'developer message', many: 'developer messages' },
  injected: { one: 'other context', many: 'other context' },
  compactionSummary: { one: 'summary', many: 'summaries' },
}

/** Numbers by category; categories without items are absent. */
export type CategoryTotals = Partial<Record<MemoryCategory, { items: number; tokens: number }>>

/** Estimated tokens by category; categories without items are absent. */
export type MemorySums = Partial<Record<MemoryCategory, number>>

/** The memory at one moment of a thread. */
export interface MemoryPoint {
  /** Number of the turn, from 1; 0 before the first one. */
  turn: number
  /** `end` of a turn; `full` and `compacted`: right before and right after a compaction. */
  moment: 'end' | 'full' | 'compacted'
  tokens: MemorySums
  /** Recorded tokens of the last request so far and its answer, including instructions and tools. */
  recorded?: number
  /** For `compacted`: where the session's pages show the compaction. */
  place?: PageAnchor
}

/** One item of the memory at the end of a thread. */
export interface RememberedItem {
  category: MemoryCategory
  /** One line; empty if it may not be shown. */
  preview: string
  tokens: number
  turn?: number
  /** It is in no file. */
  synthetic?: true
  /** Reasoning that is sent but takes no tokens, because the model's side drops it. */
  outOfWindow?: true
  /** Where the session's pages show it. */
  place?: PageAnchor
}

/** Items and tokens of one tool or file. */
export interface MemoryShare {
  name: string
  items: number
  tokens: number
}

/** The largest sums, and the number and tokens of the names not listed. */
export interface MemoryShares {
  listed: MemoryShare[]
  more: { names: number; tokens: number }
}

/** The data of a session's page about the model's memory; small, whatever the thread's size. */
export interface MemoryFacts {
  /** From the first turn on; for a long thread, not all moments are kept. */
  points: MemoryPoint[]
  turns: number
  totals: CategoryTotals
  /** The newest items, oldest first. */
  items: RememberedItem[]
  /** Number of older items that are not in `items`. */
  moreItems: number
  /** The items with the most tokens, largest first. */
  largest: RememberedItem[]
  /** By tool or program, and by file, for items that the session's pages show; largest first. */
  byTool: MemoryShares
  byFile: MemoryShares
  /** Tokens that the model's window holds, and the estimated tokens of the next request. */
  window?: number
  next?: number
  /** Totals of what the last compaction removed. */
  dropped?: CategoryTotals
  /** The removed items themselves, oldest first, and how many more there were. */
  droppedItems?: { items: RememberedItem[]; more: number }
  /** What was pruned from the rollout, according to a backup of it; `more` items are not listed, but in `tokens`. */
  pruned?: { items: RememberedItem[]; more: number; tokens: number }
}

// Numbers by category.

/** The categories that any of some totals contains, in the order of tables and plots. */
export function categoriesIn(...totals: readonly CategoryTotals[]): MemoryCategory[] {
  return memoryCategories.filter((category) => totals.some((sums) => sums[category] !== undefined))
}

/** Items and tokens by category, in the order of the categories. */
export function totalsOf(entries: Iterable<{ category: MemoryCategory; tokens: number }>): CategoryTotals {
  const sums = new Map<MemoryCategory, { items: number; tokens: number }>()
  for (const { category, tokens } of entries) {
    const sum = sums.get(category) ?? { items: 0, tokens: 0 }
    sum.items++
    sum.tokens += tokens
    sums.set(category, sum)
  }
  return Object.fromEntries(
    memoryCategories.flatMap((category) => {
      const sum = sums.get(category)
      return sum === undefined ? [] : [[category, sum]]
    }),
  )
}

/** The sum of two totals. */
export function addTotals(left: CategoryTotals, right: CategoryTotals): CategoryTotals {
  const sum = { ...left }
  for (const category of memoryCategories) {
    const [a, b] = [left[category], right[category]]
    if (b !== undefined) sum[category] = { items: (a?.items ?? 0) + b.items, tokens: (a?.tokens ?? 0) + b.tokens }
  }
  return sum
}

/** The sum over all categories. */
export function sumOf(totals: CategoryTotals): { items: number; tokens: number } {
  const sum = { items: 0, tokens: 0 }
  for (const { items, tokens } of Object.values(totals)) {
    sum.items += items
    sum.tokens += tokens
  }
  return sum
}
