/** Key blocks with a tool's prefix on every line, and blocks whose beginning is cut off. */

import { none, type Rule, type Secret } from '../rule.ts'
import { kindsIn } from '../values/letters.ts'
import { isRandom } from '../values/randomness.ts'

const label = '(?:OpenVPN Static key V1|(?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?)'
const opening = new RegExp(`-----BEGIN ${label}-----`, 'y')
const closing = new RegExp(`-----END ${label}-----`, 'y')
const closingInLine = new RegExp(`-----END ${label}-----`)

/** What follows a line of a key: quotes, operators, the marks of `cat -A`. */
const tail = '(?:[^\\w+/=\\n]|\\\\[nr]|\\^M){0,12}$'
const tailOfLine = new RegExp(tail)
const nothingElse = new RegExp(`^${tail}`)
const maxLine = 700
const maxLines = 400
/** How far columns may differ: line numbers grow, and times are written without trailing zeros. */
const maxShift = 12
/** A shorter run may be a word. All lines of a key except the last are longer still. */
const minRun = 16
const minWhole = 40
/** The most header lines, including the empty one below them. */
const maxHead = 5
const headLine = /[A-Z][A-Za-z-]{2,20}: \S/

/** A line of a text, and the key characters at its end. */
interface KeyLine {
  text: string
  start: number
  /** The end of the run, without the tail. */
  end: number
  /** Offset of the next line. */
  next: number
  column: number
  run: string
}

function lineBetween(whole: string, start: number, stop: number): KeyLine {
  const text = whole.slice(start, stop)
  const end = tailOfLine.exec(text)?.index ?? text.length
  let column = end
  while (column > 0 && /[A-Za-z0-9+/=]/.test(text.charAt(column - 1))) column--
  return { text, start, end: start + end, next: stop + 1, column, run: text.slice(column, end) }
}

/** The line that begins at an offset; `undefined` if there is none, or if it is too long for a key. */
function lineAt(text: string, start: number): KeyLine | undefined {
  const stop = start > text.length ? -1 : lineEnd(text, start)
  return stop < 0 ? undefined : lineBetween(text, start, stop)
}

/** Offset of the line of `offset`, at most the length of a line before it. */
function lineStart(text: string, offset: number): number {
  const from = Math.max(0, offset - maxLine)
  return from + text.slice(from, offset).lastIndexOf('\n') + 1
}

function lineEnd(text: string, offset: number): number {
  const length = text.slice(offset, offset + maxLine).indexOf('\n')
  if (length >= 0) return offset + length
  return text.length - offset < maxLine ? text.length : -1
}

/** The first or last line of a block. */
interface Frame {
  end: number
  column: number
  next: number
  /** Its line contains nothing but the frame. */
  isBare: boolean
}

/** The frame line at an offset, if only a tail follows it. */
function frameAt(text: string, offset: number, pattern: RegExp): Frame | undefined {
  pattern.lastIndex = offset
  if (!pattern.test(text)) return undefined
  const end = pattern.lastIndex
  const stop = lineEnd(text, end)
  const rest = text.slice(end, stop)
  if (stop < 0 || !nothingElse.test(rest)) return undefined
  const column = offset - lineStart(text, offset)
  return { end, column, next: stop + 1, isBare: column === 0 && rest.trim() === '' }
}

const fits = ({ column, run }: KeyLine, own: number, min: number): boolean =>
  run.length >= min && Math.abs(column - own) <= maxShift

/** Reads from a frame line with a prefix (`L1: `, a time, an author) down to the last line of its key. */
function readDown(text: string, offset: number): readonly Secret[] {
  const frame = frameAt(text, offset, opening)
  if (frame === undefined || frame.isBare) return none
  const first = afterHead(text, frame)
  if (first < 0) return none
  const end = keyEnd(text, first, frame.column)
  return [{ start: offset, end, value: text.slice(offset, end) }]
}

/** Offset of the first line of the key, after its headers; -1 if there is none. */
function afterHead(text: string, { next, column }: Frame): number {
  let from = next
  for (let head = 0; head <= maxHead; head++) {
    const line = lineAt(text, from)
    if (line === undefined) return -1
    if (fits(line, column, minRun) && isRandom(line.run)) return from
    if (!headLine.test(line.text) && line.text.length > column + maxShift) return -1
    from = line.next
  }
  return -1
}

/** The end of a key whose lines begin at an offset: its frame, or its last long line. */
function keyEnd(text: string, first: number, column: number): number {
  let end = first
  let isLast = false
  let line = lineAt(text, first)
  for (let index = 0; line !== undefined && index < maxLines; index++) {
    const close = closingInLine.exec(line.text)
    if (close !== null) return line.start + close.index + close[0].length
    if (isLast || !fits(line, column, 1)) return end
    isLast = line.run.length < minRun
    if (!isLast) end = line.end
    line = lineAt(text, line.next)
  }
  return end
}

/** Reads from the closing frame line up to the first line that belongs to its key. */
function readUp(text: string, offset: number): readonly Secret[] {
  const frame = frameAt(text, offset, closing)
  if (frame === undefined) return none
  const start = keyStart(text, lineStart(text, offset) - 1, frame.column)
  return start < 0 ? none : [{ start, end: frame.end, value: text.slice(start, frame.end) }]
}

/** The beginning of a key whose last line ends at an offset; -1 if there is no key above. */
function keyStart(text: string, last: number, column: number): number {
  let start = -1
  let stop = last
  for (let index = 0; index < maxLines && stop > 0; index++) {
    const line = lineBetween(text, lineStart(text, stop), stop)
    // What an omission left of a line is the end of it.
    if (line.run.length >= minRun && isRandom(line.run)) start = line.start + line.column
    if (!fits(line, column, index === 0 ? 1 : minWhole) || line.text.length >= maxLine) break
    stop = line.start - 1
  }
  return start
}

const closingAfter = new RegExp(`-----END ${label}-----`)
/** How far after its first line a key may end, including what is between its lines. */
const maxReach = 16_384
const pieceOfKey = /[A-Za-z0-9+/]{20,}={0,2}/g

/** Pieces of a key whose lines are interleaved with something else: cells of a page, lines of a log, words of a command. */
function readBetween(text: string, offset: number): readonly Secret[] {
  opening.lastIndex = offset
  if (!opening.test(text)) return none
  const from = opening.lastIndex
  const rest = text.slice(from, from + maxReach)
  const length = rest.search(closingAfter)
  if (length < 0) return none
  return Array.from(rest.slice(0, length).matchAll(pieceOfKey), ({ 0: value, index }) => ({
    start: from + index,
    end: from + index + value.length,
    value,
  })).filter(({ value }) => kindsIn(value) > 2 && isRandom(value))
}

/** Rules for such key blocks. */
export const keyBlockRules: readonly Rule[] = [
  { id: 'private-key', anchors: ['-----BEGIN '], read: readDown },
  { id: 'private-key', anchors: ['-----END '], read: readUp },
  { id: 'private-key', anchors: ['-----BEGIN '], read: readBetween },
]
