/** Finds the copied history at the head of a fork while its lines go by (rollout-format 1.4, tests 2, 4 to 7). */
import type { KnownCopy } from '../model/rollout.ts'
import type { InheritedRange } from '../model/summary.ts'
import { uuidTime } from '../util/uuid-time.ts'
import type { ScanHead, ScanLine } from './scan-line.ts'

/** Looks at the lines of a thread in order. */
export interface InheritedFinder {
  /** Takes the next line; `ended` where the thread's own part begins with it. */
  take: (line: ScanLine) => 'ended' | undefined
  /** Whether the lines that go by are copies. */
  inside: () => boolean
  range: () => InheritedRange | undefined
}

/** A pause within a burst of copied lines is shorter, in milliseconds. */
const burstGap = 1000

interface State {
  threadId: string
  historyStart: number | undefined
  /** What a look at the parent's file told. */
  known: KnownCopy | undefined
  /** Creation time that the thread's id holds. */
  made: number | undefined
  open: InheritedRange | undefined
  closed: InheritedRange | undefined
  before: number | undefined
  lastLine: number
}

/** A finder for the thread of a head. */
export function inheritedFinder({ threadId, subagentHistoryStart, copied }: ScanHead): InheritedFinder {
  const state: State = {
    threadId,
    historyStart: subagentHistoryStart,
    known: copied,
    made: uuidTime(threadId),
    open: undefined,
    closed: undefined,
    before: undefined,
    lastLine: 0,
  }
  return {
    take: (line) => take(line, state),
    inside: () => state.open !== undefined,
    range: () => state.closed ?? (state.open === undefined ? undefined : { ...state.open, to: state.lastLine + 1 }),
  }
}

function take(line: ScanLine, state: State): 'ended' | undefined {
  if (line.segment !== 0 || state.closed !== undefined) return undefined
  state.lastLine = line.line
  if (state.open === undefined) {
    openAt(line, state)
    return undefined
  }
  const border = borderAt(line, state)
  if (border === undefined) return undefined
  state.closed = { ...state.open, to: line.line, guessed: border === 'guessed' }
  state.open = undefined
  return 'ended'
}

/** Opens the range where it is known to begin, else at the first head of another thread. */
function openAt(line: ScanLine, state: State): void {
  if (state.known !== undefined) {
    const { from, threadId } = state.known
    if (line.line >= from) state.open = { from: line.line, to: line.line, guessed: false, threadId }
    return
  }
  if (line.line === 1) return
  for (const fact of line.facts ?? []) {
    if (fact.kind !== 'meta' || fact.threadId === undefined || fact.threadId === state.threadId) continue
    state.open = { from: line.line, to: line.line, guessed: false, threadId: fact.threadId }
    state.before = time(line)
  }
}

/** Whether the thread's own part begins with a line: as known, by ordinal, by its first own turn, by a pause. */
function borderAt(line: ScanLine, state: State): 'exact' | 'guessed' | undefined {
  if (state.known !== undefined) return line.line >= state.known.to ? 'exact' : undefined
  if (state.historyStart !== undefined && line.ordinal !== undefined) {
    return line.ordinal >= state.historyStart ? 'exact' : undefined
  }
  if (startsOwnTurn(line, state.made)) return 'exact'
  const now = time(line)
  const pause = now === undefined || state.before === undefined ? 0 : now - state.before
  state.before = now ?? state.before
  return pause > burstGap ? 'guessed' : undefined
}

function time({ at }: ScanLine): number | undefined {
  const value = at === undefined ? Number.NaN : Date.parse(at)
  return Number.isNaN(value) ? undefined : value
}

/** A start whose id was made after the thread itself. */
function startsOwnTurn(line: ScanLine, own: number | undefined): boolean {
  return (
    own !== undefined &&
    (line.facts ?? []).some((fact) => {
      const made = fact.kind === 'turnStart' && fact.turnId !== undefined ? uuidTime(fact.turnId) : undefined
      return made !== undefined && made >= own
    })
  )
}
