/**
 * The grammar with which people name items of a memory: terms joined by `+`, all of which must hold. `docs/cli.md`
 * documents it for users.
 */

import { parseSelection, type Selection, type SelectionTarget, selects } from '../../../config/selectors.ts'
import { UsageError } from '../../../diagnostics/errors.ts'
import { itemAnchor } from '../../../transcript/urls.ts'
import { defined } from '../../../util/own.ts'
import { escapedPattern } from '../../../util/text.ts'
import { type MemoryCategory, memoryCategories } from '../history/categories.ts'
import { isContext } from '../history/entry.ts'
import type { History, HistoryItem } from '../history/history.ts'
import { toolNames } from '../history/preview.ts'

/** One condition. */
type Term =
  | { by: 'place'; selection: Exclude<Selection, { by: 'category' }> }
  | { by: 'category'; category: MemoryCategory }
  /** Estimated tokens, both ends included. */
  | { by: 'tokens'; from: number; to: number }
  /** Items of turns before the last `turns` ones. */
  | { by: 'older'; turns: number }
  /** Items of turns before this one. */
  | { by: 'before'; turn: number }
  /** Name of a tool, in lower case; `*` stands for any characters. */
  | { by: 'tool'; name: string }

/** Conditions, with the text that was typed for them. */
export interface Selector {
  text: string
  terms: readonly Term[]
}

/** The forms that can be typed, for messages. */
const selectorForms =
  '`3`, `7-12`, `turn:4`, `before:4`, `older:10`, `over:2000`, `tool:exec_command`, `category:reasoning`, `l120-l188`, or several joined by `+`'

/**
 * Parses selectors; a text may hold several, separated by commas. The first invalid one is returned as `fault`, a
 * sentence that names the valid forms.
 */
export function readSelectors(texts: readonly string[]): { selectors: Selector[] } | { fault: string } {
  const selectors: Selector[] = []
  for (const text of texts.flatMap((list) => list.split(',')).map((part) => part.trim())) {
    if (text === '') continue
    const terms: Term[] = []
    for (const part of text.split(/[+&]/)) {
      const term = readTerm(part.trim())
      if (typeof term === 'string') return { fault: term }
      terms.push(term)
    }
    selectors.push({ text, terms })
  }
  return { selectors }
}

/** A term, or a sentence that says why the text is invalid. */
function readTerm(text: string): Term | string {
  const [, key = '', value = ''] = /^(\w+)\s*:\s*(.*)$/.exec(text.toLowerCase()) ?? []
  if (key === 'category') return categoryTerm(value)
  if (key === 'tool' && value !== '') return { by: 'tool', name: value }
  if (key === 'tokens') return sizeTerm(value) ?? noSelector(text)
  const number = /^\d{1,9}$/.test(value) ? Number(value) : undefined
  if (key === 'over' && number !== undefined) return { by: 'tokens', from: number + 1, to: Number.POSITIVE_INFINITY }
  if (key === 'older' && number !== undefined) return { by: 'older', turns: number }
  if (key === 'before' && number !== undefined) return { by: 'before', turn: number }
  const selection = parseSelection(text.toLowerCase())
  return selection === undefined || selection.by === 'category' ? noSelector(text) : { by: 'place', selection }
}

function noSelector(text: string): string {
  return `\`${text}\` does not name items; use one of these forms: ${selectorForms}.`
}

/** `>2000`, `>=2000`, `<50`, `<=50`, `500-2000`. */
function sizeTerm(value: string): Term | undefined {
  const [, sign = '', first, last] = /^([<>]=?)?\s*(\d{1,9})(?:-(\d{1,9}))?$/.exec(value) ?? []
  if (first === undefined || (sign !== '' && last !== undefined)) return undefined
  const number = Number(first)
  const strict = sign.length === 1 ? 1 : 0
  if (sign.startsWith('>')) return { by: 'tokens', from: number + strict, to: Number.POSITIVE_INFINITY }
  if (sign.startsWith('<')) return { by: 'tokens', from: 0, to: number - strict }
  return { by: 'tokens', from: number, to: Number(last ?? first) }
}

function categoryTerm(value: string): Term | string {
  const letters = value.replaceAll(/[-_\s]/g, '')
  const category = memoryCategories.find((name) => name.toLowerCase() === letters)
  if (category !== undefined) return { by: 'category', category }
  return `There is no category \`${value}\`; the categories are ${memoryCategories.join(', ')}.`
}

// Finding the items that selectors name.

/** Items that selectors name, ascending, and notes about the selectors. */
interface Choice {
  indices: number[]
  notes: string[]
}

/** Whether an item fits a term. */
type Fits = (item: HistoryItem) => boolean

/**
 * The items that any of the selectors names. There is a note for each selector that names none, and for each range that
 * goes past the end. Throws a `UsageError` for a tool without any item.
 */
export function chooseItems(history: History, selectors: readonly Selector[]): Choice {
  const { items } = history
  const chosen = new Set<number>()
  const notes: string[] = []
  for (const { text, terms } of selectors) {
    const tests = terms.map((term) => fitsTerm(term, history))
    const found = items.filter((item) => tests.every((fits) => fits(item)))
    for (const { index } of found) chosen.add(index)
    if (found.length === 0) notes.push(`\`${text}\` names no item; ${endOf(items.length)}.`)
    else if (terms.some((term) => goesOn(term, items.length)))
      notes.push(`\`${text}\` goes past the end; ${endOf(items.length)}.`)
  }
  return { indices: ascending(chosen), notes }
}

