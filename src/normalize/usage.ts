/** Tokens: what each response cost, counted once (rollout-format 7). */
import type { TokensFact } from '../model/facts.ts'
import type { Usage } from '../model/trast.ts'
import type { Builder } from './room.ts'

/** Adds a token record to the open turn and to the thread's usage by model. */
export function addUsage(fact: TokensFact, builder: Builder): void {
  if (builder.inherited) return
  const { slice, session, turn } = builder
  const { carry } = slice
  if (fact.contextWindow !== undefined) session.contextWindow = fact.contextWindow
  const usage = counts(fact, carry) ? fact.last : undefined
  if (fact.total !== undefined) carry.tokenTotal = fact.total
  if (fact.last === undefined) return
  if (turn !== undefined) turn.contextTokens = fact.last.total
  if (usage === undefined) return
  const model = carry.settings.model ?? 'unknown'
  slice.usage[model] = sumUsage(slice.usage[model], usage)
  if (turn !== undefined) turn.usage = sumUsage(turn.usage, usage)
}

/** Repeats of an unchanged total, and events beside exact records, count nothing. */
function counts(fact: TokensFact, carry: { tokenTotal?: number; tokenRecords: boolean }): boolean {
  if (fact.from === 'token_usage_record') {
    carry.tokenRecords = true
    return true
  }
  return !carry.tokenRecords && fact.total !== undefined && fact.total !== carry.tokenTotal
}

/** Sum of two usages; `total` is input plus output, since estimates raise the recorded one. */
export function sumUsage(left: Usage | undefined, right: Usage): Usage {
  const input = (left?.input ?? 0) + right.input
  const output = (left?.output ?? 0) + right.output
  const cacheWrite = (left?.cacheWrite ?? 0) + (right.cacheWrite ?? 0)
  return {
    input,
    cached: (left?.cached ?? 0) + right.cached,
    ...(cacheWrite > 0 ? { cacheWrite } : {}),
    output,
    reasoning: (left?.reasoning ?? 0) + right.reasoning,
    total: input + output,
  }
}
