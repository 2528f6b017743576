/** Tokens: what each response cost, counted once (rollout-format 7). */
import type { TokensFact } from '../model/facts.ts'
import type { Usage } from '../model/trast.ts'
import { ownValue, setOwn } from '../util/own.ts'
import type { Fragment } from './fragment.ts'
import { type Builder, type DraftTurn, roomFor } from './room.ts'
import type { Carry } from './slice.ts'

type TokensFragment = Fragment & { fact: TokensFact }

/**
 * Adds a token record to its turn and to the thread's usage by model. A `token_count` repeats what the
 * `token_usage_record`s before it said: only what its total holds beyond them counts.
 */
export function addUsage(node: TokensFragment, builder: Builder): void {
  const { fact } = node
  const { slice, session, inherited } = builder
  const used = newUsage(fact, slice.carry, inherited)
  if (inherited) return
  const turn = turnOf(node, builder)
  if (fact.contextWindow !== undefined) session.contextWindow = fact.contextWindow
  if (turn !== undefined && fact.last !== undefined && (used !== undefined || isEstimate(fact.last))) {
    turn.contextTokens = fact.last.total
    if (session.contextWindow !== undefined) turn.contextWindow = session.contextWindow
  }
  if (used === undefined) return
  const model = turn?.model ?? slice.carry.settings.model ?? 'unknown'
  setOwn(slice.usage, model, sumUsage(ownValue(slice.usage, model), used))
  if (turn !== undefined) turn.usage = sumUsage(turn.usage, used)
}

/** After a compaction or an overflow the last usage holds no more than a guess of what the window holds. */
function isEstimate({ input, output, total }: Usage): boolean {
  return input + output !== total
}

/** The turn that the record names, else the open one, also where it began on the page before. */
function turnOf(node: TokensFragment, builder: Builder): DraftTurn | undefined {
  const { turnId } = node.fact
  const named = turnId === undefined ? undefined : builder.byId.get(turnId)
  if (named !== undefined || builder.turn !== undefined) return named ?? builder.turn
  if (builder.slice.carry.open === undefined || builder.room !== undefined) return undefined
  const room = roomFor(node, builder)
  return room.type === 'turn' ? room : undefined
}

/** What a record adds to all records before it; the copied history of a fork only sets the totals to start from. */
function newUsage({ from, last, total }: TokensFact, carry: Carry, inherited: boolean): Usage | undefined {
  if (from === 'token_usage_record') {
    if (last !== undefined && !inherited) carry.tokensRecorded = sumUsage(carry.tokensRecorded, last)
    return last
  }
  const before = carry.tokensTotal
  if (total === undefined || (before !== undefined && before.total === total.total)) return undefined
  const grown = growth(before, total, last)
  const fresh = grown === undefined ? undefined : beyond(grown, carry.tokensRecorded)
  carry.tokensTotal = total
  delete carry.tokensRecorded
  return fresh
}

/**
 * How much a total grew. It starts again at a resume up to 0.77, and goes on from the parent's in a fork that has no
 * copy: then only the last response tells. It may grow by several responses where a migration dropped records.
 */
function growth(before: Usage | undefined, total: Usage, last: Usage | undefined): Usage | undefined {
  if (before === undefined) return last
  const grown = mapUsage((key) => amount(total, key) - amount(before, key))
  return keys.every((key) => amount(grown, key) >= amount(last, key)) ? grown : last
}

/** What a usage holds beyond another; `undefined` for nothing. */
function beyond(usage: Usage, known: Usage | undefined): Usage | undefined {
  const rest = mapUsage((key) => Math.max(0, amount(usage, key) - amount(known, key)))
  return rest.total > 0 ? rest : undefined
}

const keys = ['input', 'cached', 'cacheWrite', 'output', 'reasoning'] as const
type Key = (typeof keys)[number]

function amount(usage: Usage | undefined, key: Key): number {
  return usage?.[key] ?? 0
}

/** A usage by parts; `total` is input plus output, since estimates and overflows raise the recorded one. */
function mapUsage(part: (key: Key) => number): Usage {
  const [input, cacheWrite, output] = [part('input'), part('cacheWrite'), part('output')]
  return {
    input,
    cached: part('cached'),
    ...(cacheWrite === 0 ? {} : { cacheWrite }),
    output,
    reasoning: part('reasoning'),
    total: input + output,
  }
}

/** Sum of two usages. */
export function sumUsage(left: Usage | undefined, right: Usage): Usage {
  return mapUsage((key) => amount(left, key) + amount(right, key))
}
