/** Decodes what one record of a rollout, of any generation, means for the memory (rollout-format 2.1, 3.1). Never throws. */

import {
  asArray,
  asBoolean,
  asCount,
  asObject,
  asString,
  asText,
  type JsonObject,
} from '../../../rollout/parse/decode.ts'
import { defined } from '../../../util/own.ts'
import type { MemoryCategory } from './categories.ts'
import type { ResponseItem } from './history.ts'
import type { OutputLimit } from './items.ts'

/** What a record does to the memory. */
export type MemoryRecord =
  | { kind: 'item'; item: ResponseItem }
  /** Without `replacement`, the build recorded none, and the memory follows from the summary (3.6). */
  | { kind: 'compaction'; summary: string; replacement?: ResponseItem[] }
  | { kind: 'rollback'; turns: number }
  | { kind: 'settings'; model?: string; outputLimit?: OutputLimit }
  /**
   * Total tokens of the last request and its answer, the size of the window, and the counts of the request. `guessed`:
   * after a compaction or a rollback, Codex recorded its own estimate of the memory, and not the count of a request.
   */
  | { kind: 'tokens'; total?: number; window?: number; request?: RequestCount; guessed?: boolean }
  /** The agent message of the next record begins a turn. */
  | { kind: 'agentTurn' }

/** The meaning of a parsed record; `undefined` if it does not concern the memory. */
export function readRecord(value: unknown): MemoryRecord | undefined {
  const line = asObject(value)
  if (line === undefined) return undefined
  const payload = asObject(line['payload'])
  const type = asString(line['type'])
  if (type !== undefined && payload !== undefined) return enveloped(type, payload)
  const record = asString(line['record_type'])
  if (record === 'response') return { kind: 'item', item: payload ?? line }
  if (record === 'event') return event(asObject(line['msg']) ?? {})
  return type === undefined || record !== undefined ? undefined : { kind: 'item', item: line }
}

function enveloped(type: string, payload: JsonObject): MemoryRecord | undefined {
  switch (type) {
    case 'response_item':
      return { kind: 'item', item: payload }
    case 'event_msg':
      return event(payload)
    case 'compacted':
      return compaction(payload)
    case 'turn_context':
      return { kind: 'settings', ...defined({ model: asText(payload['model']), outputLimit: limitOf(payload) }) }
    case 'inter_agent_communication_metadata':
      return asBoolean(payload['trigger_turn']) ? { kind: 'agentTurn' } : undefined
    case 'inter_agent_communication':
      return { kind: 'item', item: agentMessage(payload) }
    default:
      return undefined
  }
}

function event(payload: JsonObject): MemoryRecord | undefined {
  switch (payload['type']) {
    case 'thread_rolled_back':
      return { kind: 'rollback', turns: asCount(payload['num_turns']) ?? 0 }
    case 'task_started':
    case 'turn_started':
      return tokens(undefined, payload['model_context_window'])
    case 'token_count': {
      const info = asObject(payload['info'])
      return tokens(asObject(info?.['last_token_usage']), info?.['model_context_window'])
    }
    default:
      return undefined
  }
}

function tokens(usage: JsonObject | undefined, window: unknown): MemoryRecord {
  const total = asCount(usage?.['total_tokens'])
  const input = asCount(usage?.['input_tokens'])
  const output = asCount(usage?.['output_tokens'])
  const reasoning = asCount(usage?.['reasoning_output_tokens'])
  const size = asCount(window)
  const record: MemoryRecord = { kind: 'tokens' }
  if (total !== undefined) record.total = total
  if (size) record.window = size
  if (total !== undefined && input !== undefined && output !== undefined && input + output < total)
    record.guessed = true
  if (total && input && reasoning !== undefined) record.request = { total, input, reasoning }
  return record
}

function compaction(payload: JsonObject): MemoryRecord {
  const replacement = payload['replacement_history']
  const items = asArray(replacement)
    .map(asObject)
    .filter((item) => item !== undefined)
  return {
    kind: 'compaction',
    summary: asString(payload['message']) ?? '',
    ...(Array.isArray(replacement) ? { replacement: items } : {}),
  }
}

/** How much of an output the model sees, for builds that cut outputs when they sent them, not when they recorded them. */
function limitOf(payload: JsonObject): OutputLimit | undefined {
  const policy = asObject(payload['truncation_policy'])
  const limit = asCount(policy?.['limit'])
  const unit = asString(policy?.['mode'])
  return limit === undefined || (unit !== 'bytes' && unit !== 'tokens') ? undefined : { unit, limit }
}

/** The item for a line of some builds; later builds record an item instead (rollout-format 3.1). */
function agentMessage(payload: JsonObject): ResponseItem {
  const text = asText(payload['content'])
  const encrypted = asText(payload['encrypted_content'])
  return {
    type: 'agent_message',
    ...defined({ author: asText(payload['author']), recipient: asText(payload['recipient']) }),
    content: [
      ...(text === undefined ? [] : [{ type: 'input_text', text }]),
      ...(encrypted === undefined ? [] : [{ type: 'encrypted_content', encrypted_content: encrypted }]),
    ],
  }
}

// Whether the model's side keeps the reasoning of finished turns. Codex sends it again, and most models drop it; the
// recorded size of the next turn's first request shows which applies.

/** The recorded counts of one request. */
interface RequestCount {
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
  /** Returns the reasoning tokens of the request; 0 for a repeated count. */
  request: (count: RequestCount, turn: number | undefined) => number
  /** Call when the memory was compacted or rolled back, because the next request cannot be compared with the last one then. */
  breakOff: () => void
  /** `undefined` if no turn shows it. */
  isKept: () => boolean | undefined
}

/** Smaller differences may come from what is only estimated. */
const minDifference = 300

/**
 * At most this many times the recorded reasoning may be missing from a request in which it was dropped; more than once,
 * because tokens are counted in different ways.
 */
const tolerance = 1.3

/** Categories of items that an answer consists of, whose tokens are already in its count. */
const answered: ReadonlySet<MemoryCategory> = new Set([
  'assistantMessage',
  'reasoning',
  'toolCall',
  'webSearch',
  'image',
])

/** Starts without any evidence. */
export function reasoningWindow(): ReasoningWindow {
  let last: (RequestCount & { turn: number | undefined }) | undefined
  /** Tokens of reasoning in the turn and in the whole window, and tokens that were added since the last request. */
  let [inTurn, inWindow, added] = [0, 0, 0]
  let [kept, dropped] = [false, false]
  const compare = (before: RequestCount, { input }: RequestCount): void => {
    const grown = input - before.total
    // Nothing but dropped reasoning makes a request smaller than the previous request with its answer.
    dropped ||= grown <= -minDifference && -grown <= tolerance * inWindow
    // What was added may be less than estimated, but not less than nothing.
    kept ||= inTurn >= minDifference && grown >= 0 && grown > added - inTurn / 2
  }
  return {
    item(category, tokens) {
      if (!answered.has(category)) added += tokens
    },
    request(count, turn) {
      // A count is repeated when only the limits of the account changed.
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
    // Evidence that it is dropped takes precedence, because it may be dropped a turn late.
    isKept: () => (dropped ? false : kept || undefined),
  }
}
