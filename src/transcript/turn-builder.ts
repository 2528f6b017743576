/** Cuts the fragments of a slice into a preamble and turns (rollout-format 6). */

import type {
  CompactionFact,
  MessageFact,
  ReviewFact,
  SettingsFact,
  TurnEndFact,
  TurnStartFact,
} from '../rollout/parse/facts.ts'
import { unsetEffort } from '../rollout/parse/settings.ts'
import { defined } from '../util/own.ts'
import { isSamePath } from '../util/paths.ts'
import {
  type Builder,
  type Container,
  containerFor,
  type DraftTurn,
  type Item,
  namedTurn,
  openDraftTurn,
} from './container.ts'
import { type Draft, type Fragment, type FragmentOf, hasFact, isFragment, mergeSources } from './fragment.ts'
import { takeReviewRecord } from './review.ts'
import { isUndone, type Settings } from './slice.ts'
import { isInjected, typedText } from './texts.ts'
import type { Notice } from './trast.ts'
import { reviewEnds, reviewStarts, turnBreaks, turnContent, turnEnds, turnStarts, userRecord } from './turn-state.ts'
import { addUsage } from './usage.ts'
import { permissionWord } from './view.ts'

/** Takes the next draft of the slice. */
export function takeDraft(node: Draft, builder: Builder): void {
  if (!isFragment(node)) {
    builder.containers.push(node)
    return
  }
  if (!builder.inherited) crossBorder(node, builder)
  if (!hasFact(node, 'turnEnd')) builder.limitReached = hasFact(node, 'tokens') && node.fact.limitReached === true
  if (hasFact(node, 'turnStart')) takeStart(node, builder)
  else if (hasFact(node, 'turnEnd')) takeEnd(node, builder)
  else if (hasFact(node, 'message')) takeMessage(node, builder)
  else if (hasFact(node, 'review')) takeReview(node, builder)
  else if (hasFact(node, 'meta')) mergeSources(builder.session, node)
  else if (hasFact(node, 'settings')) takeSettings(node, builder)
  else if (hasFact(node, 'tokens')) addUsage(node, builder)
  else if (!hasFact(node, 'name')) takeContent(node, builder)
}

function takeContent(node: Fragment, builder: Builder): void {
  turnContent(builder.turns)
  if (hasFact(node, 'compaction')) takeCompaction(node, builder)
  else ownerOf(node, builder).children.push(node)
}

/** The turn that a late record names, else the open one (6.1, rule 4). */
function ownerOf(node: Fragment, builder: Builder): Container {
  const isLate = hasFact(node, 'callGroup') && node.fact.call === undefined
  const owner = isLate ? namedTurn(builder, node.fact.results[0]?.turnId) : undefined
  return owner ?? containerFor(node, builder)
}

function nextNumber(builder: Builder): number {
  builder.number++
  builder.carry.turns = builder.number
  return builder.number
}

function takeStart(node: FragmentOf<TurnStartFact>, builder: Builder): void {
  const { turnId, contextWindow, startedAt } = node.fact
  if (contextWindow !== undefined && !builder.inherited) builder.session.contextWindow = contextWindow
  if (turnStarts(builder.turns, turnId) === 'nested') {
    mergeSources(containerFor(node, builder), node)
    return
  }
  endOpen(builder, {})
  const named = defined({ turnId })
  const turn = openDraftTurn(node, builder, { number: nextNumber(builder), explicit: true, ...named })
  // The record of a session's first turn may only be written after the setup. For later turns the record's own time is
  // more exact.
  if (startedAt !== undefined && Date.parse(node.at ?? '') - Date.parse(startedAt) >= 1000) turn.at = startedAt
  mergeSources(turn, node)
}

function takeEnd(node: FragmentOf<TurnEndFact>, builder: Builder): void {
  const { fact } = node
  const step = turnEnds(builder.turns, fact.turnId)
  const turn = namedTurn(builder, fact.turnId) ?? (step === 'closes' ? openTurn(node, builder) : undefined)
  if (turn === undefined) return
  turn.status = fact.status
  if (node.at !== undefined) turn.endedAt = node.at
  // The part after a page border took less time than the whole turn; the first part shows the turn's duration.
  if (fact.durationMs !== undefined && !turn.data?.continued) turn.durationMs = fact.durationMs
  const isSilent = fact.silent === true && !(turn.data?.continued && builder.answeredBefore)
  if (fact.error !== undefined) turn.error = fact.error
  if (step === 'closes') endOpen(builder, defined({ turnId: fact.turnId }))
  if (fact.status === 'interrupted' || fact.error !== undefined || isSilent)
    turn.children.push(withReason(node, builder))
  else mergeSources(turn, node)
}

