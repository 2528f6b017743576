/**
 * QR codes displayed in a terminal: of keys for one-time passwords, of logins, of networks. A camera can read them from a page,
 * so they are replaced as a whole. The finders in their upper corners distinguish them from bars and pictures (ISO/IEC 18004,
 * 6.3).
 */

import { none, type ReaderRule, type Secret } from '../rule.ts'
import { tryReach } from '../search.ts'

/** The rows of a finder: `1` is dark, `0` is light. */
const finder = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111']
const middle = '1011101'
const firstMiddle = 2
/** Modules from the first column of the left finder to that of the right one. Codes have 21 to 177 columns, in steps of four. */
const [minDistance, maxDistance, step] = [14, 170, 4]

/**
 * Decodes a line into rows of modules: one, or two if each character is an upper and a lower half. What is not a module becomes
 * an `x`.
 */
type Decode = (line: string) => string[]

const halves: Readonly<Record<string, string>> = { '█': '11', '▀': '10', '▄': '01', ' ': '00', '\u00A0': '00' }
const pairs: Readonly<Record<string, string>> = { '██': '1', '##': '1', '  ': '0', '\u00A0\u00A0': '0' }

function halvesOf(line: string): string[] {
  const cells = Array.from(line, (sign) => halves[sign] ?? 'xx')
  return [0, 1].map((half) => cells.map((cell) => cell.charAt(half)).join(''))
}

function pairsOf(line: string): string[] {
  return [Array.from(line.match(/[^\r]{2}/g) ?? [], (pair) => pairs[pair] ?? 'x').join('')]
}

