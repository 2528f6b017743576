/**
 * Where the value behind a telling name ends. One reader for all notations, since a text rarely says which it is in: what
 * stands around the name, and what would follow the value, decide.
 *
 * | notation | example | the value reaches |
 * |---|---|---|
 * | env-like line | `NAME=a;b&c(d` | to the end of the line; a comment, a command or an operator with one behind it stays |
 * | shell word | `NAME='a b'"c"\ d cmd` | to the end of the word, quotes and escapes followed; quoted pieces are one |
 * | string | `"a\"b"`, `'a''b'`, `\"a\\\"b\"` | to the quote of the same depth of escapes; a quote before a letter is none |
 * | text in an outer string | `"NAME=a b"` | to the quote that opened before the name |
 * | query, form | `?name=a&x=b` | to `&` or `#` |
 * | list of pairs | `user=u;password=a;x=b`, `(password=a, x=b)` | to the sign with another pair, a blank or the end behind it |
 * | YAML, INI | `name: a b # why` | to the end of the line, while its words are no words |
 * | markup | `<li>name: a</li>` | to the tag |
 *
 * All lookahead is bounded, so that no text makes it slow.
 */
import { readBare } from './bare-value.ts'
import { shellWordEnd } from './shell-words.ts'

/** A value in a text: `start` inclusive, `end` exclusive, without quotes. */
export interface Value {
  start: number
  end: number
  quoted: boolean
}

/** What is known of the place where a value begins. */
export interface Surroundings {
  /** The name begins its line, but for an indent, a mark of a diff or a list, a number, `export` and its like. */
  startsLine: boolean
  /** `=` without blanks binds the value, as shells want it. */
  isTight: boolean
  /** What stands right before the name: a quote of an outer string, `?` or `&` of a query. */
  before: string
}

const maxLength = 2048
const opening = /(?:[rbfuRBFUL@$]{1,2}(?=["']))?(\\{0,15})("""|'''|["'`“‘«„])/y
const closing: Readonly<Record<string, string>> = { '“': '”', '‘': '’', '«': '»', '„': '“' }

/** The value at a place; `undefined` where none begins. */
export function readValue(text: string, at: number, around: Surroundings): Value | undefined {
  opening.lastIndex = at
  const [whole, escapes = '', quote = ''] = opening.exec(text) ?? []
  const value = whole === undefined ? undefined : readQuoted(text, at + whole.length, quote, escapes.length)
  const read = value === undefined ? readBare(text, at, around) : continuedWord(text, at, value, around)
  return read.end > read.start ? read : undefined
}

/** A string up to its closing quote, or to the end of the line where there is none. */
function readQuoted(text: string, start: number, quote: string, depth: number): Value {
  const close = closing[quote] ?? quote
  const stop = lineStop(text, start, quote)
  /** The first quote that may close the string, for the case that no better one comes. */
  let candidate = -1
  for (let at = text.indexOf(close, start); at >= 0 && at < stop; at = text.indexOf(close, at + 1)) {
    if (!isUnescaped(escapesBefore(text, at, start), depth)) continue
    const behind = at + close.length
    if (isDoubled(text, at, start, close)) at++
    else if (!isInside(text, behind)) return quoted(start, at - depth)
    else if (candidate < 0 && close !== '`') candidate = at - depth
  }
  return quoted(start, candidate < 0 ? stop : candidate)
}

/** Where a string without a closing quote ends: at the end of the line, but for those that may have several. */
function lineStop(text: string, start: number, quote: string): number {
  const most = Math.min(text.length, start + maxLength)
  const line = quote.length > 1 || quote === '`' ? -1 : text.slice(start, most).indexOf('\n')
  return line < 0 ? most : start + line
}

function escapesBefore(text: string, at: number, start: number): number {
  let count = 0
  while (at - count > start && text[at - count - 1] === '\\') count++
  return count
}

/** `''` in SQL and YAML, `""` in CSV and C#: a quote in the string, if the string goes on. */
function isDoubled(text: string, at: number, start: number, close: string): boolean {
  return (close === "'" || close === '"') && at > start && text[at + 1] === close && isInside(text, at + 2)
}

function quoted(start: number, end: number): Value {
  return { start, end, quoted: true }
}

/** Whether a quote behind so many backslashes is one of the depth of escapes at which the string began. */
function isUnescaped(escapes: number, depth: number): boolean {
  const literal = (escapes - depth) / (depth + 1)
  return escapes >= depth && Number.isInteger(literal) ? literal % 2 === 0 : escapes < depth
}

/** No quote that closes a string has a letter or a digit behind it. */
function isInside(text: string, at: number): boolean {
  return /[\p{L}\p{N}_$%^#@~]/u.test(text.charAt(at))
}

/** A string that goes on as a word of a shell: `'it'\''s'`, `"a b"c`. Its quotes then belong to it. */
function continuedWord(text: string, at: number, value: Value, around: Surroundings): Value {
  const behind = value.end + 1
  const next = text.charAt(behind)
  const goesOn = /["']/.test(next) || (next === '\\' && /["' ]/.test(text.charAt(behind + 1))) || isInside(text, behind)
  if (!goesOn || !around.isTight || around.before !== '' || text[value.start - 1] === text[value.start - 2])
    return value
  const end = shellWordEnd(text, at)
  return end > behind ? { start: at, end, quoted: true } : value
}
