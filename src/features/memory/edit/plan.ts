/** Plans what a prune does, before anything is written. */

import { groupBy } from '../../../util/groups.ts'
import { defined } from '../../../util/own.ts'
import { isContext } from '../history/entry.ts'
import { countByLength } from '../history/estimate.ts'
import type { History, HistoryItem, MemorySegment, ResponseItem } from '../history/history.ts'
import { isBetween } from '../history/items.ts'
import { isReplaceable, withOutput } from './record.ts'
import { ascending, chooseItems, exclude, include, type Mask, type Selector, shiftDeleted } from './selector.ts'

/**
 * What a prune is asked to do. If an item is named several times, `delete` takes precedence over `exclude`, that over
 * `replace`, and that over `include`.
 */
export interface PruneRequest extends Readonly<Record<Mark, readonly Selector[]>> {
  /** The text for outputs that are replaced. */
  text: string
}

/** What the user wants to do with an item. */
export type Mark = 'delete' | 'exclude' | 'replace' | 'include'

/** Makes a value for each mark. */
export function byMark<T>(make: (mark: Mark) => T): Record<Mark, T> {
  return { delete: make('delete'), exclude: make('exclude'), replace: make('replace'), include: make('include') }
}

/** What a prune does with an item: a change, or the unchanged state. */
export type PlannedState = Mark | 'included' | 'replaced' | 'excluded'

/** An item, and what a prune does with it. */
export interface PlannedItem {
  item: HistoryItem
  state: PlannedState
  /** The text that replaces its output. */
  text?: string
  /** It was not named itself, but goes with the other half of its pair. */
  along: boolean
}

/** Numbers of items and estimated tokens. */
export interface Amount {
  items: number
  tokens: number
}

/** A planned prune. */
export interface PrunePlan {
  items: PlannedItem[]
  /** What the model remembers before and after. */
  before: Amount
  after: Amount
  /** The mask afterwards, over the list without the deleted items. */
  mask: Mask
  notes: string[]
  /** Whether anything would change. */
  changes: boolean
}

/** Whether a text can take the place of an output, which is named by its index. */
export type FitsOutput = (index: number, text: string) => boolean

/** Why a text that does not fit replaces no output; the reason follows "Items 3, 7 stay: ". */
export const tooShort = 'shorter than the text that would replace it, and this rollout must keep its length'

/** Plans a prune. `mask` is what was excluded before. */
export function planPrune(history: History, mask: Mask, request: PruneRequest, fits?: FitsOutput): PrunePlan {
  const choices = byMark((mark) => chooseItems(history, request[mark]))
  const plan = planNamed(history, mask, { ...byMark((mark) => choices[mark].indices), text: request.text }, fits)
  return { ...plan, notes: [...Object.values(choices).flatMap(({ notes }) => notes), ...plan.notes] }
}

/** Indices by what is asked for them, and the text for outputs that are replaced. */
export interface NamedItems extends Readonly<Record<Mark, readonly number[]>> {
  text: string
}

/** Like `planPrune`, for items that are named by index, as when they are marked in a list. */
export function planNamed(history: History, mask: Mask, named: NamedItems, fits: FitsOutput = () => true): PrunePlan {
  const { items } = history
  const fixed = fixedItems(history)
  const free = (indices: readonly number[]): number[] => indices.filter((index) => !fixed.has(index))
  const outputs = new Set(free(named.replace).flatMap((index) => outputOf(items, index) ?? []))
  const short = [...outputs].filter((index) => !fits(index, named.text))
  const dispositions = dispositionsOf(items, mask, {
    ...byMark((mark) => free(named[mark])),
    replace: free(named.replace).filter((index) => !short.includes(outputOf(items, index) ?? 0)),
    include: named.include,
    text: named.text,
  })
  const planned = items.map((item) => plannedItem(item, dispositions, mask))
  return {
    items: planned,
    before: amountOf(items.filter(({ index }) => !mask.has(index)).map(({ tokens }) => tokens)),
    after: amountOf(planned.filter(({ state }) => isRemembered(state)).map(sentTokens)),
    mask: shiftDeleted(dispositions.next, dispositions.deleted),
    notes: [
      ...fixedNotes([...named.delete, ...named.exclude, ...named.replace], fixed),
      ...stayNotes(
        free(named.replace).filter((index) => outputOf(items, index) === undefined),
        'not outputs of calls',
      ),
      ...stayNotes(short, tooShort),
    ],
    changes: planned.some(({ state }) => isChange(state)),
  }
}

interface Dispositions {
  deleted: ReadonlySet<number>
  next: Mask
  /** Texts that replace outputs. */
  texts: ReadonlyMap<number, string>
  /** Items that go with the other half of their pair, without being named. */
  along: ReadonlySet<number>
}

