/** Runs of base64 or of hexadecimal digits, which may be broken into lines, and what they encode. */

import { searchNumber, tryReach, tryReachItem } from '../search.ts'
import { isIn, letterTable, tableOf } from './letters.ts'

/** How bytes are written. */
export interface Encoding {
  /** The table of its digits. */
  digits: Uint8Array
  /** Bits per digit. */
  bits: 4 | 6
  decode: (digits: string) => string
}

export const base64: Encoding = { digits: letterTable('+/_-'), bits: 6, decode: fromBase64 }
export const hex: Encoding = { digits: tableOf('0123456789ABCDEFabcdef'), bits: 4, decode: fromHex }

/**
 * A text in base64, for each offset of its beginning in a group of three bytes, without the characters that depend on its
 * neighbours.
 */
export function inBase64(text: string): { anchor: string; offset: number }[] {
  return [0, 1, 2].map((before) => {
    const offset = Math.ceil((before * 8) / 6)
    const end = Math.floor(((before + text.length) * 8) / 6)
    return { anchor: btoa('\0'.repeat(before) + text).slice(offset, end), offset }
  })
}

/** A text in lowercase hexadecimal digits. */
export function inHex(text: string): string {
  return Array.from(text, (character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}

/** Source of a pattern for eight characters, which may continue over the end of a line. */
export const wrapped = (chars: string): string => `[${chars}]{8}|[${chars}]{0,7}\\r?\\n[ \\t]{0,40}[${chars}]{8}`

const maxRun = 8192

/** A part of a text, `end` exclusive. */
interface Range {
  start: number
  end: number
}

/** The run around an offset, with all its lines. */
export function runAround(text: string, offset: number, encoding: Encoding): Range {
  const run = { start: startOfRun(text, offset, maxRun, encoding), end: endOfRun(text, offset, maxRun, encoding) }
  return linesAround(text, run, encoding)
}

/** A reader of runs that returns no run twice in a row, because many names may be inside one. */
export function freshRuns(): (text: string, offset: number, encoding: Encoding) => Range | undefined {
  let last = { search: 0, start: 0, end: 0, encoding: base64 }
  return (text, offset, encoding) => {
    const search = searchNumber()
    if (last.search === search && last.encoding === encoding && offset >= last.start && offset < last.end)
      return undefined
    last = { search, encoding, ...runAround(text, offset, encoding) }
    return last
  }
}

/** What ends a line of an encoded text and begins the next. */
const lineBreak = /\r?\n[ \t]{0,40}/y
const lineBegin = /(?:^|\n)[ \t]{0,40}$/
/** The least width of wrapped lines; tools break encoded texts at 60 characters or more. */
const minWidth = 40
const maxBlock = 16_384

/** The lines of an encoded text around one of them: all as long as the first, except for the last. */
function linesAround(text: string, run: Range, encoding: Encoding): Range {
  let { start, end } = run
  let width = end - start
  for (
    let before = lineBefore(text, start, encoding);
    before !== undefined;
    before = lineBefore(text, start, encoding)
  ) {
    const length = before.end - before.start
    if (length < minWidth || length < width || (start !== run.start && length !== width)) break
    start = before.start
    width = length
    if (!tryReachItem(end - start, maxBlock, width)) break
  }
  let last = run.end - run.start
  while (last === width && width >= minWidth && tryReachItem(end - start, maxBlock, width)) {
    lineBreak.lastIndex = end
    if (!lineBreak.test(text)) break
    const from = lineBreak.lastIndex
    const to = endOfRun(text, from, width + 1, encoding)
    last = to - from
    if (last === 0 || last > width || !endsLine(text, from, to)) break
    end = to
  }
  return { start, end }
}

/** Whether a run fills its line to the end, and is not a word that is below by chance. */
function endsLine(text: string, from: number, to: number): boolean {
  return (
    /^={0,2}[ \t]*(?:\r?\n|$)/.test(text.slice(to, to + 40)) &&
    !/^[A-Z]?[a-z]{1,15}$/.test(text.slice(from, to + 1).trimEnd())
  )
}

/** The run that is the line before an offset, if the offset begins a line. */
function lineBefore(text: string, offset: number, encoding: Encoding): Range | undefined {
  const from = Math.max(0, offset - 42)
  const head = lineBegin.exec(text.slice(from, offset))
  if (head === null || from + head.index === 0) return undefined
  const stop = from + head.index
  const end = text[stop - 1] === '\r' ? stop - 1 : stop
  return { start: startOfRun(text, end, maxRun, encoding), end }
}

/** The digits from an offset on, continued over the line ends of an encoder. */
export function digitsFrom(text: string, from: number, to: number, encoding: Encoding): string {
  let digits = ''
  for (let at = from; ; ) {
    const end = endOfRun(text, at, Math.max(0, to - at), encoding)
    digits += text.slice(at, end)
    lineBreak.lastIndex = end
    if (end === at || end >= to || !lineBreak.test(text)) return digits
    at = lineBreak.lastIndex
  }
}

/** Offset at which the digits before `offset` begin, at most `max` of them unless whole runs are read. */
export function startOfRun(text: string, offset: number, max: number, { digits }: Encoding): number {
  let start = offset
  while (
    start > 0 &&
    (offset - start < max || mayContinue(offset - start, max)) &&
    isIn(digits, text.charCodeAt(start - 1))
  )
    start--
  return start
}

function endOfRun(text: string, offset: number, max: number, { digits }: Encoding): number {
  let end = offset
  while (
    end < text.length &&
    (end - offset < max || mayContinue(end - offset, max)) &&
    isIn(digits, text.charCodeAt(end))
  )
    end++
  return end
}

/** Whether a run may be read beyond its bound. Only whole runs may: the few characters around a beginning need no more. */
function mayContinue(length: number, max: number): boolean {
  return max === maxRun && (length % maxRun !== 0 || tryReach(maxRun))
}

/** The end of a run, including the characters that pad the last group. */
export function endAfterFill(text: string, end: number): number {
  return end + (/^={0,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0)
}

const binary = /[\x00-\x08\x0B\x0C\x0E-\x1F]/

/** The text that a run encodes; `undefined` if it is not text. */
export function decodedText(run: string, { decode }: Encoding): string | undefined {
  const decoded = decodedTwice(plainOf(decode(run.replaceAll(/\s+/g, ''))))
  return binary.test(decoded.slice(0, 256)) ? undefined : decoded
}

const wide = /^(?:[^\0]\0){8}/

/** A decoded text, converted if its characters have two bytes. */
function plainOf(decoded: string): string {
  return wide.test(decoded) ? decoded.replaceAll('\0', '') : decoded
}

const wholeRun = /^[A-Za-z0-9+/_-]{24,}={0,2}\s{0,2}$/
const maxDepth = 2

/** A decoded text, decoded again if it is base64 itself. */
function decodedTwice(given: string): string {
  let text = given
  for (let depth = 0; depth < maxDepth && wholeRun.test(text); depth++) {
    const inner = plainOf(fromBase64(text.trim()))
    if (binary.test(inner.slice(0, 256)) || /[^\x00-\x7F]/.test(inner.slice(0, 256))) break
    text = inner
  }
  return text
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1')
}

function fromHex(text: string): string {
  return Buffer.from(text, 'hex').toString('latin1')
}
