/** A value without quotes: where it ends is told by what stands around its name and behind each sign in it. */
import type { Surroundings, Value } from './value-reader.ts'

const maxLength = 2048

/** Signs that may end a value without quotes, by their codes below 128; a table is ten times as fast as a pattern. */
const special = new Uint8Array(128)
special.fill(1, 0, 33)
for (const sign of '"\'`,;&|<>(){}[]\\#') special[sign.charCodeAt(0)] = 1
/** Quotes, blanks and full stops of other writing. */
const specialBeyond: ReadonlySet<number> = new Set(
  Array.from('\u00A0«»\u2028\u2029‘’“”„…\u3000、。「」，；', (sign) => sign.charCodeAt(0)),
)

function isPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 ? special[code] === 0 : !specialBeyond.has(code)
}

/** What decides about ends within one value without quotes. */
interface Bare extends Surroundings {
  text: string
  start: number
  /** `=` at the begin of a line: everything belongs to the value unless it clearly does not. */
  isEnv: boolean
  isQuery: boolean
}

/** Reads a value without quotes, as the table in `value-reader.ts` tells. */
export function readBare(text: string, start: number, around: Surroundings): Value {
  const { startsLine, isTight, before } = around
  const isEnv = startsLine && isTight && before === ''
  // What begins with a bracket is a list or an object, and a number is no secret.
  if (!isEnv && (/[([{]/.test(text.charAt(start)) || isNumber(text, start))) return { start, end: start, quoted: false }
  const isQuery = before === '?' || before === '&'
  const bare: Bare = { text, start, startsLine, isTight, before, isEnv, isQuery }
  const end = endOf(bare)
  const isWholeLine = isEnv && /^\r?(?:\n|$)/.test(text.slice(end, end + 2))
  return { start, end: isWholeLine ? end : trimmed(bare, end), quoted: false }
}

function isNumber(text: string, start: number): boolean {
  let at = start
  while (at - start < 16 && text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at++
  return at > start && /[,;\s})\]]/.test(text.charAt(at))
}

function endOf(bare: Bare): number {
  const { text, start } = bare
  const last = Math.min(text.length, start + maxLength)
  let at = start
  while (at < last) {
    while (at < last && isPlain(text, at)) at++
    if (at >= last) break
    const next = behind(bare, at, text.charAt(at))
    if (next <= at) break
    at = next
  }
  return Math.min(at, last)
}

/** Where a value goes on behind a special character; the place itself where it ends there. */
function behind(bare: Bare, at: number, character: string): number {
  if (character === bare.before) return at
  switch (character) {
    case ' ':
    case '\t':
      return behindBlank(bare, at)
    case '"':
    case "'":
    case '`':
      return behindQuote(bare, at, character)
    case '\\':
      return behindEscape(bare, at)
    default:
      return endsAt(bare, at, character) ? at : at + 1
  }
}

/** Whether a value ends at a sign that may be a part of it. */
function endsAt(bare: Bare, at: number, character: string): boolean {
  const { text, isEnv, isQuery } = bare
  if (isQuery && /[#&]/.test(character)) return true
  if (/[#([{]/.test(character)) return false
  if (/[,;&|]/.test(character)) return endsPair(text, at, isEnv)
  if (character === '<') return matches(isEnv ? closingTag : tag, text, at)
  return !/[>)}\]]/.test(character) || (!isEnv && closesOuter(bare, at, character))
}

const tag = /<(?:\/[A-Za-z]|!--|[A-Za-z][\w-]{0,20}(?:\s[^<>\n]{0,80})?\/?>)/y
const closingTag = /<(?:\/[a-z][\w-]{0,20}|br ?\/?)>/y
const command = '[a-z][a-z0-9_.-]{0,20}'
const plainEnd = /[,;&|](?:&|\|)?(?=\s|$|["'`](?:\s|$|[,;)}\]]))/y
const pairBehind = /[,;&|]\s?(?:amp;)?["']?[\w.%[\]$ -]{1,40}["']?(?:=(?!=)|:\s|":|':)/y
const commandBehind = new RegExp(`(?:;|&&|\\|\\|?) {0,2}(?:${command}|\\.{0,2}/[\\w./-]{1,80}) [^=\\n]`, 'y')
const shellBehind = /(?:;|&&|\|\|) {0,2}(?:echo|exit|true|then|do|done|fi|export|unset|cd|ls|pwd|env)\b/y

/** In a line of its own a value may hold what looks like a short pair. */
const longPairBehind = /[,;&]\s?(?:amp;)?[A-Za-z_][A-Za-z_ -]{2,30}=(?!=)/y

/** Whether a sign ends the value: a blank, another pair, or a command stands behind it. */
function endsPair(text: string, at: number, isEnv: boolean): boolean {
  if (
    matches(isEnv ? longPairBehind : pairBehind, text, at) ||
    matches(commandBehind, text, at) ||
    matches(shellBehind, text, at)
  )
    return true
  if (!matches(plainEnd, text, at)) return false
  return !isEnv || /[ \t]/.test(text.charAt(at + 1)) || text.startsWith('&&', at) || text.startsWith('||', at)
}

const opener: Readonly<Record<string, string>> = { '>': '<', ')': '(', '}': '{', ']': '[' }

/** Whether a bracket closes one that opened before the value: nothing of a value follows, and it opened none. */
function closesOuter({ text, start }: Bare, at: number, character: string): boolean {
  if (!/^[>)}\]]{0,4}(?:[\s.,;:<"'`|]|$|\\[nrt"'])/.test(text.slice(at + 1, at + 8))) return false
  const open = opener[character] ?? ''
  return !text.slice(Math.max(start, at - 256), at).includes(open)
}

const comment = /\s+(?:#|\/\/|--|;|&&?|\|\|?|>|<|\d>|\\|=|:|\{|\(|\[|-{1,2}[A-Za-z]|$)/y

/** A value goes on behind a blank at the begin of a line, or in an outer string, while its words are like none. */
function behindBlank({ text, startsLine, isTight, before }: Bare, at: number): number {
  if (isTight && /["'`]/.test(before)) return at + 1
  if (!startsLine || matches(comment, text, at)) return at
  const [blank = '', word = ''] = /^([ \t]{1,3})([^\s]{1,256})/.exec(text.slice(at, at + 260)) ?? []
  return word !== '' && isNoWord(word) ? at + blank.length : at
}

/** A word that stands in no sentence and begins no command: more than one kind of character, and not as words have it. */
function isNoWord(word: string): boolean {
  if (/^[\w.-]+[=:]|^(?:https?|\.{0,2}\/|~\/|["'`(<[{]|[a-z]+:)|[:,.;)\]}]$/.test(word)) return false
  return /[A-Za-z]/.test(word) && /[\d!-,:-@^{-~]/.test(word) && !/^[A-Za-z]+[-'.]?[A-Za-z]*\d*[!?]*$/.test(word)
}

/** A quote within a value: with something of the value behind it, it is a sign like any other, or begins a piece. */
function behindQuote({ text, isEnv, isTight }: Bare, at: number, quote: string): number {
  if (/[\s,;)}\]>.<]|^$/.test(text.charAt(at + 1))) return isEnv ? at + 1 : at
  const [piece = ''] = isTight ? (/^[^"'`\n]{0,256}/.exec(text.slice(at + 1, at + 258)) ?? []) : []
  // A quoted piece of a word of a shell may have blanks.
  const isPiece = /\s/.test(piece) && text[at + 1 + piece.length] === quote
  return isPiece ? at + piece.length + 2 : at + 1
}

function behindEscape({ text, isEnv, isTight, startsLine, before }: Bare, at: number): number {
  const next = text.charAt(at + 1)
  if (next === '' || next === '\n' || next === '\r') return at
  if (next === ' ') return isTight ? at + 2 : at
  if (isEnv || (startsLine && !/["'nrt]/.test(next))) return at + 2
  // In an outer string this is its end, or the end of a line in it.
  if (/["'`]/.test(next)) return before === '\\' || /[\s,;)}\]>:.]|^$|\\/.test(text.charAt(at + 2)) ? at : at + 2
  return /[nrt]/.test(next) || next === '\\' ? at : at + 2
}

/** The end without the signs that close a sentence, a list or an outer bracket. */
function trimmed({ text, start, isEnv }: Bare, end: number): number {
  let at = end
  while (at > start + 1 && (isEnv ? /[;,]/ : /[,;.:]/).test(text.charAt(at - 1))) at--
  return at
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}
