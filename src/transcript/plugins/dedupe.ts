/**
 * Folds the two logs of a rollout into one, so that every message and thought occurs once (rollout-format 5.3). Twins are
 * records of opposite logs in one turn, matched by id, then by text, oldest unmatched first. Two equal records of one log
 * are two messages.
 */

import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type {
  Log,
  MessageFact,
  Part,
  PlanTextFact,
  ReasoningFact,
  ReviewFact,
  TurnEndFact,
  TurnStartFact,
} from '../../rollout/parse/facts.ts'
import { append } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import {
  type Draft,
  drafts,
  type Fragment,
  type FragmentOf,
  hasFact,
  isFragment,
  mergeSources,
  setDrafts,
} from '../fragment.ts'
import { type Carry, sliceOf } from '../slice.ts'
import { isInjected, planText, typedText, visibleText, wholeText, withoutBlanks } from '../texts.ts'
import type { Session } from '../trast.ts'
import {
  freshRecords,
  isMigrated,
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
import { takeReasoning, thoughtState, tryMergeCopy } from './thoughts.ts'

type Message = FragmentOf<MessageFact>

interface State {
  out: (Draft | undefined)[]
  turns: TurnState<Message>
  assistant: { item: WaitingAnswer[]; event: WaitingAnswer[] }
  thoughts: ReturnType<typeof thoughtState>
  plans: PlanState
  /** Keys of records without a twin in the turn that the border before this slice cuts. */
  carried: string[]
  /** Answers of the open turn, or of the last one, without whitespace. */
  said: Set<string>
  /** The same of the turns before it, because an end may come late. */
  saidBefore: Set<string>
  review: FragmentOf<ReviewFact> | undefined
}

/** An answer whose twin has not come, and the text by which the twin is recognised. */
interface WaitingAnswer {
  text: string
  answer: Message
  /** The parts of an answer that are not matched yet, if it has several: the other log may contain each one alone. */
  parts: string[]
}

/** Merges the twins of a raw slice; position and id of the first one stay. */
export const dedupe: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const slice = sliceOf(file)
  const nodes = drafts(tree)
  const state = start(slice.carry, nodes.find(isFragment)?.data.inherited === true)
  for (const node of nodes) {
    if (isFragment(node)) take(node, state)
    else state.out.push(node)
  }
  if (state.out.some((node) => node !== undefined && isFragment(node))) slice.carry.waiting = waiting(state)
  setDrafts(
    tree,
    state.out.filter((node) => node !== undefined),
  )
}

/** The state in which the previous slice ended. `isCopy`: this slice begins with copied history. */
function start({ own, copied, waiting: carried }: Carry, isCopy: boolean): State {
  const { open, startsRecorded, closed } = isCopy && copied.open !== undefined ? copied : own
  return {
    out: [],
    turns: turnState(open, startsRecorded, closed),
    assistant: { item: [], event: [] },
    thoughts: thoughtState(),
    plans: [],
    carried: carried.filter((key) => !key.startsWith(lastAnswer)),
    said: new Set(carried.flatMap((key) => (key.startsWith(lastAnswer) ? [key.slice(lastAnswer.length)] : []))),
    saidBefore: new Set(),
    review: undefined,
  }
}

/** Prefix of the key for the last answer of the open turn before a border. */
const lastAnswer = 'said '

function waiting(state: State): string[] {
  if (state.turns.open === undefined) return []
  const last = [...state.said].at(-1)
  const { assistant, turns, thoughts, carried, review } = state
  const { prompt } = review?.fact ?? {}
  return [
    ...carried,
    ...(last === undefined ? [] : [`${lastAnswer}${last}`]),
    // The second copy of a review's prompt is also an event.
    ...(prompt === undefined ? [] : [carriedKey('item', 'user', messageKey(prompt))]),
    ...logs.flatMap((log) => assistant[log].map(({ text }) => carriedKey(log, 'assistant', text))),
    ...logs.flatMap((log) => turns[log].map(({ text }) => carriedKey(log, 'user', text))),
    ...logs.flatMap((log) => thoughts[log].map(({ text }) => carriedKey(log, 'reasoning', text))),
  ]
}