/** The end of a turn without words, with the reason that the record before it shows. */
function withReason(node: FragmentOf<TurnEndFact>, { limitReached }: Builder): Fragment {
  if (node.fact.silent !== true || !limitReached) return node
  // Codex's name for this error, which these versions write into no file.
  return { ...node, fact: { ...node.fact, reason: 'usage_limit_exceeded' } }
}

function openTurn(node: Fragment, builder: Builder): DraftTurn | undefined {
  const container = containerFor(node, builder)
  return container.type === 'turn' ? container : undefined
}

/** Ends the open turn; implicit turns end where the next one begins. */
function endOpen(builder: Builder, { turnId }: { turnId?: string }): void {
  if (turnId !== undefined && builder.turn !== undefined) builder.byId.set(turnId, builder.turn)
  delete builder.carry.open
}

function takeMessage(node: FragmentOf<MessageFact>, builder: Builder): void {
  const { fact } = node
  if (fact.role !== 'user' || isInjected(fact)) {
    if (fact.role === 'assistant') turnContent(builder.turns)
    if (!tryMergeCompactionMessage(node, builder)) containerFor(node, builder).children.push(node)
    return
  }
  // Twins are merged by now, and the first record decides, as it did in the scan. The text is the node's id, so that no
  // record finds a twin.
  const record = { log: fact.log, text: node.id, at: node.at, isShown: isShown(node), ref: node }
  const { step } = userRecord(builder.turns, record)
  if (step === 'opens') {
    endOpen(builder, {})
    openDraftTurn(node, builder, { number: nextNumber(builder) })
  } else if (step === 'added') fact.added = true
  else if (follows(containerFor(node, builder))) fact.steering = true
  containerFor(node, builder).children.push(node)
}

/** Whether an event also records a message. */
function isShown({ fact, data }: FragmentOf<MessageFact>): boolean {
  return fact.log === 'event' || data.sources.some(({ kind }) => kind.startsWith('event'))
}

/** Whether the turn already has a typed prompt. */
function follows(container: Container): boolean {
  return container.data?.continued === true || container.children.some((child) => isTyped(child))
}

function isTyped(node: Item): boolean {
  return isFragment(node) && hasFact(node, 'message') && node.fact.role === 'user' && !isInjected(node.fact)
}

function takeReview(node: FragmentOf<ReviewFact>, builder: Builder): void {
  if (node.fact.step === 'exited') reviewEnds(builder.turns)
  else if (reviewStarts(builder.turns) === 'opens') {
    endOpen(builder, {})
    openDraftTurn(node, builder, { number: nextNumber(builder) })
  }
  const container = containerFor(node, builder)
  if (container.type === 'turn') container.kind = 'review'
  takeReviewRecord(node, container)
}

// Turns at the borders of segments and of what a revert undid (rollout-format 6.3).

/** Ends the open turn if a border precedes a record; the part of it that was undone becomes a turn that continues. */
function crossBorder(node: Fragment, builder: Builder): void {
  const { slice, carry, turns, turn } = builder
  const undone = isUndone(slice.undone ?? [], node.segment, node.position?.start.line ?? 0)
  const before = slice.carry.place
  slice.carry.place = `${node.segment} ${undone}`
  if (before === undefined || before === slice.carry.place) return
  const cut = undone && turns.open !== undefined
  const { number = builder.number, kind = 'user' } = turn ?? carry.open ?? {}
  turnBreaks(turns)
  delete carry.open
  if (cut && !hasFact(node, 'turnStart')) openDraftTurn(node, builder, { number, kind, continued: true })
}

// Settings of turns, and markers for their changes (rollout-format 3.5).

const keys = ['model', 'effort', 'cwd', 'approval', 'sandbox'] as const
const labels: Readonly<Record<(typeof keys)[number], string>> = {
  model: 'Model',
  effort: 'Effort',
  cwd: 'Folder',
  approval: 'Approval',
  sandbox: 'Sandbox',
}

/**
 * Applies a settings record. A turn keeps the settings with which it began: what is chosen while it runs applies from the
 * next turn on, whose own settings show what was chosen in between.
 */
function takeSettings(node: FragmentOf<SettingsFact>, builder: Builder): void {
  const { fact } = node
  const turn = namedTurn(builder, fact.turnId) ?? turnForSettings(builder)
  const isChosen = fact.from === 'thread_settings'
  const isSettled = turn !== undefined && builder.settled.has(turn)
  const changes = takeChanges(fact, isSettled && !isChosen ? turn : {}, isChosen && turn === undefined, builder)
  if (turn === undefined) {
    builder.pending.push(...node.data.sources)
    return
  }
  if (!(isChosen && isSettled)) {
    Object.assign(turn, settingsIn(fact, keys))
    if (turn.effort === unsetEffort) delete turn.effort
    addModel(fact.model, builder)
  }
  if (!isChosen) builder.settled.add(turn)
  if (changes === undefined) mergeSources(turn, node)
  else turn.children.push(notice(node, changes))
}

