/** How turns end: what a page is told of one that its border cuts, or that ends on it without a record of that. */

import type { Fact, TurnEndFact } from '../rollout/parse/facts.ts'
import type { CutTurn } from '../transcript/summary.ts'
import { isInjected } from '../transcript/texts.ts'
import { defined } from '../util/own.ts'
import { endStatus, type Outcome } from './outcome.ts'
import { type ScanLine, traitsOf } from './scan-line.ts'

/** What a scan knows of the last turn. */
export interface LastTurn {
  /** A record began it. */
  isExplicit: boolean
  /** When something last happened in it. */
  lastAt: string | undefined
  /** Message of the error that is its last word. */
  lastError: string | undefined
  /** How it ended, where a record told. */
  ended: CutTurn | undefined
}

/** A turn in which nothing happened. */
export const noTurn: Readonly<LastTurn> = {
  isExplicit: false,
  lastAt: undefined,
  lastError: undefined,
  ended: undefined,
}

/** How a record says that a turn ended; an error as its last word makes it one that failed, as `turns` has it. */
export function recordedEnd(
  { status, error, durationMs }: TurnEndFact,
  lastError: string | undefined,
  endedAt: string | undefined,
): CutTurn {
  const isFailed = status === 'completed' && lastError !== undefined
  const end = isFailed ? { status: 'failed' as const, error: error ?? lastError } : { status, error }
  return { status: end.status, ...defined({ durationMs, error: end.error, endedAt }) }
}

/** How the last turn ended; up to 0.98 no record tells that one completed (rollout-format 6.1). */
export function endOfTurn({ ended, isExplicit, lastError, lastAt }: LastTurn, { turnTokens }: Outcome): CutTurn {
  const error = isExplicit ? undefined : lastError
  const end = ended ?? { status: endStatus({ isExplicit, error }), ...defined({ error, endedAt: lastAt }) }
  return { ...end, ...turnTokens() }
}

/** Whether a line is more than context and numbers. */
export function isContent({ kind, facts }: ScanLine): boolean {
  if (facts === undefined) return !traitsOf(kind).isContext
  return facts.some((fact) => (fact.kind === 'message' ? !isInjected(fact) : !noContent.has(fact.kind)))
}

const noContent: ReadonlySet<Fact['kind']> = new Set(['settings', 'tokens', 'meta', 'name'])
