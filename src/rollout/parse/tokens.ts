/** Token counts (rollout-format 7). */

import { asCount, asObject, asText, type JsonObject } from './decode.ts'
import type { TokensFact } from './facts.ts'
import { optional, usageOf } from './shared.ts'

/** A `token_count` event; without `info` it only brings rate limits and gives no fact. */
export function tokenCount(event: JsonObject): TokensFact | undefined {
  const info = asObject(event['info'])
  if (info === undefined) return undefined
  return {
    kind: 'tokens',
    from: 'token_count',
    ...optional('last', usageOf(info['last_token_usage'])),
    ...optional('total', usageOf(info['total_token_usage'])),
    ...optional('contextWindow', asCount(info['model_context_window'])),
  }
}

/** A `token_usage_record` line: exact, one per response. */
export function tokenRecord(payload: JsonObject): TokensFact {
  return {
    kind: 'tokens',
    from: 'token_usage_record',
    ...optional('turnId', asText(payload['turn_id'])),
    ...optional('responseId', asText(payload['response_id'])),
    ...optional('last', usageOf(payload['usage'])),
  }
}
