/** Finds the copied history at the head of a fork while its lines go by (rollout-format 1.4, tests 2, 4, 6, 7). */
import type { InheritedRange } from '../model/summary.ts'
import type { ScanLine } from './scan.ts'

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
  /** Creation time that the thread's id holds. */
  made: number | undefined
  open: InheritedRange | undefined
  closed: InheritedRange | undefined
  before: number | undefined
  lastLine: number
}

/** A finder for a thread; `historyStart` is `subagent_history_start_ordinal`. */
export function inheritedFinder(threadId: string, historyStart: number | undefined): InheritedFinder {
  const state: State = {
    threadId,
    historyStart,
    made: versionSevenTime(threadId),
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

/** Opens the range at the first head of another thread. */
function openAt(line: ScanLine, state: State): void {
  if (line.line === 1) return
  for (const fact of line.facts ?? []) {
    if (fact.kind !== 'meta' || fact.threadId === undefined || fact.threadId === state.threadId) continue
    state.open = { from: line.line, to: line.line, guessed: false, threadId: fact.threadId }
    state.before = time(line)
  }
}

/** Whether the thread's own part begins with a line: by ordinal, by its first own turn, by a pause. */
function borderAt(line: ScanLine, state: State): 'exact' | 'guessed' | undefined {
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
      const made = fact.kind === 'turnStart' && fact.turnId !== undefined ? versionSevenTime(fact.turnId) : undefined
      return made !== undefined && made >= own
    })
  )
}

/** Milliseconds in a UUIDv7. */
function versionSevenTime(id: string): number | undefined {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id) ? Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) : undefined
}
