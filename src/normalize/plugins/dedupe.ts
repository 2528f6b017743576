/**
 * Folds the two logs of a rollout into one: every message and thought once (rollout-format 5.3).
 *
 * Twins come from opposite logs of one turn, by id first, then by text, the oldest unmatched
 * first. Two equal records of one log are two messages.
 */
import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type { Log, MessageFact, PlanTextFact, ReasoningFact, ReviewFact } from '../../model/facts.ts'
import type { Session } from '../../model/trast.ts'
import { type Draft, drafts, type Fragment, holds, isFragment, mergeSources, setDrafts } from '../fragment.ts'
import { mergeMessage } from '../merge-message.ts'
import { type PlanState, takesPlan, takesPlanAnswer } from '../merge-plan.ts'
import { takeReasoning, thoughtState } from '../merge-reasoning.ts'
import { sliceOf } from '../slice.ts'
import { isInjected, typedText, visibleText } from '../texts.ts'
import {
  freshRecords,
  messageKey,
  reviewEnds,
  reviewStarts,
  type TurnState,
  turnContent,
  turnEnds,
  turnStarts,
  turnState,
  userRecord,
} from '../turn-state.ts'

type Message = Fragment & { fact: MessageFact }

interface State {
  out: (Draft | undefined)[]
  turns: TurnState<Message>
  assistant: { item: Message[]; event: Message[] }
  thoughts: ReturnType<typeof thoughtState>
  plans: PlanState
  /** One-sided texts of the turn that the border before this slice cut. */
  carried: string[]
  review: (Fragment & { fact: ReviewFact }) | undefined
}

/** Merges the twins of a raw slice; the first copy's place and id stay. */
export const dedupe: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const slice = sliceOf(file)
  const state = start(slice.carry.open, slice.carry.waiting)
  for (const node of drafts(tree)) {
    if (isFragment(node)) take(node, state)
    else state.out.push(node)
  }
  if (state.out.some((node) => node !== undefined && isFragment(node))) slice.carry.waiting = waiting(state)
  setDrafts(
    tree,
    state.out.filter((node) => node !== undefined),
  )
}

function start(open: { explicit: boolean; turnId?: string; review: boolean } | undefined, carried: string[]): State {
  const turns = turnState<Message>()
  if (open !== undefined) {
    turns.open = { explicit: open.explicit, bare: false, ...(open.turnId === undefined ? {} : { turnId: open.turnId }) }
    turns.review = open.review
  }
  return {
    out: [],
    turns,
    assistant: { item: [], event: [] },
    thoughts: thoughtState(),
    plans: [],
    carried: [...carried],
    review: undefined,
  }
}

function waiting(state: State): string[] {
  if (state.turns.open === undefined) return []
  const { assistant, turns, thoughts, carried } = state
  return [
    ...carried,
    ...[...assistant.item, ...assistant.event].map(({ fact }) => carriedKey(fact.log, 'assistant', keyOf(fact))),
    ...logs.flatMap((log) => turns[log].map(({ text }) => carriedKey(log, 'user', text))),
    ...logs.flatMap((log) => thoughts[log].map(({ text }) => carriedKey(log, 'reasoning', text))),
  ]
}

const logs = ['item', 'event'] as const

/** Text by which the two records of an answer are compared. */
function keyOf(fact: MessageFact): string {
  return visibleText(typedText(fact))
}

function carriedKey(log: Log, kind: 'assistant' | 'user' | 'reasoning', text: string): string {
  return `${log} ${kind} ${text}`
}

/** Whether the twin of a record stands on the page before; the line stays counted under its kind. */
function takesCarried(state: State, log: Log, kind: 'assistant' | 'user' | 'reasoning', text: string): boolean {
  const index = state.carried.indexOf(carriedKey(log === 'item' ? 'event' : 'item', kind, text))
  if (index >= 0) state.carried.splice(index, 1)
  return index >= 0
}

function take(node: Fragment, state: State): void {
  if (holds(node, 'message')) takeMessage(node, state)
  else if (holds(node, 'reasoning')) takeThought(node, state)
  else if (holds(node, 'planText')) takePlan(node, state)
  else if (holds(node, 'turnStart')) takeTurnStart(node, state)
  else takeOther(node, state)
}

