/** All readings of a text. */

import { isIn, letterTable } from './values/letters.ts'
import {
  readings,
  readsOneWay,
  type View,
  viewOf,
  withoutAnsi,
  withoutEncoding,
  withoutEscapes,
  withoutWideLetters,
  withoutWordMarks,
} from './view.ts'

/** Returns a text in each way in which it may be read; only the text itself if there is no other. */
export function readingsOf(text: string): readonly View[] {
  if (text !== lastText) [lastText, lastReadings] = [text, computeReadings(text)]
  return lastReadings
}

/** The last text is remembered, because rules read it first, and then known values are looked for in it. */
let lastText = ''
let lastReadings: readonly View[] = [viewOf('')]

function computeReadings(text: string): readonly View[] {
  const plain = viewOf(text)
  const width = widthOfWraps(text)
  if (width === 0 && readsOneWay(text) && !mayHoldDumps(text) && !hasHyphens(text)) return [plain]
  const view = withoutAnsi(plain)
  // Without colours, two tokens that these separated may be adjacent.
  const coloured = view === plain ? [] : [plain]
  return [
    view,
    ...coloured,
    ...withoutEscapes(view),
    ...withoutEncoding(view).flatMap(insideEncoding),
    ...withoutWordMarks(view),
    ...withoutWideLetters(view),
    ...dumpsIn(view),
    ...withoutHyphens(view),
    ...(width === 0 ? [] : withoutWraps(plain, width)),
  ]
}

/** What was encoded for an address or a page may have been written for a terminal, a program or a page before that. */
function insideEncoding(decoded: View): View[] {
  const view = withoutAnsi(decoded)
  return [decoded, ...(view === decoded ? [] : [view]), ...withoutEscapes(view), ...withoutEncoding(view)]
}

// Lines around a hit of `grep`, whose numbers a hyphen joins to them. It belongs to words, so each line would begin inside one.

/** `12-text` and `a.ts-12-text`, but no date. */
const hyphened = /^(?!\d{4}-\d\d-\d\d)(?:[\w.@+/-]{1,200}?-)??\d{1,6}-(?!\d\d-\d\d|\s*?$)/gm

function hasHyphens(text: string): boolean {
  return text.search(hyphened) >= 0
}

/** Such lines as one view, or nothing. An empty line separates those with others between them. */
function withoutHyphens(below: View): View[] {
  const { text } = below
  let shown = ''
  let last = 0
  const pieces: number[] = []
  for (const { 0: mark, index } of text.matchAll(hyphened)) {
    const start = index + mark.length
    const end = lineEnd(text, start) + 1
    if (shown !== '' && index > last) shown += '\n'
    pieces.push(shown.length, start, 0)
    shown += text.slice(start, end)
    last = end
  }
  return shown === '' ? [] : [{ text: shown, origin: { below, pieces } }]
}

// A text that a terminal of a fixed width cut into lines, as it was before: what was in one line reveals secrets again.

/** The least width of a terminal. */
const minWidth = 40
/** Usual widths of terminals. For any other width, at least two lines must have been cut. */
const usual: ReadonlySet<number> = new Set([80, 100, 120, 132, 160, 200])
const minOther = 2

/** What may be on either side of a cut in a value, a name or an address. */
const cuttable = letterTable('_+/=.:@~%-"\'\\')

/** Returns the width at which a text was cut; 0 if it was not. */
function widthOfWraps(text: string): number {
  let width = minWidth - 1
  let cuts = 0
  for (let start = 0; text.length - start > width; ) {
    const end = lineEnd(text, start)
    const length = lengthOfLine(text, start, end)
    if (length > width) [width, cuts] = [length, 0]
    if (length === width && isCut(text, start, start + length, end + 1)) cuts++
    start = end + 1
  }
  return cuts >= minOther || (cuts > 0 && usual.has(width)) ? width : 0
}

function lineEnd(text: string, start: number): number {
  const found = text.indexOf('\n', start)
  return found < 0 ? text.length : found
}

/** Excludes a carriage return before the end of the line. */
function lengthOfLine(text: string, start: number, end: number): number {
  return end - start - (text.charCodeAt(end - 1) === 13 ? 1 : 0)
}

