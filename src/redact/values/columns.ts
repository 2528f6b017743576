/** Tables whose heading names a secret: Markdown, output of databases and terminals, CSV, `INSERT`. */

import { none, type Secret } from '../rule.ts'
import { lineEndAfter, tryReach, tryReachItem } from '../search.ts'
import { isSecretOf } from './named-value.ts'
import type { NameKind } from './names.ts'

const maxLine = 1024
/** Columns are as wide as their longest value. */
const maxGap = 160
const maxRows = 64

/** The secrets below or after a heading that is at `start` to `end`. */
export function secretsInColumn(text: string, start: number, end: number, kind: NameKind): readonly Secret[] {
  const after = /^["'`*]{0,3}[ \t]*/.exec(text.slice(end, end + maxGap))?.[0].length ?? 0
  const next = text.charAt(end + after)
  if (next !== '' && !/[|│┃┆,;\t\r\n)A-Za-z]/.test(next)) return none
  const before = text.slice(Math.max(0, start - maxLine), start)
  const from = start - before.length + before.lastIndexOf('\n') + 1
  const length = text.slice(end, end + maxLine).indexOf('\n')
  if (length < 0 || (from > 0 && text[from - 1] !== '\n')) return insertedBelow(text, start, end, kind)
  const stop = end + length
  const line = text.slice(from, stop)
  const cells =
    belowHeading(text, { line, start, end, from, hasPrefix: false }, kind) ??
    belowHeading(text, withoutPrefix({ line, start, end, from, hasPrefix: true }), kind) ??
    belowHeading(text, afterQuote({ line, start, end, from, hasPrefix: false }), kind)
  if (cells !== undefined) return cells
  if (line.trim() === text.slice(start, end) && isRuled(text, stop + 1, '-')) return inLines(text, stop + 1, kind)
  const dashed = belowDashes(text, stop + 1, start - from, kind)
  if (dashed.length > 0) return dashed
  const inserted = insertedBelow(text, start, end, kind)
  if (inserted.length > 0) return inserted
  const aligned = / {2}/.test(line) ? belowWords(text, stop + 1, start - from, line, kind) : none
  return aligned.length > 0 ? aligned : byWords(text, stop + 1, start - from, line, kind)
}

/** What tools put before each line: the sign of a diff or a quotation, a number, a file with a line number. */
const linePrefix = /^(?:[^\s:]{1,200}:\d{1,6}[:-]|[ \t]{0,8}\d{1,6}(?:\t|[:|│→] ?)|[+>|│-] ?)/

interface HeadingLine {
  /** The line from `from` on, without what a tool put before it. */
  line: string
  start: number
  end: number
  from: number
  /** A tool put something before each line. */
  hasPrefix: boolean
}

/** The same line without its prefix; an empty one if it has none. */
function withoutPrefix(heading: HeadingLine): HeadingLine {
  const { line, start, from } = heading
  const { length } = linePrefix.exec(line)?.[0] ?? ''
  const isBefore = length > 0 && from + length <= start
  return { ...heading, line: isBefore ? line.slice(length) : '', from: from + length }
}

/** The same line after the quote that opens the text with the table; an empty one if there is none. */
function afterQuote(heading: HeadingLine): HeadingLine {
  const { line, start, from } = heading
  const before = line.slice(0, start - from)
  const length = Math.max(before.lastIndexOf('"'), before.lastIndexOf("'"), before.lastIndexOf('`')) + 1
  // After a letter it is an apostrophe.
  const opens = length > 0 && !/\p{L}/u.test(before.charAt(length - 2))
  return { ...heading, line: opens ? line.slice(length) : '', from: from + length }
}

/** The cells below a heading; `undefined` if the line is not one. */
function belowHeading(
  text: string,
  { line, start, end, from, hasPrefix }: HeadingLine,
  kind: NameKind,
): readonly Secret[] | undefined {
  const stop = from + line.length
  // Polars puts a thinner line between cells than around them.
  const sign = /┆/.exec(line)?.[0] ?? /[|│┃]/.exec(line)?.[0] ?? (line.includes('\t') ? '\t' : /[,;]/.exec(line)?.[0])
  if (sign === undefined || !(isHeading(line, sign) || isRuled(text, stop + 1, sign))) return undefined
  if (isLog(text, line, stop + 1)) return undefined
  const index = count(text.slice(from, start), sign)
  return inCells(text, stop + 1, { sign, index, heading: text.slice(start, end), hasPrefix }, kind)
}