function takeThought(node: Fragment & { fact: ReasoningFact }, state: State): void {
  turnContent(state.turns)
  const { log, summary, raw } = node.fact
  const isNew = (text: string): boolean => !takesCarried(state, log, 'reasoning', text.trim())
  const fact =
    state.carried.length === 0 ? node.fact : { ...node.fact, summary: summary.filter(isNew), raw: raw.filter(isNew) }
  if (fact.summary.length + fact.raw.length < summary.length + raw.length) {
    if (fact.summary.length + fact.raw.length === 0) return
    node.fact = fact
  }
  takeReasoning(node, state.thoughts, state.out)
}

function takePlan(node: Fragment & { fact: PlanTextFact }, state: State): void {
  turnContent(state.turns)
  if (!takesPlan(node, state.plans)) state.out.push(node)
  // An answer that turned out to be the plan waits for no twin.
  state.assistant.item = state.assistant.item.filter((answer) => holds(answer as Fragment, 'message'))
}

function takeTurnStart(node: Fragment & { fact: { turnId?: string } }, state: State): void {
  const fresh = freshRecords(state.turns)
  if (turnStarts(state.turns, node.fact.turnId) !== 'nested') forget(state)
  state.out.push(node)
  if (node.fact.turnId?.startsWith('rollout-')) move(fresh, state)
}

function takeOther(node: Fragment, state: State): void {
  if (holds(node, 'turnEnd')) turnEnds(state.turns, node.fact.turnId)
  else if (holds(node, 'review')) takeReview(node, state)
  else if (!holds(node, 'settings') && !holds(node, 'tokens') && !holds(node, 'meta')) turnContent(state.turns)
  state.out.push(node)
}

function takeReview(node: Fragment & { fact: ReviewFact }, state: State): void {
  if (node.fact.step === 'exited') {
    reviewEnds(state.turns)
    state.review = undefined
    return
  }
  if (reviewStarts(state.turns) === 'opens') forget(state)
  state.review = node
}

/** Takes the records of a migrated file's prompt behind the start of their turn (2.4). */
function move(fresh: Message[], state: State): void {
  for (const message of fresh) {
    const index = state.out.lastIndexOf(message)
    if (index >= 0) state.out[index] = undefined
    state.out.push(message)
  }
}

function forget(state: State): void {
  state.assistant = { item: [], event: [] }
  state.thoughts = thoughtState()
  state.plans = []
  state.carried = []
}

function takeMessage(node: Message, state: State): void {
  if (node.fact.role === 'assistant') takeAssistant(node, state)
  else if (node.fact.role !== 'user' || isInjected(node.fact)) state.out.push(node)
  else takeUser(node, state)
}

/** The prompt of a review is part of its entry; legacy files hold it twice (5.3). */
function takeReviewPrompt(review: Fragment & { fact: ReviewFact }, node: Message): void {
  mergeSources(review, node)
  review.fact = { ...review.fact, prompt: review.fact.prompt ?? typedText(node.fact) }
}

function takeUser(node: Message, state: State): void {
  const text = messageKey(typedText(node.fact))
  if (takesCarried(state, node.fact.log, 'user', text)) return
  const step = userRecord(state.turns, node.fact.log, text, node)
  if (step.step === 'joins') mergeMessage(step.twin, node)
  else if (step.step === 'review' && state.review !== undefined) takeReviewPrompt(state.review, node)
  else {
    if (step.step === 'opens') forget(state)
    state.out.push(node)
  }
}

function takeAssistant(node: Message, state: State): void {
  turnContent(state.turns)
  const { log } = node.fact
  const other = log === 'item' ? 'event' : 'item'
  const text = keyOf(node.fact)
  const others = state.assistant[other]
  const byId = others.findIndex(({ fact }) => fact.id !== undefined && fact.id === node.fact.id)
  const index = byId >= 0 ? byId : others.findIndex(({ fact }) => keyOf(fact) === text)
  if (index >= 0) {
    const [twin] = others.splice(index, 1)
    if (twin !== undefined) mergeMessage(twin, node)
    return
  }
  if (takesCarried(state, log, 'assistant', text) || takesPlanAnswer(node, state.plans)) return
  state.assistant[log].push(node)
  state.out.push(node)
}
