/** Cuts a slice into preamble and turns; copied history and rolled-back turns become groups. */

import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type { MessageFact } from '../../rollout/parse/facts.ts'
import { abortLabel, voiceEndLabel } from '../../rollout/parse/prompt.ts'
import { defined } from '../../util/own.ts'
import { formatAmount } from '../../util/time.ts'
import { type Builder, type Container, type DraftTurn, turnBuilder } from '../container.ts'
import {
  type CallGroup,
  type Draft,
  drafts,
  type Fragment,
  hasFact,
  isFragment,
  mergeSources,
  setDrafts,
} from '../fragment.ts'
import { foldEchoes } from '../review.ts'
import { type SliceData, sliceOf } from '../slice.ts'
import type { CutTurn } from '../summary.ts'
import { injectedLabel } from '../texts.ts'
import type { FlowContent, Group, Session, TopContent, Turn } from '../trast.ts'
import { addModel, takeDraft } from '../turn-builder.ts'

/** Makes the turns of a raw slice (rollout-format 6.1). */
export const turns: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const nodes = drafts(tree)
  if (!nodes.some(isFragment)) return
  const slice = sliceOf(file)
  const copied = nodes.filter((node) => node.data?.inherited === true)
  const own = copied.length === 0 ? nodes : nodes.filter((node) => node.data?.inherited !== true)
  const top: Draft[] = []
  const builder = turnBuilder(tree, slice, { inherited: false, isLast: slice.last })
  const isCopyOver = slice.last || nodes.at(-1)?.data?.inherited !== true
  if (copied.length > 0) top.push(copiedHistory(copied, tree, slice, isCopyOver))
  // A migrated file ends the last copied turn after the first own prompt (rollout-format 2.4).
  const { turnId: copiedTurn } = slice.carry.copied.open ?? {}
  if (copiedTurn !== undefined) builder.turns.closed.add(copiedTurn)
  const rolledBack = new Set(slice.rolledBack)
  const containers = build(own, builder)
  top.push(
    ...wrapRemoved(containers, (turn) => {
      if (builder.undone.has(turn)) return 'undone by a revert'
      return rolledBack.has(turn.number) ? 'rolled back' : undefined
    }),
  )
  carryOpenTurn(builder)
  setDrafts(tree, top)
}

function copiedHistory(copied: Draft[], tree: Session, slice: SliceData, isLast: boolean): Group {
  const builder = turnBuilder(tree, slice, { inherited: true, isLast })
  const containers = build(copied, builder)
  carryOpenTurn(builder)
  return inheritedGroup(containers, slice, copied[0])
}

function build(nodes: Draft[], builder: Builder): Draft[] {
  for (const node of nodes) takeDraft(node, builder)
  for (const [index, container] of builder.containers.entries()) {
    if (container.type !== 'turn') continue
    const isFollowed = builder.containers.slice(index + 1).some((next) => next.type === 'turn')
    finishTurn(container, builder, isFollowed)
  }
  dropEnds(builder)
  if (builder.pending.length > 0) mergeSources(builder.session, { data: { sources: builder.pending } })
  // Containers hold fragments until `classify` has run.
  return builder.containers as Draft[]
}

/** Drops a turn of which only the end is in this slice: the previous page already shows that. */
function dropEnds({ containers }: Builder): void {
  const [first, second] = containers
  if (first?.type !== 'turn' || second?.type !== 'turn') return
  if (!first.data?.continued || first.children.length > 0 || first.usage !== undefined) return
  containers.shift()
  second.data = { ...second.data, sources: [...(first.data.sources ?? []), ...(second.data?.sources ?? [])] }
}

/** Hands the turn that the border cuts to the next slice, and which turns are over. */
function carryOpenTurn({ carry, turns: state, turn }: Builder): void {
  if (state.startsRecorded) carry.startsRecorded = true
  carry.closed = state.closed
  const { open } = state
  if (open === undefined) delete carry.open
  else {
    const { number = carry.turns, kind = 'user' } = turn ?? carry.open ?? {}
    carry.open = {
      kind,
      explicit: open.explicit,
      number,
      review: state.review,
      ...((turn !== undefined && isAnswered(turn)) || carry.open?.answered ? { answered: true } : {}),
      ...defined({ turnId: open.turnId }),
    }
  }
}

