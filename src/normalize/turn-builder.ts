/** Cuts the fragments of a slice into a preamble and turns (rollout-format 6). */
import type { MessageFact, TurnEndFact } from '../model/facts.ts'
import { takeCompaction, takesCompactionMessage } from './compaction.ts'
import { type Draft, type Fragment, holds, isFragment, mergeSources } from './fragment.ts'
import { takeReviewRecord } from './review.ts'
import { type Builder, type DraftTurn, type Item, openRoom, type Room, roomFor } from './room.ts'
import { takeSettings } from './settings.ts'
import { isInjected, typedText } from './texts.ts'
import { crossBorder } from './turn-border.ts'
import { messageKey, reviewEnds, reviewStarts, turnContent, turnEnds, turnStarts, userRecord } from './turn-state.ts'
import { addUsage } from './usage.ts'

/** Takes the next draft of the slice. */
export function takeDraft(node: Draft, builder: Builder): void {
  if (!isFragment(node)) {
    builder.rooms.push(node)
    return
  }
  if (!builder.inherited) crossBorder(node, builder)
  if (holds(node, 'turnStart')) takeStart(node, builder)
  else if (holds(node, 'turnEnd')) takeEnd(node, builder)
  else if (holds(node, 'message')) takeMessage(node, builder)
  else if (holds(node, 'review')) takeReview(node, builder)
  else if (holds(node, 'meta')) mergeSources(builder.session, node)
  else if (holds(node, 'settings')) takeSettings(node, builder)
  else if (holds(node, 'tokens')) addUsage(node, builder)
  else if (!holds(node, 'name')) takeContent(node, builder)
}

function takeContent(node: Fragment, builder: Builder): void {
  turnContent(builder.turns)
  if (holds(node, 'compaction')) takeCompaction(node, builder)
  else ownerOf(node, builder).children.push(node)
}

/** The turn that a late record names, else the open one (6.1, rule 4). */
function ownerOf(node: Fragment, builder: Builder): Room {
  if (holds(node, 'callGroup') && node.fact.call === undefined) {
    const turnId = node.fact.results[0]?.turnId
    const owner = turnId === undefined ? undefined : builder.byId.get(turnId)
    if (owner !== undefined) return owner
  }
  return roomFor(node, builder)
}

function nextNumber(builder: Builder): number {
  builder.number++
  if (builder.inherited) builder.slice.carry.copiedTurns = builder.number
  else builder.slice.carry.turns = builder.number
  return builder.number
}

function takeStart(
  node: Fragment & { fact: { turnId?: string; contextWindow?: number; trigger?: string } },
  builder: Builder,
): void {
  const { turnId, contextWindow } = node.fact
  if (contextWindow !== undefined && !builder.inherited) builder.session.contextWindow = contextWindow
  if (turnStarts(builder.turns, turnId) === 'nested') {
    mergeSources(roomFor(node, builder), node)
    return
  }
  endOpen(builder, {})
  const named = turnId === undefined ? {} : { turnId }
  const turn = openRoom(node, builder, { number: nextNumber(builder), explicit: true, ...named })
  mergeSources(turn, node)
}

function takeEnd(node: Fragment & { fact: TurnEndFact }, builder: Builder): void {
  const { fact } = node
  const step = turnEnds(builder.turns, fact.turnId)
  const named = fact.turnId === undefined ? undefined : builder.byId.get(fact.turnId)
  const turn = named ?? (step === 'closes' ? openTurn(node, builder) : undefined)
  if (turn === undefined) return
  turn.status = fact.status
  if (node.at !== undefined) turn.endedAt = node.at
  if (fact.durationMs !== undefined) turn.durationMs = fact.durationMs
  if (fact.error !== undefined) turn.error = fact.error
  if (step === 'closes') endOpen(builder, fact.turnId === undefined ? {} : { turnId: fact.turnId })
  if (fact.status === 'interrupted' || fact.error !== undefined) turn.children.push(node)
  else mergeSources(turn, node)
}

function openTurn(node: Fragment, builder: Builder): DraftTurn | undefined {
  const room = roomFor(node, builder)
  return room.type === 'turn' ? room : undefined
}

/** Ends the open turn: implicit ones end where the next begins. */
function endOpen(builder: Builder, { turnId }: { turnId?: string }): void {
  if (turnId !== undefined && builder.turn !== undefined) builder.byId.set(turnId, builder.turn)
  if (!builder.inherited) delete builder.slice.carry.open
}

function takeMessage(node: Fragment & { fact: MessageFact }, builder: Builder): void {
  const { fact } = node
  if (fact.role !== 'user' || isInjected(fact)) {
    if (fact.role === 'assistant') turnContent(builder.turns)
    if (!takesCompactionMessage(node, builder)) roomFor(node, builder).children.push(node)
    return
  }
  // Twins are merged by now: each record is a message, so it is told as one-sided.
  const { step } = userRecord(builder.turns, 'item', messageKey(typedText(fact)), node)
  if (step === 'opens') {
    endOpen(builder, {})
    openRoom(node, builder, { number: nextNumber(builder) })
  } else if (follows(roomFor(node, builder))) fact.steering = true
  roomFor(node, builder).children.push(node)
}

/** Whether a prompt of the turn was typed before. */
function follows(room: Room): boolean {
  return room.data?.continued === true || room.children.some((child) => isTyped(child))
}

function isTyped(node: Item): boolean {
  return isFragment(node) && holds(node, 'message') && node.fact.role === 'user' && !isInjected(node.fact)
}

function takeReview(node: Fragment & { fact: Extract<Fragment['fact'], { kind: 'review' }> }, builder: Builder): void {
  if (node.fact.step === 'exited') reviewEnds(builder.turns)
  else if (reviewStarts(builder.turns) === 'opens') {
    endOpen(builder, {})
    openRoom(node, builder, { number: nextNumber(builder) })
  }
  const room = roomFor(node, builder)
  if (room.type === 'turn') room.kind = 'review'
  takeReviewRecord(node, room)
}