const headingCell = /^[\s"'`*]*[\p{L}_(][\p{L}\p{N} _./()*-]{0,40}["'`*\s]*$/u

/**
 * Whether a line consists of short names only. One that is indented, or that continues after its last comma, is a list of names.
 */
function isHeading(line: string, sign: string): boolean {
  if (sign === ',' && /^[ \t]+["'`]|,\s*$/.test(line)) return false
  const cells = line
    .trim()
    .replace(/^[|│┃]|[|│┃]$/g, '')
    .split(sign)
  const isTable = /[,;]/.test(sign) ? cells.filter((cell) => cell.trim() !== '').length > 1 : cells.length > 1
  return isTable && cells.every((cell) => cell.trim() === '' || headingCell.test(cell))
}

/** Whether a ruled line follows, which makes any line a heading: `Users: | name | password |`. */
function isRuled(text: string, from: number, sign: string): boolean {
  const line = /^[^\n]*/.exec(text.slice(from, from + maxLine))?.[0] ?? ''
  return line.includes(sign) && /[-─━═=]{2}/.test(line) && ruleLine.test(line)
}

/** Whether a bar separates who writes a line from what is written, as in `docker compose logs`: the next has the same writer. */
function isLog(text: string, line: string, next: number): boolean {
  const [head = ''] = /^[\w.-]{1,60} {0,24}\| /.exec(line) ?? []
  return head !== '' && text.startsWith(head, next)
}

interface Column {
  sign: string
  index: number
  heading: string
  /** A tool put something before each line. */
  hasPrefix?: boolean
}

const ruleLine = /^[\s|│┃┆+:=─━═┼╪╬├┤╞╡-]*$/

function inCells(text: string, from: number, column: Column, kind: NameKind): readonly Secret[] {
  const { sign, index, heading, hasPrefix } = column
  const found: Secret[] = []
  for (const { line: given, at: start } of linesFrom(text, from)) {
    const prefix = hasPrefix ? (linePrefix.exec(given)?.[0].length ?? 0) : 0
    const line = given.slice(prefix)
    const at = start + prefix
    if (ruleLine.test(line) && line.trim() !== '') continue
    const cells = cellsOf(line, sign)
    const cell = cells[index]
    // A repeated heading does not belong to the table.
    if (cells.length < 2 || cell === undefined || line.slice(cell.start, cell.end).trim() === heading) break
    push(found, text, at + cell.start, at + cell.end, kind)
  }
  return found
}

/** The rows of a table with one column, up to an empty line or the number of rows. */
function inLines(text: string, from: number, kind: NameKind): readonly Secret[] {
  const found: Secret[] = []
  for (const { line, at } of linesFrom(text, from)) {
    if (ruleLine.test(line) && line.trim() !== '') continue
    if (line.trim() === '' || /^\(\d+ rows?/.test(line)) break
    const indent = line.length - line.trimStart().length
    push(found, text, at + indent, at + line.trimEnd().length, kind)
  }
  return found
}

interface Range {
  start: number
  end: number
}

/** The cells of a row; a separator between quotes is part of a cell. */
function cellsOf(line: string, sign: string): Range[] {
  const cells: Range[] = []
  let start = 0
  let quote = ''
  for (let at = 0; at <= line.length; at++) {
    const character = line.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (
      (character === '"' || character === "'") &&
      line.slice(start, at).trim() === '' &&
      line.indexOf(character, at + 1) > 0
    )
      quote = character
    else if (character === sign || at === line.length) {
      cells.push({ start, end: at })
      start = at + 1
    }
  }
  if (start < line.length && quote !== '') cells.push({ start, end: line.length })
  return cells
}

/** Reads rows whose column widths are given by a line of dashes below the heading: `---- --------`. */
function belowDashes(text: string, from: number, column: number, kind: NameKind): readonly Secret[] {
  const rule = /^[ \t]*-{2,}(?: +-+)+[ \t]*\r?(?:\n|$)/.exec(text.slice(from, from + maxLine))?.[0] ?? ''
  const runs = [...rule.matchAll(/-+/g)]
  const own = runs.findIndex(({ index, 0: run }) => index <= column && column < index + run.length)
  if (own < 0) return none
  const [left, right] = [runs[own]?.index ?? 0, runs[own + 1]?.index]
  const found: Secret[] = []
  for (const { line, at } of linesFrom(text, from + rule.length))
    push(found, text, at + Math.min(left, line.length), at + Math.min(right ?? line.length, line.length), kind)
  return found
}

/** Reads rows below a heading whose columns are separated by several spaces. */
function belowWords(text: string, from: number, column: number, heading: string, kind: NameKind): readonly Secret[] {
  const words = heading.trim().split(/ {2,}/)
  if (words.length < 2 || !words.every((word) => /^[A-Za-z][A-Za-z0-9 _()-]{0,30}$/.test(word))) return none
  const found: Secret[] = []
  for (const { line, at } of linesFrom(text, from)) {
    if (ruleLine.test(line.replaceAll(' ', ''))) continue
    if (/\S/.test(line.charAt(column - 1)) || !/\S/.test(line.charAt(column))) continue
    if (line.startsWith(heading.slice(column).split('  ')[0] ?? '', column)) return found
    const length = line.slice(column).search(/\s{2}|\s*$/)
    push(found, text, at + column, at + column + length, kind)
  }
  return found
}

const headingWord = /^[A-Za-z_][\w().#-]{0,30}$/
const maxHeading = 200
const mayBeRow = /(?=[^\n]{0,400}\d)[^\n]{0,400}\S{12}/y

/**
 * Reads rows with as many words as the heading, or one more: columns that are separated by one space, or that end where their
 * heading does. Only what looks random counts, because a heading may be a sentence.
 */
function byWords(text: string, from: number, column: number, heading: string, kind: NameKind): readonly Secret[] {
  mayBeRow.lastIndex = from
  if (heading.length > maxHeading || !mayBeRow.test(text)) return none
  const words = heading.trim().split(/\s+/)
  if (words.length < 2 || !words.every((word) => headingWord.test(word))) return none
  const after = words.length - heading.slice(0, column).trim().split(/\s+/).filter(Boolean).length
  const found: Secret[] = []
  for (const { line, at } of linesFrom(text, from)) {
    const cells = [...line.matchAll(/\S+/g)]
    if (cells.length !== words.length && cells.length !== words.length + 1) break
    const cell = cells.at(-after)
    if (cell === undefined) break
    const value = cell[0].replace(/^["'`]|["'`]$/g, '')
    const start = at + cell.index + cell[0].indexOf(value)
    if (isSecretOf(kind, value, 'loose')) found.push({ start, end: start + value.length, value })
  }
  return found
}

function* linesFrom(text: string, from: number): Generator<{ line: string; at: number }> {
  let at = from
  for (let row = 0; at < text.length; row++) {
    const end = lineEndAfter(text, at, maxLine)
    const line = text.slice(at, end)
    if (line.trim() === '' || !tryReachItem(row, maxRows, line.length)) return
    yield { line, at }
    at = end + 1
  }
}

/** `COPY t (a, password) FROM stdin;` with tab-separated rows below, as in PostgreSQL dumps. */
function copiedBelow(text: string, start: number, end: number, kind: NameKind): readonly Secret[] {
  const head = /^["']?(?:[ \t]*,[^()\n]{1,400})?\)\s(?:FROM|from) (?:stdin|STDIN)[^\n]{0,80}\n/.exec(
    text.slice(end, end + 520),
  )
  if (head === null) return none
  const before = text.slice(Math.max(0, start - maxLine), start)
  const open = before.lastIndexOf('(')
  if (open < 0) return none
  const column = { sign: '\t', index: count(before.slice(open), ','), heading: text.slice(start, end) }
  return inCells(text, end + head[0].length, column, kind)
}

/** `INSERT INTO t (a, password) VALUES (1, '…')` */
function insertedBelow(text: string, start: number, end: number, kind: NameKind): readonly Secret[] {
  const values = /^["'`\]]{0,2}(?:[ \t]*,[^()]{1,400})?\)\s{0,8}(?:VALUES|values|Values)\s{0,8}\(/.exec(
    text.slice(end, end + 480),
  )
  if (values === null) return copiedBelow(text, start, end, kind)
  const before = text.slice(Math.max(0, start - maxLine), start)
  const open = start - before.length + before.lastIndexOf('(')
  if (!before.includes('(')) return none
  const index = count(text.slice(open, start), ',')
  const found: Secret[] = []
  let at = end + values[0].length
  for (let row = 0, stop = rowEnd(text, at); tryReachItem(row, maxRows, stop - at); row++) {
    const cell = cellsOf(text.slice(at, stop), ',')[index]
    if (cell !== undefined) push(found, text, at + cell.start, at + cell.end, kind)
    const again = /^\)\s{0,4},[\s+>|│\d:→-]{0,60}\(/.exec(text.slice(stop, stop + 64))
    if (again === null) break
    at = stop + again[0].length
    stop = rowEnd(text, at)
  }
  return found
}

/** Offset of the bracket that closes a row, or the end of what may be read of it. */
function rowEnd(text: string, start: number): number {
  let quote = ''
  for (let at = start, stop = start + maxLine; at < text.length; at++) {
    if (at === stop) {
      if (!tryReach(maxLine)) return at
      stop += maxLine
    }
    const character = text.charAt(at)
    if (quote === '' && character === ')') return at
    quote = quoteAfter(quote, character)
  }
  return text.length
}

/** The quote that is open after a character. */
function quoteAfter(quote: string, character: string): string {
  if (quote !== '') return character === quote ? '' : quote
  return character === "'" || character === '"' ? character : ''
}

function push(found: Secret[], text: string, from: number, to: number, kind: NameKind): void {
  const given = text.slice(from, to)
  const start = from + (/^[\s"'`*│]*/.exec(given)?.[0].length ?? 0)
  const end = Math.max(start, to - (/(?<![\s"'`*│])[\s"'`*│]*$/.exec(given)?.[0].length ?? 0))
  const value = text.slice(start, end)
  if (isSecretOf(kind, value, 'firm')) found.push({ start, end, value })
}

function count(text: string, sign: string): number {
  let number = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) number++
  return number
}
