/** The list in which items are marked, drawn as lines of a terminal. */
import { cutToWidth, fitToWidth } from '../util/columns.ts'
import { printable } from '../util/printable.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { type ListState, type Mark, namedBy } from './prune-state.ts'

/** Columns and rows of a terminal. */
export interface Size {
  columns: number
  rows: number
}

/** Lines that fill a terminal, and which of them is the current item's. */
export interface Screen {
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
  'space               exclude the item; include it again where it is excluded',
  'd                   delete it: only `restore` brings it back',
  'c                   exclude or include all items of the same category',
  't                   exclude or include all items of the same turn',
  'enter               go on to the question whether to write',
  'q, escape           leave everything as it is',
  '',
  'x to exclude   + to include   D to delete   - excluded before   = cannot be taken out',
  'A call and its output go together.',
]

/** Rows of the list that fit a terminal. */
export function listRows({ rows }: Size): number {
  return Math.max(1, rows - 4 - previewRows(rows))
}

function previewRows(rows: number): number {
  return Math.max(0, Math.min(8, Math.floor((rows - 4) / 3)))
}

/** Draws the list. `question` is asked before anything is written. */
export function drawList(state: ListState, size: Size, question: string): Screen {
  const width = Math.max(20, size.columns) - 1
  const cut = (line: string): string => cutToWidth(line, width)
  if (state.mode === 'help') return { lines: [...help, '', 'Any key goes back.'].slice(0, size.rows).map(cut) }
  const visible = listRows(size)
  const top = firstVisible(state, visible)
  const shown = state.view.items.slice(top, top + visible).map((_, at) => itemLine(state, top + at))
  const blank = Array<string>(Math.max(0, visible - shown.length)).fill('')
  const lines = [heading(state), sums(state), ...shown, ...blank, '─'.repeat(width), ...preview(state, size, width)]
  return { lines: [...lines, footer(state, question)].map(cut), current: 2 + state.cursor - top }
}

/** The current item stands in the middle, as far as the list goes on. */
function firstVisible({ cursor, view }: ListState, visible: number): number {
  return Math.max(0, Math.min(cursor - Math.floor(visible / 2), view.items.length - visible))
}

function heading({ view }: ListState): string {
  return printable(view.title)
}

function sums(state: ListState): string {
  const { before, after } = state.view.plan(namedBy(state))
  const now = `${formatAmount(before.items, 'item')}, about ${formatAmount(before.tokens, 'token')}`
  if (state.marks.size === 0) return now
  const saved = before.tokens - after.tokens
  const change = saved < 0 ? `${formatCount(-saved)} more` : `${formatCount(saved)} fewer`
  return `${now}; then ${formatAmount(after.items, 'item')}, ${formatAmount(after.tokens, 'token')}: ${change}`
}

function itemLine({ view, marks: marked, cursor }: ListState, at: number): string {
  const item = view.items[at]
  if (item === undefined) return ''
  const { index, category, tokens, preview: text, included } = item
  const sign = signOf(marked.get(index), { included, isFixed: view.fixed.has(index) })
  const digits = String(view.items.length).length
  const number = fitToWidth(String(index), digits, 'right')
  const count = fitToWidth(formatCount(tokens), 8, 'right')
  return `${at === cursor ? '>' : ' '} ${sign} ${number}  ${fitToWidth(category, 18)} ${count}  ${printable(text)}`
}

function signOf(mark: Mark | undefined, { included, isFixed }: { included: boolean; isFixed: boolean }): string {
  if (mark !== undefined) return marks[mark]
  if (isFixed) return '='
  return included ? ' ' : '-'
}

/** The beginning of the current item's text, in lines. */
function preview({ view, cursor }: ListState, { rows }: Size, width: number): string[] {
  const room = previewRows(rows)
  const item = view.items[cursor]
  const text = item === undefined ? '' : view.textOf(item.index).slice(0, 40 * width)
  const lines = text.split('\n').flatMap((line) => wrapped(printable(line), width))
  return [...lines, ...Array<string>(room).fill('')].slice(0, room)
}

/** A line in pieces that fit; words are cut where they must. */
function wrapped(line: string, width: number): string[] {
  const pieces: string[] = []
  let rest = line
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width)
    const end = blank > width / 2 ? blank : width
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...pieces, rest]
}

function footer({ mode, message }: ListState, question: string): string {
  if (mode === 'confirm') return `${question} (y/n)`
  return message ?? 'space exclude · d delete · c category · t turn · enter write · ? help · q leave'
}
