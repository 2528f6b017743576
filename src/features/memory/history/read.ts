/** Reads the memory of a thread, with its items, from its files. */

import { type Diagnostic, diagnostic } from '../../../diagnostics/codes.ts'
import { UsageError } from '../../../diagnostics/errors.ts'
import { findRoots } from '../../../rollout/discover/homes-fs.ts'
import { firstFile, type Segment, type Thread } from '../../../rollout/discover/rollout.ts'
import { sniff } from '../../../rollout/parse/entry.ts'
import type { Reading } from '../../../rollout/read/open-fs.ts'
import { withSpool } from '../../../site/spool-fs.ts'
import { baseChain, scanWithLineage, type ThreadIndex, threadIndex } from '../../../survey/lineage.ts'
import { threadAt } from '../../../survey/select.ts'
import { survey } from '../../../survey/survey.ts'
import { openThread, readInSteps, type ThreadLine } from '../../../survey/thread-lines.ts'
import type { ScanFacts } from '../../../transcript/summary.ts'
import { append } from '../../../util/groups.ts'
import { defined } from '../../../util/own.ts'
import { formatAmount } from '../../../util/time.ts'
import { type Built, type MemoryBuilder, memoryBuilder } from './builder.ts'
import type { CategoryTotals, MemoryCategory, MemorySums } from './categories.ts'
import { type Entry, type Locate, paired } from './entry.ts'
import type { History, HistoryItem, MemoryItem, MemoryOutline, MemorySegment } from './history.ts'
import { rulesOf } from './items.ts'
import { previewOf } from './preview.ts'
import { readRecord } from './records.ts'

/** Options of `readHistory`. */
export interface HistoryOptions extends Reading {
  /** Number of the turn after which the memory is wanted; default: the last. */
  at?: number | undefined
  /** Redacts texts so that previews of them may be shown. */
  show?: Show | undefined
}

/**
 * Reads what Codex would send next. Throws a `UsageError` for a thread that cannot be read, and otherwise what reading
 * throws.
 */
export async function readHistory(thread: Thread, index: ThreadIndex, options: HistoryOptions): Promise<History> {
  const { facts, diagnostics } = await scanWithLineage(thread, index, options)
  if (facts === undefined) {
    const reasons = diagnostics.filter(({ level }) => level === 'fatal').map(({ message }) => message)
    throw new UsageError(`The session \`${thread.id}\` cannot be read: ${reasons.join(' ')}`)
  }
  const { built, head } = await readMemory({ thread, facts }, index, { ...options, keepItems: true })
  return historyOf(built, head, options.show)
}

// Reads what the model remembers of a thread, including the files that it inherits by reference.

/** Options of `readMemory`. */
interface MemoryOptions extends Pick<HistoryOptions, 'spoolDir' | 'at'>, Partial<Pick<Reading, 'signal'>> {
  /** Keep the items themselves. */
  keepItems: boolean
  /** Where to stop, instead of `at`: segment of the thread and line, exclusive. */
  end?: LineRef
}

/** Index of a segment and number of a line. */
export type LineRef = readonly [segment: number, line: number]

/** What was built, and what is known about the thread. */
interface ReadMemory {
  built: Built
  head: MemoryHead
}

/** Kinds of lines that are or change memory; others are not even parsed. */
const wanted =
  /^(?:response_item|compacted|turn_context|inter_agent_communication|event_msg\/(?:thread_rolled_back|token_count|t(?:ask|urn)_started)(?:$|\/))/

/**
 * Where the turn after a turn begins; `undefined` if it is the last one, or if no turn is asked for. Throws a
 * `UsageError` for a turn that does not exist.
 */
function endAfter({ turns, turnLines = [] }: ScanFacts, turn: number | undefined): LineRef | undefined {
  if (turn === undefined) return undefined
  if (turn > turns) throw new UsageError(`There is no turn ${turn}: the session has ${formatAmount(turns, 'turn')}.`)
  return turnLines[turn]
}

/**
 * Reads the memory of a scanned thread. Throws a `UsageError` for a turn that does not exist, and otherwise what reading
 * throws.
 */
