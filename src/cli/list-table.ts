/** The session index as a table for people. */
import type { ListResult, ListRow } from '../app/types.ts'
import { printable } from '../util/printable.ts'
import { formatBytes, formatCount, formatInstant } from '../util/time.ts'
import { type Column, layOut, type Table } from './table.ts'

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
    { title: 'Project', text: (row) => row.project, least: 8, most: 24, rank: 3 },
    { title: 'Branch', text: (row) => row.branch ?? '', least: 8, most: 24, rank: 5 },
    { title: 'Title', text: (row) => row.title, least: 20, most: 60, rank: 2 },
    { title: 'First prompt', text: (row) => firstLine(row.firstPrompt), least: 20, most: 60, rank: 8 },
    { title: 'Last prompt', text: (row) => firstLine(row.lastPrompt), least: 20, most: 60, rank: 9 },
    { title: 'Turns', text: (row) => formatCount(row.turns), align: 'right', rank: 4 },
    { title: 'Lines', text: (row) => formatCount(row.lines), align: 'right', rank: 10 },
    { title: 'Size', text: (row) => formatBytes(row.bytes), align: 'right', rank: 7 },
    ...(rows.some(({ forkOf }) => forkOf !== undefined)
      ? [{ title: 'Fork of', text: ({ forkOf = '' }: ListRow) => forkOf.slice(0, idLength), rank: 6.5 }]
      : []),
    { title: 'File', text: (row) => row.files.join(', '), least: 20, rank: 11 },
  ]
}

function firstLine(text: string | undefined): string {
  return text?.trimStart().split('\n', 1)[0] ?? ''
}
