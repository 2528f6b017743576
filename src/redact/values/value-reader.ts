/**
 * Where the value after a telling name ends. One reader for all notations, because a text rarely says which one it uses: what
 * surrounds the name, and what would follow the value, decide.
 *
 * | notation | example | the value reaches |
 * |---|---|---|
 * | env-like line | `NAME=a;b&c(d` | to the end of the line, without a comment, a command, or an operator followed by one |
 * | shell word | `NAME='a b'"c"\ d cmd` | to the end of the word, with quotes and escapes resolved; quoted pieces are joined |
 * | string | `"a\"b"`, `'a''b'`, `\"a\\\"b\"` | to the quote at the same escape depth; one before a letter does not close it |
 * | text in an outer string | `"NAME=a b"` | to the quote that opened before the name; in a command, `bash -c 'NAME=a b'`, only to the space |
 * | query, form | `?name=a&x=b` | to `&` or `#` |
 * | list of pairs | `user=u;password=a;x=b`, `(password=a, x=b)` | to the separator before another pair, a space or the end |
 * | YAML, INI | `name: a b # why` | to the end of the line, as long as its words are not ordinary words |
 * | markup | `<li>name: a</li>` | to the tag |
 *
 * All lookahead is bounded, so that no text makes it slow.
 */

import { tryReach } from '../search.ts'
import { spokenLetters } from './code-shapes.ts'
import { isGibberish } from './letters.ts'
import { isStrong } from './randomness.ts'
import { afterContinuation, shellWordEnd } from './shell-words.ts'

// A value without quotes: what surrounds its name and what follows each special character in it show where it ends.

/** Characters that may end a value without quotes, by their codes below 128; a table is ten times as fast as a pattern. */
const special = new Uint8Array(128)
special.fill(1, 0, 33)
for (const sign of '"\'`,;&|<>(){}[]\\#') special[sign.charCodeAt(0)] = 1
/** Quotes, spaces and punctuation of other scripts. */
const specialBeyond: ReadonlySet<number> = new Set(
  Array.from('\u00A0«»\u2028\u2029‘’“”„…\u3000、。「」『』（）【】，；', (sign) => sign.charCodeAt(0)),
)

function isPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 ? special[code] === 0 : !specialBeyond.has(code)
}

/** What decides where a value without quotes ends. */
interface Bare extends Surroundings {
  text: string
  start: number
  /** `=` at the beginning of a line: everything belongs to the value unless it clearly does not. */
  isEnv: boolean
  isQuery: boolean
}

