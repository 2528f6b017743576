/** The list in which items are marked, as data: keys go in, another state comes out. */
import type { EditView, NamedItems } from '../app/prune.ts'
import type { Key } from './prune-keys.ts'

/** What somebody wants to become of an item. */
export type Mark = 'exclude' | 'include' | 'replace' | 'delete'

/** The list at one moment. */
export interface ListState {
  readonly view: EditView
  /** Position of the current item, from 0. */
  readonly cursor: number
  /** By index. */
  readonly marks: ReadonlyMap<number, Mark>
  readonly mode: 'list' | 'help' | 'confirm'
  /** Said below the list until the next key. */
  readonly message?: string
  /** The list is closed: with what was marked, or as it was. */
  readonly done?: 'apply' | 'leave'
}

/** The list as it opens, with what was asked for on the command line marked. */
export function openList(view: EditView): ListState {
  const marks = new Map<number, Mark>()
  for (const { item, state } of view.marked)
    if (state !== 'included' && state !== 'excluded' && state !== 'replaced') marks.set(item.index, state)
  return { view, cursor: 0, marks, mode: 'list' }
}

/** The items by what is to become of them. */
export function namedBy({ marks, view }: Pick<ListState, 'marks' | 'view'>): NamedItems {
  const having = (wanted: Mark): number[] => [...marks].flatMap(([index, mark]) => (mark === wanted ? [index] : []))
  return {
    delete: having('delete'),
    exclude: having('exclude'),
    replace: having('replace'),
    include: having('include'),
    text: view.replacement,
  }
}

/** What a key makes of the list. `page` is the number of rows that are visible. */
export function press(before: ListState, key: Key, page: number): ListState {
  const { message: _, ...state } = before
  if (state.mode === 'help') return { ...state, mode: 'list' }
  if (state.mode === 'confirm') return answer(state, key)
  const step = stepOf(key, page, state.view.items.length)
  if (step !== undefined) return { ...state, cursor: within(state.cursor + step, state.view) }
  return act(state, key)
}

/** How far a key moves the cursor. */
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
  return Object.hasOwn(steps, key) ? steps[key] : undefined
}

function within(cursor: number, { items }: EditView): number {
  return Math.max(0, Math.min(cursor, items.length - 1))
}

function act(state: ListState, key: Key): ListState {
  const current = state.view.items[state.cursor]
  switch (key) {
    case ' ':
      return current === undefined ? state : toggled(state, [current.index], 'space')
    case 'd':
      return current === undefined ? state : toggled(state, [current.index], 'delete')
    case 'c':
      return toggled(
        state,
        indicesOf(state, (item) => item.category === current?.category),
        'space',
      )
    case 't':
      return toggled(
        state,
        indicesOf(state, (item) => item.turn === current?.turn),
        'space',
      )
    case '?':
      return { ...state, mode: 'help' }
    case 'enter':
      return state.marks.size === 0 ? { ...state, message: 'Nothing is marked.' } : { ...state, mode: 'confirm' }
    case 'q':
    case 'escape':
      return { ...state, done: 'leave' }
    default:
      return state
  }
}

function indicesOf({ view }: ListState, fits: (item: EditView['items'][number]) => boolean): number[] {
  return view.items.flatMap((item) => (fits(item) ? [item.index] : []))
}

/** Marks items with the other halves of their pairs; where all of them are marked so already, takes the marks off. */
function toggled(state: ListState, indices: readonly number[], by: 'space' | 'delete'): ListState {
  const { items, fixed } = state.view
  const wanted = new Map<number, Mark>()
  for (const index of indices) {
    const item = items[index - 1]
    if (item === undefined || fixed.has(index)) continue
    const mark = by === 'delete' ? 'delete' : spaceMark(item)
    wanted.set(index, mark)
    if (item.pair !== undefined) wanted.set(item.pair, mark)
  }
  const [first] = indices
  if (wanted.size === 0) return { ...state, message: `It stays: ${fixed.get(first ?? 0) ?? 'nothing to mark'}.` }
  const marks = new Map(state.marks)
  const isOn = [...wanted].every(([index, mark]) => marks.get(index) === mark)
  for (const [index, mark] of wanted) {
    if (isOn) marks.delete(index)
    else marks.set(index, mark)
  }
  return { ...state, marks }
}

function spaceMark({ included }: EditView['items'][number]): Mark {
  return included ? 'exclude' : 'include'
}

function answer(state: ListState, key: Key): ListState {
  if (key === 'y' || key === 'Y') return { ...state, done: 'apply' }
  return { ...state, mode: 'list', message: 'Nothing was written.' }
}
