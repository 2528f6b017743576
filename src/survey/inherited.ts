/** Copied history at the start of a fork: found while the lines are read (rollout-format 1.4, tests 2 and 4 to 7), and folded. */

import type { KnownCopy } from '../rollout/discover/rollout.ts'
import type { InheritedRange, PagePlan, ScanFacts } from '../transcript/summary.ts'
import { defined } from '../util/own.ts'
import { timeOf, uuidTime } from '../util/time.ts'
import type { ScanHead, ScanLine } from './scan-line.ts'

/** Examines the lines of a thread in order. */
export interface InheritedFinder {
  /** Takes the next line; `ended` if the thread's own part begins with it. */
  take: (line: ScanLine) => 'ended' | undefined
  /** Whether the current lines are copies. */
  inside: () => boolean
  range: () => InheritedRange | undefined
}

/** Longest pause within a burst of copied lines, in milliseconds. */
const burstGap = 1000

interface State {
  threadId: string
  historyStart: number | undefined
  /** What comparing the file with its parent showed. */
  known: KnownCopy | undefined
  /** Creation time, as contained in the thread's id. */
  made: number | undefined
  /** Which thread the head names as the origin of a fork, and when the fork began. */
  fork: { threadId: string; begun: number } | undefined
  /** Set if copied lines kept their old times: the first line written at or after this time is the fork's own. */
  copiedBefore: number | undefined
  open: InheritedRange | undefined
  closed: InheritedRange | undefined
  before: number | undefined
  lastLine: number
}

/** A finder for the thread with this head. */
export function inheritedFinder(head: ScanHead): InheritedFinder {
  const { threadId, subagentHistoryStart, copied } = head
  const state: State = {
    threadId,
    historyStart: subagentHistoryStart,
    known: copied,
    made: uuidTime(threadId),
    fork: forkOf(head),
    copiedBefore: undefined,
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

function forkOf({ forkedFromId, startedAt = '' }: ScanHead): State['fork'] {
  const begun = Date.parse(startedAt)
  return forkedFromId === undefined || Number.isNaN(begun) ? undefined : { threadId: forkedFromId, begun }
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

/**
 * Opens the range at a line that is older than the fork itself: Codex gives copied lines new times, but a pruned copy keeps the
 * old ones. Otherwise opens it where the copy is known to begin, or at the first head of another thread.
 */
function openAt(line: ScanLine, state: State): void {
  if (state.fork !== undefined && (timeOf(line.at) ?? state.fork.begun) < state.fork.begun) {
    state.copiedBefore = state.fork.begun
    state.open = { from: line.line, to: line.line, guessed: false, threadId: state.fork.threadId }
    return
  }
  if (state.known !== undefined) {
    const { from, threadId } = state.known
    if (line.line >= from) state.open = { from: line.line, to: line.line, guessed: false, threadId }
    return
  }
  if (line.line === 1) return
  for (const fact of line.facts ?? []) {
    if (fact.kind !== 'meta' || fact.threadId === undefined || fact.threadId === state.threadId) continue
    state.open = { from: line.line, to: line.line, guessed: false, threadId: fact.threadId }
    state.before = timeOf(line.at)
  }
}

/** Whether the thread's own part begins with a line: as already known, by ordinal, by its first own turn, or by a pause. */
function borderAt(line: ScanLine, state: State): 'exact' | 'guessed' | undefined {
  const isOwn = knownAt(line, state)
  if (isOwn !== undefined) return isOwn ? 'exact' : undefined
  if (startsOwnTurn(line, state.made)) return 'exact'
  const now = timeOf(line.at)
  const pause = now === undefined || state.before === undefined ? 0 : now - state.before
  state.before = now ?? state.before
  return pause > burstGap ? 'guessed' : undefined
}

/** Whether a line is the thread's own, if its time, the comparison with the parent or its ordinal shows that. */
function knownAt(line: ScanLine, { copiedBefore, known, historyStart }: State): boolean | undefined {
  if (copiedBefore !== undefined) return (timeOf(line.at) ?? 0) >= copiedBefore
  if (known !== undefined) return line.line >= known.to
  return historyStart === undefined || line.ordinal === undefined ? undefined : line.ordinal >= historyStart
}

/** Whether a line starts a turn whose id was made after the thread itself. */
function startsOwnTurn(line: ScanLine, own: number | undefined): boolean {
  return (
    own !== undefined &&
    (line.facts ?? []).some((fact) => {
      const made = fact.kind === 'turnStart' && fact.turnId !== undefined ? uuidTime(fact.turnId) : undefined
      return made !== undefined && made >= own
    })
  )
}

// The size and duration of a thread.

/** Measures line by line. */
export interface Extent {
  take: (line: ScanLine) => void
  /** The start that the head records takes precedence over that of the first record. */
  facts: (head: ScanHead) => Pick<ScanFacts, 'lines' | 'bytes' | 'startedAt' | 'endedAt'>
}

/** Measures the lines of a thread, whose times may run backwards. */
export function extent(): Extent {
  let [lines, bytes] = [0, 0]
  let first: string | undefined
  let last: string | undefined
  return {
    take({ at, start, end }) {
      lines++
      bytes += end - start
      first ??= at
      if (at !== undefined && at > (last ?? '')) last = at
    },
    facts: ({ startedAt }) => ({
      lines,
      bytes,
      ...defined({ startedAt: startedAt ?? first, endedAt: last ?? startedAt }),
    }),
  }
}

// Folding: if the origin of a fork is available, its copied history is shown as one line and takes no pages.

/** The slices of all pages in order, including those that have no page of their own. */
export function slicePlans(pages: readonly PagePlan[]): PagePlan[] {
  return pages.flatMap((page) => [...(page.folded ?? []), page])
}

/**
 * The facts of a fork whose origin is available: copied history is shown as one line, so slices that contain nothing else take no
 * page, and the fork opens where its own part begins.
 */
export function withFoldedCopies(facts: ScanFacts): ScanFacts {
  const { pages, inherited } = facts
  if (inherited === undefined) return facts
  // A slice ends where the next one begins.
  const own = pages.findIndex(({ ranges: [range] }) => range && (range.segment > 0 || range.firstLine > inherited.to))
  const count = (own < 0 ? pages.length : own) - 1
  const [first, ...others] = pages.slice(count)
  if (count <= 0 || first === undefined) return facts
  const moved = <T extends { page: number }>(item: T): T => ({ ...item, page: Math.max(1, item.page - count) })
  return {
    ...facts,
    pages: [{ ...first, folded: pages.slice(0, count) }, ...others].map((page, index) => ({
      ...page,
      number: index + 1,
    })),
    outline: facts.outline.map(moved),
    ...(facts.agents === undefined ? {} : { agents: facts.agents.map(moved) }),
  }
}