export async function readMemory(
  { thread, facts }: { thread: Thread; facts: ScanFacts },
  index: ThreadIndex,
  { spoolDir, signal, keepItems, at: turn, end = endAfter(facts, turn) }: MemoryOptions,
): Promise<ReadMemory> {
  const chain = baseChain(thread, index)
  const inherited = chain?.links ?? []
  const segments = [...inherited.map(({ segment }) => segment), ...thread.segments]
  const codex = thread.segments.at(-1)?.head.version
  const head: MemoryHead = {
    ...defined({ codex }),
    threadId: thread.id,
    turn: turnsBefore(facts, end),
    segments: segments.map((segment, place) => segmentOf(segment, inherited[place]?.thread.id, thread)),
  }
  const rules = rulesOf(codex)
  const builder = memoryBuilder({ keepItems, rules }, locator(head))
  const reading = { builder, faults: [] as Diagnostic[], head, turnOf: turnCounter(facts) }
  const readers = await openThread({ ...thread, segments }, spoolDir)
  try {
    for (const [place, reader] of readers.entries()) {
      signal?.throwIfAborted()
      append(reading.faults, reader.diagnostics)
      const take = (line: ThreadLine): void => {
        const at: LineRef = [place - inherited.length, line.line]
        if (end === undefined || isBefore(at, end)) readLine(line, at, reading)
      }
      await readInSteps(reader, take, { signal })
    }
  } finally {
    for (const reader of readers) reader.close()
  }
  const built = builder.built()
  const gaps = [...(chain?.complete === false ? [missingHistory(thread)] : []), ...early(thread)]
  return { built: { ...built, violations: [...gaps, ...reading.faults, ...built.violations] }, head }
}

function segmentOf({ file, rolloutId }: Segment, owner: string | undefined, { id }: Thread): MemorySegment {
  return { threadId: owner ?? id, rolloutId, file: file.name, own: owner === undefined }
}

interface LineSink {
  builder: MemoryBuilder
  faults: Diagnostic[]
  head: MemoryHead
  turnOf: (at: LineRef) => number
}

function readLine(line: ThreadLine, at: LineRef, { builder, faults, head, turnOf }: LineSink): void {
  if (line.undone || !isWanted(line)) return
  const turn = turnOf(at)
  const { values, faults: found } = line.values()
  const file = head.segments[line.segment]?.file
  for (const fault of found) faults.push(diagnostic(fault, { line: line.line, ...defined({ file }) }))
  for (const [part, value] of values.entries()) {
    const record = readRecord(value)
    const source = { segment: line.segment, line: line.line, ...(part === 0 ? {} : { part }) }
    if (record !== undefined) builder.take(record, { source, ...(turn === 0 ? {} : { turn }) })
  }
}

/** Whether a line may be or change memory. */
export function isWanted({ bytes }: ThreadLine): boolean {
  const kind = bytes === undefined ? undefined : sniff(bytes)?.kind
  return kind === undefined || wanted.test(kind)
}

function isBefore([segment, line]: LineRef, [otherSegment, otherLine]: LineRef): boolean {
  return segment === otherSegment ? line < otherLine : segment < otherSegment
}

/**
 * Returns a function that gives the turn of each line, and must be called with lines in order; 0 before the thread's own
 * first turn.
 */
export function turnCounter({ turnLines = [] }: ScanFacts): (at: LineRef) => number {
  let turn = 0
  return (at) => {
    for (let next = turnLines[turn]; next !== undefined && !isBefore(at, next); next = turnLines[turn]) turn++
    return turn
  }
}

function turnsBefore({ turns, turnLines = [] }: ScanFacts, end: LineRef | undefined): number {
  return end === undefined ? turns : turnLines.filter((start) => isBefore(start, end)).length
}

function missingHistory(thread: Thread): Diagnostic {
  const what = 'It begins in the rollout of another thread, which is missing.'
  return diagnostic('incomplete-memory', firstFile(thread), what)
}

/** Files of the first generations contain less than the model was given (rollout-format 2.1). */
function early({ segments: [first] }: Thread): Diagnostic[] {
  if (first === undefined || !/^G[01]/.test(first.head.generation)) return []
  return [
    diagnostic(
      'incomplete-memory',
      { file: first.file.name },
      'Until August 2025, Codex wrote no settings, token counts or compactions.',
    ),
  ]
}

// The memory of one rollout, for other programs.

/** Options of `reconstructHistory`. */
export interface ReconstructOptions {
  /** Number of the turn after which the memory is wanted, from 1; default: the last. */
  at?: number
  /** Codex homes and folders in which to look for files that the rollout inherits from. */
  homes?: readonly string[]
  signal?: AbortSignal
}

/**
 * Returns the response items that Codex would send next, from the rollout at a path, of any generation. Nothing is
 * redacted. Throws a `UsageError` if the path holds no rollout or the turn does not exist.
 */
