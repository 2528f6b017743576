/** Text in columns of a terminal, and tables made of them. */

import stringWidth from 'string-width'

const narrow = ' -~¡-¬®-\u02FF‐-‧'
/** Punctuation, Kana, Han, Hangul and wide forms of ASCII. */
const wide = '\u3000-\u3029\u3041-\u3096\u30A0-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3\uFF01-\uFF60'
/**
 * Text of which each UTF-16 unit is a character that takes one column, or two if it is wide. Measuring other text makes V8 read
 * its Unicode tables, which takes 40 ms.
 */
const simple = new RegExp(`^[${narrow}${wide}]*$`)
const wideCharacter = new RegExp(`[${wide}]`, 'g')

let segmenter: Intl.Segmenter | undefined

/** Number of columns that printable text takes; wide characters count as two. */
export function textWidth(text: string): number {
  return simple.test(text) ? simpleWidth(text) : stringWidth(text)
}

const simpleWidth = (text: string): number => text.length + (text.match(wideCharacter)?.length ?? 0)

/** Text that takes at most `width` columns; a cut is marked by `…` and never splits a character. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  return width < 1 ? '' : `${beginning(text, width - 1).trimEnd()}…`
}

function beginning(text: string, width: number): string {
  let used = 0
  let kept = ''
  for (const character of charactersOf(text)) {
    used += textWidth(character)
    if (used > width) break
    kept += character
  }
  return kept
}

/** Yields the characters that a reader sees. */
function* charactersOf(text: string): Generator<string> {
  if (simple.test(text)) return yield* text
  segmenter ??= new Intl.Segmenter()
  for (const { segment } of segmenter.segment(text)) yield segment
}

/**
 * The part of a text that takes at most `width` columns and contains `offset`, with a third of the columns before it. If the
 * beginning of the text contains it, that is taken.
 */
export function partAround(text: string, offset: number, width: number): { start: number; end: number } {
  const end = endWithin(text, 0, width)
  if (end === text.length || offset < endWithin(text, 0, Math.ceil(width / 2))) return { start: 0, end }
  const start = startWithin(text, offset, Math.floor(width / 3))
  return { start, end: endWithin(text, start, width) }
}

/**
 * How many UTF-16 units are examined for each column, because emoji and the like have several. It bounds the work on texts of a
 * megabyte.
 */
const unitsPerColumn = 12

function endWithin(text: string, start: number, width: number): number {
  // One more character than needed, because a combining mark after the last one belongs to it.
  const near = text.slice(start, start + width + 1)
  return start + beginning(simple.test(near) ? near : text.slice(start, start + width * unitsPerColumn), width).length
}

function startWithin(text: string, end: number, width: number): number {
  const last = text.slice(Math.max(0, end - width), end)
  const near = simple.test(last) ? last : text.slice(Math.max(0, end - width * unitsPerColumn), end)
  let start = end
  let used = 0
  for (const character of [...charactersOf(near)].reverse()) {
    used += textWidth(character)
    if (used > width) break
    start -= character.length
  }
  return start
}

/** Text padded with spaces to exactly `width` columns, or cut if it is longer. */
export function fitToWidth(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const cut = cutToWidth(text, width)
  const space = ' '.repeat(Math.max(0, width - textWidth(cut)))
  return align === 'left' ? cut + space : space + cut
}

// Aligned columns that fit a terminal.

/** One column. */
export interface Column {
  title: string
  /** One text per row: a single line without control characters. */
  cells: readonly string[]
  align?: 'left' | 'right'
  /** Smallest width of a column whose cells may be cut; without it they are never cut. */
  minWidth?: number
  /** Width that the column takes, as far as there is space, before columns of a higher rank get any. */
  wantedWidth?: number
  /** Largest width, used where no terminal limits the table. */
  maxWidth?: number
  /** Columns with a low rank are the last to be left out when space is short. */
  rank: number
}

/** A table, and the columns that did not fit. */
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

/** Lays out columns in lines of at most `width` terminal columns; without `width`, nothing is left out. */
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

/** The columns that fit at their smallest widths, taken by rank up to the first that does not fit. Sets the width of each. */
function choose(sized: readonly Sized[], width: number): Sized[] {
  let capacity = width + gap
  const kept = new Set<Sized>()
  for (const item of sized.toSorted((a, b) => a.column.rank - b.column.rank)) {
    const { natural, column } = item
    item.width = Math.min(natural, Math.max(column.minWidth ?? natural, textWidth(column.title)))
    if (item.width + gap > capacity) break
    item.width = Math.max(item.width, Math.min(natural, column.wantedWidth ?? 0, capacity - gap))
    capacity -= item.width + gap
    kept.add(item)
  }
  return sized.filter((item) => kept.has(item))
}

/** Distributes the remaining space, one terminal column at a time, among the columns that are cut. */
function share(kept: readonly Sized[], width: number): void {
  let capacity = width - kept.reduce((sum, item) => sum + item.width + gap, -gap)
  while (capacity > 0) {
    const tooNarrow = kept.filter((item) => item.width < item.natural).slice(0, capacity)
    if (tooNarrow.length === 0) return
    for (const item of tooNarrow) item.width++
    capacity -= tooNarrow.length
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
