/** Aligned columns that fit a terminal. */

import type { ListResult, ListRow } from '../site/types.ts'
import { fitToWidth, textWidth } from '../util/columns.ts'
import { printable } from '../util/printable.ts'
import { formatBytes, formatCount, formatInstant } from '../util/time.ts'

/** One column. */
interface Column {
  title: string
  /** One text a row: one line, without control characters. */
  cells: readonly string[]
  align?: 'left' | 'right'
  /** Least width of a column whose cells may be cut; without it they never are. */
  minWidth?: number
  /** Greatest width where there is no terminal to fit. */
  maxWidth?: number
  /** Columns of a low rank stay longest when there is little room. */
  rank: number
}

/** A table, and what did not fit. */
export interface Table {
  /** The first line holds the titles. */
  lines: string[]
  /** Titles of the columns that were left out. */
  leftOut: string[]
}

interface Sized {
  column: Column
  /** Width of the widest cell or title. */
  natural: number
  width: number
}

const gap = 2

/** Lays out columns. Lines take at most `width` columns of a terminal; without it nothing is left out. */
export function layOut(columns: readonly Column[], width?: number): Table {
  const sized = columns.map(measure)
  if (width === undefined) return { lines: draw(sized), leftOut: [] }
  const kept = choose(sized, width)
  share(kept, width)
  const leftOut = sized.filter((item) => !kept.includes(item)).map(({ column }) => column.title)
  return { lines: draw(kept), leftOut }
}

function measure(column: Column): Sized {
  const natural = column.cells.reduce((widest, cell) => Math.max(widest, textWidth(cell)), textWidth(column.title))
  return { column, natural, width: Math.min(natural, column.maxWidth ?? natural) }
}

/** The columns that fit at their least widths, by rank up to the first that does not; each is set to that width. */
function choose(sized: readonly Sized[], width: number): Sized[] {
  let capacity = width + gap
  const kept = new Set<Sized>()
  for (const item of sized.toSorted((a, b) => a.column.rank - b.column.rank)) {
    const { natural, column } = item
    item.width = Math.min(natural, Math.max(column.minWidth ?? natural, textWidth(column.title)))
    if (item.width + gap > capacity) break
    capacity -= item.width + gap
    kept.add(item)
  }
  return sized.filter((item) => kept.has(item))
}

/** Hands out the room that is left, one terminal column after the other, to those that are cut. */
function share(kept: readonly Sized[], width: number): void {
  let capacity = width - kept.reduce((sum, item) => sum + item.width + gap, -gap)
  while (capacity > 0) {
    const hungry = kept.filter((item) => item.width < item.natural).slice(0, capacity)
    if (hungry.length === 0) return
    for (const item of hungry) item.width++
    capacity -= hungry.length
  }
}

function draw(sized: readonly Sized[]): string[] {
  const rows = sized[0]?.column.cells.length ?? 0
  const lines = [line(sized, ({ title }) => title)]
  for (let row = 0; row < rows; row++) lines.push(line(sized, ({ cells }) => cells[row] ?? ''))
  return lines
}

function line(sized: readonly Sized[], pick: (column: Column) => string): string {
  const cells = sized.map(({ column, width }) => fitToWidth(pick(column), width, column.align))
  return cells.join(' '.repeat(gap)).trimEnd()
}

// The session index as a table for people.

/** A prompt can be a megabyte, and no cell of a table is as wide as this. */
const longest = 400

/** A column that is still to be filled. */
type ColumnPlan = Omit<Column, 'cells'> & { text: (row: ListRow) => string }

/**
 * One line a thread under a line of titles. With a `width` the lines fit it: columns are left out, texts cut.
 * Shown times are of the zone.
 */
export function listTable(result: ListResult, timeZone: string, width?: number): Table {
  const columns = plans(result, timeZone).map(({ text, ...plan }) => ({
    ...plan,
    cells: result.rows.map((row) => printable(text(row).slice(0, longest))),
  }))
  return layOut(columns, width)
}

function plans({ idLength, rows }: ListResult, timeZone: string): ColumnPlan[] {
  const instant = (at: string | undefined): string => (at === undefined ? '' : formatInstant(at, timeZone))
  return [
    { title: 'ID', text: (row) => row.id.slice(0, idLength), rank: 0 },
    { title: 'Start', text: (row) => instant(row.startedAt), rank: 1 },
    { title: 'Last activity', text: (row) => instant(row.lastAt), rank: 6 },
    { title: 'Project', text: (row) => row.project, minWidth: 8, maxWidth: 24, rank: 3 },
    { title: 'Branch', text: (row) => row.branch ?? '', minWidth: 8, maxWidth: 24, rank: 5 },
    { title: 'Title', text: (row) => row.title, minWidth: 20, maxWidth: 60, rank: 2 },
    { title: 'First prompt', text: (row) => firstLine(row.firstPrompt), minWidth: 20, maxWidth: 60, rank: 8 },
    { title: 'Last prompt', text: (row) => firstLine(row.lastPrompt), minWidth: 20, maxWidth: 60, rank: 9 },
    { title: 'Turns', text: (row) => formatCount(row.turns), align: 'right', rank: 4 },
    { title: 'Lines', text: (row) => formatCount(row.lines), align: 'right', rank: 10 },
    { title: 'Size', text: (row) => formatBytes(row.bytes), align: 'right', rank: 7 },
    ...(rows.some(({ forkOf }) => forkOf !== undefined)
      ? [{ title: 'Fork of', text: ({ forkOf = '' }: ListRow) => forkOf.slice(0, idLength), rank: 6.5 }]
      : []),
    { title: 'File', text: (row) => row.files.join(', '), minWidth: 20, rank: 11 },
  ]
}

function firstLine(text: string | undefined): string {
  return text?.trimStart().split('\n', 1)[0] ?? ''
}