const missingWords = { lost: 'was not found', unselected: 'is not included' } as const

/**
 * The group of copied history in a slice; its id is that of its first record's line. If the original is missing, this
 * copy is all there is of it.
 */
function inheritedGroup(containers: Draft[], slice: SliceData, first: Draft | undefined): Group {
  const { inherited, parentMissing, wholeCopy } = slice
  const shownTurns = containers.filter((container) => container.type === 'turn').length
  const count = wholeCopy ? Math.max(shownTurns, slice.carry.copied.turns) : shownTurns
  const rolledBack = new Set(inherited?.rolledBack)
  const shown = wrapRemoved(containers, (turn) => (rolledBack.has(turn.number) ? 'rolled back' : undefined))
  const children = shown.flatMap((container) =>
    container.type === 'preamble' ? container.children : [container as FlowContent | Turn],
  )
  markInherited(children)
  const origin = parentMissing === undefined ? '' : ` from a session that ${missingWords[parentMissing]}`
  const doubt = inherited?.guessed ? '; where the copy ends is estimated' : ''
  return {
    type: 'group',
    id: `inherited-${first?.position?.start.line ?? 0}`,
    kind: 'inherited',
    label: `${formatAmount(count, 'turn')} ${origin === '' ? 'inherited' : `copied${origin}`}${doubt}`,
    data: { visibility: parentMissing === undefined ? 'collapsed' : 'open', inherited: true, sources: [] },
    children,
  }
}

function markInherited(nodes: (FlowContent | Turn)[]): void {
  for (const node of nodes) node.data = { ...node.data, inherited: true }
}

// The state of a turn once all of its records are known (rollout-format 6.1).

/** Sets status, end, duration and kind. `followed`: another turn follows in the slice. */
function finishTurn(turn: DraftTurn, builder: Builder, followed: boolean): void {
  const isInferred = turn.endedAt === undefined && turn.status === 'unknown'
  if (isInferred) setStatus(turn, builder, followed)
  endByError(turn)
  // The records of a copied turn have the time of the copying.
  if (!builder.inherited) inferEnd(turn)
  foldReviews(turn)
  foldAborts(turn)
  turn.kind = turnKind(turn)
  foldSilentEnd(turn)
  if (isInferred && isOver(builder, followed)) markUnanswered(turn, builder)
  addModel(turn.model, builder)
  const { inherited, session } = builder
  // Up to 0.29 no settings are recorded; the session's environment gives its folder (rollout-format 2.3).
  if (!inherited && turn.cwd === undefined && session.cwd !== undefined) turn.cwd = session.cwd
}

/**
 * Sets the status of a turn without an end record: explicit turns are unfinished, or running while their file is being
 * written; implicit turns are completed.
 */
function setStatus(turn: DraftTurn, { slice, turns, explicit, inherited, isLast }: Builder, followed: boolean): void {
  turn.status = explicit.has(turn) ? 'unfinished' : 'completed'
  if (followed || turns.open === undefined) return
  if (!isLast) {
    Object.assign(turn, scannedEnd(turn, slice.cutTurn))
    if (!slice.cutTurn?.isWhole) turn.data = { ...turn.data, continues: true }
  }
  if (slice.live && !inherited && turn.status === 'unfinished') turn.status = 'running'
}

/** What the scan knows about a turn's end and, on its first part, about its duration and cost. */
function scannedEnd(turn: DraftTurn, cutTurn: CutTurn | undefined): Partial<DraftTurn> {
  if (cutTurn === undefined) return {}
  const { isWhole = false, status, error, endedAt, durationMs, ...tokens } = cutTurn
  const end = { status, ...defined({ error }) }
  if (turn.data?.continued) return isWhole ? { ...end, ...defined({ endedAt }) } : end
  return { ...end, ...defined({ endedAt, durationMs }), ...(isWhole ? {} : tokens) }
}

