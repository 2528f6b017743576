/**
 * Builds the memory of a thread record by record, oldest first.
 *
 * It keeps the memory of the current window and of the windows before the last compactions, because a rollback may reach
 * back past a compaction. So its size follows the window and not the file.
 */

import { type Diagnostic, diagnostic } from '../../../diagnostics/codes.ts'
import { sumOfCounts } from '../../../util/groups.ts'
import { defined } from '../../../util/own.ts'
import { addTotals, type CategoryTotals, type MemorySums, memoryCategories, totalsOf } from './categories.ts'
import { droppedBy, lastContext, rebuilt, replaced } from './compaction.ts'
import { type Describe, type Entry, entryOf, type Locate, type SourceRef } from './entry.ts'
import type { CompactionFacts, MemoryOutline, ResponseItem } from './history.ts'
import { cutOutput, isSent, type OutputLimit } from './items.ts'
import { type MemoryRecord, type ReasoningWindow, reasoningWindow } from './records.ts'

/** At most this many compactions can be undone by a rollback. */
const maxUndone = 4

/** The memory between two compactions. */
export interface Window {
  entries: Entry[]
  /** Number of entries at the start that the compaction put there. */
  carried: number
  /** Totals of older items, if there were too many to keep. */
  older?: CategoryTotals
  /** The memory before the compaction that made this one. */
  before?: Window
  compaction?: CompactionFacts
}

/** The memory according to the records, in their order, before calls and outputs are paired. */
export interface Built {
  window: Window
  violations: Diagnostic[]
  model?: string
  size?: number
  recorded?: NonNullable<MemoryOutline['recorded']>
  reasoningKept?: boolean
}

/** Builds a memory from records, which it takes in the order of the thread. */
export interface MemoryBuilder {
  take: (record: MemoryRecord, sourceRef: SourceRef) => void
  /** What was built so far; more records may be taken afterwards. */
  built: () => Built
  /** The window so far, as it was recorded. */
  window: () => Window
  /** Estimated tokens so far, by category. Not a copy: it changes with further records. */
  sums: () => MemorySums
}

interface State {
  window: Window
  sums: MemorySums
  agentTurn: boolean
  limit: OutputLimit | undefined
  model: string | undefined
  size: number | undefined
  recorded: Built['recorded'] | undefined
  reasoning: ReasoningWindow
  /** `recorded` is only an estimate by Codex. */
  guessed: boolean
  /** Recorded tokens of reasoning since the last message of the user. */
  reasoned: number
  violations: Diagnostic[]
}

/** Returns a builder that starts with an empty memory. */
export function memoryBuilder(describe: Describe, locate: Locate): MemoryBuilder {
  const state: State = {
    window: { entries: [], carried: 0 },
    sums: {},
    agentTurn: false,
    limit: undefined,
    model: undefined,
    size: undefined,
    recorded: undefined,
    reasoning: reasoningWindow(),
    guessed: false,
    reasoned: 0,
    violations: [],
  }
  return {
    take: (record, sourceRef) => takeRecord(record, sourceRef, { state, describe, locate }),
    built() {
      const { window, violations, model, size, recorded, reasoning } = state
      const facts = defined({ model, size, recorded, reasoningKept: reasoning.isKept() })
      return { window: withContext(window), violations: [...violations], ...facts }
    },
    window: () => state.window,
    sums: () => state.sums,
  }
}

interface BuilderContext {
  state: State
  describe: Describe
  locate: Locate
}

function takeRecord(record: MemoryRecord, sourceRef: SourceRef, tools: BuilderContext): void {
  const { state } = tools
  switch (record.kind) {
    case 'item':
      takeItem(record.item, sourceRef, tools)
      break
    case 'compaction':
      takeCompaction(record, sourceRef, tools)
      break
    case 'rollback':
      takeRollback(record.turns, sourceRef, tools)
      break
    case 'settings':
      state.model = record.model ?? state.model
      state.limit = record.outputLimit
      break
    case 'tokens':
      state.size = record.window ?? state.size
      if (record.request !== undefined) state.reasoned += state.reasoning.request(record.request, sourceRef.turn)
      takeTokens(record, state)
      break
    case 'agentTurn':
      state.agentTurn = true
  }
}

