/** The list that the user edits: the memory of the full rollout, with the mask of what is removed from it. */

import type { ByteSource } from '../../../rollout/read/source.ts'
import { threadIndex } from '../../../survey/lineage.ts'
import { sha256 } from '../../../util/hash.ts'
import { defined } from '../../../util/own.ts'
import { printable } from '../../../util/printable.ts'
import type { MemoryTarget } from '../files/target-fs.ts'
import { countByLength } from '../history/estimate.ts'
import type { History, HistoryItem, MemorySource, ResponseItem } from '../history/history.ts'
import { type HistoryOptions, readHistory } from '../history/read.ts'
import { outputSizes } from './cuts.ts'
import { type FullRollout, openFullRollout } from './full-rollout.ts'
import { isRemembered, type PlannedItem, sentItem } from './plan.ts'
import { isReplaceable, type MaskRecord, type RemovedItem } from './record.ts'
import { type Mask, openMask } from './selector.ts'

/** A memory without its deleted items, renumbered, and the mask over it. */
export interface WorkingMemory {
  history: History
  mask: Mask
  /** Removed items that are not in the list: deleted, or from before the last compaction. */
  unlisted: RemovedItem[]
}

/**
 * Marks the removed items in the full memory. `undefined` if one of their positions has another item: then the record is
 * about another file, and nothing is guessed.
 */
export function workingMemory(whole: History, removed: readonly RemovedItem[]): WorkingMemory | undefined {
  const byPlace = new Map(removed.map((item) => [placeKey(item), item]))
  const excluded = new Map<number, RemovedItem>()
  const listed = new Set<RemovedItem>()
  for (const item of whole.items) {
    const existing = byPlace.get(placeOf(item, whole) ?? '')
    if (existing === undefined) continue
    if (existing.hash !== hashOf(item)) return undefined
    listed.add(existing)
    if (existing.text === undefined) excluded.set(item.index, existing)
  }
  const items = whole.items.map((item) => withText(item, byPlace.get(placeOf(item, whole) ?? '')?.text))
  // A synthetic output goes with its call.
  for (const { index, pair, synthetic } of whole.items) {
    const call = synthetic && pair !== undefined ? excluded.get(pair) : undefined
    if (call !== undefined) excluded.set(index, call)
  }
  const unlisted = removed.filter((item) => item.deleted || !listed.has(item))
  return { ...renumbered({ ...whole, items }, excluded), unlisted }
}

/** An output that a text replaces: the text is counted, but the item itself stays as it was. */
function withText(item: HistoryItem, text: string | undefined): HistoryItem {
  if (text === undefined) return item
  const preview = `${printable(text)} (was: ${item.preview})`
  return { ...item, preview, tokens: countByLength(text), replaced: { text, whole: item.tokens } }
}

function renumbered(whole: History, excluded: ReadonlyMap<number, RemovedItem>): Omit<WorkingMemory, 'unlisted'> {
  const remaining = whole.items.filter(({ index }) => !excluded.get(index)?.deleted)
  const numbers = new Map(remaining.map(({ index }, position) => [index, position + 1]))
  const mask = new Set<number>()
  const items = remaining.map((item, position): HistoryItem => {
    const { pair, ...rest } = item
    const other = pair === undefined ? undefined : numbers.get(pair)
    if (excluded.has(item.index)) mask.add(position + 1)
    return {
      ...rest,
      index: position + 1,
      included: !excluded.has(item.index),
      ...defined({ pair: other }),
    }
  })
  return { history: { ...whole, items }, mask }
}

/** The items that are removed or replaced in the file after a plan, by position; includes those removed before. */
export function removedBy(
  items: readonly PlannedItem[],
  { history, unlisted }: Pick<WorkingMemory, 'history' | 'unlisted'>,
): RemovedItem[] {
  const now = items.flatMap(({ item, state, text }): RemovedItem[] => {
    const source = isRemembered(state) && text === undefined ? undefined : ownSource(item, history)
    if (source === undefined) return []
    const { line, replacement } = source
    return [{ line, hash: hashOf(item), deleted: state === 'delete', ...defined({ replacement, text }) }]
  })
  return [...unlisted, ...now].sort((a, b) => a.line - b.line || (a.replacement ?? 0) - (b.replacement ?? 0))
}

