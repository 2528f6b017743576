/** Collects what a session's first page tells of the whole thread, while its slices pass and are dropped. */
import type { SessionOverview, TurnOverview } from '../model/overview.ts'
import type { Session, TopContent, TrastNode, Turn } from '../model/trast.ts'
import type { PagePlace } from '../model/view.ts'
import { walk } from '../model/walk.ts'
import { defined } from '../util/defined.ts'
import { type TimelineCollector, timelineCollector } from './timeline.ts'

/** Turns that are told one by one. */
const mostTurns = 100

/** Efforts that are told; more of them would be a made-up file. */
const mostEfforts = 8

/** Collects page by page. */
export interface OverviewCollector {
  /** Takes the finished tree of a page, in order. */
  take: (slice: Session, page: number) => void
  overview: () => SessionOverview
}

interface State {
  timeline: TimelineCollector
  turns: TurnOverview[]
  moreTurns: number
  efforts: Set<string>
  firstFailure: PagePlace | undefined
  /** The turn that is being filled, also one beyond those that are told. */
  turn: TurnOverview | undefined
}

/** A collector before the first page. */
export function overviewCollector(): OverviewCollector {
  const state: State = {
    timeline: timelineCollector(),
    turns: [],
    moreTurns: 0,
    efforts: new Set(),
    firstFailure: undefined,
    turn: undefined,
  }
  return {
    take(slice, page) {
      for (const child of slice.children) takeTop(child, page, state)
    },
    overview: () => ({
      efforts: [...state.efforts],
      turns: state.turns,
      moreTurns: state.moreTurns,
      ...defined({ firstFailure: state.firstFailure, timeline: state.timeline.timeline() }),
    }),
  }
}

function takeTop(child: TopContent, page: number, state: State): void {
  if (isAbsent(child)) return
  if (child.type === 'turn') takeTurn(child, page, { state, undone: false })
  else if (child.type === 'group' && child.kind === 'rolledBack') {
    for (const inner of child.children) if (inner.type === 'turn') takeTurn(inner, page, { state, undone: true })
  } else if (child.type === 'notice') state.timeline.item(child, { page, anchor: child.id })
}

/** Copied history has a time of its own in its own thread; what is hidden has no place to lead to. */
function isAbsent({ data }: TrastNode): boolean {
  return data?.inherited === true || data?.visibility === 'hidden'
}

function takeTurn(turn: Turn, page: number, { state, undone }: { state: State; undone: boolean }): void {
  if (isAbsent(turn)) return
  const place = { page, anchor: turn.id }
  if (!turn.data?.continued || state.turn?.number !== turn.number) openTurn(turn, place, { state, undone })
  if (turn.effort !== undefined && state.efforts.size < mostEfforts) state.efforts.add(turn.effort)
  state.timeline.turn(turn, place, undone)
  walk(turn, (node) => {
    if (isAbsent(node)) return false
    if (node.type !== 'turn') takeItem(node, page, state)
    return undefined
  })
}

function openTurn(turn: Turn, place: PagePlace, { state, undone }: { state: State; undone: boolean }): void {
  const { number, kind, status, at, durationMs } = turn
  const empty = { commands: 0, failed: 0, added: 0, removed: 0 }
  state.turn = { number, kind, ...place, status, ...empty, ...defined({ at, durationMs, undone: undone || undefined }) }
  if (state.turns.length < mostTurns) state.turns.push(state.turn)
  else state.moreTurns++
}

function takeItem(node: TrastNode, page: number, state: State): void {
  const place = { page, anchor: node.id }
  state.timeline.item(node, place)
  const { turn } = state
  if (turn === undefined) return
  if (node.type === 'command') {
    turn.commands++
    if (node.status !== 'failed') return
    turn.failed++
    state.firstFailure ??= place
  } else if (node.type === 'patch' && (node.status === 'completed' || node.status === 'unknown')) {
    for (const change of node.children) {
      if (change.type !== 'fileChange') continue
      turn.added += change.added
      turn.removed += change.removed
    }
  }
}
