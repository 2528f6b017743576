/**
 * One pass over a thread that keeps small facts only: title, prompts, turns, page borders.
 *
 * It drives the same turn state as the plugins, so that lists and pages agree.
 */
import type { Fact, MessageFact, TurnEndFact } from '../model/facts.ts'
import type { CutTurn, OutlineEntry, ScanFacts } from '../model/summary.ts'
import { itemAnchor } from '../model/urls.ts'
import { defined } from '../util/defined.ts'
import { requestText } from '../util/ide.ts'
import { type InheritedFinder, inheritedFinder } from './inherited.ts'
import { isContext, weightOf } from './line-kinds.ts'
import { type LinePlace, type PageCutter, type PageSizes, pageCutter } from './page-cutter.ts'
import { isInjected, isPictureOnly, typedText } from './texts.ts'
import { firstLine, titleOf } from './title.ts'
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
} from './turn-state.ts'

/** A line that was sniffed, and parsed where the scan needs its content. */
export interface ScanLine extends LinePlace {
  at?: string
  kind: string
  bytes: number
  facts?: Fact[]
  callId?: string
  /** A function call that looks at a picture. */
  looks?: boolean
  ordinal?: number
}

export interface ScanHead {
  threadId: string
  name?: string
  fallbackTitle: string
  startedAt?: string
  cwd?: string
  branch?: string
  remote?: string
  version?: string
  subagentHistoryStart?: number
  /** Rollout id by segment index. */
  rollouts: string[]
}

export interface Scanner {
  line: (line: ScanLine) => void
  facts: () => ScanFacts
}

interface State {
  head: ScanHead
  turns: TurnState<number>
  cutter: PageCutter
  inherited: InheritedFinder
  outline: OutlineEntry[]
  held: HeldLine[]
  live: number[]
  rolledBack: number[]
  /** The same of copied turns. */
  copiedRolledBack: number[]
  turn: number
  callsOpen: number
  looked: boolean
  lines: number
  bytes: number
  firstAt: string | undefined
  lastAt: string | undefined
  eventName: string | undefined
  copiedPrompt: string | undefined
  reviewPrompt: string | undefined
}

/** A scanner before the first line; `sizes` of pages are those of the site unless a test wants others. */
export function scanner(head: ScanHead, sizes?: PageSizes): Scanner {
  const state: State = {
    head,
    turns: turnState(),
    cutter: pageCutter(sizes),
    inherited: inheritedFinder(head.threadId, head.subagentHistoryStart),
    outline: [],
    held: [],
    live: [],
    rolledBack: [],
    copiedRolledBack: [],
    turn: 0,
    callsOpen: 0,
    looked: false,
    lines: 0,
    bytes: 0,
    firstAt: undefined,
    lastAt: undefined,
    eventName: undefined,
    copiedPrompt: undefined,
    reviewPrompt: undefined,
  }
  return { line: (line) => takeLine(line, state), facts: () => factsOf(state) }
}

/** A line whose page is not decided: a migrated file wrote the user's record before its turn's start (2.4). */
interface HeldLine {
  line: ScanLine
  opens: boolean
  callsOpen: number
  prompts: MessageFact[]
  /** How the turn ended that the line closes. */
  end: CutTurn | undefined
}

function takeLine(line: ScanLine, state: State): void {
  state.lines++
  state.bytes += line.end - line.start
  state.firstAt ??= line.at
  if (line.at !== undefined && line.at > (state.lastAt ?? '')) state.lastAt = line.at
  if (state.inherited.take(line) === 'ended') restart(state)
  countCalls(line, state)
  const waited = freshRecords(state.turns).length > 0
  const held: HeldLine = { line, opens: false, callsOpen: state.callsOpen, prompts: [], end: undefined }
  for (const fact of line.facts ?? []) {
    const step = takeFact(fact, state, held)
    held.opens ||= step === 'opens'
    if (step !== undefined && fact.kind === 'message') held.prompts.push(fact)
  }
  if (line.facts === undefined && !isContext(line.kind)) turnContent(state.turns)
  state.held.push(held)
  const [first] = state.held
  if (waited && held.opens && first !== undefined) {
    held.opens = false
    first.opens = true
  }
  if (freshRecords(state.turns).length === 0) release(state)
}

/** Gives the held lines to their pages. */
function release(state: State): void {
  for (const { line, opens, callsOpen, prompts, end } of state.held) {
    const page = state.cutter.add(line, {
      weight: weightOf(line),
      opensTurn: opens,
      callsOpen,
      isCall: /_call$/.test(line.kind),
      ...defined({ callId: line.callId }),
    })
    for (const fact of prompts) addPrompt(fact, line, page, state)
    if (end !== undefined) state.cutter.turnEnded(end)
  }
  state.held = []
}

/** The copied history is over: own turns count from one. */
function restart(state: State): void {
  state.turns = turnState()
  state.turn = 0
  state.live = []
  state.outline = []
}

