/**
 * What the model remembers: the response items that Codex would send with the next request of a thread. Plain data, which
 * `builder.ts` makes from records and `edit/` prunes.
 */

import type { Diagnostic } from '../../../diagnostics/codes.ts'
import type { CategoryTotals, MemoryCategory } from './categories.ts'

/** A response item as it is in the file: plain JSON with a `type`. */
export type ResponseItem = Readonly<Record<string, unknown>>

/** Where an item is on disk. */
export interface MemorySource {
  /** Index into `History.segments`. */
  segment: number
  /** Physical line, from 1; in a file that is one JSON document, the number of the item. */
  line: number
  /** Which record of the line, from 0, if several ran together. */
  part?: number
  /** Index in the `replacement_history` of the compaction on that line. */
  replacement?: number
}

/** A file from which the memory was read, oldest first; the thread's own files come last. */
export interface MemorySegment {
  threadId: string
  /** The thread id for the first file of a thread, else the part after `_` (rollout-format 1.3). */
  rolloutId: string
  /** Site-safe name of the file, as in `RolloutFile`. */
  file: string
  /** The file belongs to the thread itself, not to an ancestor whose history it inherits by reference. */
  own: boolean
}

/** One item of the memory, described. */
export interface MemoryItem {
  /** Position in the memory, from 1. */
  index: number
  category: MemoryCategory
  /** One line of plain text without control characters; redacted only if the reader was given `show`. */
  preview: string
  /** Estimated; 0 if `outOfWindow`. */
  tokens: number
  /** Reasoning of a finished turn: Codex sends it, but the model's side drops it. */
  outOfWindow?: true
  /** Whether a mask leaves it in; `true` when read from a rollout. */
  included: boolean
  /** A text is sent instead of this output. `tokens` are those of the text, `whole` those of the output. */
  replaced?: { text: string; whole: number }
  /** Added by the rules of the memory and in no file: the output of a call that has none. */
  synthetic?: true
  /** Empty for synthetic items. */
  sources: MemorySource[]
  /** Number of the turn in its thread, from 1; absent before the first turn and in history of another thread. */
  turn?: number
  /** Index of the other half of a pair of call and output. */
  pair?: number
}

/** One item of the memory, with what is sent. */
export interface HistoryItem extends MemoryItem {
  /** As it is in the file, except outputs that a build cut when it sent them. */
  item: ResponseItem
}

/** What one compaction did. */
export interface CompactionFacts {
  source: MemorySource
  /** Number of the turn in which it happened. */
  turn?: number
  /** Items and estimated tokens, by category, that it removed from the memory, and those of the memory after it. */
  dropped: CategoryTotals
  kept: CategoryTotals
}

/** Tokens that the file records, and the estimate for the memory at that moment. */
export interface TokenSample {
  /** Tokens of a request and its answer, including instructions and tools. */
  recorded: number
  /** Tokens of the memory alone. */
  estimated: number
  /**
   * The part of both that is reasoning: recorded for the turn that was running, estimated for all turns. Absent if there
   * is none.
   */
  reasoning?: { recorded: number; estimated: number }
}

/** The memory of a thread at one moment, described. */
export interface MemoryOutline<I extends MemoryItem = MemoryItem> {
  threadId: string
  /** Number of the last turn that was read, from 1; 0 if there is none. */
  turn: number
  segments: MemorySegment[]
  /** Version of Codex that began the rollout. If builds differ, the memory is what this one would send. */
  codex?: string
  items: I[]
  /** Totals of older items, if there were too many to list. */
  older?: CategoryTotals
  /** Broken rules: calls without output, outputs without call, history that is in no file. */
  violations: Diagnostic[]
  /** Model of the last turn, if recorded. */
  model?: string
  /** Tokens that the model's window holds, as recorded. */
  window?: number
  /** First and last request since the last compaction. */
  recorded?: { first: TokenSample; last: TokenSample }
  /** Whether requests still contained the reasoning of finished turns, if recorded counts show that. */
  reasoningKept?: boolean
  /** The last compaction before this moment. */
  compaction?: CompactionFacts
}

/** The memory of a thread at one moment, with its items: what Codex would send next. */
export interface History extends MemoryOutline<HistoryItem> {}
