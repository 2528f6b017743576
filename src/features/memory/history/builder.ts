/**
 * Builds the memory of a thread record by record, oldest first.
 *
 * It holds what the model's window holds, and that of the windows before the last compactions, because a rollback may
 * reach behind one; so its size follows the window and not the file.
 */

import { type Diagnostic, diagnostic } from '../../../diagnostics/codes.ts'
import { asArray, asObject, asString } from '../../../rollout/parse/decode.ts'
import { defined } from '../../../util/defined.ts'
import { type CategoryTotals, type MemorySums, memoryCategories } from './categories.ts'
import { contentOf } from './content.ts'
import { cutMiddle, cutOutput, type OutputLimit } from './cut-output.ts'
import { type Describe, type Entry, entryOf, isContext, type Locate, type SourceRef } from './entry.ts'
import { pictureTokens, tokenBytes } from './estimate.ts'
import type { CompactionFacts, MemoryOutline, ResponseItem } from './history.ts'
import { isSent } from './items.ts'
import { type ReasoningWindow, reasoningWindow } from './reasoning-window.ts'
import type { MemoryRecord } from './records.ts'
import { addTotals, totalsOf } from './totals.ts'

/** Compactions that a rollback may undo. */
const maxUndone = 4

/** The memory between two compactions. */
export interface Window {
  entries: Entry[]
  /** Number of entries at the head that the compaction put there. */
  carried: number
  /** Older items that were too many to keep. */
  older?: CategoryTotals
  /** The memory before the compaction that made this one. */
  before?: Window
  compaction?: CompactionFacts
}

/** What the records told, in the order of the file and before any invariant is restored. */
export interface Built {
  window: Window
  violations: Diagnostic[]
  model?: string
  size?: number
  recorded?: NonNullable<MemoryOutline['recorded']>
  reasoningKept?: boolean
}

/** Takes records in the order of the thread. */
export interface MemoryBuilder {
  take: (record: MemoryRecord, place: SourceRef) => void
  /** What was built so far; more may be taken afterwards. */
  built: () => Built
  /** Estimated tokens so far, by category; the same object changes as records come. */
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
  violations: Diagnostic[]
}

/** A builder of an empty memory. */
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
    violations: [],
  }
  return {
    take: (record, place) => takeRecord(record, place, { state, describe, locate }),
    built() {
      const { window, violations, model, size, recorded, reasoning } = state
      const facts = defined({ model, size, recorded, reasoningKept: reasoning.isKept() })
      return { window: withContext(window), violations: [...violations], ...facts }
    },
    sums: () => state.sums,
  }
}

interface BuilderContext {
  state: State
  describe: Describe
  locate: Locate
}

function takeRecord(record: MemoryRecord, place: SourceRef, tools: BuilderContext): void {
  const { state } = tools
  switch (record.kind) {
    case 'item':
      takeItem(record.item, place, tools)
      break
    case 'compaction':
      takeCompaction(record, place, tools)
      break
    case 'rollback':
      takeRollback(record.turns, place, tools)
      break
    case 'settings':
      state.model = record.model ?? state.model
      state.limit = record.outputLimit
      break
    case 'tokens':
      state.size = record.window ?? state.size
      takeTokens(record.total, state)
      if (record.request !== undefined) state.reasoning.request(record.request, place.turn)
      break
    case 'agentTurn':
      state.agentTurn = true
  }
}

function takeItem(
  item: Readonly<Record<string, unknown>>,
  place: SourceRef,
  { state, describe }: BuilderContext,
): void {
  const triggers = state.agentTurn
  state.agentTurn = false
  if (!isSent(item)) return
  const entry = entryOf(cutOutput(item, state.limit), place, describe)
  if (triggers && entry.category === 'agentMessage') entry.opens = true
  state.window.entries.push(entry)
  state.reasoning.item(entry.category, entry.tokens)
  add(state.sums, entry)
  const { maxItems } = describe
  if (maxItems !== undefined && state.window.entries.length >= 2 * maxItems) sumOldest(state.window, maxItems)
}

