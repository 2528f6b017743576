/** Which turns of a thread are valid, and which were rolled back: its own, and those that it copied from another thread. */

import { append } from '../util/groups.ts'

/** Numbers of turns. */
export interface LiveTurns {
  live: number[]
  rolledBack: number[]
  /** The same for copied turns, once the own ones have begun. */
  copiedLive: number[]
  copiedRolledBack: number[]
  /** How many turns of the history before the first record were rolled back. */
  baseRolledBack: number
}

export function liveTurns(): LiveTurns {
  return { live: [], rolledBack: [], copiedLive: [], copiedRolledBack: [], baseRolledBack: 0 }
}

/** Called when the copied history ends. */
export function ownTurnsBegin(turns: LiveTurns): void {
  turns.copiedLive = turns.live
  turns.live = []
}

/** Called for a turn that has just opened and that a later segment undid. */
export function undoTurn(turn: number, isCopied: boolean, turns: LiveTurns): void {
  turns.live.pop()
  rolledBackOf(isCopied, turns).push(turn)
}

/** Rolls back the last turns that are valid; if there are not enough of them, also turns that the thread copied. */
export function rollBack(count: number, isCopied: boolean, turns: LiveTurns): void {
  const own = lastOf(turns.live, count)
  append(rolledBackOf(isCopied, turns), own)
  if (isCopied) return
  const copied = lastOf(turns.copiedLive, count - own.length)
  append(turns.copiedRolledBack, copied)
  turns.baseRolledBack += count - own.length - copied.length
}

/** Removes the last items of a list and returns them. */
function lastOf(items: number[], count: number): number[] {
  return items.splice(Math.max(0, items.length - count))
}

/** The rolled-back turns of the own or the copied part. */
function rolledBackOf(isCopied: boolean, { rolledBack, copiedRolledBack }: LiveTurns): number[] {
  return isCopied ? copiedRolledBack : rolledBack
}
