/**
 * One pass over a thread that keeps only small facts: title, prompts, turns, page borders.
 *
 * It uses the same turn state as the plugins, so lists and pages agree.
 */

import { promptsInLine } from '../redact/personal/prompts.ts'
import type { Fact, MessageFact, TurnEndFact } from '../rollout/parse/facts.ts'
import { requestText } from '../rollout/parse/prompt.ts'
import { type SegmentBorders, segmentBorders } from '../transcript/slice.ts'
import { answerCollector } from '../transcript/subtitle.ts'
import type { AgentCall, ScanFacts } from '../transcript/summary.ts'
import {
  firstRequest,
  isInjected,
  isPictureOnly,
  keptPrompts,
  reviewName,
  titleOf,
  typedText,
} from '../transcript/texts.ts'
import {
  hasFresh,
  isContextAhead,
  messageKey,
  reviewEnds,
  reviewStarts,
  type TurnState,
  turnBreaks,
  turnContent,
  turnEnds,
  turnStarts,
  turnState,
  userRecord,
} from '../transcript/turn-state.ts'
import { defined, unlessEmpty } from '../util/own.ts'
import { type AgentCalls, agentCalls } from './agents.ts'
import { type Extent, extent, type InheritedFinder, inheritedFinder } from './inherited.ts'
import { type LiveTurns, liveTurns, ownTurnsBegin, rollBack, undoTurn } from './live-turns.ts'
import {
  addPrompt,
  anchorOf,
  endOfTurn,
  isContent,
  type LastTurn,
  noTurn,
  type Outcome,
  type OutlineState,
  outcome,
  recordedEnd,
  takePrompt,
} from './outcome.ts'
import { type PageCutter, type PageSizes, pageCutter } from './page-cutter.ts'
import { type RunningCalls, runningCalls } from './running.ts'
import {
  continuesCall,
  type HeldLine,
  isAnswer,
  isLead,
  mayWait,
  type ScanHead,
  type ScanLine,
  type TurnBefore,
  traitsOf,
} from './scan-line.ts'
import type { ThreadLine } from './thread-lines.ts'

/** Takes the lines of a thread in order. */
export interface Scanner {
  line: (line: ScanLine) => void
  /** Takes the bytes of a line, to find out who works on which machine. */
  people: (bytes: Buffer) => void
  /** Takes a line that records settings and of which only the head is known otherwise. */
  settings: (line: ThreadLine) => void
  /** Whether the output of a call must be parsed. */
  awaits: (callId: string) => boolean
  facts: () => ScanFacts
}

interface State extends LastTurn, OutlineState {
  turns: TurnState<HeldLine>
  cutter: PageCutter
  inherited: InheritedFinder
  calls: AgentCalls
  agents: AgentCall[]
  borders: SegmentBorders
  held: HeldLine[]
  valid: LiveTurns
  /** Segment and line at which each own turn begins, including the context that was written for it. */
  turnLines: [segment: number, line: number][]
  /** Start of the context that was written since the last content. */
  lead: [segment: number, line: number] | undefined
  callsOpen: number
  running: RunningCalls
  viewedPicture: boolean
  extent: Extent
  eventName: string | undefined
  copiedTurn: TurnBefore | undefined
  copiedPrompt: string | undefined
  reviewPrompt: string | undefined
  outcome: Outcome
  people: Set<string>
}

/**
 * Most shell prompts of different people or machines that a scan collects; others are recognised only from their first occurrence
 * on.
 */
const maxPeople = 100

/** A scanner that has seen no lines; only tests give `sizes` that differ from those of the site. */
export function scanner(head: ScanHead, sizes?: PageSizes): Scanner {
  const state: State = {
    head,
    turns: turnState(),
    cutter: pageCutter(sizes),
    inherited: inheritedFinder(head),
    calls: agentCalls(),
    agents: [],
    borders: segmentBorders(),
    outline: [],
    held: [],
    valid: liveTurns(),
    turn: 0,
    turnLines: [],
    lead: undefined,
    callsOpen: 0,
    running: runningCalls(),
    viewedPicture: false,
    extent: extent(),
    eventName: undefined,
    copiedTurn: undefined,
    copiedPrompt: undefined,
    reviewPrompt: undefined,
    answers: answerCollector(),
    ...noTurn,
    outcome: outcome(),
    people: new Set(),
  }
  return {
    line: (line) => takeLine(line, state),
    people(bytes) {
      for (const prompt of promptsInLine(bytes)) if (state.people.size < maxPeople) state.people.add(prompt)
    },
    settings: (line) => state.outcome.takeSettings(line),
    awaits: (callId) => state.calls.awaits(callId),
    facts: () => factsOf(state),
  }
}