/** At each step, both halves of a pair follow the named one, so that no mask ever separates them. */
function dispositionsOf(items: readonly HistoryItem[], mask: Mask, named: NamedItems): Dispositions {
  const deleted = withPairs(items, named.delete)
  const excluded = withPairs(items, named.exclude)
  const replaced = withPairs(
    items,
    named.replace.flatMap((index) => outputOf(items, index) ?? []),
  )
  const included = withPairs(items, named.include)
  const texts = new Map(items.flatMap(({ index, replaced: old }) => (old === undefined ? [] : [[index, old.text]])))
  for (const index of included) texts.delete(index)
  for (const index of replaced) if (outputOf(items, index) === index) texts.set(index, named.text)
  for (const index of excluded) texts.delete(index)
  const all = new Set([...named.delete, ...named.exclude, ...named.replace, ...named.include])
  const touched = [...deleted, ...excluded, ...replaced, ...included]
  return {
    deleted: new Set(deleted),
    next: exclude(include(mask, [...included, ...replaced]), excluded),
    texts,
    along: new Set(touched.filter((index) => !all.has(index))),
  }
}

/** The index of the output that a text can replace: the item itself, or the output of a call. */
export function outputOf(items: readonly HistoryItem[], index: number): number | undefined {
  const item = items[index - 1]
  const output = item === undefined || isReplaceable(item) ? item : items[(item.pair ?? 0) - 1]
  return output !== undefined && isReplaceable(output) ? output.index : undefined
}

function plannedItem(item: HistoryItem, dispositions: Dispositions, before: Mask): PlannedItem {
  const state = stateOf(item, dispositions, before)
  const text = isRemembered(state) ? dispositions.texts.get(item.index) : undefined
  const along = dispositions.along.has(item.index) && isChange(state)
  return { item, state, along, ...defined({ text }) }
}

function stateOf({ index, replaced }: HistoryItem, { deleted, next, texts }: Dispositions, before: Mask): PlannedState {
  if (deleted.has(index)) return 'delete'
  if (next.has(index)) return before.has(index) ? 'excluded' : 'exclude'
  const text = texts.get(index)
  if (text !== undefined) return text === replaced?.text && !before.has(index) ? 'replaced' : 'replace'
  return before.has(index) || replaced !== undefined ? 'include' : 'included'
}

/** An item as it is sent afterwards. */
export function sentItem({ item, text }: Pick<PlannedItem, 'item' | 'text'>): ResponseItem {
  return text === undefined ? item.item : withOutput(item.item, text)
}

/** The tokens of an item afterwards. */
function sentTokens({ item, text }: PlannedItem): number {
  if (text !== undefined) return countByLength(text)
  return item.replaced?.whole ?? item.tokens
}

/** Whether a prune changes an item. */
export function isChange(state: PlannedState): state is Mark {
  return state !== 'included' && state !== 'excluded' && state !== 'replaced'
}

/** One note per reason. */
function fixedNotes(named: readonly number[], fixed: ReadonlyMap<number, string>): string[] {
  const staying = ascending(new Set(named)).filter((index) => fixed.has(index))
  const byReason = groupBy(staying, (index) => fixed.get(index) ?? '')
  return [...byReason].flatMap(([reason, indices]) => stayNotes(indices, reason))
}

function stayNotes(indices: readonly number[], reason: string): string[] {
  if (indices.length === 0) return []
  const [are, what] = indices.length === 1 ? ['stays', 'Item'] : ['stay', 'Items']
  return [`${what} ${runs(ascending(indices))} ${are}: ${reason}.`]
}

/** Whether the model remembers an item afterwards. */
export function isRemembered(state: PlannedState): boolean {
  return state !== 'excluded' && state !== 'exclude' && state !== 'delete'
}

function amountOf(tokens: readonly number[]): Amount {
  return { items: tokens.length, tokens: tokens.reduce((sum, count) => sum + count, 0) }
}

/** Indices in order as people write them: `3, 7-12`. */
export function runs(indices: readonly number[]): string {
  const parts: { from: number; to: number }[] = []
  for (const index of indices) {
    const last = parts.at(-1)
    if (last !== undefined && index === last.to + 1) last.to = index
    else parts.push({ from: index, to: index })
  }
  return parts.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}

// Items that cannot be removed from the file in which a thread continues.

/** Why an item must stay, by index; the reason follows "Items 3, 7 stay: ". */
export function fixedItems(history: History): Map<number, string> {
  const fixed = new Map<number, string>()
  const anew = contextOfRebuilt(history)
  for (const item of history.items) {
    const reason =
      reasonOf(item, history.segments) ?? (anew.has(placeOf(item)) ? 'put there again by Codex' : undefined)
    if (reason === undefined) continue
    fixed.set(item.index, reason)
    // A request with only one half of a pair would be invalid.
    if (item.pair !== undefined && !fixed.has(item.pair)) fixed.set(item.pair, 'the other half of its pair must')
  }
  return fixed
}