function countCalls({ kind, looks }: ScanLine, state: State): void {
  if (/_call$/.test(kind)) state.callsOpen++
  else if (/_output$/.test(kind)) state.callsOpen = Math.max(0, state.callsOpen - 1)
  if (looks !== undefined) state.looked = looks
  else if (/agent_message$|\/reasoning$|AgentMessage$/.test(kind)) state.looked = false
}

type Step = 'opens' | 'prompt' | undefined

function takeFact(fact: Fact, state: State, held: HeldLine): Step {
  switch (fact.kind) {
    case 'turnStart':
      state.looked = false
      return takeStart(fact.turnId, state)
    case 'turnEnd':
      takeEnd(fact, state, held)
      return undefined
    case 'message':
      return takeMessage(fact, state)
    case 'review':
      if (fact.step === 'exited') reviewEnds(state.turns)
      else if (reviewStarts(state.turns) === 'opens') return nextTurn(state)
      return undefined
    case 'rollback':
      rolledBackOf(state).push(...state.live.splice(Math.max(0, state.live.length - fact.turns)))
      return undefined
    case 'name':
      state.eventName = fact.name
      return undefined
    case 'settings':
    case 'tokens':
    case 'meta':
      return undefined
    default:
      turnContent(state.turns)
      return undefined
  }
}

/** Rollbacks of the own part or of the copied one, whichever goes by. */
function rolledBackOf(state: State): number[] {
  return state.inherited.inside() ? state.copiedRolledBack : state.rolledBack
}

function takeEnd({ turnId, status, durationMs, error }: TurnEndFact, state: State, held: HeldLine): void {
  if (turnEnds(state.turns, turnId) !== 'closes') return
  state.callsOpen = 0
  held.end = { status, ...defined({ durationMs, error, endedAt: held.line.at }) }
}

function takeStart(turnId: string | undefined, state: State): Step {
  const step = turnStarts(state.turns, turnId)
  return step === 'opens' ? nextTurn(state) : undefined
}

function nextTurn(state: State): 'opens' {
  state.turn++
  state.live.push(state.turn)
  state.callsOpen = 0
  return 'opens'
}

function takeMessage(fact: MessageFact, state: State): Step {
  if (fact.role === 'assistant') {
    turnContent(state.turns)
    state.looked = false
  }
  if (fact.role !== 'user' || isInjected(fact) || (state.looked && isPictureOnly(fact))) return undefined
  const { step } = userRecord(state.turns, fact.log, messageKey(typedText(fact)), state.turn)
  if (step === 'opens') return nextTurn(state)
  if (step === 'review') state.reviewPrompt ??= requestText(typedText(fact))
  return step === 'steers' ? 'prompt' : undefined
}

function addPrompt(fact: MessageFact, line: ScanLine, page: number, state: State): void {
  const request = requestText(typedText(fact))
  if (state.inherited.inside()) {
    state.copiedPrompt ??= request === '' ? undefined : request
    return
  }
  state.outline.push({
    anchor: itemAnchor(line.line, line.segment === 0 ? undefined : state.head.rollouts[line.segment]),
    page,
    turn: state.turn,
    text: firstLine(request) || (isPictureOnly(fact) ? 'Image' : 'Empty prompt'),
    ...defined({ at: line.at }),
  })
}

function factsOf(state: State): ScanFacts {
  release(state)
  // Pages that cut the last turn: nothing has ended it yet.
  if (state.turns.open?.explicit) state.cutter.turnEnded({ status: 'running' })
  const { head, outline } = state
  const inherited = state.inherited.range()
  const first = outline.find(({ text }) => text !== 'Image' && text !== 'Empty prompt')?.text ?? outline[0]?.text
  return {
    threadId: head.threadId,
    ...titleOf({
      fallback: head.fallbackTitle,
      ...defined({
        index: head.name,
        event: state.eventName,
        prompt: first ?? state.copiedPrompt ?? state.reviewPrompt,
      }),
    }),
    ...defineTimes(state),
    cwds: head.cwd === undefined ? [] : [head.cwd],
    ...defined({
      branch: head.branch,
      remote: head.remote,
      version: head.version,
      firstPrompt: first,
      lastPrompt: outline.at(-1)?.text,
      inherited: inherited === undefined ? undefined : { ...inherited, ...copiedRollbacks(state) },
    }),
    turns: state.turn,
    prompts: outline.length,
    lines: state.lines,
    bytes: state.bytes,
    outline,
    pages: state.cutter.pages(),
    rolledBack: [...state.rolledBack].sort((left, right) => left - right),
  }
}

function copiedRollbacks({ copiedRolledBack }: State): { rolledBack?: number[] } {
  return copiedRolledBack.length === 0 ? {} : { rolledBack: copiedRolledBack }
}

function defineTimes({ head, firstAt, lastAt }: State): { startedAt?: string; endedAt?: string } {
  const startedAt = head.startedAt ?? firstAt
  const endedAt = lastAt ?? head.startedAt
  return { ...(startedAt === undefined ? {} : { startedAt }), ...(endedAt === undefined ? {} : { endedAt }) }
}