/** The only position of an item, if it is in the file in which the thread continues. */
function ownSource({ sources }: HistoryItem, { segments }: History): MemorySource | undefined {
  const [source, ...more] = sources
  return more.length > 0 || source?.segment !== segments.length - 1 ? undefined : source
}

/** The bytes of the outputs that are in the file in which the thread continues, by the index of their item. */
export function outputBytes(source: ByteSource, history: History): Map<number, number> {
  const outputs = history.items.flatMap((item) => {
    const own = isReplaceable(item) ? ownSource(item, history) : undefined
    return own === undefined ? [] : [{ ...own, index: item.index }]
  })
  return new Map([...outputSizes(source, outputs)].map(([{ index }, bytes]) => [index, bytes]))
}

function placeOf(item: HistoryItem, history: History): string | undefined {
  const source = ownSource(item, history)
  return source === undefined ? undefined : placeKey(source)
}

function placeKey({ line, replacement }: Pick<RemovedItem, 'line' | 'replacement'>): string {
  return replacement === undefined ? `${line}` : `${line}:${replacement}`
}

function hashOf({ item }: HistoryItem): string {
  return sha256(JSON.stringify(item))
}

// The list of a rollout: all of its items, and which of them are removed.

/** What is needed to make the list. */
export interface MemoryInputs {
  target: MemoryTarget
  /** Masks of earlier prunes, newest first. */
  records: readonly MaskRecord[]
  read: HistoryOptions
}

/** The full rollout, open for reading, and the list. Close `full.source`. */
interface OpenMemory {
  full: FullRollout
  memory: WorkingMemory
}

/**
 * Marks what earlier prunes removed in the full rollout. If the result is not what Codex remembers now, the rollout
 * counts as it is, and `full.fault` says so.
 */
export async function openMemory({ target, records, read }: MemoryInputs): Promise<OpenMemory> {
  const index = threadIndex(target.threads)
  const full = await openFullRollout({ ...target, records, spoolDir: read.spoolDir })
  const memory = await closedIfThrown(full, () => overlaid(full, { target, read }))
  if (memory !== undefined) return { full, memory }
  full.source.close()
  const plain = await openFullRollout({ ...target, records: [], spoolDir: read.spoolDir })
  const history = await closedIfThrown(plain, () => readHistory(plain.thread, index, read))
  const fault = 'Since the last prune, Codex reads the rollout differently from the backup, as after a rollback.'
  return { full: { ...plain, fault }, memory: { history, mask: openMask, unlisted: [] } }
}

/** What `make` gives. If it throws, nobody else closes the rollout. */
async function closedIfThrown<T>({ source }: FullRollout, make: () => Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    source.close()
    throw error
  }
}

async function overlaid(
  { thread, removed, appended }: FullRollout,
  { target, read }: Pick<MemoryInputs, 'target' | 'read'>,
): Promise<WorkingMemory | undefined> {
  const index = threadIndex(target.threads)
  const memory = workingMemory(await readHistory(thread, index, read), removed)
  // If Codex has appended since, compare with what it reads now: a rollback counts prompts, and the pruned rollout had
  // fewer.
  if (memory === undefined || !appended) return memory
  const now = await readHistory(target.thread, index, read)
  const kept = memory.history.items.filter(({ index: number }) => !memory.mask.has(number))
  const sent = kept.map((item) => sentItem({ item, ...defined({ text: item.replaced?.text }) }))
  const found = now.items.map(({ item }) => item)
  if (!sameItems(sent, found)) return undefined
  // Codex recorded its later counts without the removed items.
  const { recorded: _, ...history } = memory.history
  return { ...memory, history: { ...history, ...defined({ recorded: now.recorded }) } }
}

/** Whether two lists hold the same items in the same order. */
export function sameItems(a: readonly ResponseItem[], b: readonly ResponseItem[]): boolean {
  return a.length === b.length && a.every((item, at) => JSON.stringify(item) === JSON.stringify(b[at]))
}