/**
 * Positions of context that Codex puts before the summary when it rebuilds the memory after a compaction without a
 * recorded history (rollout-format 3.6). Without these records, it would use other context.
 */
function contextOfRebuilt({ items }: History): Set<string> {
  const summary = items.findLast(
    ({ category, sources }) => category === 'compactionSummary' && sources[0]?.replacement === undefined,
  )
  const before = summary === undefined ? [] : items.slice(0, summary.index - 1)
  return new Set(before.filter(isContext).map(placeOf))
}

function placeOf({ sources: [source] }: HistoryItem): string {
  return `${source?.segment}:${source?.line}:${source?.replacement}`
}

function reasonOf(
  { sources, synthetic, category }: HistoryItem,
  segments: readonly MemorySegment[],
): string | undefined {
  const [source, ...more] = sources
  if (source === undefined) return synthetic ? undefined : 'in no file'
  if (more.length > 0) return 'made of several records'
  if (source.segment !== segments.length - 1) return inOtherFile(segments[source.segment])
  if (source.part !== undefined) return 'on one line with another record'
  // Without this record, Codex would not know of the compaction and would remember everything before it.
  if (category === 'compactionSummary' && source.replacement === undefined) return 'the only trace of a compaction'
  return undefined
}

function inOtherFile(segment: MemorySegment | undefined): string {
  if (segment?.own) return `in an older file of the session, \`${segment.file}\`, which the newest one refers to`
  return `in the file of another session, \`${segment?.file ?? '?'}\``
}

// A call and its output stay together, because the model's side refuses a request with only one of them.

/**
 * Completes a choice with the other halves of its pairs, in the order of the items. A call can have several outputs, of
 * which it names the first: all of them go with it. Unknown indices are dropped.
 */
function withPairs(items: readonly HistoryItem[], chosen: Iterable<number>): number[] {
  return withNamed(items, new Set(withNamed(items, new Set(chosen))))
}

/** The items of a choice, and those that name one of them as their other half. */
function withNamed(items: readonly HistoryItem[], wanted: ReadonlySet<number>): number[] {
  return items.flatMap(({ index, pair }) =>
    wanted.has(index) || (pair !== undefined && wanted.has(pair)) ? [index] : [],
  )
}

// Notes about what a plan does not save and about its side effects, for the Codex and the model of the session.

/** Characters of a list of items; a longer list is given as a number. */
const maxList = 60

/** A plan with notes for the session. `version` is that of the Codex that began the rollout. */
export function advised(plan: PrunePlan, history: History, version: string | undefined): PrunePlan {
  const removed = plan.items.filter(({ state }) => state === 'exclude' || state === 'delete')
  const notes = [
    reasoningNote(removed, history),
    contextNote(removed, version),
    firstPromptNote(plan, history, version),
  ].filter((note) => note !== undefined)
  return { ...plan, notes: [...plan.notes, ...notes] }
}

function reasoningNote(removed: readonly PlannedItem[], { reasoningKept, model }: History): string | undefined {
  const items = removed.filter(({ item }) => item.category === 'reasoning')
  if (items.length === 0 || reasoningKept) return undefined
  const who = model === undefined ? 'The model' : `\`${model}\``
  return `${who} drops the reasoning of finished turns by itself: removing ${named(items)} saves nothing in the window.`
}

/** From 0.89 on and before 0.105, Codex recorded its context again at each resume (rollout-format 1.4). */
function contextNote(removed: readonly PlannedItem[], version: string | undefined): string | undefined {
  const items = removed.filter(({ item }) => isContext(item))
  if (items.length === 0 || !isBetween(version, 89, 105)) return undefined
  return `Codex ${version} sends its context again whenever it resumes a session: removing ${named(items)} saves nothing.`
}

/** Tested with 0.61 to 0.169: the lists of 0.72 to 0.98 show a session by the words of its first prompt, or not at all. */
function firstPromptNote(
  { items }: PrunePlan,
  { compaction }: History,
  version: string | undefined,
): string | undefined {
  const first = items.find(({ item }) => item.category === 'userMessage')
  if (first === undefined || isRemembered(first.state) || first.state === 'excluded') return undefined
  if (compaction !== undefined || !isBetween(version, 62, 105)) return undefined
  return `Without its first prompt, item ${first.item.index}, Codex ${version} no longer lists the session; \`codex resume\` with its id still finds it.`
}

function named(items: readonly PlannedItem[]): string {
  const indices = items.map(({ item }) => item.index)
  const list = runs(indices)
  if (list.length > maxList) return `${indices.length} items`
  return `${indices.length === 1 ? 'item' : 'items'} ${list}`
}
