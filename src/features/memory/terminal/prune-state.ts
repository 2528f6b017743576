/** The list in which items are marked, as data: a key turns one state into another. */

import { ownValue } from '../../../util/own.ts'
import { byMark, isChange, type Mark, type NamedItems, tooShort } from '../edit/plan.ts'
import type { EditView } from '../prune.ts'

/** The list at one moment. */
export interface ListState extends RowOrder {
  readonly view: EditView
  /** Positions of the items that are shown, from 0. */
  readonly rows: readonly number[]
  /** Row of the current item, from 0. */
  readonly cursor: number
  /** Marks of items, by index. */
  readonly marks: ReadonlyMap<number, Mark>
  /** `confirm` asks whether to write, and `leave` whether to discard the marks. */
  readonly mode: 'list' | 'help' | 'filter' | 'confirm' | 'leave'
  /** Index of the first change that is shown for confirmation. */
  readonly scroll: number
  /** Shown below the list until the next key. */
  readonly message?: string
  /** The list is closed: `apply` with the marks, or `leave` without them. */
  readonly done?: 'apply' | 'leave'
}

type Item = EditView['items'][number]

/** The list when it opens, with the marks of the command line. */
export function openList(view: EditView): ListState {
  const marks = new Map<number, Mark>()
  for (const { item, state } of view.marked) if (isChange(state)) marks.set(item.index, state)
  const order = { bySize: false, filter: '' }
  return { view, ...order, rows: rowsOf(view, order), cursor: 0, marks, mode: 'list', scroll: 0 }
}

/** The marked items, by their marks. */
export function namedBy({ marks, view }: Pick<ListState, 'marks' | 'view'>): NamedItems {
  const having = (wanted: Mark): number[] => [...marks].flatMap(([index, mark]) => (mark === wanted ? [index] : []))
  return { ...byMark(having), text: view.replacement }
}

/** The current item; `undefined` if the list is empty. */
export function currentItem({ view, rows, cursor }: ListState): Item | undefined {
  return view.items[rows[cursor] ?? -1]
}

/** The list after a key. `page` is the number of visible rows. */
export function press(before: ListState, key: Key, page: number): ListState {
  const { message: _, ...state } = before
  const step = stepOf(key, page, state.view.items.length)
  switch (state.mode) {
    case 'help':
      return { ...state, mode: 'list' }
    case 'filter':
      return typeFilter(state, key)
    case 'confirm':
      return step === undefined ? answer(state, key) : { ...state, scroll: Math.max(0, state.scroll + step) }
    case 'leave':
      return key === 'y' || key === 'Y' ? { ...state, done: 'leave' } : { ...state, mode: 'list' }
    case 'list':
      return step === undefined ? act(state, key) : { ...state, cursor: within(state.cursor + step, state.rows) }
  }
}

/** How many rows a key moves; `undefined` if it does not move. */
function stepOf(key: Key, page: number, all: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    pageUp: -page,
    pageDown: page,
    home: -all,
    g: -all,
    end: all,
    G: all,
  }
  return ownValue(steps, key)
}

function within(cursor: number, rows: readonly number[]): number {
  return Math.max(0, Math.min(cursor, rows.length - 1))
}

/** Changes order or filter. The cursor stays on its item if that is still shown. */
function reordered(state: ListState, change: Partial<RowOrder>): ListState {
  const order = { bySize: state.bySize, filter: state.filter, ...change }
  const rows = rowsOf(state.view, order)
  const at = rows.indexOf(state.rows[state.cursor] ?? -1)
  return { ...state, ...order, rows, cursor: Math.max(0, at) }
}

function typeFilter(state: ListState, key: Key): ListState {
  if (key === 'enter') return { ...state, mode: 'list' }
  if (key === 'escape') return { ...reordered(state, { filter: '' }), mode: 'list' }
  if (key === 'backspace') return reordered(state, { filter: [...state.filter].slice(0, -1).join('') })
  return [...key].length === 1 ? reordered(state, { filter: state.filter + key }) : state
}

function act(state: ListState, key: Key): ListState {
  const current = currentItem(state)
  const own = current === undefined ? [] : [current]
  switch (key) {
    case ' ':
      return toggled(state, own, spaceMark)
    case 'd':
    case 'delete':
      return toggled(state, own, () => 'delete')
    case 'r':
      return replaced(state, current)
    case 'a':
      return toggled(state, shown(state), spaceMark)
    case 'c':
      return toggled(
        state,
        shown(state).filter(({ category }) => category === current?.category),
        spaceMark,
      )
    case 't':
      return toggled(
        state,
        shown(state).filter(({ turn }) => turn === current?.turn),
        spaceMark,
      )
    default:
      return move(state, key)
  }
}

/** Handles keys that mark nothing. */
function move(state: ListState, key: Key): ListState {
  switch (key) {
    case 's':
      // When sorting by size, show the largest.
      return { ...reordered(state, { bySize: !state.bySize }), ...(!state.bySize && { cursor: 0 }) }
    case '/':
      return { ...state, mode: 'filter' }
    case '?':
      return { ...state, mode: 'help' }
    case 'enter':
      return state.marks.size === 0
        ? { ...state, message: 'Nothing is marked.' }
        : { ...state, mode: 'confirm', scroll: 0 }
    case 'q':
    case 'escape':
      return state.marks.size === 0 ? { ...state, done: 'leave' } : { ...state, mode: 'leave' }
    default:
      return state
  }
}