/** Leaves the newest items; a rollback does not reach behind them. */
function sumOldest(window: Window, maxItems: number): void {
  const old = window.entries.splice(0, window.entries.length - maxItems)
  window.older = addTotals(window.older ?? {}, totalsOf(old))
  window.carried = Math.max(0, window.carried - old.length)
}

function takeCompaction(
  { summary, replacement }: Extract<MemoryRecord, { kind: 'compaction' }>,
  place: SourceRef,
  { state, describe }: BuilderContext,
): void {
  const before = withContext(state.window)
  const entries =
    replacement === undefined
      ? rebuilt(before.entries, summary, place, describe)
      : replaced(replacement, { before: before.entries, summary }, place, describe)
  const facts = {
    source: place.source,
    dropped: addTotals(before.older ?? {}, droppedBy(before.entries, entries)),
    kept: totalsOf(entries),
  }
  state.window = {
    entries,
    carried: entries.length,
    before,
    compaction: { ...facts, ...defined({ turn: place.turn }) },
  }
  forgetOldest(state.window)
  state.sums = sumsOf(state.window)
  state.recorded = undefined
  state.reasoning.breakOff()
}

function forgetOldest(window: Window): void {
  let oldest: Window | undefined = window
  for (let depth = 0; depth < maxUndone && oldest !== undefined; depth++) oldest = oldest.before
  delete oldest?.before
}

/** Takes away the last turns; a compaction in one of them did not happen (rollout-format 6.3). */
function takeRollback(turns: number, place: SourceRef, { state, locate }: BuilderContext): void {
  state.reasoning.breakOff()
  let left = turns
  while (left > 0) {
    const { window } = state
    const starts = window.entries.flatMap(({ opens }, index) => (opens && index >= window.carried ? [index] : []))
    const start = starts.at(-left)
    if (start !== undefined) {
      window.entries.length = beforeContext(window, start)
      break
    }
    if (window.before === undefined) {
      if (window.compaction !== undefined) state.violations.push(farRollback(place, locate))
      // All turns are gone; the context before the first one stays.
      window.entries.length = starts[0] ?? window.entries.length
      break
    }
    left -= starts.length
    state.window = window.before
  }
  state.sums = sumsOf(state.window)
}

/** The context that was put before a turn goes with it, but not what stands before the first one. */
function beforeContext({ entries, carried }: Window, start: number): number {
  const first = entries.findIndex(({ opens }, index) => opens && index >= carried)
  let end = start
  for (
    let entry = entries[end - 1];
    start > first && end > carried && entry && isContext(entry);
    entry = entries[end - 1]
  )
    end--
  return end
}

function farRollback({ source }: SourceRef, locate: Locate): Diagnostic {
  return diagnostic(
    'incomplete-memory',
    locate(source),
    'A rollback reaches back further than the compactions that are kept.',
  )
}

function takeTokens(recorded: number | undefined, state: State): void {
  if (recorded === undefined || recorded === 0) return
  const sample = { recorded, estimated: Object.values(state.sums).reduce((sum, tokens) => sum + tokens, 0) }
  state.recorded = { first: state.recorded?.first ?? sample, last: sample }
}

/**
 * Context that a compaction put at the head is made anew whenever the thread is resumed or forked, and then written
 * again behind it: the newest counts.
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

// What a compaction leaves of the memory (rollout-format 3.6, 6.4).

/** Tokens of user messages that builds without `replacement_history` carry over, newest first. */
const carriedTokens = 20_000

