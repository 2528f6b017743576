/** Reads the words of a command line as a shell does. */

import { tryReach } from '../search.ts'

/** A word: `start` inclusive, `end` exclusive, both without quotes around the whole word. */
export interface Word {
  start: number
  end: number
  text: string
}

const maxCommand = 1024
const maxWords = 48
/** What a short word costs in addition to its letters. */
const usualWord = 16
/** The longest word of a list. */
const maxWord = 512

/** The words from an offset to the end of the command, which is an operator or an unescaped line end. */
export function shellWords(text: string, from: number): Word[] {
  const words: Word[] = []
  for (let at = from; at < text.length; ) {
    at = afterBlanks(text, at)
    if (at >= text.length || /[\n\r;|&)<]/.test(text.charAt(at))) break
    const end = shellWordEnd(text, at)
    const isUsual = end - from <= maxCommand && words.length < maxWords
    if (end === at || !(isUsual || tryReach(end - at + usualWord))) break
    words.push(wordOf(text, at, end))
    at = end
  }
  return words
}

/** What is between a quoted program and the list of its words; below, one word with what separates it from the next. */
const listBegin = /["'](?:\s{0,40},)?\s{0,40}(?:["']?args["']?\s{0,4}[:=]\s{0,4})?[[({]?\s{0,40}(?=["'])/y
const listWord = /(?:"([^"\\\n]{0,512})"|'([^'\\\n]{0,512})')(?:\s{0,40},\s{0,40}(?=["']))?/y

/** The words of a list in a program or a settings file, from the quote after its program on: `"-u", "ada", …`. */
export function listedWords(text: string, from: number): Word[] {
  listBegin.lastIndex = from
  if (!listBegin.test(text)) return []
  const words: Word[] = []
  let at = listBegin.lastIndex
  while ((words.length < maxWords && at - from < maxCommand) || tryReach(maxWord)) {
    listWord.lastIndex = at
    const match = listWord.exec(text)
    if (match === null) break
    const word = match[1] ?? match[2] ?? ''
    words.push({ start: at + 1, end: at + 1 + word.length, text: word })
    if (match[0].length === word.length + 2) break
    at = listWord.lastIndex
  }
  return words
}

function afterBlanks(text: string, from: number): number {
  let at = from
  while (at - from < maxCommand) {
    if (text[at] === ' ' || text[at] === '\t') at++
    else if (/^[\\^`]\r?\n/.test(text.slice(at, at + 3))) at = text.indexOf('\n', at) + 1
    else break
  }
  return at
}

/** An operator that joins commands ends a word only if part of a command follows it. */
const operator = /[;|&]{1,2}(?:\s|$|[a-z]{2,12}\s)|[<>)](?:\s|$|[;|&"'`])|>>?\s?[\w./&-]/y

/** Characters that belong to a word whatever follows them: most of a word, passed in one step. */
const plain = /[^\s\\"'`;|&<>)]{0,1024}/y

/** The end of the word that begins at an offset, with its quotes and escapes resolved. */
export function shellWordEnd(text: string, from: number): number {
  let at = from
  for (let bound = from + maxCommand; ; bound += maxCommand) {
    const last = Math.min(text.length, bound)
    while (at < last) {
      plain.lastIndex = at
      plain.test(text)
      at = plain.lastIndex
      const next = at < text.length ? afterSign(text, at) : at
      if (next === at) return at
      at = next
    }
    if (at >= text.length || !tryReach(maxCommand)) return Math.min(at, text.length)
  }
}

/** The offset after a special character or a quoted piece; the same offset if the word ends there. */
function afterSign(text: string, at: number): number {
  const character = text.charAt(at)
  if (/\s/.test(character)) return at
  if (character === '\\') return /[\r\n]/.test(text.charAt(at + 1)) ? (afterContinuation(text, at) ?? at) : at + 2
  if (/["'`]/.test(character)) {
    const close = closeOf(text, at, character)
    if (close > 0) return close + 1
    return /[\s,;)\]}]|^$/.test(text.charAt(at + 1)) ? at : at + 1
  }
  return isOperator(text, at) ? at : at + 1
}

const continuation = /\\\r?\n(?=[A-Za-z\d_+/!@%^.~])(?![\w.-]{1,60}[=:])/y

/**
 * The beginning of the next line if a backslash right after a word continues that word there, and neither an option nor an
 * assignment begins.
 */
export function afterContinuation(text: string, at: number): number | undefined {
  continuation.lastIndex = at
  return continuation.test(text) ? continuation.lastIndex : undefined
}

function isOperator(text: string, at: number): boolean {
  operator.lastIndex = at
  return operator.test(text)
}

/** How far to look for the quote that closes data or a query. */
const maxPiece = 16_384

/** The offset of the quote that closes a piece of a word; 0 if there is none. */
function closeOf(text: string, at: number, quote: string): number {
  const usual = endOfPiece(text, at, { quote, length: maxCommand })
  if (text[usual] === quote) return usual
  const isCut = usual === at + maxCommand
  // Data of several lines must be a word of its own, because in a sentence a quote may be an apostrophe.
  const mayHaveLines = text[usual] === '\n' && /[\s=$]/.test(text.charAt(at - 1))
  if (!(isCut || mayHaveLines) || !tryReach(Math.min(maxPiece, text.length - at))) return 0
  const end = endOfPiece(text, at, { quote, length: maxPiece, hasLines: mayHaveLines })
  return text[end] === quote && (isCut || /^(?:[\s;|&)]|$)/.test(text.charAt(end + 1))) ? end : 0
}

interface Piece {
  quote: string
  length: number
  hasLines?: boolean
}

const pieces = {
  single: { line: /^[^'\n]*/, lines: /^[^']*/ },
  double: { line: /^(?:\\.|[^\\"`\n])*/, lines: /^(?:\\[\s\S]|[^\\"`])*/ },
}

/** Where a quoted piece ends: at a quote, at the end of its line, or at its bound. */
function endOfPiece(text: string, at: number, { quote, length, hasLines }: Piece): number {
  const pattern = pieces[quote === "'" ? 'single' : 'double'][hasLines ? 'lines' : 'line']
  return at + 1 + (pattern.exec(text.slice(at + 1, at + length))?.[0].length ?? 0)
}

function wordOf(text: string, start: number, end: number): Word {
  const given = text.slice(start, end)
  const quote = given.charAt(0)
  const isQuoted = /["'`]/.test(quote) && given.length > 1 && given.indexOf(quote, 1) === given.length - 1
  return isQuoted ? { start: start + 1, end: end - 1, text: given.slice(1, -1) } : { start, end, text: given }
}