const logs = ['item', 'event'] as const

function carriedKey(log: Log, kind: 'assistant' | 'user' | 'reasoning', text: string): string {
  return `${log} ${kind} ${text}`
}

/**
 * Whether the twin of a record is on the previous page, and removes it from those awaited; the line stays counted under
 * its kind.
 */
function tryTakeCarried(state: State, log: Log, kind: 'assistant' | 'user' | 'reasoning', text: string): boolean {
  const index = state.carried.indexOf(carriedKey(log === 'item' ? 'event' : 'item', kind, text))
  if (index >= 0) state.carried.splice(index, 1)
  return index >= 0
}

function take(node: Fragment, state: State): void {
  if (hasFact(node, 'message')) takeMessage(node, state)
  else if (hasFact(node, 'reasoning')) takeThought(node, state)
  else if (hasFact(node, 'planText')) takePlan(node, state)
  else if (hasFact(node, 'turnStart')) takeTurnStart(node, state)
  else takeOther(node, state)
}

function takeThought(node: FragmentOf<ReasoningFact>, state: State): void {
  turnContent(state.turns)
  // Reviews record each of their thoughts twice, like their prompt.
  if (state.review !== undefined && tryMergeCopy(node, state.thoughts, state.out)) return
  const { log, summary, raw } = node.fact
  const isNew = (text: string): boolean => !tryTakeCarried(state, log, 'reasoning', text.trim())
  const fact =
    state.carried.length === 0 ? node.fact : { ...node.fact, summary: summary.filter(isNew), raw: raw.filter(isNew) }
  if (fact.summary.length + fact.raw.length < summary.length + raw.length) {
    if (fact.summary.length + fact.raw.length === 0) return
    node.fact = fact
  }
  takeReasoning(node, state.thoughts, state.out)
}

function takePlan(node: Plan, state: State): void {
  turnContent(state.turns)
  if (!tryMergePlan(node, state.plans)) state.out.push(node)
  // An answer that turned out to be the plan needs no twin.
  state.assistant.item = state.assistant.item.filter(({ answer }) => hasFact(answer as Fragment, 'message'))
}

function takeTurnStart(node: FragmentOf<TurnStartFact>, state: State): void {
  const fresh = freshRecords(state.turns)
  if (turnStarts(state.turns, node.fact.turnId) !== 'nested') startNextTurn(state)
  state.out.push(node)
  if (isMigrated(node.fact.turnId)) moveAfterStart(fresh, state)
}

function takeOther(node: Fragment, state: State): void {
  if (hasFact(node, 'turnEnd')) takeTurnEnd(node, state)
  else if (hasFact(node, 'review')) takeReview(node, state)
  else if (!hasFact(node, 'settings') && !hasFact(node, 'tokens') && !hasFact(node, 'meta')) turnContent(state.turns)
  state.out.push(node)
}

/**
 * Handles the end of a turn, which repeats the turn's last answer. If no other record has that answer, it becomes a
 * message.
 */
function takeTurnEnd(node: FragmentOf<TurnEndFact>, state: State): void {
  const { said, turnId } = node.fact
  const text = visibleText(said ?? '')
  const key = withoutBlanks(text)
  const isLate = turnEnds(state.turns, turnId) === 'late'
  if (key !== '' && !state.said.has(key) && !(isLate && state.saidBefore.has(key))) {
    state.said.add(key)
    const parts: Part[] = [{ kind: 'text', text, class: 'typed' }]
    const fact: MessageFact = { kind: 'message', log: 'event', role: 'assistant', shown: true, parts }
    state.out.push({ ...node, id: `${node.id}.said`, fact })
    node.data = { ...node.data, sources: [] }
  }
}

function takeReview(node: FragmentOf<ReviewFact>, state: State): void {
  if (node.fact.step === 'exited') {
    reviewEnds(state.turns)
    state.review = undefined
    return
  }
  if (reviewStarts(state.turns) === 'opens') startNextTurn(state)
  state.review = node
}

