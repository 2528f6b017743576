/** Words of a command line, as a shell reads them. */

/** A word: `start` inclusive, `end` exclusive, both without quotes around the whole of it. */
export interface Word {
  start: number
  end: number
  text: string
}

const maxCommand = 1024
const maxWords = 48

/** The words from a place on to the end of the command: an operator, or a line end that nothing escapes. */
export function shellWords(text: string, from: number): Word[] {
  const words: Word[] = []
  const last = Math.min(text.length, from + maxCommand)
  let at = from
  while (at < last && words.length < maxWords) {
    at = behindBlanks(text, at, last)
    if (at >= last || /[\n\r;|&)<]/.test(text.charAt(at))) break
    const end = shellWordEnd(text, at)
    if (end === at) break
    words.push(wordOf(text, at, end))
    at = end
  }
  return words
}

/** What stands between a program in quotes and the list of its words, and between those. */
const listBegin = /["'](?:\s{0,40},)?\s{0,40}(?:["']?args["']?\s{0,4}[:=]\s{0,4})?[[({]?\s{0,40}(?=["'])/y
const listWord = /(?:"([^"\\\n]{0,512})"|'([^'\\\n]{0,512})')(?:\s{0,40},\s{0,40}(?=["']))?/y

/** The words of a list in a program or a file of settings, from the quote behind its program on: `"-u", "ada", …`. */
export function listedWords(text: string, from: number): Word[] {
  listBegin.lastIndex = from
  if (!listBegin.test(text)) return []
  const words: Word[] = []
  let at = listBegin.lastIndex
  while (words.length < maxWords && at - from < maxCommand) {
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

function behindBlanks(text: string, from: number, last: number): number {
  let at = from
  for (;;) {
    if (text[at] === ' ' || text[at] === '\t') at++
    else if (/^[\\^`]\r?\n/.test(text.slice(at, at + 3))) at = text.indexOf('\n', at) + 1
    else return Math.min(at, last)
  }
}

/** A sign that joins commands ends a word only where something of a command stands behind it. */
const operator = /[;|&]{1,2}(?:\s|$|[a-z]{2,12}\s)|[<>)](?:\s|$|[;|&"'`])|>>?\s?[\w./&-]/y

/** Characters that belong to a word and say nothing of those behind them: most of it, passed in one step. */
const plain = /[^\s\\"'`;|&<>)]{0,1024}/y

/** The end of the word that begins at a place, its quotes and escapes followed. */
export function shellWordEnd(text: string, from: number): number {
  const last = Math.min(text.length, from + maxCommand)
  let at = from
  while (at < last) {
    plain.lastIndex = at
    plain.test(text)
    at = plain.lastIndex
    if (at >= last) return last
    const next = behindSign(text, at)
    if (next === at) return at
    at = next
  }
  return last
}

/** The place behind a sign or a quoted piece; the same place where the word ends there. */
function behindSign(text: string, at: number): number {
  const character = text.charAt(at)
  if (/\s/.test(character)) return at
  if (character === '\\') return /[\r\n]/.test(text.charAt(at + 1)) ? at : at + 2
  if (/["'`]/.test(character)) {
    const close = closeOf(text, at, character)
    if (close > 0) return close + 1
    return /[\s,;)\]}]|^$/.test(text.charAt(at + 1)) ? at : at + 1
  }
  return isOperator(text, at) ? at : at + 1
}

function isOperator(text: string, at: number): boolean {
  operator.lastIndex = at
  return operator.test(text)
}

/** The quote that closes a piece of a word, on the same line; 0 where there is none. */
function closeOf(text: string, at: number, quote: string): number {
  const rest = text.slice(at + 1, at + maxCommand)
  const [piece = ''] = (quote === "'" ? /^[^'\n]*/ : /^(?:\\.|[^\\"`\n])*/).exec(rest) ?? []
  return rest[piece.length] === quote ? at + 1 + piece.length : 0
}

function wordOf(text: string, start: number, end: number): Word {
  const given = text.slice(start, end)
  const quote = given.charAt(0)
  const isQuoted = /["'`]/.test(quote) && given.length > 1 && given.indexOf(quote, 1) === given.length - 1
  return isQuoted ? { start: start + 1, end: end - 1, text: given.slice(1, -1) } : { start, end, text: given }
}
