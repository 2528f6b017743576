/** An item on its way into the memory. */

import type { MemoryCategory } from '../model/memory.ts'
import { type Classify, categoryOf } from './category.ts'
import { contentOf } from './content.ts'
import { estimateTokens } from './estimate.ts'
import type { MemorySource, ResponseItem } from './history.ts'
import { type Half, halfOf } from './items.ts'
import { headOf } from './preview.ts'

/** One item, described; `item` itself only where somebody wants it. */
export interface Entry {
  category: MemoryCategory
  /** The beginning of what it says, as recorded. */
  text: string
  tokens: number
  item?: ResponseItem
  sources: MemorySource[]
  turn?: number
  half?: Half
  pictures: number
  /** Begins a turn, as rollbacks count them (rollout-format 6.3). */
  opens?: true
  /** Stands at the head because a compaction put it there anew. */
  rebuilt?: true
  synthetic?: true
}

/** How items are described. */
export interface Describe {
  classify: Classify
  /** Keep the items themselves. */
  keepItems: boolean
  /** Keep so many items, and of older ones the sums; no window holds tens of thousands. All where absent. */
  most?: number
}

/** Where an item stands. */
export interface Place {
  source: MemorySource
  /** Number of the turn in its thread. */
  turn?: number
}

/** Describes an item. */
export function entryOf(item: ResponseItem, { source, turn }: Place, { classify, keepItems }: Describe): Entry {
  const content = contentOf(item)
  const category = categoryOf(item, classify)
  const half = halfOf(item)
  return {
    category,
    text: headOf(item, content),
    tokens: estimateTokens(content),
    sources: [source],
    pictures: content.pictures,
    ...(keepItems ? { item } : {}),
    ...(turn === undefined ? {} : { turn }),
    ...(half === undefined ? {} : { half }),
    ...(category === 'userMessage' ? { opens: true } : {}),
  }
}

const context: ReadonlySet<MemoryCategory> = new Set(['developer', 'userInstructions', 'environmentContext'])

/** Whether an item is context that Codex puts before a turn. */
export function isContext({ category }: Entry): boolean {
  return context.has(category)
}