/** Lines of a key or of encoded bytes are read elsewhere, because they are wrapped wherever they are written. */
const encodedLine = /^[A-Za-z0-9+/=]+$/
/** A line that begins so is another variable, even if all lines of a listing happen to have the same length. */
const variable = /[A-Z][A-Z0-9]*_[A-Z0-9_]{2,60}=[^=\s]/y

/** Whether a line that ends at `end` continues at `next`. */
function isCut(text: string, start: number, end: number, next: number): boolean {
  return (
    isIn(cuttable, text.charCodeAt(next)) &&
    (isIn(cuttable, text.charCodeAt(end - 1)) || text.charCodeAt(end - 1) === 32) &&
    !encodedLine.test(text.slice(start, end)) &&
    !beginsVariable(text, next)
  )
}

function beginsVariable(text: string, at: number): boolean {
  variable.lastIndex = at
  return variable.test(text)
}

/** The parts of a text in which lines were cut at this width, with those lines joined. */
function withoutWraps(view: View, width: number): View[] {
  return readings(view, (text, from) => {
    for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', end + 1)) {
      const start = text.lastIndexOf('\n', end - 1) + 1
      const length = lengthOfLine(text, start, end)
      if (length === width && isCut(text, start, start + length, end + 1))
        return { start: start + length, end: end + 1, replacement: '' }
    }
    return undefined
  })
}

// Dumps of bytes: what `xxd`, `hexdump` and `od` print, as the text that it shows.

/** Offset of a dump's second line, in hexadecimal. A dump of a token has at least two lines of sixteen bytes. */
const secondLine = '0000010'
const secondLineOfOd = '0000020'
/** Both begin with it; engines find such a short text in a fraction of the time. */
const zeros = '00000'
const line = /^[ \t]*(?:[|+>] ?)?([0-9a-fA-F]{6,10})(:?)[ \t]+(\S[^\n]*)$/gm
const bytesOf = /^(?:[0-9a-fA-F]{2}){1,8}(?: {1,3}(?:[0-9a-fA-F]{2}){1,8}){0,15}(?= {2}|\s*$|\s*\|)/
const maxBytes = 16

function mayHoldDumps(text: string): boolean {
  return text.includes(zeros) && (text.includes(secondLine) || text.includes(secondLineOfOd))
}

/** The dumps of a text as one view, or nothing. Each byte stands for its whole line. */
function dumpsIn(below: View): View[] {
  const { text } = below
  if (!mayHoldDumps(text)) return []
  let shown = ''
  const pieces: number[] = []
  for (const { 0: whole, 1: offset = '', 2: colon = '', 3: rest = '', index } of text.matchAll(line)) {
    const bytes = lettersOf(rest) ?? hexOf(rest, colon === '' && offset.length === 7)
    const head = whole.indexOf(offset)
    if (bytes !== '') pieces.push(shown.length, index + head, whole.length - head)
    shown += bytes
  }
  return shown === '' ? [] : [{ text: shown, origin: { below, pieces } }]
}

/** Bytes in hexadecimal digits. `hexdump` without options prints words of two bytes with the bytes swapped. */
function hexOf(rest: string, isSwapped: boolean): string {
  const digits = (bytesOf.exec(rest)?.[0] ?? '').split(/ +/)
  const bytes = digits.flatMap((word) => {
    const pairs = word.match(/../g) ?? []
    return isSwapped && pairs.length === 2 ? pairs.toReversed() : pairs
  })
  return bytes
    .slice(0, maxBytes)
    .map((pair) => String.fromCharCode(Number.parseInt(pair, 16)))
    .join('')
}

/** The bytes of a line of `od -c`, which prints the characters themselves. */
function lettersOf(rest: string): string | undefined {
  const cells = rest.split(/ {2,3}/)
  if (cells.length < 4 || !cells.every((cell) => /^(?:\S|\\[0nrtabfv]|\d{3})?$/.test(cell))) return undefined
  return cells.map((cell) => (cell.length === 1 ? cell : '\n')).join('')
}
