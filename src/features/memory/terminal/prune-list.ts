/** Lets the user mark items on a terminal. */

import { Interrupted, type Sink, type Terminal } from '../../../cli/world.ts'
import { cutToWidth, fitToWidth, partAround } from '../../../util/columns.ts'
import { printable } from '../../../util/printable.ts'
import { joinTexts } from '../../../util/text.ts'
import { formatAmount, formatCount } from '../../../util/time.ts'
import { isChange, type Mark } from '../edit/plan.ts'
import type { PruneOptions } from '../prune.ts'
import { currentItem, keysOf, type ListState, namedBy, openList, press } from './prune-state.ts'
import { amountText, savedText } from './texts.ts'

/** Switches to the alternate screen, so that the terminal shows its old content again afterwards, and hides the cursor. */
const enter = '\x1b[?1049h\x1b[?25l'
const leave = '\x1b[?25h\x1b[?1049l'

/** Where the list is shown, and what it asks. */
interface ListScreen {
  terminal: Terminal
  /** Where the screen is drawn. */
  out: Sink
  signal: AbortSignal
  /** The question before anything is written. */
  question: string
}

/** Shows the list until the user leaves it. Afterwards the terminal is as it was before, however the list ends. */
export function editList(screen: ListScreen): NonNullable<PruneOptions['edit']> {
  return async (view) => {
    const { out } = screen
    await out.write(enter)
    try {
      const state = await readList(openList(view), screen)
      return state.done === 'apply' ? namedBy(state) : undefined
    } finally {
      await out.write(leave)
    }
  }
}

/** The list as the user left it. Throws `Interrupted` for Ctrl-C, and the reason of an aborted signal. */
async function readList(opened: ListState, screen: ListScreen): Promise<ListState> {
  const { terminal, signal } = screen
  let state = opened
  for await (const text of terminal.input(signal)) {
    for (const key of keysOf(text)) {
      if (key === 'interrupt') throw new Interrupted()
      state = press(state, key, listRows(terminal.size()))
      if (state.done !== undefined) return state
    }
    await draw(state, screen)
  }
  signal.throwIfAborted()
  return state
}

/** Draws over the old content, because a screen that is cleared first would flicker. */
async function draw(state: ListState, { terminal, out, question }: ListScreen): Promise<void> {
  const { lines, current } = drawList(state, terminal.size(), question)
  const rows = lines.map((line, at) => (at === current ? `\x1b[7m${line}\x1b[27m\x1b[K` : `${line}\x1b[K`))
  await out.write(`\x1b[H${rows.join('\r\n')}\x1b[J`)
}

// Draws the list in which items are marked, as lines of a terminal.

/** Columns and rows of a terminal. */
interface Size {
  columns: number
  rows: number
}

/** Lines that fill a terminal, and the index of the current item's line. */
interface Screen {
  lines: string[]
  current?: number
}

const marks: Readonly<Record<Mark, string>> = { exclude: 'x', include: '+', replace: 'r', delete: 'D' }

const help = [
  'Items that the model remembers, oldest first.',
  '',
  'up, down, k, j      one item up or down',
  'page up, page down  one screen up or down',
  'home, end, g, G     first or last item',
  's                   largest items first, or oldest first again',
  '/                   show only items that contain a text; escape shows all again',
  'space               exclude the item, or include it again',
  'r                   replace the output of a call by a short text, or bring it back',
  'd, delete           delete it: only `restore` brings it back',
  'a, c, t             exclude or include everything shown; the same category; the same turn',
  'enter               confirm and write',
  'q, escape           leave everything as it is',
  '',
  'x to exclude   + to include   r to replace   D to delete',
  '- excluded before   ~ replaced before   = cannot be removed',
  'A call and its output go together.',
]

/** Number of rows of the list that fit on a terminal. */
export function listRows({ rows }: Size): number {
  return Math.max(1, rows - 5 - previewRows(rows))
}

function previewRows(rows: number): number {
  return Math.max(0, Math.min(8, Math.floor((rows - 5) / 3)))
}

/** Draws the list. `question` is the one asked before anything is written. */
export function drawList(state: ListState, size: Size, question: string): Screen {
  const width = Math.max(20, size.columns) - 1
  const cutAll = (lines: readonly string[]): string[] => lines.map((line) => cutToWidth(line, width))
  if (state.mode === 'help') return { lines: cutAll([...help.slice(0, size.rows - 1), 'Press any key to go back.']) }
  if (state.mode === 'confirm') return { lines: cutAll(changes(state, size, question)) }
  const visible = listRows(size)
  const top = firstVisible(state, visible)
  const shown = state.rows.slice(top, top + visible).map((_, at) => itemLine(state, top + at))
  const frame = [heading(state), sums(state), columns(state)]
  const lines = [...frame, ...filled(shown, visible), '─'.repeat(width), ...preview(state, size, width), footer(state)]
  return { lines: cutAll(lines), current: frame.length + state.cursor - top }
}

function filled(lines: readonly string[], count: number): string[] {
  return [...lines, ...Array<string>(Math.max(0, count - lines.length)).fill('')]
}