function takeItem(
  item: Readonly<Record<string, unknown>>,
  sourceRef: SourceRef,
  { state, describe }: BuilderContext,
): void {
  const triggers = state.agentTurn
  state.agentTurn = false
  if (!isSent(item)) return
  const entry = entryOf(cutOutput(item, state.limit), sourceRef, describe)
  if (entry.item !== undefined && describe.rules.sendsMadePictures) entry.item = asSentPicture(entry.item)
  if (triggers && entry.category === 'agentMessage') entry.opens = true
  if (entry.opens) {
    state.reasoned = 0
    // A rollback to this message restores it.
    if (state.recorded !== undefined) entry.recorded = state.recorded
  }
  state.window.entries.push(entry)
  state.reasoning.item(entry.category, entry.tokens)
  add(state.sums, entry)
  const { maxItems } = describe
  if (maxItems !== undefined && state.window.entries.length >= 2 * maxItems) sumOldest(state.window, maxItems)
}

/** A picture that the model made, as a message of the user, as some builds sent it. */
function asSentPicture(item: ResponseItem): ResponseItem {
  const { type, result } = item
  if (type !== 'image_generation_call' || typeof result !== 'string') return item
  const picture = { type: 'input_image', image_url: `data:image/png;base64,${result}` }
  return { type: 'message', role: 'user', content: [picture] }
}

/** Keeps the newest items, and only totals of the older ones, to which a rollback cannot return. */
function sumOldest(window: Window, maxItems: number): void {
  const old = window.entries.splice(0, window.entries.length - maxItems)
  window.older = addTotals(window.older ?? {}, totalsOf(old))
  window.carried = Math.max(0, window.carried - old.length)
}

function takeCompaction(
  { summary, replacement }: Extract<MemoryRecord, { kind: 'compaction' }>,
  sourceRef: SourceRef,
  { state, describe }: BuilderContext,
): void {
  const before = withContext(state.window)
  const entries =
    replacement === undefined
      ? rebuilt(before.entries, summary, sourceRef, describe)
      : replaced(replacement, { before: before.entries, summary }, sourceRef, describe)
  const facts = {
    source: sourceRef.source,
    dropped: addTotals(before.older ?? {}, totalsOf(droppedBy(before.entries, entries))),
    kept: totalsOf(entries),
  }
  state.window = {
    entries,
    carried: entries.length,
    before,
    compaction: { ...facts, ...defined({ turn: sourceRef.turn }) },
  }
  forgetOldest(state.window)
  state.sums = sumsOf(state.window)
  state.recorded = undefined
  state.reasoned = 0
  state.reasoning.breakOff()
}

function forgetOldest(window: Window): void {
  let oldest: Window | undefined = window
  for (let depth = 0; depth < maxUndone && oldest !== undefined; depth++) oldest = oldest.before
  delete oldest?.before
}

/** Removes the last turns (rollout-format 6.3). The cost depends on what is removed, not on the whole memory. */
function takeRollback(turns: number, sourceRef: SourceRef, tools: BuilderContext): void {
  const { state, describe } = tools
  state.reasoning.breakOff()
  if (turns === 0) return
  if (describe.rules.rollback === 'windows') backThroughWindows(turns, sourceRef, tools)
  else backInList(turns, tools)
}

/** Rolls back turns through windows: a compaction in a turn that is rolled back counts as not having happened. */
function backThroughWindows(turns: number, sourceRef: SourceRef, { state, describe, locate }: BuilderContext): void {
  let remaining = turns
  while (remaining > 0) {
    const { window } = state
    const starts = lastStarts(window, window.carried, remaining)
    const start = starts[remaining - 1]
    if (start !== undefined) {
      cut(start, { state, describe })
      break
    }
    if (window.before === undefined) {
      if (window.compaction !== undefined) state.violations.push(farRollback(sourceRef, locate))
      // All turns are rolled back; the context before the first one stays.
      dropFrom(starts.at(-1) ?? window.entries.length, state)
      break
    }
    remaining -= starts.length
    state.window = window.before
    state.sums = sumsOf(state.window)
  }
}

