/** Counts the tokens of each response once (rollout-format 7). */

import type { TokensFact } from '../rollout/parse/facts.ts'
import { ownValue, setOwn } from '../util/own.ts'
import { type Builder, containerFor, type DraftTurn, namedTurn } from './container.ts'
import type { FragmentOf } from './fragment.ts'
import type { Carry } from './slice.ts'
import type { TurnTokens } from './summary.ts'
import type { Usage } from './trast.ts'

type TokensFragment = FragmentOf<TokensFact>

/**
 * Adds a token record to its turn and to the thread's usage by model. A `token_count` repeats what the preceding
 * `token_usage_record`s said, so only what its total contains beyond them counts.
 */
export function addUsage(node: TokensFragment, builder: Builder): void {
  const { fact } = node
  const { slice, session, inherited } = builder
  const used = newUsage(fact, slice.carry, inherited)
  if (inherited) return
  const turn = turnOf(node, builder)
  if (fact.contextWindow !== undefined) session.contextWindow = fact.contextWindow
  const isOpen = builder.turns.open !== undefined
  if (turn !== undefined) addTokens(turn, { fact, used, isOpen, contextWindow: session.contextWindow })
  if (used === undefined) return
  const model = turn?.model ?? builder.carry.settings.model ?? 'unknown'
  setOwn(slice.usage, model, sumUsage(ownValue(slice.usage, model), used))
}

/** A token record, and what else determines what it means for its turn. */
interface TurnRecord {
  fact: TokensFact
  /** What it adds to all records before it. */
  used: Usage | undefined
  /** Whether it is within a turn. */
  isOpen: boolean
  contextWindow: number | undefined
}

/** Adds a token record to its turn. */
export function addTokens(turn: TurnTokens, { fact: { last }, used, isOpen, contextWindow }: TurnRecord): void {
  if (last !== undefined && (used !== undefined || (isOpen && isEstimate(last)))) {
    turn.contextTokens = last.total
    if (contextWindow !== undefined) turn.contextWindow = contextWindow
  }
  if (used !== undefined) turn.usage = sumUsage(turn.usage, used)
}

/**
 * Whether a usage is only an estimate of what the window contains, as after a compaction or an overflow. Between turns,
 * it is what a rollback left in the window, and says nothing about the previous turn.
 */
function isEstimate({ input, output, total }: Usage): boolean {
  return input + output !== total
}

/** The turn that the record names, else the open one, even if it began on the previous page. */
function turnOf(node: TokensFragment, builder: Builder): DraftTurn | undefined {
  const turn = namedTurn(builder, node.fact.turnId) ?? builder.turn
  if (turn !== undefined) return turn
  if (builder.carry.open === undefined || builder.container !== undefined) return undefined
  const container = containerFor(node, builder)
  return container.type === 'turn' ? container : undefined
}

/** The state of a thread's totals after its last token record. */
export type TokenTotals = Pick<Carry, 'tokensTotal' | 'tokensRecorded' | 'responses'>

/** What a record adds to all records before it. Copied history of a fork only sets the totals from which to start. */
export function newUsage(
  { from, responseId, last, total }: TokensFact,
  carry: TokenTotals,
  inherited: boolean,
): Usage | undefined {
  if (from === 'token_usage_record') {
    if (isRepeated(responseId, carry)) return undefined
    if (last !== undefined && !inherited) carry.tokensRecorded = sumUsage(carry.tokensRecorded, last)
    return last
  }
  const before = carry.tokensTotal
  if (total === undefined || (before !== undefined && before.total === total.total)) return undefined
  const grown = growth(before, total, last)
  const fresh = grown === undefined ? undefined : excess(grown, carry.tokensRecorded)
  carry.tokensTotal = total
  if (carry.tokensRecorded !== undefined) delete carry.tokensRecorded
  return fresh
}

/** Whether this response was already recorded: each response is paid for once. */
function isRepeated(responseId: string | undefined, carry: TokenTotals): boolean {
  if (responseId === undefined) return false
  carry.responses ??= new Set()
  if (carry.responses.has(responseId)) return true
  carry.responses.add(responseId)
  return false
}

/**
 * How much a total grew. Up to 0.77 it starts again at a resume, and in a fork without a copy it continues the parent's
 * total: in both cases only the last response counts. It may grow by several responses if a migration dropped records.
 */
function growth(before: Usage | undefined, total: Usage, last: Usage | undefined): Usage | undefined {
  if (before === undefined) return last
  const grown = joinUsages(total, before, (now, then) => now - then)
  return covers(grown, last ?? nothing) ? grown : last
}

/** Whether each part of a usage is at least that of another. */
function covers(usage: Usage, other: Usage): boolean {
  return (
    usage.input >= other.input &&
    usage.cached >= other.cached &&
    (usage.cacheWrite ?? 0) >= (other.cacheWrite ?? 0) &&
    usage.output >= other.output &&
    usage.reasoning >= other.reasoning
  )
}

/** What a usage contains beyond another; `undefined` if nothing. */
function excess(usage: Usage, counted: Usage | undefined): Usage | undefined {
  const rest = joinUsages(usage, counted ?? nothing, (all, part) => Math.max(0, all - part))
  return rest.total > 0 ? rest : undefined
}

const nothing: Usage = { input: 0, cached: 0, output: 0, reasoning: 0, total: 0 }

/** Sum of two usages. */
export function sumUsage(left: Usage | undefined, right: Usage): Usage {
  return joinUsages(left ?? nothing, right, (one, other) => one + other)
}

/**
 * Combines two usages field by field. `total` is input plus output, because estimates and overflows raise the recorded
 * total.
 */
function joinUsages(left: Usage, right: Usage, join: (left: number, right: number) => number): Usage {
  const input = join(left.input, right.input)
  const cached = join(left.cached, right.cached)
  const cacheWrite = join(left.cacheWrite ?? 0, right.cacheWrite ?? 0)
  const output = join(left.output, right.output)
  const reasoning = join(left.reasoning, right.reasoning)
  const total = input + output
  return cacheWrite === 0
    ? { input, cached, output, reasoning, total }
    : { input, cached, cacheWrite, output, reasoning, total }
}