/** The first visible row: the current item is in the middle, except near the ends of the list. */
function firstVisible({ cursor, rows }: ListState, visible: number): number {
  return Math.max(0, Math.min(cursor - Math.floor(visible / 2), rows.length - visible))
}

function heading({ view, bySize, filter, rows }: ListState): string {
  const found = `“${printable(filter)}” in ${rows.length} of ${formatAmount(view.items.length, 'item')}`
  return joinTexts([filter && found, bySize ? 'largest first' : '', printable(view.title)], ' · ')
}

function sums(state: ListState): string {
  const { before, after } = state.view.plan(namedBy(state))
  if (state.marks.size === 0) return amountText(before)
  const then = `${formatAmount(after.items, 'item')}, ${formatAmount(after.tokens, 'token')}`
  return `${amountText(before)}; then ${then}: ${savedText(before, after)}`
}

function columns({ view }: ListState): string {
  return rowText(view.items.length, { index: '#', turn: 'Turn', category: 'Category', tokens: 'Tokens', text: 'Text' })
}

/** A row of cells; all but the last are equally wide in every row. */
function rowText(count: number, cells: Record<'index' | 'turn' | 'category' | 'tokens' | 'text', string>): string {
  const index = fitToWidth(cells.index, String(count).length, 'right')
  const turn = fitToWidth(cells.turn, 4, 'right')
  const tokens = fitToWidth(cells.tokens, 7, 'right')
  return `    ${index} ${turn}  ${fitToWidth(cells.category, 18)} ${tokens}  ${cells.text}`
}

function itemLine({ view, marks: marked, cursor, rows }: ListState, row: number): string {
  const item = view.items[rows[row] ?? -1]
  if (item === undefined) return ''
  const { index, turn, category, tokens, preview: text } = item
  const cells = { index: String(index), turn: String(turn ?? ''), category, tokens: formatCount(tokens) }
  const sign = signOf(marked.get(index), item, view.fixed.has(index))
  return `${row === cursor ? '>' : ' '} ${sign} ${rowText(view.items.length, { ...cells, text: printable(text) }).slice(4)}`
}

type Item = ListState['view']['items'][number]

function signOf(mark: Mark | undefined, { included, replaced }: Item, isFixed: boolean): string {
  if (mark !== undefined) return marks[mark]
  if (isFixed) return '='
  if (!included) return '-'
  return replaced === undefined ? ' ' : '~'
}

/** The screen to confirm: each item that changes, notes, and the question. */
function changes(state: ListState, { rows }: Size, question: string): string[] {
  const { view, scroll } = state
  const { items, notes } = view.plan(namedBy(state))
  const changed = items.filter((planned) => isChange(planned.state))
  const remarks = notes.slice(0, Math.max(0, Math.floor((rows - 5) / 2))).map(printable)
  const visible = Math.max(1, rows - 3 - remarks.length)
  const top = Math.max(0, Math.min(scroll, changed.length - visible))
  const shown = changed.slice(top, top + visible).map(({ item, state: change, along }) => {
    const number = fitToWidth(String(item.index), String(view.items.length).length, 'right')
    const what = fitToWidth(`${change}${along ? ' +' : ''}`, 9)
    return `${number}  ${what}  ${fitToWidth(item.category, 18)}  ${printable(item.preview)}`
  })
  const more =
    changed.length > visible ? ` (${top + 1}-${top + shown.length} of ${changed.length}, arrows show others)` : ''
  return [`To be changed${more}`, sums(state), ...filled(shown, visible), ...remarks, `${question} (y/n)`]
}

/** The beginning of the current item's text, in lines. */
function preview(state: ListState, { rows }: Size, width: number): string[] {
  const capacity = previewRows(rows)
  const item = currentItem(state)
  const text = item === undefined ? '' : state.view.textOf(item.index).slice(0, 40 * width)
  const lines = text.split('\n').flatMap((line) => wrapped(printable(line), width))
  return filled(lines, capacity).slice(0, capacity)
}

/** A line in pieces that fit; long words are cut. */
function wrapped(line: string, width: number): string[] {
  const pieces: string[] = []
  let rest = line
  for (;;) {
    const { end } = partAround(rest, 0, width)
    if (end === rest.length) return [...pieces, rest]
    const blank = rest.lastIndexOf(' ', end)
    const cut = blank > end / 2 ? blank : end
    pieces.push(rest.slice(0, cut))
    rest = rest.slice(cut).trimStart()
  }
}

function footer({ mode, message, marks: marked, filter, rows }: ListState): string {
  if (mode === 'leave') return `Throw ${marked.size === 1 ? 'the mark' : `${marked.size} marks`} away and leave? (y/n)`
  if (mode === 'filter') return `Show items with: ${printable(filter)}▏ (enter keeps it, escape shows all)`
  if (rows.length === 0) return 'No item has this text: / for another one · ? help · q leave'
  return message ?? '? help · space exclude · r replace · d delete · s sort · / filter · enter write · q leave'
}
