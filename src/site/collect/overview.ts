/** Collects what a session's first page shows about the whole thread, from its slices before they are dropped. */

import { noticeWords } from '../../render/labels.ts'
import { type PermissionCollector, permissionCollector } from '../../render/permissions.ts'
import { firstLine } from '../../render/phrases.ts'
import { answerOf } from '../../render/transcript/story.ts'
import { type UnfixedCounter, unfixedCounter } from '../../transcript/fixes.ts'
import { addEffort, type ModelEfforts, type SessionOverview, type TurnOverview } from '../../transcript/overview.ts'
import { firstSentence } from '../../transcript/subtitle.ts'
import type { Patch, Preamble, Session, TopContent, TrastNode, Turn } from '../../transcript/trast.ts'
import type { PageAnchor } from '../../transcript/urls.ts'
import { changesOf, isAbsent, isApplied, isRequest, walk } from '../../transcript/view.ts'
import { defined } from '../../util/own.ts'
import { isTimedItem, type TimelineCollector, timelineCollector } from './timeline.ts'

/** Most turns that are listed individually, and most of the turns after these that are listed because no prompt names them. */
const maxTurns = 500
const maxUnnamed = 500

/** Collects page by page. */
export interface OverviewCollector {
  /** Takes the finished trees of pages in order. */
  take: (slice: Session, page: number) => void
  overview: () => SessionOverview
}

interface State {
  timeline: TimelineCollector
  turns: TurnOverview[]
  /** Turns without a prompt after the first `maxTurns`. */
  unnamed: TurnOverview[]
  efforts: ModelEfforts[]
  permissions: PermissionCollector
  failures: UnfixedCounter
  errors: number
  firstError: PageAnchor | undefined
  running: SessionOverview['running']
  /** The turn that is being filled, even if it is beyond those that are listed. */
  turn: TurnOverview | undefined
}

/** A collector that has seen no pages. */
export function overviewCollector(): OverviewCollector {
  const state: State = {
    timeline: timelineCollector(),
    turns: [],
    unnamed: [],
    efforts: [],
    permissions: permissionCollector(),
    failures: unfixedCounter(),
    errors: 0,
    firstError: undefined,
    running: undefined,
    turn: undefined,
  }
  return {
    take(slice, page) {
      for (const child of slice.children) takeTop(child, page, state)
    },
    overview() {
      const { commands, edits, fixedEdits } = state.failures.unfixed()
      return {
        efforts: state.efforts,
        permissions: state.permissions.permissions(),
        turns: [...state.turns, ...state.unnamed],
        failuresLeft: commands.count,
        editsLeft: edits.count,
        fixedEdits,
        errors: state.errors,
        ...defined({
          firstLeft: commands.first,
          firstEditLeft: edits.first,
          firstError: state.firstError,
          running: state.running,
          timeline: state.timeline.timeline(),
        }),
      }
    },
  }
}

function takeTop(child: TopContent, page: number, state: State): void {
  if (isAbsent(child)) return
  if (child.type === 'turn') takeTurn(child, page, { state, undone: false })
  else if (child.type === 'group' && child.kind === 'rolledBack') {
    for (const inner of child.children) if (inner.type === 'turn') takeTurn(inner, page, { state, undone: true })
  } else if (child.type === 'notice') state.timeline.item(child, { page, anchor: child.id })
  else if (child.type === 'preamble') walkItems(child, page, state)
}

function takeTurn(turn: Turn, page: number, { state, undone }: { state: State; undone: boolean }): void {
  if (isAbsent(turn)) return
  const anchor = { page, anchor: turn.id }
  if (!turn.data?.continued || state.turn?.number !== turn.number) openTurn(turn, anchor, { state, undone })
  addEffort(turn, state.efforts)
  state.permissions.add(turn)
  state.timeline.turn(turn, anchor, undone)
  walkItems(turn, page, state)
}

function walkItems(container: Turn | Preamble, page: number, state: State): void {
  const unfixed = state.failures.take(container, page)
  if (container.type === 'turn' && state.turn !== undefined) takeOutcome(container, unfixed, state.turn)
  walk(container, enterItem, { container, page, state })
}

function enterItem(
  node: TrastNode,
  { container, page, state }: { container: Turn | Preamble; page: number; state: State },
): boolean {
  if (isAbsent(node)) return false
  if (node !== container) takeItem(node, page, state)
  return true
}

function openTurn(turn: Turn, anchor: PageAnchor, { state, undone }: { state: State; undone: boolean }): void {
  const { number, kind, status, at, durationMs } = turn
  const empty = { left: 0, added: 0, removed: 0 }
  state.turn = {
    number,
    kind,
    ...anchor,
    status,
    ...empty,
    ...defined({ at, durationMs, undone: undone || undefined }),
  }
  if (state.turns.length < maxTurns) state.turns.push(state.turn)
  else if (state.unnamed.length < maxUnnamed && !turn.children.some(isRequest)) state.unnamed.push(state.turn)
}

function takeItem(node: TrastNode, page: number, state: State): void {
  state.timeline.item(node, { page, anchor: node.id })
  if (isTimedItem(node) && node.status === 'running') state.running = node.type === 'command' ? 'command' : 'tool'
  if (state.turn !== undefined && node.type === 'patch') addChanges(state.turn, node)
  if (node.type !== 'error') return
  state.errors += 1
  state.firstError ??= { page, anchor: node.id }
}

function addChanges(turn: TurnOverview, node: Patch): void {
  if (!isApplied(node)) return
  for (const change of changesOf(node)) {
    turn.added += change.added
    turn.removed += change.removed
  }
}

// The outcome of a turn, for the list of prompts.

/** Longest name of a review, as of the prompts next to it. */
const maxTitle = 80

/** Adds the outcome of a turn, or of the part of one that a page border cut. */
function takeOutcome(node: Turn, unfixed: number, turn: TurnOverview): void {
  turn.left += unfixed
  const result = resultOf(node)
  if (result !== undefined) turn.result = result
  takeReview(node, turn)
  if (node.children.some((child) => child.type === 'notice' && child.kind === 'unanswered')) turn.unanswered = true
}

/** Names a turn after its review, if that has a name: nobody wrote a prompt that could say what was asked for. */
function takeReview({ children }: Turn, turn: TurnOverview): void {
  const notice = children.findLast((child) => child.type === 'notice' && child.kind === 'review' && !isAbsent(child))
  if (notice?.type !== 'notice') return
  const { title, detail } = noticeWords(notice)
  turn.review = firstLine(title, maxTitle)
  if (detail !== '') turn.result ??= detail
}

/** First sentence of the last answer. The last words of an interrupted turn are not an answer, unless the record says so. */
function resultOf(turn: Turn): string | undefined {
  const inferred = answerOf(turn)
  const answer = turn.children.findLast(
    (child) => child.type === 'message' && (child.id === inferred || child.phase === 'final_answer'),
  )
  if (answer?.type !== 'message' || isAbsent(answer)) return undefined
  const text = answer.children.map((child) => ('value' in child ? child.value : '')).join('\n')
  return firstSentence(text)?.replace(/\s+/g, ' ')
}