/** Moves the records of a migrated file's prompt after the start of their turn (2.4). */
function moveAfterStart(fresh: Message[], state: State): void {
  for (const message of fresh) {
    const index = state.out.lastIndexOf(message)
    if (index >= 0) state.out[index] = undefined
    state.out.push(message)
  }
}

/** Forgets what belongs to the turn before the one that opens. */
function startNextTurn(state: State): void {
  for (const text of state.said) state.saidBefore.add(text)
  state.said = new Set()
  state.assistant = { item: [], event: [] }
  state.thoughts = thoughtState()
  state.plans = []
  state.carried = []
}

function takeMessage(node: Message, state: State): void {
  if (node.fact.role === 'assistant') takeAssistant(node, state)
  else if (node.fact.role !== 'user') state.out.push(node)
  else if (isInjected(node.fact)) takeInjected(node, state)
  else takeUser(node, state)
}

/**
 * Injected messages have a twin only in two cases: at the end of a voice conversation, an event directly after the item, and
 * for instructions, the head of a bare rollout, whose text a message may contain.
 */
function takeInjected(node: Message, state: State): void {
  const last = state.out.at(-1)
  const twin = last !== undefined && isFragment(last) && hasFact(last, 'message') ? last : undefined
  if (twin !== undefined && node.fact.log === 'event' && wholeText(twin.fact) === wholeText(node.fact)) {
    mergeSources(twin, node)
    return
  }
  if (twin?.fact.inHead && wholeText(node.fact).includes(wholeText(twin.fact).trim())) {
    state.out.pop()
    mergeSources(node, twin)
  }
  state.out.push(node)
}

/** Folds a review's prompt into its entry; legacy files contain the prompt twice (5.3). */
function takeReviewPrompt(review: FragmentOf<ReviewFact>, node: Message): void {
  mergeSources(review, node)
  review.fact = { ...review.fact, prompt: review.fact.prompt ?? typedText(node.fact) }
}

function takeUser(node: Message, state: State): void {
  const text = messageKey(typedText(node.fact))
  if (tryTakeCarried(state, node.fact.log, 'user', text)) return
  const step = userRecord(state.turns, { log: node.fact.log, text, at: node.at, ref: node })
  if (step.step === 'joins') {
    if (step.opens) startNextTurn(state)
    mergeMessage(step.twin, node)
  } else if (step.step === 'review' && state.review !== undefined) takeReviewPrompt(state.review, node)
  else {
    if (step.step === 'opens') startNextTurn(state)
    state.out.push(node)
  }
}

function takeAssistant(node: Message, state: State): void {
  turnContent(state.turns)
  const { log } = node.fact
  const other = log === 'item' ? 'event' : 'item'
  const text = visibleText(typedText(node.fact))
  state.said.delete(withoutBlanks(text))
  state.said.add(withoutBlanks(text))
  const texts = textsOf(node)
  const others = state.assistant[other]
  const { id } = node.fact
  const byId = id === undefined ? -1 : others.findIndex(({ answer }) => answer.fact.id === id)
  const index = byId >= 0 ? byId : others.findIndex((waiting) => isTwin(waiting, text, texts))
  if (index >= 0) {
    const [twin] = others.splice(index, 1)
    if (twin !== undefined) mergeMessage(twin.answer, node)
    return
  }
  if (joinsParts(node, texts, others)) return
  if (tryTakeCarried(state, log, 'assistant', text) || tryMergePlanAnswer(node, state.plans)) return
  state.assistant[log].push({ text, answer: node, parts: texts })
  state.out.push(node)
}

/** The visible texts of an answer's parts; empty if there is only one. */
function textsOf({ fact }: Message): string[] {
  if (fact.parts.length < 2) return []
  const texts = fact.parts.map((part) => (part.kind === 'text' ? visibleText(part.text) : ''))
  const spoken = texts.filter((text) => text !== '')
  return spoken.length < 2 ? [] : spoken
}

/** Whether two answers say the same; the other log may join parts with any whitespace. */
function isTwin(waiting: WaitingAnswer, text: string, texts: readonly string[]): boolean {
  if (waiting.text === text) return true
  return (texts.length > 0 || waiting.parts.length > 0) && withoutBlanks(waiting.text) === withoutBlanks(text)
}

