/** Collects when a thread worked and on what: turns, commands and tools, and notable moments. */

import { toolLabel } from '../../render/labels.ts'
import { firstLine, scriptLine } from '../../render/phrases.ts'
import type { MarkKind, Timeline, TimelineMark, TimelineSpan, TurnSpan } from '../../transcript/overview.ts'
import { failureOf } from '../../transcript/stats.ts'
import type { Agent, Command, Patch, Search, ToolCall, TrastNode, Turn } from '../../transcript/trast.ts'
import type { PageAnchor } from '../../transcript/urls.ts'
import { defined } from '../../util/own.ts'
import { type SpanList, spanList } from '../../util/spans.ts'
import { timeOf } from '../../util/time.ts'

/** Most spans and marks of each list: as many as a page draws. */
const limits = { turns: 120, work: 120, marks: 30 }

/**
 * A silence this long inside a turn, in milliseconds, means that nothing was happening; as long as the pause of `resume-gaps`.
 */
const longSilence = 30 * 60 * 1000

/** Collects turn by turn. */
export interface TimelineCollector {
  /** Begins a turn, or continues one that a page border cut. */
  turn: (turn: Turn, anchor: PageAnchor, undone: boolean) => void
  /** Takes an item of the turn, or one between turns. */
  item: (node: TrastNode, anchor: PageAnchor) => void
  /** Absent if no two instants differ. */
  timeline: () => Timeline | undefined
}

interface OpenTurn {
  node: Turn
  /** When Codex ended it; `undefined` if that is not known, or not yet. */
  end: number | undefined
  /** Its first part, which gives the duration of the whole turn; later parts give only their own. */
  first: Turn
  span: TurnSpan
  /** A long silence split the turn, so its duration is not that of the span. */
  isParted: boolean
  /** Kinds of marks that its items have; its end need not repeat them. */
  marked: Set<MarkKind>
}

interface TimelineState {
  turns: SpanList<TurnSpan>
  work: SpanList<TimelineSpan>
  marks: Readonly<Record<MarkKind, SpanList<TimelineMark>>>
  open: OpenTurn | undefined
  from: number
  to: number
  turnMs: number
  workMs: number
  /** End of the work so far, so that parallel work counts only once. */
  workEnd: number
}

/** A collector that has seen no turns. */
export function timelineCollector(): TimelineCollector {
  const marks = () => spanList<TimelineMark>(limits.marks)
  const state: TimelineState = {
    turns: spanList(limits.turns),
    work: spanList(limits.work),
    marks: { failed: marks(), edit: marks(), tool: marks(), error: marks(), compaction: marks(), interrupted: marks() },
    open: undefined,
    from: Number.POSITIVE_INFINITY,
    to: Number.NEGATIVE_INFINITY,
    turnMs: 0,
    workMs: 0,
    workEnd: Number.NEGATIVE_INFINITY,
  }
  return {
    turn: (turn, anchor, undone) => addTurn(turn, { anchor, undone }, state),
    item: (node, anchor) => addItem(node, anchor, state),
    timeline: () => finished(state),
  }
}

function addTurn(turn: Turn, { anchor, undone }: { anchor: PageAnchor; undone: boolean }, state: TimelineState): void {
  if (turn.data?.continued && state.open?.node.number === turn.number) {
    state.open.node = turn
    state.open.end = timeOf(turn.endedAt)
    return
  }
  closeTurn(state)
  const at = timeOf(turn.at)
  if (at === undefined) return
  const span = { from: at, to: at, count: 1, ...anchor, undone, label: `Turn ${turn.number}` }
  state.open = { node: turn, end: timeOf(turn.endedAt), first: turn, span, isParted: false, marked: new Set() }
  reach(at, state)
}

/**
 * Extends the open turn to an instant, or splits it if there was a long silence before. What is in a turn after its end, such as
 * the notice of a rollback, arrived while Codex was waiting.
 */
function reach(at: number, state: TimelineState): void {
  state.from = Math.min(state.from, at)
  state.to = Math.max(state.to, at)
  const { open } = state
  if (open === undefined || at > (open.end ?? at)) return
  const { span } = open
  if (at - span.to < longSilence) span.to = Math.max(span.to, at)
  else {
    endSpan(span, state)
    open.span = { ...span, from: at, to: at }
    open.isParted = true
  }
}

function endSpan(span: TurnSpan, state: TimelineState, durationMs = span.to - span.from): void {
  state.turns.add(span)
  state.turnMs += durationMs
}