/** The memory as the record itself tells it. */
function replaced(
  items: readonly ResponseItem[],
  { before, summary }: { before: readonly Entry[]; summary: string },
  place: SourceRef,
  describe: Describe,
): Entry[] {
  const origins = new Map(before.map((entry) => [keyOf(entry), entry.turn]))
  return items.flatMap((item, replacement) => {
    if (!isSent(item)) return []
    const entry = entryOf(item, { ...place, source: { ...place.source, replacement } }, describe)
    if (isSummary(item, summary)) entry.category = 'compactionSummary'
    // What was carried over is as old as it was.
    const turn = origins.get(keyOf(entry))
    if (turn !== undefined) entry.turn = turn
    delete entry.opens
    return [entry]
  })
}

/**
 * The memory that follows from the summary alone: the context as it stands, what the user said, the summary. Older
 * summaries that say what they are were left out by the builds that wrote them so.
 */
function rebuilt(before: readonly Entry[], summary: string, place: SourceRef, describe: Describe): Entry[] {
  const context = lastContext(before).map((entry): Entry => ({ ...entry, rebuilt: true }))
  const said = newest(before.filter((entry) => isCarried(entry, describe)))
  const text = summary === '' ? '(no summary available)' : summary
  const last: Entry = { ...entryOf(userMessage(text), place, describe), category: 'compactionSummary' }
  delete last.opens
  return [...context, ...said, last]
}

function userMessage(text: string): ResponseItem {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
}

function isCarried({ category, text }: Entry, { classify }: Describe): boolean {
  if (category === 'userMessage') return true
  return category === 'compactionSummary' && classify(text, undefined).class === 'typed'
}

/** The texts of the newest messages, as far as there is room; the oldest of them is cut in the middle. */
function newest(entries: readonly Entry[]): Entry[] {
  let capacity = carriedTokens
  const kept: Entry[] = []
  for (const entry of entries.toReversed()) {
    if (capacity <= 0) break
    const carried = carriedOver(entry, capacity)
    capacity -= carried.tokens
    kept.push(carried)
  }
  return kept.reverse()
}

/** A message as it is said again: its words, and none of its pictures. */
function carriedOver({ opens: _opens, pictures, ...entry }: Entry, capacity: number): Entry {
  const tokens = Math.min(capacity, entry.tokens - pictures * pictureTokens)
  const carried = { ...entry, pictures: 0, tokens }
  if (entry.item === undefined) return carried
  const text = contentOf(entry.item).texts.join('\n')
  const words =
    tokens < entry.tokens - pictures * pictureTokens ? cutMiddle(text, capacity * tokenBytes, 'tokens') : text
  return { ...carried, item: userMessage(words) }
}

/** The last whole block of context: from its first to its last neighbouring item. */
function lastContext(entries: readonly Entry[]): Entry[] {
  const last = entries.findLastIndex(({ category }) => category === 'environmentContext')
  if (last < 0) return entries.filter(isContext)
  let [start, end] = [last, last + 1]
  for (let entry = entries[start - 1]; entry !== undefined && isContext(entry); entry = entries[start - 1]) start--
  for (let entry = entries[end]; entry !== undefined && isContext(entry); entry = entries[end]) end++
  return entries.slice(start, end)
}

/** Numbers of the items that are no longer there. */
function droppedBy(before: readonly Entry[], after: readonly Entry[]): CategoryTotals {
  const left = new Map<string, number>()
  for (const entry of after) left.set(keyOf(entry), (left.get(keyOf(entry)) ?? 0) + 1)
  const dropped = before.filter((entry) => {
    const kept = left.get(keyOf(entry)) ?? 0
    left.set(keyOf(entry), kept - 1)
    return kept <= 0
  })
  return totalsOf(dropped)
}

/** Equal for items that nobody would tell apart. */
function keyOf({ category, text, tokens }: Entry): string {
  return `${category} ${tokens} ${text}`
}

/** The text of a compaction comes back as a message of the user (rollout-format 5.4). */
function isSummary(item: ResponseItem, summary: string): boolean {
  if (summary === '' || item['role'] !== 'user') return false
  return asArray(item['content']).some((part) => asString(asObject(part)?.['text']) === summary)
}
