/** Collects when a thread worked, and on what: turns, commands and tools, and the moments to look at. */
import type { MarkKind, Timeline, TimelineMark, TimelineSpan, TurnSpan } from '../model/overview.ts'
import type { TrastNode, Turn } from '../model/trast.ts'
import type { PagePlace } from '../model/view.ts'
import { firstLine } from '../render/words.ts'
import { type SpanList, spanList } from '../util/spans.ts'
import { isWork, itemLabel, markOfEnd, markOfItem, type Work } from './timeline-items.ts'

/** Spans and marks that are kept, of each list: as many as a page draws. */
const limits = { turns: 120, work: 120, marks: 30 }

/** Silence inside a turn from which on nothing is taken to have happened: as long as the pause of `resume-gaps`. */
const longSilence = 30 * 60 * 1000

/** Collects turn by turn. */
export interface TimelineCollector {
  /** Begins a turn, or goes on with one that a page border cut. */
  turn: (turn: Turn, place: PagePlace, undone: boolean) => void
  /** Takes an item of the turn, or one that stands between turns. */
  item: (node: TrastNode, place: PagePlace) => void
  /** Absent where no two instants differ. */
  timeline: () => Timeline | undefined
}

interface OpenTurn {
  node: Turn
  span: TurnSpan
  /** Marks of its items: its end need not tell the same again. */
  told: Set<MarkKind>
}

interface State {
  turns: SpanList<TurnSpan>
  work: SpanList<TimelineSpan>
  marks: Readonly<Record<MarkKind, SpanList<TimelineMark>>>
  open: OpenTurn | undefined
  from: number
  to: number
  turnMs: number
  workMs: number
  /** End of the work so far: what runs in parallel counts once. */
  workEnd: number
}

/** A collector before the first turn. */
export function timelineCollector(): TimelineCollector {
  const marks = () => spanList<TimelineMark>(limits.marks)
  const state: State = {
    turns: spanList(limits.turns),
    work: spanList(limits.work),
    marks: { failed: marks(), error: marks(), compaction: marks(), interrupted: marks() },
    open: undefined,
    from: Number.POSITIVE_INFINITY,
    to: Number.NEGATIVE_INFINITY,
    turnMs: 0,
    workMs: 0,
    workEnd: Number.NEGATIVE_INFINITY,
  }
  return {
    turn: (turn, place, undone) => takeTurn(turn, { place, undone }, state),
    item: (node, place) => takeItem(node, place, state),
    timeline: () => finished(state),
  }
}

function takeTurn(turn: Turn, { place, undone }: { place: PagePlace; undone: boolean }, state: State): void {
  if (turn.data?.continued && state.open?.node.number === turn.number) {
    state.open.node = turn
    return
  }
  closeTurn(state)
  const at = instant(turn.at)
  if (at === undefined) return
  const span = { from: at, to: at, count: 1, ...place, undone, label: `Turn ${turn.number}` }
  state.open = { node: turn, span, told: new Set() }
  reach(at, state)
}

/** Milliseconds since the epoch of an instant as written, where it is one. */
function instant(at: string | undefined): number | undefined {
  const time = at === undefined ? Number.NaN : Date.parse(at)
  return Number.isNaN(time) ? undefined : time
}

/** The open turn goes on at least to an instant; long silence before it parts the turn. */
function reach(at: number, state: State): void {
  state.from = Math.min(state.from, at)
  state.to = Math.max(state.to, at)
  const { open } = state
  if (open === undefined) return
  const { span } = open
  if (at - span.to < longSilence) span.to = Math.max(span.to, at)
  else {
    endSpan(span, state)
    open.span = { ...span, from: at, to: at }
  }
}

function endSpan(span: TurnSpan, state: State): void {
  state.turns.add(span)
  state.turnMs += span.to - span.from
}

function takeItem(node: TrastNode, place: PagePlace, state: State): void {
  const own = instant(node.at)
  if (own !== undefined) reach(own, state)
  const at = own ?? state.open?.span.to
  if (at === undefined) return
  if (own !== undefined && isWork(node)) takeWork(node, { at, place }, state)
  const kind = markOfItem(node)
  if (kind === undefined) return
  state.open?.told.add(kind)
  state.marks[kind].add({ from: at, to: at, count: 1, ...place, kind, label: itemLabel(node) })
}

function takeWork(node: Work, { at, place }: { at: number; place: PagePlace }, state: State): void {
  const { durationMs = 0 } = node
  if (durationMs <= 0) return
  const end = at + durationMs
  state.to = Math.max(state.to, end)
  // While something runs it is not silent.
  if (state.open !== undefined) state.open.span.to = Math.max(state.open.span.to, end)
  state.workMs += Math.max(0, end - Math.max(at, state.workEnd))
  state.workEnd = Math.max(state.workEnd, end)
  state.work.add({ from: at, to: end, count: 1, ...place, label: itemLabel(node) })
}

function closeTurn(state: State): void {
  const { open } = state
  if (open === undefined) return
  const { node, told } = open
  const end = instant(node.endedAt)
  if (end !== undefined) reach(end, state)
  const { span } = open
  endSpan(span, state)
  state.open = undefined
  const kind = markOfEnd(node)
  if (kind === undefined || told.has(kind)) return
  const { to, page, anchor } = span
  state.marks[kind].add({ from: to, to, count: 1, page, anchor, kind, label: firstLine(node.error ?? '', 80) })
}

function finished(state: State): Timeline | undefined {
  closeTurn(state)
  const { from, to, turnMs, workMs } = state
  if (!(to > from)) return undefined
  const marks = Object.values(state.marks).flatMap((list) => list.spans())
  return {
    from,
    to,
    turnMs,
    // A command may run on after its turn.
    workMs: Math.min(workMs, turnMs),
    turns: state.turns.spans(),
    work: state.work.spans(),
    marks: marks.sort((left, right) => left.from - right.from),
  }
}