function addItem(node: TrastNode, anchor: PageAnchor, state: TimelineState): void {
  const own = timeOf(node.at)
  if (own !== undefined) reach(own, state)
  const at = own ?? state.open?.span.to ?? (Number.isFinite(state.to) ? state.to : undefined)
  if (at === undefined) return
  if (own !== undefined && isTimedItem(node)) takeTimedItem(node, { at, anchor }, state)
  const kind = markOfItem(node)
  if (kind === undefined) return
  state.open?.marked.add(kind)
  state.marks[kind].add({ from: at, to: at, count: 1, ...anchor, kind, label: itemLabel(node) })
}

function takeTimedItem(
  node: TimedItem,
  { at, anchor }: { at: number; anchor: PageAnchor },
  state: TimelineState,
): void {
  const { durationMs = 0, ranMs = durationMs } = node as TimedItem & Pick<Command, 'ranMs'>
  if (ranMs <= 0) return
  const end = at + ranMs
  state.to = Math.max(state.to, end)
  const { open } = state
  // A running call is not silence, but a command that continues after its turn does not extend it.
  if (open !== undefined) open.span.to = Math.max(open.span.to, Math.min(end, open.end ?? end))
  // If the model does not wait for a process, it continues to work while that runs.
  countWork(at, at + durationMs, state)
  state.work.add({ from: at, to: end, count: 1, ...anchor, label: itemLabel(node) })
}

function countWork(from: number, to: number, state: TimelineState): void {
  state.workMs += Math.max(0, to - Math.max(from, state.workEnd))
  state.workEnd = Math.max(state.workEnd, to)
}

function closeTurn(state: TimelineState): void {
  const { open } = state
  if (open === undefined) return
  const { node, marked, end, first } = open
  if (end !== undefined) reach(end, state)
  const { span, isParted } = open
  // Codex's own measurement, if it was recorded, because the turn's records were written shortly before or after.
  const durationMs = isParted || first.data?.inferred?.includes('durationMs') ? undefined : first.durationMs
  endSpan({ ...span, ...defined({ durationMs }) }, state, durationMs)
  // No model took part; if it was interrupted, its command has no duration.
  if (node.kind === 'shell') countWork(span.from, span.to, state)
  state.open = undefined
  const kind = markOfEnd(node)
  if (kind === undefined || marked.has(kind)) return
  const { to, page, anchor } = span
  state.marks[kind].add({ from: to, to, count: 1, page, anchor, kind, label: firstLine(node.error ?? '', 80) })
}

function finished(state: TimelineState): Timeline | undefined {
  closeTurn(state)
  const { from, to, turnMs, workMs } = state
  if (!(to > from)) return undefined
  const marks = Object.values(state.marks).flatMap((list) => list.spans())
  return {
    from,
    to,
    turnMs,
    workMs: Math.min(workMs, turnMs), // a command may run on after its turn
    turns: state.turns.spans(),
    work: state.work.spans(),
    marks: marks.sort((left, right) => left.from - right.from),
  }
}

// What items of a transcript mean on a timeline.

/** Items that take time themselves. */
type TimedItem = Command | ToolCall | Patch | Search | Agent

const timedTypes: ReadonlySet<string> = new Set<TimedItem['type']>(['command', 'toolCall', 'patch', 'search', 'agent'])

/** Whether an item takes time itself: a command, a tool call, an edit, a web search or a sub-agent. */
export function isTimedItem(node: TrastNode): node is TimedItem {
  return timedTypes.has(node.type)
}

/** The kind of mark for an item; `undefined` if a timeline does not mark it. */
function markOfItem(node: TrastNode): MarkKind | undefined {
  if (node.type === 'error') return 'error'
  if (node.type === 'notice') {
    if (node.kind === 'compaction') return 'compaction'
    return node.kind === 'abort' ? 'interrupted' : undefined
  }
  const failure = failureOf(node)
  return failure === 'command' ? 'failed' : failure
}

/** The same for the end of a turn. */
function markOfEnd({ status }: Turn): MarkKind | undefined {
  if (status === 'failed') return 'error'
  return status === 'interrupted' ? 'interrupted' : undefined
}

/** Longest part of a script or message in a label, in characters. */
const labelLength = 80

/** A few words that describe an item; empty if its kind says everything. */
function itemLabel(node: TrastNode): string {
  switch (node.type) {
    case 'command':
      return scriptLine(node.script, labelLength)
    case 'toolCall':
      return firstLine(toolLabel(node), labelLength)
    case 'patch':
      return 'Edit'
    case 'search':
      return 'Web search'
    case 'agent':
      return 'Sub-agent'
    case 'error':
      return firstLine(node.message, labelLength)
    default:
      return ''
  }
}