/** Reads a value without quotes, as in the table at the top. */
function readBare(text: string, start: number, around: Surroundings): Value {
  const { startsLine, isTight, before, isCommand } = around
  const isEnv = startsLine && isTight && before === ''
  // What begins with a bracket is a list or an object, and a number is not a secret.
  if (!isEnv && (/[([{]/.test(text.charAt(start)) || isNumber(text, start))) return { start, end: start, quoted: false }
  const isQuery = before === '?' || before === '&'
  const four = matches(fourFours, text, start) ? text.slice(start, fourFours.lastIndex) : ''
  if (isGibberish(four.replaceAll(' ', ''))) return { start, end: start + four.length, quoted: false }
  const bare: Bare = { text, start, startsLine, isTight, before, isCommand, isEnv, isQuery }
  const end = endOf(bare)
  const isWholeLine = isEnv && /^\r?(?:\n|$)/.test(text.slice(end, end + 2))
  return { start, end: isWholeLine ? end : trimmed(bare, end), quoted: false }
}

function isNumber(text: string, start: number): boolean {
  let at = start
  while (at - start < 16 && text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at++
  return at > start && at - start < minNumber && /[,;\s})\]]/.test(text.charAt(at))
}

/** Longer numbers may be passwords. */
const minNumber = 6

function endOf(bare: Bare): number {
  const { text, start } = bare
  const last = Math.min(text.length, start + maxLength)
  let at = start
  while (at < last) {
    while (at < last && isPlain(text, at)) at++
    if (at >= last) break
    const next = afterCharacter(bare, at, text.charAt(at))
    if (next <= at) break
    at = next
  }
  return Math.min(at, last)
}

/** The offset after a special character if the value continues there; the same offset if it ends. */
function afterCharacter(bare: Bare, at: number, character: string): number {
  if (character === bare.before) return at
  switch (character) {
    case ' ':
    case '\t':
      return afterBlank(bare, at)
    case '"':
    case "'":
    case '`':
      return afterQuote(bare, at, character)
    case '\\':
      return /[\r\n]/.test(bare.text.charAt(at + 1)) ? afterLineEnd(bare, at) : afterEscape(bare, at)
    default:
      return endsAt(bare, at, character) ? at : at + 1
  }
}

/** Whether a value ends at a character that may be part of it. */
function endsAt(bare: Bare, at: number, character: string): boolean {
  const { isEnv, isQuery, text } = bare
  if (isQuery && /[#&]/.test(character)) return true
  if (/[#([{]/.test(character)) return false
  if (/[,;&|]/.test(character)) return endsPair(bare, at)
  if (character === '<') return matches(isEnv ? closingTag : tag, text, at)
  return !/[>)}\]]/.test(character) || (!isEnv && closesOuter(bare, at, character))
}

const tag = /<(?:\/[A-Za-z]|!--|[A-Za-z][\w-]{0,20}(?:\s[^<>\n]{0,80})?\/?>)/y
const closingTag = /<(?:\/[a-z][\w-]{0,20}|br ?\/?)>/y
const command = '[a-z][a-z0-9_.-]{0,20}'
const plainEnd = /[,;&|](?:&|\|)?(?=\s|$|["'`](?:\s|$|[,;)}\]]))/y
/** The same in a line of its own, where a value may contain punctuation and quotes, and may end with punctuation. */
const blankAfter = /[,;&|][ \t]|(?:&&|\|\|)\s/y
const pairAfter = /[,;&|]\s?(?:amp;)?["']?[\w.%[\]$ -]{1,40}["']?(?:=(?!=)|:\s|":|':)/y
const commandAfter = new RegExp(`(?:;|&&|\\|\\|?) {0,2}(?:${command}|\\.{0,2}/[\\w./-]{1,80}) [^=\\n]`, 'y')
const shellAfter = /(?:;|&&|\|\|) {0,2}(?:echo|exit|true|then|do|done|fi|export|unset|cd|ls|pwd|env)\b(?!=)/y

/** In a line of its own, a value may contain what looks like a short pair. */
const longPairAfter = /[,;&]\s?(?:amp;)?([A-Za-z_][A-Za-z_ -]{2,30})=(?!=)/y
const knownNames = /^(?:uid|pwd|ssl|app|dsn|url|key|env|tls)$/i
/** Abbreviations in names of constants: `PGHOST`, `DBNAME`, `SSLMODE`. */
const constantParts = /^(?:pg|db|my|sql|ssl|tls|aws|gcp|s3|api|app|env|log|git|ssh|ftp|smtp|jwt|sn|rds|node|http)+_?/

/**
 * Whether another pair begins after a separator: one whose name is pronounceable and whose value is not random, outside of any
 * open bracket or quote.
 */
function isPairAfter({ text, start }: Bare, at: number): boolean {
  longPairAfter.lastIndex = at
  const name = longPairAfter.exec(text)?.[1]
  if (name === undefined || !(knownNames.test(name) || isSpokenName(name))) return false
  const [value = ''] = /^[^\s,;&]{0,256}/.exec(text.slice(longPairAfter.lastIndex, longPairAfter.lastIndex + 256)) ?? []
  return !isStrong(value) && isClosed(text.slice(start, at))
}

function isSpokenName(name: string): boolean {
  if (name.length < 4) return false
  const words = /^[A-Z_]+$/.test(name) ? name.toLowerCase() : name
  return [words, words.replace(constantParts, '')].some((part) => spokenLetters(part) * 2 >= part.length)
}

/** Whether a text closes all brackets and quotes that it opens. What is cut inside them is not a value. */
function isClosed(text: string): boolean {
  const open: string[] = []
  let quote = ''
  for (const character of text) {
    if (quote !== '') quote = character === quote ? '' : quote
    else if (/["'`]/.test(character)) quote = character
    else if (/[([{]/.test(character)) open.push(character)
    else if (/[)\]}]/.test(character) && open.pop() !== opener[character]) return false
  }
  return quote === '' && open.length === 0
}

/** Whether a separator ends the value because a space, another pair, or a command follows. */
function endsPair(bare: Bare, at: number): boolean {
  const { text, isEnv } = bare
  if (
    (isEnv ? isPairAfter(bare, at) : matches(pairAfter, text, at)) ||
    matches(commandAfter, text, at) ||
    matches(shellAfter, text, at)
  )
    return true
  return matches(isEnv ? blankAfter : plainEnd, text, at)
}

const opener: Readonly<Record<string, string>> = { '>': '<', ')': '(', '}': '{', ']': '[' }

/** Whether a bracket closes one that opened before the value: nothing of a value follows, and the value opened none. */
function closesOuter({ text, start }: Bare, at: number, character: string): boolean {
  if (!/^[>)}\]]{0,4}(?:[\s.,;:<"'`|]|$|\\[nrt"'])/.test(text.slice(at + 1, at + 8))) return false
  const open = opener[character] ?? ''
  return !text.slice(Math.max(start, at - 256), at).includes(open)
}

const comment = /\s+(?:#|\/\/|--|;|&&?|\|\|?|>|<|\d>|\\|=|:|\{|\(|\[|-{1,2}[A-Za-z]|$)/y

/** Four groups of four letters separated by spaces, as Google displays passwords for programs. */
const fourFours = /[a-z]{4}(?: [a-z]{4}){3}(?![\w ])|[a-z]{4}(?: [a-z]{4}){3}(?= *(?:[#;,|&"'`]|\/\/|\r?\n|$))/y

/**
 * At the beginning of a line, or in an outer string, a value continues after a space as long as its words are not ordinary words.
 */
function afterBlank({ text, startsLine, isTight, before, isCommand }: Bare, at: number): number {
  if (isTight && /["'`]/.test(before) && !isCommand) return at + 1
  if (!startsLine || matches(comment, text, at)) return at
  const [blank = '', word = ''] = /^([ \t]{1,3})([^\s]{1,256})/.exec(text.slice(at, at + 260)) ?? []
  return word !== '' && isNoWord(word) ? at + blank.length : at
}

/** Whether a word occurs in no sentence and begins no command: it mixes kinds of characters, and not as words do. */
export function isNoWord(word: string): boolean {
  if (/^[\w.-]+[=:]|^(?:https?|\.{0,2}\/|~\/|["'`(<[{]|[a-z]+:)|[:,.;)\]}]$/.test(word)) return false
  return /[A-Za-z]/.test(word) && /[\d!-,:-@^{-~]/.test(word) && !/^[A-Za-z]+(?:[-'.][A-Za-z]*)?\d*[!?]*$/.test(word)
}

/** A quote inside a value. If more of the value follows, it is an ordinary character or begins a quoted piece. */
function afterQuote({ text, start, isEnv, isTight }: Bare, at: number, quote: string): number {
  if (/[\s,;)}\]>.<]|^$/.test(text.charAt(at + 1))) return isEnv && !isOpenBefore(text, start, quote) ? at + 1 : at
  const [piece = ''] = isTight ? (/^[^"'`\n]{0,256}/.exec(text.slice(at + 1, at + 258)) ?? []) : []
  // A quoted piece of a shell word may contain spaces.
  const isPiece = /\s/.test(piece) && text[at + 1 + piece.length] === quote
  return isPiece ? at + piece.length + 2 : at + 1
}

/** How far back a string of several lines may begin that ends after a value. */
const maxOpenLines = 1024

/** Whether a string of several lines contains the value: its quote occurs an odd number of times before. */
function isOpenBefore(text: string, start: number, quote: string): boolean {
  return text.slice(Math.max(0, start - maxOpenLines), start).split(quote).length % 2 === 0
}

/** A backslash at the end of a line continues a value only if it is one word of a shell. */
function afterLineEnd({ text, isTight }: Bare, at: number): number {
  return (isTight ? afterContinuation(text, at) : undefined) ?? at
}

function afterEscape({ text, isEnv, isTight, startsLine, before }: Bare, at: number): number {
  const next = text.charAt(at + 1)
  if (next === '') return at
  if (next === ' ') return isTight ? at + 2 : at
  if (isEnv || (startsLine && !/["'nrt]/.test(next))) return at + 2
  // In an outer string this is the end of that string, or the end of a line in it.
  if (/["'`]/.test(next)) return before === '\\' || /[\s,;)}\]>:.]|^$|\\/.test(text.charAt(at + 2)) ? at : at + 2
  return /[nrt]/.test(next) || next === '\\' ? at : at + 2
}

/** The end without the punctuation that closes a sentence, a list or an outer bracket. */
function trimmed({ text, start, isEnv }: Bare, end: number): number {
  let at = end
  while (at > start + 1 && (isEnv ? /[;,]/ : /[,;.:]/).test(text.charAt(at - 1))) at--
  return at
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

/** A value in a text: `start` inclusive, `end` exclusive, without quotes. */
export interface Value {
  start: number
  end: number
  quoted: boolean
}

/** What is known about where a value begins. */
export interface Surroundings {
  /** The name begins its line, apart from an indent, a mark of a diff or a list, a number, `export` and the like. */
  startsLine: boolean
  /** `=` without spaces binds the value, as shells require. */
  isTight: boolean
  /** What comes right before the name: a quote of an outer string, `?` or `&` of a query. */
  before: string
  /** The outer string is a command, in which a space ends the value: `bash -c 'NAME=value run'`. */
  isCommand: boolean
}

const maxLength = 2048
const opening = /(?:[rbfuRBFUL@$]{1,2}(?=["']))?(\\{0,15})("""|'''|["'`“‘«„])/y
const closing: Readonly<Record<string, string>> = { '“': '”', '‘': '’', '«': '»', '„': '“' }

/** The value at an offset; `undefined` if none begins there. */
export function readValue(text: string, at: number, around: Surroundings): Value | undefined {
  opening.lastIndex = at
  const [whole, escapes = '', quote = ''] = opening.exec(text) ?? []
  const value = whole === undefined ? undefined : readQuoted(text, at + whole.length, quote, escapes.length)
  const read = value === undefined ? readBare(text, at, around) : continuedWord(text, at, value, around, escapes.length)
  return read.end > read.start ? read : undefined
}

/** Reads a string up to its closing quote, or to the end of the line if there is none. */
function readQuoted(text: string, start: number, quote: string, depth: number): Value {
  const close = closing[quote] ?? quote
  const isLong = quote.length > 1
  const hasLines = isLong || quote === '`'
  const reach = { text, close, stop: stopOf(text, start, hasLines), hasLines }
  /** The first quote that may close the string, in case no better one follows. */
  let candidate = -1
  for (let at = closeAfter(reach, start, true); at >= 0; at = closeAfter(reach, at + 1, candidate < 0)) {
    if (!isUnescaped(escapesBefore(text, at, start), depth)) continue
    const after = at + close.length
    if (isDoubled(text, at, start, close)) at++
    else if (!isInside(text, after)) return quoted(start, at - depth)
    else if (candidate < 0 && close !== '`') candidate = at - depth
  }
  // A backtick that nothing closes may be part of a password; three quotes are not.
  return quoted(start, candidate < 0 ? stopOf(text, start, isLong) : candidate)
}

/** What closes a string, and how far to look for it. */
interface StringReach {
  text: string
  close: string
  stop: number
  hasLines: boolean
}

/** The next quote that may close a string; -1 if none is in reach. The search for the first one may extend the reach. */
function closeAfter(reach: StringReach, from: number, isFirst: boolean): number {
  const { text, close, stop, hasLines } = reach
  const near = text.slice(from, stop + close.length - 1).indexOf(close)
  if (near >= 0) return from + near
  if (!isFirst || (!hasLines && text[stop] === '\n')) return -1
  for (let at = Math.max(from, stop), length = maxLength; at < text.length; at += length) {
    if (!tryReach(Math.min(length, text.length - at))) return -1
    const piece = text.slice(at, at + length + close.length - 1)
    const found = piece.indexOf(close)
    const line = hasLines ? -1 : piece.indexOf('\n')
    if (line >= 0 && (found < 0 || line < found)) return -1
    if (found >= 0) {
      reach.stop = at + found + 1
      return at + found
    }
  }
  return -1
}

/** The furthest end of a string that nothing closes: the end of the line, unless it may have several lines. */
function stopOf(text: string, start: number, hasLines: boolean): number {
  const maxEnd = Math.min(text.length, start + maxLength)
  const line = hasLines ? -1 : text.slice(start, maxEnd).indexOf('\n')
  return line < 0 ? maxEnd : start + line
}

function escapesBefore(text: string, at: number, start: number): number {
  let count = 0
  while (at - count > start && text[at - count - 1] === '\\') count++
  return count
}

/** Whether a quote is doubled, and the string continues: `''` in SQL and YAML, `""` in CSV and C#. */
function isDoubled(text: string, at: number, start: number, close: string): boolean {
  return (close === "'" || close === '"') && at > start && text[at + 1] === close && isInside(text, at + 2)
}

function quoted(start: number, end: number): Value {
  return { start, end, quoted: true }
}

/** Whether a quote after this many backslashes is at the depth of escapes at which the string began. */
function isUnescaped(escapes: number, depth: number): boolean {
  const literal = (escapes - depth) / (depth + 1)
  return escapes >= depth && Number.isInteger(literal) ? literal % 2 === 0 : escapes < depth
}

/** Whether the string continues at an offset, because no letter or digit follows a quote that closes a string. */
function isInside(text: string, at: number): boolean {
  return /[\p{L}\p{N}_$%^#@~]/u.test(text.charAt(at))
}

/** A string that continues as a shell word: `'it'\''s'`, `"a b"c`. Its quotes then belong to it. */
function continuedWord(text: string, at: number, value: Value, around: Surroundings, depth: number): Value {
  const after = value.end + depth + 1
  const next = text.charAt(after)
  const isPiece = /["']/.test(next) && !closesOpen(text, at, after)
  const goesOn = isPiece || (next === '\\' && /["' ]/.test(text.charAt(after + 1))) || isInside(text, after)
  if (!goesOn || !around.isTight || around.before !== '' || text[value.start - 1] === text[value.start - 2])
    return value
  const end = shellWordEnd(text, at)
  return end > after ? { start: at, end, quoted: true } : value
}

const maxOpen = 256

/** Whether a quote closes one that opened before the word, as in `bash -c 'export NAME="…"'` and in lines of a list. */
function closesOpen(text: string, at: number, quote: number): boolean {
  const rest = text.slice(quote + 1, quote + 6)
  if (/^,\s{0,3}["'`]/.test(rest)) return true
  if (!/^(?:[\s,;)}\]]|$)/.test(rest)) return false
  const head = text.slice(Math.max(0, at - maxOpen), at)
  return head.slice(head.lastIndexOf('\n') + 1).split(text.charAt(quote)).length % 2 === 0
}
