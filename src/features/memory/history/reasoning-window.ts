/**
 * Whether the model's side keeps the reasoning of turns that are over. Codex sends it again, most models drop it; what
 * the first request of the next turn is recorded to take tells which.
 */

import type { MemoryCategory } from './categories.ts'

/** One request as recorded. */
export interface RequestCount {
  /** Tokens of the request and its answer. */
  total: number
  /** Tokens of the request. */
  input: number
  /** Tokens of the reasoning in its answer. */
  reasoning: number
}

/** Collects evidence in the order of the records. */
export interface ReasoningWindow {
  item: (category: MemoryCategory, tokens: number) => void
  /** Gives the reasoning of the request, 0 for a count that was repeated. */
  request: (count: RequestCount, turn: number | undefined) => number
  /** The memory was compacted or rolled back: the next request cannot be compared with the last one. */
  breakOff: () => void
  /** `undefined` where no turn tells. */
  isKept: () => boolean | undefined
}

/** Smaller differences than this may come from what is only estimated. */
const minDifference = 300

/** Fewer tokens may be missing than there was reasoning, and some more where the counts are of another making. */
const tolerance = 1.3

/** What an answer consists of is in its count already. */
const answered: ReadonlySet<MemoryCategory> = new Set([
  'assistantMessage',
  'reasoning',
  'toolCall',
  'webSearch',
  'image',
])

/** Evidence before the first record. */
export function reasoningWindow(): ReasoningWindow {
  let last: (RequestCount & { turn: number | undefined }) | undefined
  /** Reasoning of the turn, of the whole window, and tokens that came in since the last request. */
  let [inTurn, inWindow, added] = [0, 0, 0]
  let [kept, dropped] = [false, false]
  const compare = (before: RequestCount, { input }: RequestCount): void => {
    const grown = input - before.total
    // Nothing else makes a request smaller than the one before it with its answer.
    dropped ||= grown <= -minDifference && -grown <= tolerance * inWindow
    // What came in may be less than estimated, but not less than nothing.
    kept ||= inTurn >= minDifference && grown >= 0 && grown > added - inTurn / 2
  }
  return {
    item(category, tokens) {
      if (!answered.has(category)) added += tokens
    },
    request(count, turn) {
      // A count is repeated where only the limits of the account changed.
      if (count.total === last?.total && count.input === last.input) return 0
      if (last !== undefined && last.turn !== turn) {
        compare(last, count)
        inTurn = 0
      }
      inTurn += count.reasoning
      inWindow += count.reasoning
      last = { ...count, turn }
      added = 0
      return count.reasoning
    },
    breakOff() {
      last = undefined
      ;[inTurn, inWindow, added] = [0, 0, 0]
    },
    // Reasoning may be dropped a turn late.
    isKept: () => (dropped ? false : kept || undefined),
  }
}