function takeLine(line: ScanLine, state: State): void {
  state.extent.take(line)
  if (state.inherited.take(line) === 'ended') restart(state)
  if (state.borders.crosses(line)) turnBreaks(state.turns)
  const isOpen = state.turns.open !== undefined
  let usesTokens = false
  for (const fact of line.meta ?? line.facts ?? []) {
    if (state.outcome.take(fact, state.inherited.inside(), isOpen)) usesTokens = true
  }
  const { callsOpen } = state
  countCalls(line, state)
  const isFresh = hasFresh(state.turns)
  const held: HeldLine = {
    line,
    opens: false,
    callsOpen,
    prompts: [],
    handovers: [],
    ends: false,
  }
  for (const fact of line.facts ?? []) takeHeld(fact, held, state)
  if (line.facts === undefined && !traitsOf(line.kind).isContext) {
    turnContent(state.turns)
    state.lastError = undefined
  }
  state.isExplicit ||= state.turns.open?.explicit === true
  // Copied lines have the time of the copying.
  if (line.at !== undefined && isContent(line) && !state.inherited.inside()) state.lastAt = line.at
  followLead(held, usesTokens, state)
  hold(held, isFresh, state)
}

/** Adds a line to those that wait for the start of a turn. If a turn starts, it begins at the first of them. */
function hold(held: HeldLine, isFresh: boolean, state: State): void {
  const first = state.held[0] ?? held
  state.held.push(held)
  if (held.opens) {
    openTurnLine(isFresh ? first : held, state)
    ;[held.opens, first.opens] = [false, true]
    // A migration writes the end of a turn after the prompt with which the next turn begins (2.4).
    const isEndAfterPrompt = state.held.slice(1).some(({ ends }) => ends)
    first.before = held.before && { ...held.before, isOpen: held.before.isOpen || isEndAfterPrompt }
  }
  const leads = state.lead !== undefined && state.turn > 0 && isContextAhead(state.turns)
  if (!(leads && mayWait(held.line, state.held.length)) && !hasFresh(state.turns)) release(state)
}

/**
 * Builds that do not record the start of a turn write context, and a compaction that made room, before the prompt: both belong to
 * the next turn. Tokens after it are those of the turn before that.
 */
function followLead(held: HeldLine, usesTokens: boolean, state: State): void {
  const { kind, facts = [] } = held.line
  if (isLead(held.line)) state.lead ??= positionOf(held)
  else if (!held.opens && (facts.length > 0 || usesTokens || !traitsOf(kind).isContext)) state.lead = undefined
}

function openTurnLine(held: HeldLine, state: State): void {
  // What comes before the first turn belongs to the thread.
  state.turnLines.push(state.turn === 1 ? positionOf(held) : (state.lead ?? positionOf(held)))
  state.lead = undefined
}

function positionOf({ line: { segment, line } }: HeldLine): [segment: number, line: number] {
  return [segment, line]
}

function takeHeld(fact: Fact, held: HeldLine, state: State): void {
  const before = state.turn
  const step = takeFact(fact, state, held)
  if (held.line.undone && state.turn > before) undoTurn(state.turn, state.inherited.inside(), state.valid)
  held.opens ||= step === 'opens'
  const prompt = step !== undefined && fact.kind === 'message' ? fact : undefined
  if (state.inherited.inside()) {
    if (prompt !== undefined) state.copiedPrompt ??= requestText(typedText(prompt)) || undefined
    return
  }
  if (prompt !== undefined) takePrompt(prompt, held.first ?? held, state)
  const handover = state.calls.take(fact)
  if (handover !== undefined) held.handovers.push(handover)
}

/** Assigns the held lines to pages. */
function release(state: State): void {
  for (const held of state.held) {
    const { line, opens, callsOpen, prompts, handovers, before } = held
    const { isCall, weight, maxBytes } = traitsOf(line.kind)
    const callId = state.running.startOf(line)
    const begins = isCall && callId === line.callId
    const page = state.cutter.add(line, {
      weight: weight + Math.min(line.bytes, maxBytes),
      isSaid: prompts.length > 0 || isAnswer(line),
      opensTurn: opens,
      before,
      isCall: begins,
      isBetweenCalls: begins && callsOpen === 0 && !continuesCall(line),
      callId,
    })
    held.page = page
    for (const fact of prompts) addPrompt(fact, line, page, state)
    // The object itself is kept, because later facts complete it.
    for (const handover of handovers)
      state.agents.push(Object.assign(handover, { page, anchor: anchorOf(line, state.head), turn: state.turn }))
  }
  state.held = []
}

/** Called when the copied history ends: own turns are counted from one. */
function restart(state: State): void {
  const { open } = state.turns
  state.copiedTurn = lastTurn(state)
  state.turns = turnState()
  // A migrated file ends the last copied turn after the first own prompt (2.4).
  if (open?.turnId !== undefined) state.turns.closed.add(open.turnId)
  state.turn = 0
  state.outcome.turnBegins()
  state.turnLines = []
  ownTurnsBegin(state.valid)
  state.outline = []
  state.answers = answerCollector()
}

function countCalls({ kind, tool }: ScanLine, state: State): void {
  const { isCall, isOutput, endsView } = traitsOf(kind)
  if (isCall) state.callsOpen++
  else if (isOutput) state.callsOpen = Math.max(0, state.callsOpen - 1)
  if (tool === 'view_image') state.viewedPicture = true
  else if (endsView) state.viewedPicture = false
}