const groundCell = /\x1B\[([\d;]*)m|( {2})|([^\r])/g
const lightGround = /(?:^|;)(?:7|47|107|48;5;(?:7|15|231|255)|48;2;255;255;255)$/

/** Reads spaces on a dark or a light background. */
function groundsOf(line: string): string[] {
  let isLight = false
  let row = ''
  for (const [, style, blanks, other] of line.matchAll(groundCell)) {
    if (style !== undefined) isLight = lightGround.test(style)
    else if (blanks !== undefined) row += isLight ? '0' : '1'
    else if (other !== undefined) row += 'x'
  }
  return [row]
}

/** How a program draws codes. */
interface Drawing {
  decode: Decode
  /** The most characters of a line. */
  maxLine: number
  /** Characters per module. A tool's prefix before each line may not be a multiple of it. */
  width: 1 | 2
}

/** How the lines of a text are read. */
interface Lines extends Drawing {
  shift: number
}

/** A line of a text by its offsets, and the rows that it shows. */
interface Line {
  start: number
  end: number
  rows: string[]
}

/**
 * Returns up to `count` lines from the one that begins at `offset` on, without their first `shift` characters. A line that is too
 * long for a code, or may not be read, ends them.
 */
function linesFrom(text: string, offset: number, count: number, { decode, maxLine, shift }: Lines): Line[] {
  const lines: Line[] = []
  for (let start = offset; lines.length < count && start <= text.length; ) {
    const length = text.slice(start, start + maxLine).indexOf('\n')
    const end = length < 0 ? text.length : start + length
    if (end - start > maxLine || !tryReach(end - start)) break
    lines.push({ start, end, rows: decode(text.slice(start + shift, end)) })
    start = end + 1
  }
  return lines
}

/** Offset of the line that is `count` lines above the line of `offset`. */
function lineStart(text: string, offset: number, count: number, maxLine: number): number {
  let start = offset + 1
  for (let line = 0; line <= count && start > 0; line++) {
    const from = Math.max(0, start - 1 - maxLine)
    start = from + text.slice(from, start - 1).lastIndexOf('\n') + 1
  }
  return start
}

/** The upper left corner of a code in rows, and its size in modules. */
interface Corner {
  top: number
  column: number
  size: number
}

/** Whether a row may be a middle row of two finders side by side. */
function mayBePair(row: string): boolean {
  for (let column = row.indexOf(middle); column >= 0; column = row.indexOf(middle, column + 1)) {
    for (let distance = minDistance; distance <= maxDistance; distance += step)
      if (row.startsWith(middle, column + distance)) return true
  }
  return false
}

/** The first two finders side by side that have one of the rows `from` to `to` in their middle. */
function cornerIn(rows: readonly string[], from: number, to: number): Corner | undefined {
  // If a line has two rows, its first one may be the second middle row.
  const tops = to - from === 1 ? [firstMiddle] : [firstMiddle, firstMiddle + 1]
  for (let row = from; row < to; row++) {
    const text = rows[row] ?? ''
    for (let column = text.indexOf(middle); column >= 0; column = text.indexOf(middle, column + 1)) {
      const above = tops.find((above) => isFinder(rows, row - above, column))
      if (above === undefined) continue
      // What is between them may look like the middle of a finder, so only a complete one is the other corner.
      for (let distance = minDistance; distance <= maxDistance; distance += step)
        if (isFinder(rows, row - above, column + distance))
          return { top: row - above, column, size: distance + finder.length }
    }
  }
  return undefined
}

function isFinder(rows: readonly string[], top: number, column: number): boolean {
  return finder.every((part, at) => rows[top + at]?.startsWith(part, column))
}

const linesAbove = 3

/** The code whose upper finders have their middle in the line of `offset`. */
function codeAt(text: string, offset: number, drawing: Drawing): readonly Secret[] {
  const own = lineStart(text, offset, 0, drawing.maxLine)
  const how = { ...drawing, shift: (offset - own) % drawing.width }
  const [line] = linesFrom(text, own, 1, how)
  const start = lineStart(text, offset, linesAbove, drawing.maxLine)
  for (const seen of [(row: string) => row, inverted]) {
    if (line === undefined || !line.rows.some((row) => mayBePair(seen(row)))) continue
    const near = linesFrom(text, start, linesAbove + finder.length, how)
    const above = near.filter((other) => other.start < own).reduce((sum, { rows }) => sum + rows.length, 0)
    const rows = near.flatMap((other) => other.rows.map(seen))
    const corner = cornerIn(rows, above, above + line.rows.length)
    if (corner !== undefined) return blockFrom(text, start, corner, how)
  }
  return none
}

function inverted(row: string): string {
  return row.replace(/[01]/g, (module) => (module === '0' ? '1' : '0'))
}

/** The lines of a code, from its first row on, as long as there are modules below. */
function blockFrom(text: string, from: number, { top, column, size }: Corner, how: Lines): readonly Secret[] {
  let row = 0
  let [start, end] = [-1, from]
  for (const line of linesFrom(text, from, size + linesAbove, how)) {
    const isInside = (one: string): boolean => one.length > column && !one.slice(column, column + size).includes('x')
    if (row >= top + size || (row >= top + finder.length && !line.rows.every(isInside))) break
    row += line.rows.length
    if (row <= top) continue
    if (start < 0) start = line.start
    end = line.end
  }
  return start < 0 ? none : [{ start, end, value: text.slice(start, end) }]
}

const reset = '(?:\\x1B\\[0m)?'
const ground = '\\x1B\\[[\\d;]{2,24}m'
/** The remaining modules of a middle row, after the first one. */
const restOfMiddle = `(?:\\[0m\\x1B)?\\[[\\d;]{2,24}m {2}${reset}(?:${ground} {6}${reset}|(?:${ground} {2}${reset}){3})${ground} {2}${reset}${ground} {2}`

const inHalves: Drawing = { decode: halvesOf, maxLine: 320, width: 1 }
const inPairs: Drawing = { decode: pairsOf, maxLine: 512, width: 2 }
const onGrounds: Drawing = { decode: groundsOf, maxLine: 4096, width: 1 }

/** Rules for QR codes. */
export const qrCodeRules: readonly ReaderRule[] = [
  { id: 'qr-code', anchors: ['█ ███ █', '█   █'], read: (text, offset) => codeAt(text, offset, inHalves) },
  {
    id: 'qr-code',
    anchors: ['██  ██████  ██', '##  ######  ##', '██      ██', '##      ##'],
    read: (text, offset) => codeAt(text, offset, inPairs),
  },
  {
    id: 'qr-code',
    anchors: ['40m  \x1B', '47m  \x1B', ';16m  \x1B', ';231m  \x1B'],
    follows: restOfMiddle,
    read: (text, offset) => codeAt(text, offset, onGrounds),
  },
]
