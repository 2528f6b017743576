/**
 * Decides where turns begin and end, and which two user records are one message (rollout-format 5.3, 6.1). The scan and
 * the plugins use the same state, so that counts and trees agree.
 */

import type { Log } from '../rollout/parse/facts.ts'
import { defined } from '../util/own.ts'

/** A user record whose twin from the other log has not come. */
interface Waiting<T> {
  text: string
  ref: T
  /** It opened no turn: a client may have added it. */
  added?: true
}

/** What the records so far mean for the next ones. `T` is the caller's reference to a record. */
export interface TurnState<T> {
  open: { explicit: boolean; turnId?: string; bare: boolean } | undefined
  /** In this thread, records mark where turns start: typed text follows such a record (6.1). */
  startsRecorded: boolean
  review: boolean
  closed: Set<string>
  item: Waiting<T>[]
  event: Waiting<T>[]
  /** Waiting item records after which only context has come. */
  fresh: Waiting<T>[]
  /** Instant of the last user record, if only context has come after it. */
  promptAt: string | undefined
}

/** The state before the first record, or after the previous slice, which closed turns and may have left one open. */
export function turnState<T>(
  open?: { explicit: boolean; turnId?: string; review: boolean },
  startsRecorded: boolean = false,
  closed: Iterable<string> = [],
): TurnState<T> {
  const { explicit, turnId, review = false } = open ?? {}
  return {
    startsRecorded,
    open: explicit === undefined ? undefined : { explicit, bare: false, ...defined({ turnId }) },
    ...{ review, closed: new Set(closed), item: [], event: [], fresh: [], promptAt: undefined },
  }
}

/**
 * What a user record does. `joins`: it is the twin of an earlier record, and may open a turn only now. `review`: it is a
 * review's prompt. `opens`: it opens a turn. `steers`: it belongs to the open turn. `added`: a client put it between
 * turns; nobody typed it there.
 */
type UserStep<T> =
  | { step: 'joins'; twin: T; opens: boolean }
  | { step: 'review' }
  | { step: 'opens' }
  | { step: 'steers' }
  | { step: 'added' }

/** A user record as input of the state. */
interface UserRecord<T> {
  log: Log
  /** Normalised by `messageKey`. */
  text: string
  /** Instant of the record. */
  at?: string | undefined
  /** An event also records it, so somebody typed it. */
  isShown?: boolean | undefined
  ref: T
}

/** Takes a typed user record. */
export function userRecord<T>(state: TurnState<T>, { log, text, at, isShown, ref }: UserRecord<T>): UserStep<T> {
  const others = state[log === 'item' ? 'event' : 'item']
  const index = others.findIndex((other) => other.text === text)
  if (index >= 0) {
    const [twin] = others.splice(index, 1)
    if (twin !== undefined) return joinTwin(twin, state)
  }
  if (state.review && log === 'event') return { step: 'review' }
  if (state.open === undefined && state.startsRecorded && log === 'item' && isShown !== true) {
    state.item.push({ text, ref, added: true })
    return { step: 'added' }
  }
  const steers = state.open !== undefined && (state.open.explicit || state.open.bare || isQueued(log, at, state))
  if (!steers) openTurn(state, { explicit: false, bare: false })
  else if (state.open !== undefined) state.open.bare = false
  const waiting = { text, ref }
  state[log].push(waiting)
  if (log === 'item') state.fresh.push(waiting)
  state.promptAt = at
  return steers ? { step: 'steers' } : { step: 'opens' }
}

function joinTwin<T>({ ref, added }: Waiting<T>, state: TurnState<T>): UserStep<T> {
  const opens = added === true && state.open === undefined
  if (opens) openTurn(state, { explicit: false, bare: false })
  return { step: 'joins', twin: ref, opens }
}

/** Longest time, in milliseconds, between prompts that were queued while a turn ran and are handed over together. */
const queueMs = 1000

/** Whether a prompt was typed while a turn ran, and goes to the model together with the previous one (0.63, 0.64). */
function isQueued<T>(log: Log, at: string | undefined, { promptAt }: TurnState<T>): boolean {
  if (log !== 'item' || at === undefined || promptAt === undefined) return false
  const elapsed = Date.parse(at) - Date.parse(promptAt)
  return elapsed >= 0 && elapsed < queueMs
}