type Step = 'opens' | 'prompt' | undefined

function takeFact(fact: Fact, state: State, held: HeldLine): Step {
  switch (fact.kind) {
    case 'turnStart':
      state.viewedPicture = false
      return turnStarts(state.turns, fact.turnId) === 'opens' ? nextTurn(state, held) : undefined
    case 'turnEnd':
      takeEnd(fact, state, held)
      return undefined
    case 'message':
      return takeMessage(fact, held, state)
    case 'review':
      if (fact.step === 'exited') reviewEnds(state.turns)
      else if (reviewStarts(state.turns) === 'opens') return nextTurn(state, held)
      return undefined
    case 'rollback':
      turnContent(state.turns)
      rollBack(fact.turns, state.inherited.inside(), state.valid)
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
      if (fact.kind === 'error') state.lastError = fact.message
      else if (fact.kind !== 'notice') state.lastError = undefined
      return undefined
  }
}

function takeEnd(fact: TurnEndFact, state: State, held: HeldLine): void {
  if (turnEnds(state.turns, fact.turnId) !== 'closes') return
  state.callsOpen = 0
  state.ended = recordedEnd(fact, state.lastError, held.line.at)
  state.lastError = undefined
  if (state.ended.status !== 'completed') state.answers.cutShort(state.turn)
  state.outcome.turnEnds(state.ended.status)
  held.ends = true
}

function nextTurn(state: State, held: HeldLine): 'opens' {
  held.before = lastTurn(state)
  state.turn++
  Object.assign(state, noTurn)
  state.outcome.turnBegins()
  state.valid.live.push(state.turn)
  state.callsOpen = 0
  return 'opens'
}

/** How the newest turn ended; the last copied one, as long as there is no own turn. */
function lastTurn(state: State): TurnBefore | undefined {
  if (state.turn === 0) return state.copiedTurn
  return { end: endOfTurn(state, state.outcome), isOpen: state.ended === undefined }
}

function takeMessage(fact: MessageFact, held: HeldLine, state: State): Step {
  const { at } = held.line
  if (fact.role === 'assistant') {
    turnContent(state.turns)
    state.viewedPicture = false
    state.answers.take(fact, state.turn)
  }
  if (fact.role === 'assistant' || !isInjected(fact)) state.lastError = undefined
  if (fact.role !== 'user' || isInjected(fact) || (state.viewedPicture && isPictureOnly(fact))) return undefined
  if (fact.inherited && !state.inherited.inside()) return undefined
  const text = messageKey(typedText(fact))
  const taken = userRecord(state.turns, { log: fact.log, text, at, ref: held })
  if (taken.step === 'joins') held.first = taken.twin
  if (taken.step === 'opens' || (taken.step === 'joins' && taken.opens)) return nextTurn(state, held)
  if (taken.step === 'review') state.reviewPrompt ??= reviewName(requestText(typedText(fact)))
  return taken.step === 'steers' ? 'prompt' : undefined
}

function factsOf(state: State): ScanFacts {
  release(state)
  const last = lastTurn(state)
  if (last !== undefined) state.cutter.turnEnded(last.end)
  const { head, outline } = state
  const { live, rolledBack, copiedRolledBack, baseRolledBack } = state.valid
  const copied = state.inherited.range()
  // A fork in which nothing was said has only copied turns.
  const isCopy = state.inherited.inside()
  const turns = isCopy ? 0 : state.turn
  const said = keptPrompts(outline, rolledBack)
  const first = firstRequest(said)
  // Requests that Codex makes to itself are not prompts of people.
  const asked = head.isCodex ? undefined : said
  const title = titleOf({
    fallback: head.fallbackTitle,
    ...defined({
      index: head.name,
      event: state.eventName,
      prompt: head.machineName ?? first ?? head.agentName ?? state.copiedPrompt ?? state.reviewPrompt,
    }),
  })
  return {
    threadId: head.threadId,
    ...title,
    ...state.extent.facts(head),
    cwds: head.cwd === undefined ? [] : [head.cwd],
    ...defined({
      branch: head.branch,
      remote: head.remote,
      version: head.version,
      firstPrompt: asked && first,
      lastPrompt: asked?.at(-1)?.text,
      requests: head.isCodex ? said.length : undefined,
      inherited: copied && { ...copied, ...defined({ rolledBack: unlessEmpty(copiedRolledBack) }) },
      undone: unlessEmpty(state.borders.undone()),
      agents: unlessEmpty(state.agents),
      people: unlessEmpty([...state.people]),
      baseRolledBack: baseRolledBack || undefined,
    }),
    ...(isCopy ? {} : state.answers.subtitle(live, title.title)),
    ...state.outcome.facts({ turns, open: state.turns.open, error: state.lastError }),
    turns,
    turnLines: isCopy ? [] : state.turnLines,
    prompts: asked?.length ?? 0,
    outline,
    pages: state.cutter.pages(),
    rolledBack: [...rolledBack].sort((left, right) => left - right),
  }
}