/** Marks a turn as failed if the last thing in it is an error, whatever its end record says. */
function endByError(turn: DraftTurn): void {
  if (turn.status !== 'completed') return
  const last = turn.children.findLast((child) => !isAside(child))
  if (last === undefined || !isFragment(last) || !hasFact(last, 'error')) return
  turn.status = 'failed'
  turn.error ??= last.fact.message
}

/** Whether a child is something that Codex says about the thread or to the model, not something that anybody did. */
function isAside(child: DraftTurn['children'][number]): boolean {
  if (!isFragment(child)) return child.type === 'notice'
  if (hasFact(child, 'notice') || hasFact(child, 'rollback') || hasFact(child, 'turnEnd')) return true
  if (!hasFact(child, 'message') || child.fact.role === 'assistant') return false
  return child.fact.role !== 'user' || !isTyped(child.fact)
}

function isTyped({ parts }: MessageFact): boolean {
  return parts.some((part) => part.kind !== 'text' || part.class === 'typed')
}

/** Infers end and duration from the records if none was written. */
function inferEnd(turn: DraftTurn): void {
  if (turn.endedAt === undefined) {
    const last = turn.children.findLast((child) => child.at !== undefined)?.at
    if (last !== undefined) turn.endedAt = last
  }
  if (turn.durationMs !== undefined || turn.at === undefined || turn.endedAt === undefined) return
  const duration = Date.parse(turn.endedAt) - Date.parse(turn.at)
  if (duration < 0) return
  turn.durationMs = duration
  turn.data = { ...turn.data, inferred: [...(turn.data?.inferred ?? []), 'durationMs'] }
}

function foldReviews(turn: Container): void {
  for (const child of turn.children) if (isFragment(child) && hasFact(child, 'review')) foldEchoes(child, turn)
}

/** Kinds of turns in which nobody waits for an answer. */
const unasked = new Set<Turn['kind']>(['compaction', 'shell', 'review'])

/** Whether somebody waits for an answer; what a voice conversation hands over at its end asks for none. */
function isAsked(turn: DraftTurn): boolean {
  return !unasked.has(turn.kind) && !turn.children.some((child) => isVoiceEnd(child))
}

function isVoiceEnd(child: DraftTurn['children'][number]): boolean {
  return isFragment(child) && hasFact(child, 'message') && injectedLabel(child.fact) === voiceEndLabel
}

/**
 * Removes the mark of an end without words if the turn has an answer, because some versions write no words there. A
 * failed turn shows its error.
 */
function foldSilentEnd(turn: DraftTurn): void {
  const end = turn.children.findLast((child) => isFragment(child) && hasFact(child, 'turnEnd') && child.fact.silent)
  if (end === undefined || (turn.status === 'completed' && isAsked(turn) && !isAnswered(turn))) return
  turn.children = turn.children.filter((child) => child !== end)
  if (isFragment(end)) mergeSources(turn, end)
}

/** Whether a turn without an end record can get nothing more: another turn follows, or its file is complete. */
function isOver({ slice, turns }: Builder, followed: boolean): boolean {
  return followed || turns.open === undefined || (slice.last ? !slice.live : slice.cutTurn?.isWhole === true)
}

/**
 * Marks a turn in which nobody answered. Up to 0.98 no record ends a completed turn, so none says so (rollout-format
 * 6.1).
 */
function markUnanswered(turn: DraftTurn, { explicit, inherited, undone, answeredBefore }: Builder): void {
  if (turn.status !== 'completed' || explicit.has(turn) || inherited || undone.has(turn)) return
  if (unasked.has(turn.kind) || isAnswered(turn) || (turn.data?.continued && answeredBefore)) return
  turn.children.push({
    type: 'notice',
    id: `unanswered-${turn.id}`,
    kind: 'unanswered',
    data: { inferred: ['kind'] },
    children: [],
  })
}