/**
 * Folds an answer of several parts into the answers that each have one of them, or one of those into the whole answer,
 * because one log may join what the other records separately. `false` if the other log has no such answers.
 */
function joinsParts(node: Message, texts: readonly string[], others: WaitingAnswer[]): boolean {
  if (texts.length > 0) {
    const start = others.findIndex((_, index) => texts.every((text, part) => others[index + part]?.text === text))
    const [first] = start < 0 ? [] : others.splice(start, texts.length)
    if (first === undefined) return false
    mergeSources(first.answer, node)
    return true
  }
  const text = visibleText(typedText(node.fact))
  const index = others.findIndex(({ parts }) => parts[0] === text)
  const whole = others[index]
  if (whole === undefined) return false
  mergeSources(whole.answer, node)
  whole.parts.shift()
  if (whole.parts.length === 0) others.splice(index, 1)
  return true
}

// Merges two records of one message into one fragment.

/** Folds `other` into `kept`, whose position and id stay: words from the event, pictures and phase from the item. */
function mergeMessage(kept: Message, other: Message): void {
  mergeSources(kept, other)
  const event = kept.fact.log === 'event' ? kept.fact : other.fact
  const item = kept.fact.log === 'item' ? kept.fact : other.fact
  kept.fact = {
    ...item,
    ...event,
    ...defined({ id: item.id, turnId: item.turnId }),
    parts: mergeParts(event, item),
    log: kept.fact.log,
  }
}

function isReference({ kind }: Part): boolean {
  return kind === 'reference'
}

/** The event's words; pictures with their bytes from the item, in the event's order. */
function mergeParts(event: MessageFact, item: MessageFact): Part[] {
  const pictures = item.parts.filter((part) => part.kind === 'image')
  const words = typedText(event).trim() === '' && typedText(item).trim() !== '' ? item.parts : event.parts
  const shown = words.map((part): Part => {
    if (part.kind !== 'image') return part
    const picture = pictures.shift()
    return picture === undefined ? part : { ...part, ...picture }
  })
  const injected = item.parts.filter((part) => part.kind === 'text' && part.class === 'injected')
  const names = new Set(event.parts.map((part) => (part.kind === 'placeholder' ? part.text : '')))
  const others = item.parts.filter((part) => part.kind === 'placeholder' && !names.has(part.text))
  // Events of some versions do not name the memories on which an answer drew.
  if (!event.parts.some(isReference)) append(others, item.parts.filter(isReference))
  return words === item.parts ? shown : [...shown, ...pictures, ...others, ...injected]
}

// Plans in prose: an item has the text, and an answer may be nothing but the plan's block (rollout-format 5.1).

type Plan = FragmentOf<PlanTextFact>

/** Plans, and answers that are only a plan, of the open turn. */
type PlanState = Fragment[]

/** Merges a plan into an earlier version of it, or into an answer that is nothing but its block; `false` if there is none. */
function tryMergePlan(node: Plan, state: PlanState): boolean {
  const { id } = node.fact
  const existing = state.find((other) => sameId(other, id) || planOf(other) === node.fact.text.trim())
  if (existing === undefined) {
    state.push(node)
    return false
  }
  mergeSources(existing, node)
  existing.fact = node.fact
  return true
}

/** Merges an answer that is nothing but a plan into that plan; `false` if there is none. */
function tryMergePlanAnswer(node: Message, state: PlanState): boolean {
  const text = planOf(node)
  if (text === undefined) return false
  const existing = state.find((other) => hasFact(other, 'planText') && other.fact.text.trim() === text)
  if (existing === undefined) {
    state.push(node)
    return false
  }
  mergeSources(existing, node)
  return true
}

function sameId(other: Fragment, id: string | undefined): boolean {
  return id !== undefined && hasFact(other, 'planText') && other.fact.id === id
}

/** The plan in an answer that contains nothing else. */
function planOf(node: Fragment): string | undefined {
  if (!hasFact(node, 'message') || node.fact.log !== 'item') return undefined
  const text = typedText(node.fact)
  return visibleText(text) === '' && text.trim() !== '' ? planText(text) : undefined
}
