/**
 * Tokens of a thread, counted from the JSON of its lines. It shares no code with `src`: it is a second, simpler
 * reading to compare ours with (rollout-format 7).
 */

type Json = Record<string, unknown>

/** Tokens by part: input, cached input, output, reasoning. */
export type Counts = readonly [number, number, number, number]

const names = ['input_tokens', 'cached_input_tokens', 'output_tokens', 'reasoning_output_tokens']
export const none: Counts = [0, 0, 0, 0]

/** Sum of two counts. */
export function plus(left: Counts, right: Counts): Counts {
  return left.map((value, index) => value + (right[index] ?? 0)) as unknown as Counts // four in, four out
}

/** What the lines of one thread say about its tokens. */
export interface RawTokens {
  /**
   * What was added to the running totals; one that falls has restarted with its first response (resumes up to 0.77).
   */
  gained: Counts
  /** Sum of all exact records, `undefined` if there are none. */
  recorded: Counts | undefined
  /** The newest running total. */
  total: Counts | undefined
  restarts: number
  /**
   * Restarts whose total differs from that of the response: those of reverts, and of twins, whose totals were moved.
   */
  moved: number
}

/** Counts the lines of a thread in file order; `copied` marks lines of an ancestor's history. */
export function rawTokens(lines: readonly { json: Json; copied: boolean }[], inherits: boolean): RawTokens {
  const result: RawTokens = { gained: none, recorded: undefined, total: undefined, restarts: 0, moved: 0 }
  for (const { json, copied } of lines) {
    const payload = json['payload'] as Json
    if (json['type'] === 'token_usage_record' && !copied) {
      result.recorded = plus(result.recorded ?? none, counts(payload['usage']))
    }
    const info = payload['type'] === 'token_count' ? payload['info'] : undefined
    if (info !== undefined && info !== null) addTotal(info as Json, copied, inherits, result)
  }
  return result
}

function addTotal(info: Json, copied: boolean, inherits: boolean, result: RawTokens): void {
  const total = counts(info['total_token_usage'])
  const before = result.total
  const fell = before !== undefined && total[0] + total[2] < before[0] + before[2]
  const last = counts(info['last_token_usage'])
  if (fell) result.restarts++
  if (fell && total.join() !== last.join()) result.moved++
  if (!copied) {
    // A fork without a copy continues its parent's total, and one that restarts contains only its first response.
    const isOwn = fell || (before === undefined && inherits)
    const base = before === undefined || isOwn ? none : before
    const now = isOwn ? last : total
    result.gained = plus(result.gained, plus(now, base.map((value) => -value) as unknown as Counts))
  }
  result.total = total
}

function counts(usage: unknown): Counts {
  const object = (usage ?? {}) as Json
  return names.map((name) => Number(object[name] ?? 0)) as unknown as Counts
}