function closeOpen<T>(state: TurnState<T>): void {
  if (state.open?.turnId !== undefined) state.closed.add(state.open.turnId)
  state.open = undefined
}

function openTurn<T>(state: TurnState<T>, open: NonNullable<TurnState<T>['open']>): void {
  closeOpen(state)
  state.open = open
  state.item = []
  state.event = []
  state.promptAt = undefined
}

/** Whether there are user records that the start of their turn may still follow. */
export function hasFresh<T>({ fresh, item }: TurnState<T>): boolean {
  return fresh.some((waiting) => item.includes(waiting))
}

/** User records that a migrated file wrote before the start of their turn (2.4), oldest first. */
export function freshRecords<T>(state: TurnState<T>): T[] {
  return state.fresh.filter((waiting) => state.item.includes(waiting)).map((waiting) => waiting.ref)
}

/**
 * Takes a `task_started`. `nested`: it is the reviewer's own turn, which opens none here (6.1, rule 9), or repeats the
 * start of the open turn. `adopts`: a migrated file wrote the user's record before the start of its turn (2.4); the
 * waiting records move into the new turn, and an implicit turn that contains nothing else becomes it.
 */
export function turnStarts<T>(state: TurnState<T>, turnId: string | undefined): 'opens' | 'nested' | 'adopts' {
  const { open } = state
  if (state.review || (open?.explicit && turnId !== undefined && open.turnId === turnId)) return 'nested'
  const migrated = isMigrated(turnId)
  // In a migrated file the prompt precedes the start of its turn (2.4), so this start does not count.
  if (!migrated) state.startsRecorded = true
  const fresh = migrated ? state.fresh.filter((waiting) => state.item.includes(waiting)) : []
  const adopts = fresh.length > 0 && open?.explicit === false
  openTurn(state, { explicit: true, bare: false, ...defined({ turnId }) })
  state.item = fresh
  state.fresh = []
  return adopts ? 'adopts' : 'opens'
}

/** Whether a migration wrote this turn's start (2.4). */
export function isMigrated(turnId: string | undefined): boolean {
  return turnId?.startsWith('rollout-') === true
}

/**
 * Whether context that comes now may belong to the next turn: no turn is open, or one that ends where the next one begins
 * or, in a migrated file, after the next one's prompt (2.4).
 */
export function isContextAhead<T>({ open }: TurnState<T>): boolean {
  return !open?.explicit || isMigrated(open.turnId)
}

/** Takes a `task_complete` or `turn_aborted`. `late`: its turn is already closed and only gets its status. */
export function turnEnds<T>(state: TurnState<T>, turnId: string | undefined): 'closes' | 'late' | 'nothing' {
  if (turnId !== undefined && state.closed.has(turnId)) return 'late'
  if (state.open === undefined) return 'nothing'
  if (turnId !== undefined) state.closed.add(turnId)
  closeOpen(state)
  return 'closes'
}

/** Takes the border of a segment or of what a revert undid: the open turn is over. */
export function turnBreaks<T>(state: TurnState<T>): void {
  closeOpen(state)
  state.item = []
  state.event = []
  state.fresh = []
}

/** Takes anything else that happens in a turn: waiting records of a migrated file are no longer fresh. */
export function turnContent<T>(state: TurnState<T>): void {
  if (state.fresh.length > 0) state.fresh = []
  state.promptAt = undefined
  if (state.open !== undefined) state.open.bare = false
}

/** Takes `entered_review_mode`; opens the review's turn if no explicit one is open. */
export function reviewStarts<T>(state: TurnState<T>): 'opens' | 'stays' {
  state.review = true
  if (state.open?.explicit) return 'stays'
  openTurn(state, { explicit: false, bare: false })
  return 'opens'
}

/** Takes `exited_review_mode`. */
export function reviewEnds<T>(state: TurnState<T>): void {
  state.review = false
}

/**
 * A key for comparing two records of one message: the text without line ends and trailing whitespace, because an event
 * joins the parts of its item without a separator (5.3).
 */
export function messageKey(text: string): string {
  return text.replace(/[\r\n]+/g, '').trimEnd()
}
