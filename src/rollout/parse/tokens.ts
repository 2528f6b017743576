/** Decodes token counts (rollout-format 7). */

import { defined, withDefined } from '../../util/own.ts'
import type { Usage } from '../terms.ts'
import { asCount, asObject, asText, type JsonObject } from './decode.ts'
import type { TokensFact } from './facts.ts'

/** Token counts of a usage object; `undefined` if it contains none. */
function usageOf(value: unknown): Usage | undefined {
  const object = asObject(value)
  const total = asCount(object?.['total_tokens'])
  if (object === undefined || (total === undefined && asCount(object['input_tokens']) === undefined)) return undefined
  const input = asCount(object['input_tokens']) ?? 0
  const output = asCount(object['output_tokens']) ?? 0
  const usage: Usage = {
    input,
    cached: asCount(object['cached_input_tokens']) ?? 0,
    output,
    reasoning: asCount(object['reasoning_output_tokens']) ?? 0,
    total: total ?? input + output,
  }
  const cacheWrite = asCount(object['cache_write_input_tokens'])
  if (cacheWrite !== undefined) usage.cacheWrite = cacheWrite
  return usage
}

/** A `token_count` event. Without `info` it only reports rate limits, and gives a fact only if a limit is reached. */
export function tokenCount(event: JsonObject): TokensFact | undefined {
  const info = asObject(event['info'])
  const limitReached = isLimitReached(asObject(event['rate_limits'])) || undefined
  if (info === undefined && limitReached === undefined) return undefined
  const fact: TokensFact = { kind: 'tokens', from: 'token_count' }
  return withDefined(fact, {
    last: usageOf(info?.['last_token_usage']),
    total: usageOf(info?.['total_token_usage']),
    contextWindow: asCount(info?.['model_context_window']),
    limitReached,
  })
}

/** Whether rate limits come from a refused request: they name the kind of limit, or have neither a window nor credits. */
function isLimitReached(limits: JsonObject | undefined): boolean {
  if (limits === undefined) return false
  if (asText(limits['rate_limit_reached_type']) !== undefined) return true
  const credits = asObject(limits['credits'])
  const hasNone = credits?.['has_credits'] === false && credits['unlimited'] !== true
  return hasNone && [limits['primary'], limits['secondary']].every((window) => asObject(window) === undefined)
}

/** A `token_usage_record` line: exact, one per response. */
export function tokenRecord(payload: JsonObject): TokensFact {
  return {
    kind: 'tokens',
    from: 'token_usage_record',
    ...defined({
      turnId: asText(payload['turn_id']),
      responseId: asText(payload['response_id']),
      last: usageOf(payload['usage']),
    }),
  }
}
