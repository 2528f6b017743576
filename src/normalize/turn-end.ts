/** State of a turn once all of its records are known (rollout-format 6.1). */
import { holds, isFragment, mergeSources } from './fragment.ts'
import { foldEchoes } from './review.ts'
import type { Builder, DraftTurn, Room } from './room.ts'
import { injectedLabel } from './texts.ts'

/** Sets status, end, duration and kind. `followed`: another turn stands behind it in the slice. */
export function finishTurn(turn: DraftTurn, builder: Builder, followed: boolean): void {
  if (turn.endedAt === undefined && turn.status === 'unknown') setStatus(turn, builder, followed)
  inferEnd(turn)
  foldReviews(turn)
  foldAborts(turn)
  turn.kind = kindOf(turn)
}

/** Status of a turn without an end record: explicit ones run or ended unknown, implicit ones completed. */
function setStatus(turn: DraftTurn, { slice, turns, explicit, inherited }: Builder, followed: boolean): void {
  const unended = explicit.has(turn) ? 'unknown' : 'completed'
  if (followed || inherited || turns.open === undefined) turn.status = unended
  else if (!slice.last) Object.assign(turn, slice.cutTurn ?? { status: unended })
  else turn.status = explicit.has(turn) ? 'running' : 'completed'
}

/** End and duration from the records where none was written. */
function inferEnd(turn: DraftTurn): void {
  if (turn.endedAt === undefined) {
    const last = turn.children.findLast((child) => child.at !== undefined)?.at
    if (last !== undefined) turn.endedAt = last
  }
  if (turn.durationMs !== undefined || turn.at === undefined || turn.endedAt === undefined) return
  const duration = Date.parse(turn.endedAt) - Date.parse(turn.at)
  if (duration < 0) return
  turn.durationMs = duration
  turn.data = { ...turn.data, inferred: [...(turn.data?.inferred ?? []), 'durationMs'] }
}

function foldReviews(turn: Room): void {
  for (const child of turn.children) if (isFragment(child) && holds(child, 'review')) foldEchoes(child, turn)
}

/** The note that tells the model of an interruption is part of its marker. */
function foldAborts(turn: Room): void {
  const marker = turn.children.findLast(
    (child) => isFragment(child) && holds(child, 'turnEnd') && child.fact.status === 'interrupted',
  )
  if (marker === undefined) return
  turn.children = turn.children.filter((child) => {
    if (!isFragment(child) || !holds(child, 'message') || injectedLabel(child.fact) !== 'Interruption note') return true
    mergeSources(marker, child)
    return false
  })
}

function kindOf(turn: DraftTurn): typeof turn.kind {
  if (turn.kind !== 'user') return turn.kind
  const facts = turn.children.flatMap((child) => (isFragment(child) ? [child.fact] : []))
  if (
    facts.some(
      (fact) =>
        fact.kind === 'message' &&
        fact.role === 'user' &&
        fact.parts.some((part) => part.kind !== 'text' || part.class === 'typed'),
    )
  ) {
    return 'user'
  }
  if (
    facts.some(
      (fact) =>
        fact.kind === 'callGroup' &&
        fact.results.some(({ result }) => result.type === 'command' && result.actor === 'user'),
    )
  ) {
    return 'shell'
  }
  if (facts.some((fact) => fact.kind === 'message' && injectedLabel(fact) === 'User shell command')) return 'shell'
  if (facts.some((fact) => fact.kind === 'agentMessage')) return 'agent'
  return facts.some((fact) => fact.kind === 'notice' && fact.notice === 'goal') ? 'goal' : 'user'
}