export function reconstructHistory(path: string, options: ReconstructOptions = {}): Promise<History> {
  const { at, homes = [], signal } = options
  return withSpool(async (spoolDir) => {
    const find = (homePaths: readonly string[]) =>
      survey(
        findRoots(
          homePaths.map((home) => ({ path: home })),
          { env: {}, homeDir: path },
        ),
        { spoolDir },
      )
    const thread = threadAt(path, await find([path]))
    const family = homes.length === 0 ? [] : (await find(homes)).catalog.threads
    const index = threadIndex([...family.filter(({ id }) => id !== thread.id), thread])
    const reading = { spoolDir, ...defined({ signal }) }
    const facts = await requireFacts(thread, index, reading)
    const { built, head } = await readMemory({ thread, facts }, index, { ...reading, at, keepItems: true })
    return historyOf(built, head)
  })
}

/** The facts of a thread. Throws a `UsageError` with the reasons if it cannot be scanned. */
export async function requireFacts(...scanned: Parameters<typeof scanWithLineage>): Promise<ScanFacts> {
  const { facts, diagnostics } = await scanWithLineage(...scanned)
  if (facts === undefined) throw new UsageError(diagnostics.map(({ message }) => message).join(' '))
  return facts
}

// What was built, as the memory that Codex sends.

/** What is known about a thread besides its records. */
interface MemoryHead {
  threadId: string
  /** Number of the last turn that was read. */
  turn: number
  segments: MemorySegment[]
  /** Version of the Codex that began the rollout, by whose rules the memory is read. */
  codex?: string
}

/** Redacts a text so that it may be shown. */
export type Show = (text: string) => string

/** The memory, without the items themselves. */
export function outlineOf(built: Built, head: MemoryHead, show?: Show): MemoryOutline {
  return finish(built, head, show, (item) => item)
}

/** The memory with its items, which `built` must have kept. */
export function historyOf(built: Built, head: MemoryHead, show?: Show): History {
  return finish(built, head, show, (item, entry): HistoryItem => ({ ...item, item: entry.item ?? {} }))
}

function finish<I extends MemoryItem>(
  { window, violations, model, size, recorded, reasoningKept }: Built,
  head: MemoryHead,
  show: Show | undefined,
  make: (item: MemoryItem, entry: Entry) => I,
): MemoryOutline<I> {
  const keepItems = window.entries.some(({ item }) => item !== undefined)
  const { entries, partner, violations: broken } = paired(window.entries, locator(head), keepItems)
  const items = entries.map((entry, index) => {
    const item = itemOf(entry, index, partner.get(index))
    return make({ ...inWindow(item, reasoningKept), preview: previewOf(entry.text, show) }, entry)
  })
  const shown = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : (show?.(text) ?? text)
  return {
    ...head,
    ...defined({ codex: shown(head.codex) }),
    items,
    violations: [...violations, ...broken],
    ...(window.older === undefined ? {} : { older: totalsInWindow(window.older, reasoningKept) }),
    ...defined({ model: shown(model), window: size, recorded, reasoningKept, compaction: window.compaction }),
  }
}

// The model's side drops the reasoning of finished turns, unless counts of the session show otherwise.

function inWindow<I extends { category: MemoryCategory; tokens: number }>(item: I, reasoningKept?: boolean): I {
  return reasoningKept || item.category !== 'reasoning' ? item : { ...item, tokens: 0, outOfWindow: true }
}

function totalsInWindow(totals: CategoryTotals, reasoningKept?: boolean): CategoryTotals {
  const { reasoning } = totals
  return reasoningKept || reasoning === undefined ? totals : { ...totals, reasoning: { ...reasoning, tokens: 0 } }
}

/** Estimated tokens at a moment between two turns, without reasoning unless it is kept. */
export function sumsInWindow(sums: MemorySums, reasoningKept: boolean | undefined): MemorySums {
  const { reasoning, ...others } = sums
  return reasoningKept || reasoning === undefined ? sums : others
}

function itemOf(
  { category, tokens, sources, synthetic, turn }: Entry,
  at: number,
  pair?: number,
): Omit<MemoryItem, 'preview'> {
  return {
    index: at + 1,
    category,
    tokens,
    included: true,
    sources,
    ...defined({ synthetic, turn }),
    ...(pair === undefined ? {} : { pair: pair + 1 }),
  }
}

/** Returns a function that names the file and line of a source. */
export function locator({ segments }: Pick<MemoryHead, 'segments'>): Locate {
  return (source) => {
    const file = source === undefined ? undefined : segments[source.segment]?.file
    return source === undefined || file === undefined ? {} : { file, line: source.line }
  }
}
