/**
 * What the model remembers: the response items that Codex would send with the next request of a thread. Plain data;
 * `builder.ts` makes it from records, `edit/` prunes it.
 */

import type { Diagnostic } from '../../../diagnostics/codes.ts'
import type { CategoryTotals, MemoryCategory } from './categories.ts'

/** A response item as it stands in the file: plain JSON with a `type`. */
export type ResponseItem = Readonly<Record<string, unknown>>

/** Where an item stands on disk. */
export interface MemorySource {
  /** Index into `History.segments`. */
  segment: number
  /** Physical line, from 1; of a one-document file the item's number. */
  line: number
  /** Which record of the line, from 0, where several ran together. */
  part?: number
  /** Index in the `replacement_history` of the compaction on that line. */
  replacement?: number
}

/** A file that the memory was read from, oldest first; the thread's own ones stand last. */
export interface MemorySegment {
  threadId: string
  /** Thread id for the first file of a thread, else the part behind `_` (rollout-format 1.3). */
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
  /** One line of plain text without control characters; not redacted. */
  preview: string
  /** Estimated; 0 where `outOfWindow`. */
  tokens: number
  /** Reasoning of a turn that is over: Codex sends it, the model's side drops it. */
  outOfWindow?: true
  /** Whether a mask leaves it in; `true` as it comes from a rollout. */
  included: boolean
  /** A text is sent in place of this output, and `tokens` are those of the text; `whole` are those of the output. */
  replaced?: { text: string; whole: number }
  /** Put in by the rules of the memory and in no file: the output of a call that has none. */
  synthetic?: true
  /** Empty for synthetic items. */
  sources: MemorySource[]
  /** Number of the turn in its thread, from 1; absent before the first turn and in history of another thread. */
  turn?: number
  /** Index of the other half of a pair of call and output. */
  pair?: number
}

/** One item of the memory with what is sent. */
export interface HistoryItem extends MemoryItem {
  /** As it stands in the file, but for outputs that a build cut when it sent them. */
  item: ResponseItem
}

/** What one compaction did. */
export interface CompactionFacts {
  source: MemorySource
  /** Number of the turn in which it happened. */
  turn?: number
  /** Items and estimated tokens that it took out of the memory, by category, and what it put in their place. */
  dropped: CategoryTotals
  kept: CategoryTotals
}

/** Tokens that the file records, and what is estimated for the memory at that moment. */
export interface TokenSample {
  /** Of a request and its answer, with instructions and tools. */
  recorded: number
  /** Of the memory alone. */
  estimated: number
  /** What of both is reasoning: recorded of the turn that was running, estimated of all turns. Absent where there is none. */
  reasoning?: { recorded: number; estimated: number }
}

/** The memory of a thread at one moment, described. */
export interface MemoryOutline<I extends MemoryItem = MemoryItem> {
  threadId: string
  /** Number of the last turn that was read, from 1; 0 where there is none. */
  turn: number
  segments: MemorySegment[]
  /** Version of Codex that began the rollout: where builds differ, the memory is what this one would send. */
  codex?: string
  items: I[]
  /** Older items that were too many to list. */
  older?: CategoryTotals
  /** What does not hold: calls without output, outputs without call, history that is in no file. */
  violations: Diagnostic[]
  /** Model of the last turn, where the records tell. */
  model?: string
  /** Tokens that the model's window holds, as recorded. */
  window?: number
  /** First and last request since the last compaction. */
  recorded?: { first: TokenSample; last: TokenSample }
  /** Whether requests still held the reasoning of turns that were over, where recorded counts tell. */
  reasoningKept?: boolean
  /** The last compaction before this moment. */
  compaction?: CompactionFacts
}

/** The memory of a thread at one moment, with its items: what Codex would send next. */
export interface History extends MemoryOutline<HistoryItem> {}