/**
 * Rolls back turns in the current window. Prompts that a compaction carried over count as turns too, except that a build
 * with the rule `suffix`, which reads its file again, loses them if the rollback reaches back past the only compaction.
 */
function backInList(turns: number, { state, describe }: Pick<BuilderContext, 'state' | 'describe'>): void {
  const { window } = state
  const crosses = lastStarts(window, window.carried, turns).length < turns
  if (crosses && describe.rules.rollback === 'suffix' && window.before?.compaction === undefined) {
    window.entries.splice(0, window.carried)
    window.carried = 0
    state.sums = sumsOf(window)
  }
  const start = lastStarts(window, 0, turns).at(-1)
  if (start !== undefined) cut(start, { state, describe })
}

/** Indices of the messages that begin the last turns: at most `max`, newest first, none before index `from`. */
function lastStarts({ entries }: Window, from: number, max: number): number[] {
  const starts: number[] = []
  for (let at = entries.length - 1; at >= from && starts.length < max; at--) if (entries[at]?.opens) starts.push(at)
  return starts
}

/** Cuts the window before a turn and its context. What comes before the first turn stays. */
function cut(start: number, { state, describe }: Pick<BuilderContext, 'state' | 'describe'>): void {
  const { window } = state
  const { entries } = window
  state.recorded = entries[start]?.recorded ?? state.recorded
  const first = entries.findIndex(({ opens }) => opens)
  let end = start
  while (describe.rules.trimsContext && end > first && entries[end - 1]?.leads) end--
  dropFrom(end, state)
  window.carried = Math.min(window.carried, end)
}

/** Removes the entries from an index on. */
function dropFrom(from: number, { window, sums }: State): void {
  for (const { category, tokens } of window.entries.splice(from)) {
    sums[category] = (sums[category] ?? 0) - tokens
    if (sums[category] === 0) delete sums[category]
  }
}

function farRollback({ source }: SourceRef, locate: Locate): Diagnostic {
  return diagnostic(
    'incomplete-memory',
    locate(source),
    'A rollback reaches back further than the compactions that are kept.',
  )
}

/** Notes recorded tokens. An estimate by Codex counts only until a request is recorded. */
function takeTokens(
  { total: recorded, guessed = false }: Extract<MemoryRecord, { kind: 'tokens' }>,
  state: State,
): void {
  if (recorded === undefined || recorded === 0 || (guessed && state.recorded !== undefined)) return
  const estimated = sumOfCounts(state.sums)
  const reasoning = { recorded: guessed ? 0 : state.reasoned, estimated: state.sums.reasoning ?? 0 }
  const sample = { recorded, estimated, ...(reasoning.recorded + reasoning.estimated > 0 ? { reasoning } : {}) }
  state.recorded = { first: state.guessed ? sample : (state.recorded?.first ?? sample), last: sample }
  state.guessed = guessed
}

/**
 * A compaction puts context at the head. When the thread is resumed or forked, Codex makes that context again and records
 * it after the head; the newest one then replaces the head.
 */
function withContext(window: Window): Window {
  const old = window.entries.findLastIndex(({ rebuilt }) => rebuilt) + 1
  if (old === 0) return window
  const rest = window.entries.slice(old)
  const newest = rest.some(({ category }) => category === 'environmentContext') ? lastContext(rest) : []
  if (newest.length < old) return window
  const head = newest.map((entry): Entry => ({ ...entry, rebuilt: true }))
  return { ...window, carried: window.carried - old + head.length, entries: [...head, ...rest] }
}

function sumsOf({ entries, older = {} }: Window): MemorySums {
  const sums: MemorySums = {}
  for (const category of memoryCategories) {
    const kept = older[category]
    if (kept !== undefined) sums[category] = kept.tokens
  }
  for (const entry of entries) add(sums, entry)
  return sums
}

function add(sums: MemorySums, { category, tokens }: Entry): void {
  sums[category] = (sums[category] ?? 0) + tokens
}