/** Whether the assistant said more than comments on its work, or gave a plan, a review or a generated picture. */
function isAnswered(turn: Container): boolean {
  return turn.children.some((child) => {
    if (!isFragment(child)) return child.type === 'message' && child.role === 'assistant'
    if (hasFact(child, 'message')) return isAnswer(child.fact)
    if (hasFact(child, 'callGroup')) return child.fact.said !== undefined || madePicture(child.fact)
    return hasFact(child, 'planText') || hasFact(child, 'review')
  })
}

function madePicture({ call, results }: CallGroup): boolean {
  if (results.some(({ result, status }) => result.type === 'generateImage' && status === 'completed')) return true
  const { action } = call ?? {}
  return action?.type === 'generateImage' && (action.picture?.base64 ?? '') !== ''
}

/** Whether a message is an answer; one without words is dropped (rollout-format 5.1). */
function isAnswer({ role, phase, parts }: MessageFact): boolean {
  if (role !== 'assistant' || phase === 'commentary') return false
  return parts.some((part) => part.kind !== 'text' || part.text.trim() !== '')
}

/** Folds the note that informs the model of an interruption into the interruption's marker. */
function foldAborts(turn: Container): void {
  const marker = turn.children.findLast(
    (child) => isFragment(child) && hasFact(child, 'turnEnd') && child.fact.status === 'interrupted',
  )
  if (marker === undefined) return
  turn.children = turn.children.filter((child) => {
    if (!isFragment(child) || !hasFact(child, 'message') || injectedLabel(child.fact) !== abortLabel) return true
    mergeSources(marker, child)
    return false
  })
}

function turnKind(turn: DraftTurn): typeof turn.kind {
  // The first part of a turn decides what kind it is.
  if (turn.kind !== 'user' || turn.data?.continued) return turn.kind
  const facts = turn.children.flatMap((child) => (isFragment(child) ? [child.fact] : []))
  if (facts.some((fact) => fact.kind === 'message' && fact.role === 'user' && isTyped(fact))) return 'user'
  if (facts.some(isUserCommand)) return 'shell'
  if (facts.some((fact) => fact.kind === 'agentMessage')) return 'agent'
  return facts.some((fact) => fact.kind === 'notice' && fact.notice === 'goal') ? 'goal' : 'user'
}

/** Whether a record is of a command that the user ran, or informs the model of one. */
function isUserCommand(fact: Fragment['fact']): boolean {
  if (fact.kind === 'message') return injectedLabel(fact) === 'User shell command'
  return (
    fact.kind === 'callGroup' && fact.results.some(({ result }) => result.type === 'command' && result.actor === 'user')
  )
}

// Groups of turns that were removed from the conversation (rollout-format 6.3).

/** How a turn was removed from the conversation. */
type Removal = 'rolled back' | 'undone by a revert'

/** Wraps runs of removed turns in groups; `removal` says whether and how a turn was removed. */
function wrapRemoved(containers: Draft[], removal: (turn: Turn) => Removal | undefined): Draft[] {
  const top: Draft[] = []
  let run: Removal | undefined
  for (const container of containers) {
    const before = run
    run = container.type === 'turn' ? removal(container) : undefined
    const last = top.at(-1)
    if (container.type !== 'turn' || run === undefined) top.push(container)
    else if (run === before && last?.type === 'group') addTurn(last, container, run)
    else top.push(addTurn(emptyGroup(container), container, run))
  }
  return top
}

function emptyGroup(turn: Turn): Group & TopContent {
  return {
    type: 'group',
    id: `back-${turn.id}`,
    kind: 'rolledBack',
    label: '',
    data: { visibility: 'collapsed', sources: [] },
    children: [],
  }
}

function addTurn(group: Group, turn: Turn, removal: Removal): Group & TopContent {
  group.children.push(turn)
  group.label = `${formatAmount(group.children.length, 'turn')} ${removal}`
  return group
}