/** The settings that differ from the known ones, and from those that the turn itself recorded before. */
function takeChanges(fact: SettingsFact, own: Settings, waits: boolean, { inherited, carry }: Builder) {
  const known: Settings = { ...carry.settings, ...settingsIn(own, keys) }
  const fresh = keys.filter((key) => fact[key] !== undefined && !isSame(key, known, fact))
  const changed = fresh.filter((key) => known[key] !== undefined)
  const taken = waits ? fresh.filter((key) => known[key] === undefined) : fresh
  carry.settings = { ...carry.settings, ...settingsIn(fact, taken) }
  return inherited || changed.length === 0 ? undefined : { changed, known }
}

function settingsIn(from: Settings, names: readonly (typeof keys)[number][]): Settings {
  return Object.fromEntries(names.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]))
}

/** Adds a turn's model to the head of its session. A model that was only chosen was not used. */
export function addModel(model: string | undefined, { inherited, session }: Builder): void {
  if (!inherited && model !== undefined && !session.models.includes(model)) session.models.push(model)
}

/** Whether a setting is unchanged. To Windows `c:\\x` and `C:\\x` are the same, and Codex writes both. */
function isSame(key: (typeof keys)[number], one: Settings, other: Settings): boolean {
  return key === 'cwd' ? isSamePath(one.cwd, other.cwd) : one[key] === other[key]
}

function turnForSettings(builder: Builder): Builder['turn'] {
  return builder.turns.open === undefined ? undefined : builder.turn
}

function notice(
  node: FragmentOf<SettingsFact>,
  { changed, known }: NonNullable<ReturnType<typeof takeChanges>>,
): Notice {
  const describe = (of: Settings): string =>
    changed.map((key) => `${labels[key]}: ${permissionWord(of[key] ?? '')}`).join(', ')
  return {
    type: 'notice',
    id: node.id,
    ...defined({ at: node.at, position: node.position }),
    data: node.data,
    kind: changed.includes('model') ? 'model' : 'settings',
    facts: { before: describe(known), after: describe(node.fact) },
    children: [],
  }
}

// One marker per compaction, merged from all records about it (rollout-format 6.4).

type Marker = FragmentOf<CompactionFact>

/** Takes a `compacted` line, its event or its item. */
function takeCompaction(node: Marker, builder: Builder): void {
  const container = containerFor(node, builder)
  const open = openMarker(container)
  if (open !== undefined && !hasRecordKind(open, node)) {
    mergeSources(open, node)
    if (node.fact.summary !== undefined) open.fact = { ...open.fact, summary: node.fact.summary }
  } else {
    takeSummary(node, container)
    container.children.push(node)
  }
  if (container.type === 'turn' && !follows(container) && !container.children.some(isPrompt))
    container.kind = 'compaction'
}

/** The newest marker of the turn, if only summaries and settings follow it. */
function openMarker(container: Container): Marker | undefined {
  // Restored settings may be between the records of one compaction (6.4).
  const last = container.children.findLast((child) => child.type !== 'notice')
  return last !== undefined && isFragment(last) && hasFact(last, 'compaction') ? last : undefined
}

/** Whether a marker already contains a record of this kind; if so, this one belongs to another compaction. */
function hasRecordKind(marker: Marker, node: Marker): boolean {
  const kind = node.data.sources[0]?.kind
  return marker.data.sources.some((source) => source.kind === kind)
}

/** Merges the assistant message before the line into the marker, if that message is the summary itself. */
function takeSummary(node: Marker, container: Container): void {
  const { summary } = node.fact
  const index = container.children.findLastIndex(
    (child) => isFragment(child) && hasFact(child, 'message') && child.fact.role === 'assistant',
  )
  const message = container.children[index]
  if (message === undefined || !isFragment(message) || !hasFact(message, 'message')) return
  const text = typedText(message.fact).trim()
  const same = summary !== undefined && text !== '' && summary.trim().endsWith(text)
  if (!message.fact.compaction && !same) return
  container.children.splice(index, 1)
  mergeSources(node, message)
  if (summary === undefined) node.fact = { ...node.fact, summary: text }
}

/** Folds a message into the marker if it only says that the compaction is complete; returns whether it did. */
function tryMergeCompactionMessage(node: FragmentOf<MessageFact>, builder: Builder): boolean {
  if (node.fact.role !== 'assistant' || typedText(node.fact).trim() !== 'Compact task completed') return false
  const marker = builder.container === undefined ? undefined : openMarker(builder.container)
  if (marker === undefined) return false
  mergeSources(marker, node)
  return true
}

function isPrompt(node: Item): boolean {
  return isFragment(node) && hasFact(node, 'message') && node.fact.role === 'user'
}