function endOf(count: number): string {
  return count === 0 ? 'the memory is empty' : `the last item is ${count}`
}

function goesOn(term: Term, count: number): boolean {
  return term.by === 'place' && term.selection.by === 'item' && term.selection.to > count
}

function fitsTerm(term: Term, history: History): Fits {
  switch (term.by) {
    case 'place':
      return (item) => isAt(term.selection, item, history)
    case 'category':
      return ({ category }) => category === term.category
    case 'tokens':
      return ({ tokens }) => tokens >= term.from && tokens <= term.to
    case 'tool':
      return fitsTool(term.name, history)
    case 'older':
    case 'before':
      return isOlder(history.items, term)
  }
}

function fitsTool(name: string, { items }: History): Fits {
  const names = toolNames(items)
  const pattern = new RegExp(`^(?:.*\\.)?${name.split('*').map(escapedPattern).join('.*')}$`, 'i')
  const values = [...new Set(names.values())]
  if (values.some((tool) => pattern.test(tool))) {
    const chosen = new Set([...names].flatMap(([index, tool]) => (pattern.test(tool) ? [index] : [])))
    return ({ index }) => chosen.has(index)
  }
  const there = values.length === 0 ? 'it contains no tool call' : `there are ${values.toSorted().join(', ')}`
  throw new UsageError(`The memory has no item of a tool \`${name}\`; ${there}.`)
}

/** Whether an item is at a selected position. An item that was made of several records counts as being at each of them. */
function isAt(
  selection: Extract<Term, { by: 'place' }>['selection'],
  { index, turn, category, sources }: HistoryItem,
  history: History,
): boolean {
  const target: SelectionTarget = { item: index, category, ...defined({ turn }) }
  if (selection.by !== 'line') return selects(selection, target)
  return sources.some(({ line, segment }) =>
    selects(selection, { ...target, line, ...segmentTarget(history, segment) }),
  )
}

/** The segment part of a position: for later segments, eight digits of the rollout id, as in anchors of pages. */
function segmentTarget({ segments }: History, index: number): Pick<SelectionTarget, 'segment'> {
  const segment = segments[index]
  if (segment === undefined || segment.rolloutId === segment.threadId) return {}
  return { segment: itemAnchor(0, segment.rolloutId).slice(0, 8) }
}

// The age of items in turns, also for inherited history, whose turns have no numbers.

/** The turn of each item, by its index: a negative number for turns without a number, else the number of the turn. */
type TurnsByItem = ReadonlyMap<number, number>

/**
 * The turns of items. Inherited turns have no numbers: there, each message of the user begins a turn, and the turns count
 * up to -1, the newest. Context before the first message belongs to no turn and is absent.
 */
function turnsOf(items: readonly HistoryItem[]): TurnsByItem {
  const unnumbered = items.filter(({ turn }) => turn === undefined)
  const prompts = unnumbered.filter(({ category }) => category === 'userMessage').length
  const turns = new Map<number, number>()
  let begun = 0
  for (const item of items) {
    const { index, turn, category } = item
    if (turn === undefined && category === 'userMessage') begun++
    if (turn !== undefined) turns.set(index, turn)
    else if (begun > 0 || !(isContext(item) || category === 'injected'))
      turns.set(index, Math.max(begun, 1) - 1 - prompts)
  }
  return turns
}

/** Returns a test of whether an item is older than the last turns of which anything is remembered, or than a numbered turn. */
function isOlder(items: readonly HistoryItem[], age: Extract<Term, { by: 'older' | 'before' }>): Fits {
  const turns = turnsOf(items)
  const limit = age.by === 'before' ? age.turn : firstOfLast(age.turns, turns)
  return ({ index }) => (turns.get(index) ?? Number.POSITIVE_INFINITY) < limit
}

function firstOfLast(count: number, turns: TurnsByItem): number {
  const values = [...new Set(turns.values())].sort((a, b) => b - a)
  return count === 0 ? Number.POSITIVE_INFINITY : (values[count - 1] ?? Number.NEGATIVE_INFINITY)
}

/**
 * Indices (from 1) of the items that are left out. The empty mask leaves nothing out, and no mask leaves out what was
 * added after it was made.
 */
export type Mask = ReadonlySet<number>

/** The mask that leaves nothing out. */
export const openMask: Mask = new Set()

/** The mask that leaves out these items too. */
export function exclude(mask: Mask, indices: Iterable<number>): Mask {
  return new Set([...mask, ...indices])
}

/** The mask that no longer leaves out these items. */
export function include(mask: Mask, indices: Iterable<number>): Mask {
  const included = new Set(indices)
  return new Set([...mask].filter((index) => !included.has(index)))
}

/**
 * The same mask for the list without the given items: later indices become smaller by the number of items deleted before
 * them.
 */
export function shiftDeleted(mask: Mask, indices: Iterable<number>): Mask {
  const deleted = ascending(new Set(indices))
  const shifted = new Set<number>()
  let below = 0
  for (const index of ascending(mask)) {
    while ((deleted[below] ?? Number.POSITIVE_INFINITY) < index) below++
    if (deleted[below] !== index) shifted.add(index - below)
  }
  return shifted
}

/** Indices in order, smallest first. */
export function ascending(indices: Iterable<number>): number[] {
  return [...indices].sort((a, b) => a - b)
}