function shown({ view, rows }: ListState): Item[] {
  return rows.flatMap((at) => view.items[at] ?? [])
}

/** Marks items and the other halves of their pairs. If all of them already have these marks, removes the marks. */
function toggled(state: ListState, items: readonly Item[], markOf: (item: Item) => Mark): ListState {
  const { fixed } = state.view
  const wanted = new Map<number, Mark>()
  for (const item of items) {
    if (fixed.has(item.index)) continue
    const mark = markOf(item)
    wanted.set(item.index, mark)
    if (item.pair !== undefined) wanted.set(item.pair, mark)
  }
  const [first] = items
  if (wanted.size === 0) return { ...state, message: `It stays: ${fixed.get(first?.index ?? 0) ?? 'nothing to mark'}.` }
  return withMarks(state, wanted)
}

/** Marks the output of a call to be replaced, or a replaced one to be brought back. */
function replaced(state: ListState, item: Item | undefined): ListState {
  const { view } = state
  const index = item === undefined ? undefined : view.outputOf(item.index)
  const output = index === undefined ? undefined : view.items[index - 1]
  if (output === undefined) return { ...state, message: 'It stays: not the output of a call.' }
  const reason = view.fixed.get(output.index)
  if (reason !== undefined) return { ...state, message: `It stays: ${reason}.` }
  const mark = output.replaced === undefined ? 'replace' : 'include'
  if (mark === 'replace' && !view.fits(output.index)) return { ...state, message: `It stays: ${tooShort}.` }
  const marks = new Map(state.marks)
  if (output.pair !== undefined) marks.delete(output.pair)
  return withMarks({ ...state, marks }, new Map([[output.index, mark]]))
}

function withMarks(state: ListState, wanted: ReadonlyMap<number, Mark>): ListState {
  const marks = new Map(state.marks)
  const isOn = [...wanted].every(([index, mark]) => marks.get(index) === mark)
  for (const [index, mark] of wanted) {
    if (isOn) marks.delete(index)
    else marks.set(index, mark)
  }
  return { ...state, marks }
}

function spaceMark({ included }: Item): Mark {
  return included ? 'exclude' : 'include'
}

function answer(state: ListState, key: Key): ListState {
  if (key === 'y' || key === 'Y') return { ...state, done: 'apply' }
  return { ...state, mode: 'list', message: 'Nothing was written.' }
}

// Selects the items that are shown, and their order.

/** How the list is shown. */
interface RowOrder {
  /** Oldest first, or largest first. */
  bySize: boolean
  /** Only items that contain this text; all if it is empty. */
  filter: string
}

/** Positions of the items that are shown, from 0. */
function rowsOf(view: EditView, { bySize, filter }: RowOrder): number[] {
  const words = filter.trim().toLowerCase()
  const rows = view.items.flatMap((item, at) => (words === '' || hasWords(view, item, words) ? [at] : []))
  const tokens = (at: number): number => view.items[at]?.tokens ?? 0
  return bySize ? rows.toSorted((a, b) => tokens(b) - tokens(a) || a - b) : rows
}

function hasWords(view: EditView, { index, category, preview }: EditView['items'][number], words: string): boolean {
  if (category.toLowerCase().includes(words) || preview.toLowerCase().includes(words)) return true
  return view.textOf(index).toLowerCase().includes(words)
}

// Keys of a terminal in raw mode.

/** What was pressed: a name for keys that produce no character, else the character. */
type Key =
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'home'
  | 'end'
  | 'enter'
  | 'escape'
  | 'interrupt'
  | 'delete'
  | 'backspace'
  | (string & {})

const sequences: Readonly<Record<string, Key>> = {
  '\x1b[A': 'up',
  '\x1bOA': 'up',
  '\x1b[B': 'down',
  '\x1bOB': 'down',
  '\x1b[5~': 'pageUp',
  '\x1b[6~': 'pageDown',
  '\x1b[H': 'home',
  '\x1bOH': 'home',
  '\x1b[1~': 'home',
  '\x1b[F': 'end',
  '\x1bOF': 'end',
  '\x1b[4~': 'end',
  '\x1b[3~': 'delete',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x1b': 'escape',
  '\r': 'enter',
  '\n': 'enter',
  '\x03': 'interrupt',
  '\x04': 'escape',
}

/** One key: a whole escape sequence, a lone escape, or a character. */
const key = /\x1b(?:\[[\d;]*[ -/]*[@-~]|O[A-Z])|[\s\S]/gu

/** The keys in a piece of input. Unknown sequences are skipped. */
export function keysOf(input: string): Key[] {
  return (input.match(key) ?? []).flatMap((text) => {
    const name = ownValue(sequences, text)
    if (name !== undefined) return [name]
    return /^\P{Cc}$/u.test(text) ? [text] : []
  })
}
