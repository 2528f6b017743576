/** Invented memories. */

import type { MemoryCategory } from '../../src/features/memory/history/categories.ts'
import type { History, HistoryItem, MemorySegment } from '../../src/features/memory/history/history.ts'

/** What matters of an item; the rest is made up. */
export interface ItemSketch {
  category?: MemoryCategory
  turn?: number
  tokens?: number
  pair?: number
  synthetic?: true
  sources?: HistoryItem['sources']
  item?: HistoryItem['item']
}

export const liveSegment: MemorySegment = { threadId: 'thread', rolloutId: 'thread', file: 'rollout.jsonl', own: true }

/** A memory of one file in which item 1 is on line 2, item 2 on line 3 and so on, ten tokens each. */
export function memoryOf(sketches: readonly ItemSketch[], segments: MemorySegment[] = [liveSegment]): History {
  const items = sketches.map((sketch, position): HistoryItem => {
    const index = position + 1
    const { category = 'userMessage', tokens = 10, synthetic, sources, ...rest } = sketch
    const text = `Words number ${index}`
    return {
      index,
      category,
      preview: text,
      tokens,
      included: true,
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
      sources: sources ?? (synthetic ? [] : [{ segment: segments.length - 1, line: index + 1 }]),
      ...(synthetic && { synthetic }),
      ...rest,
    }
  })
  return { threadId: 'thread', turn: items.at(-1)?.turn ?? 0, segments, items, violations: [] }
}

/** A call and its output as items `index` and `index + 1`. */
export function pairAt(index: number): [ItemSketch, ItemSketch] {
  return [
    { category: 'toolCall', pair: index + 1, item: { type: 'function_call', call_id: `call-${index}` } },
    {
      category: 'toolOutput',
      pair: index,
      item: { type: 'function_call_output', call_id: `call-${index}`, output: `Output ${index}` },
    },
  ]
}
