/** A text as rules read it, and where each of its characters stands in the text itself. */

import { escapeSequence } from '../util/printable.ts'

/** A text, or what stands in one as another reading of it. */
export interface View {
  text: string
  /** Absent where the view is the text. */
  origin: Origin | undefined
}

/** From what a view was made. */
export interface Origin {
  below: View
  /**
   * Three numbers a piece, in the order of the view: where it begins there, where what it stands for begins below, and
   * the length of that if every character of the piece stands for all of it; 0 for a copy. Few texts hold a finding, so
   * places are looked up then and not kept for each character.
   */
  pieces: readonly number[]
}

/** A text as it is. */
export function viewOf(text: string): View {
  return { text, origin: undefined }
}

/** Escape sequences in a row. One that steps to the right and back belongs to them. */
const ansi = new RegExp(String.raw`(?:\x1B\[1?C\x08|${escapeSequence})+`, 'g')
/** What a backslash may begin beside single characters: a colour, a character by its number. */
const numbered =
  /(?:u\{?001[Bb]\}?|x1[Bb]|033|e)\[[0-9;]{0,24}m|(?:u(?:\{0{0,4}|00)|x\{?|U0{6}|0{4}(?=[\dA-Fa-f]{2}(?![\dA-Fa-f])))([2-7][0-9A-Fa-f])\}?|(0?(?:0[4-7]|1[0-7])[0-7]|[4-7][0-7](?![0-7]))/y
/** What may stand behind the backslash of those. */
const numberedSigns = 'ux0e14567U'
const escapedSigns = '"\'/`$_*~.=+- !#%&()[]{}|;:,<>?@^'
/** Of these, what a file below a home folder of Windows may begin with. */
const fileSigns = '.$_~+-=!#%&()[]{};,@^ '

/** Percent escapes, also of percent escapes; entities of HTML, also of entities; what nobody sees; what was typed over. */
const encoded =
  /%(?:25){0,3}([2-7][0-9A-Fa-f]|0[9ADad]|1[Bb])|&(?:amp;){0,3}(?:#(\d{1,6})|#[xX]([0-9A-Fa-f]{1,5})|(amp|quot|lt|gt|apos|lowbar|UnderBar|equals|colon|sol|num|period|hyphen|dash|plus|nbsp|Tab|NewLine|shy|ZeroWidthSpace));?/g
/** A form writes a blank as a plus, which is none of a value where it is next to an escape, or between words. */
const ofForm = /%(?:3[AD]|2[2C7]|0[AD])\+|\+%(?:3[AD]|2[27])|[A-Za-z]\+-{0,2}[a-z]{1,12}\+/i
/**
 * A zero byte, a backspace, a soft hyphen, a character of no width or direction, an invisible letter, a variant of the one
 * before, and the first half of a tag.
 */
const unseenSigns =
  '\\x00\\x08\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\uDB40'
/** Blanks of a width of their own: what was copied from a page has them where a person typed one. */
const blanks = '\\u00A0\\u2000-\\u200A\\u202F\\u205F\\u3000'
const unseen = new RegExp(`[${unseenSigns}${blanks}]`)
/**
 * These and others between them, in fewer ranges: a class of more than 16 is asked through a function for each character of
 * a text that is not Latin-1, at eight times the cost.
 */
const perhapsUnseen =
  '\\0-\\x08\\u00A0-\\u00AD\\u034F\\u061C\\u115F-\\u180F\\u2000-\\u200F\\u202A-\\u206F\\u3000\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0-\\uFFFB\\uDB40'
const mayHoldUnseen = new RegExp(`[${perhapsUnseen}]`)
const encodedOrUnseen = new RegExp(
  `${encoded.source}|([${blanks}])|[^\\n\\x08]\\x08|\\uDB40[\\uDC00-\\uDFFF]|[${unseenSigns}]`,
  'g',
)

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  lt: '<',
  gt: '>',
  apos: "'",
  lowbar: '_',
  UnderBar: '_',
  equals: '=',
  colon: ':',
  sol: '/',
  num: '#',
  period: '.',
  hyphen: '-',
  dash: '-',
  plus: '+',
  nbsp: ' ',
  Tab: '\t',
  NewLine: '\n',
}
const blankCodes: Readonly<Record<number, string>> = { 9: '\t', 10: '\n', 13: '\n', 160: ' ' }
/**
 * The parts of a text that were encoded for an address or a page, as they were before, with the lines around them. What
 * cannot be seen, or types over what stands before it, is taken out.
 */
export function withoutEncoding(view: View): View[] {
  const { text } = view
  const hasUnseen = holdsUnseen(text)
  const hasPercent = text.includes('%')
  if (!hasUnseen && !hasPercent && !text.includes('&')) return []
  const found = readings(view, (part, from) => nextEncoded(hasUnseen ? encodedOrUnseen : encoded, part, from))
  if (hasPercent && ofForm.test(text)) found.push(...readings(view, nextOfForm))
  return found
}

function nextEncoded(pattern: RegExp, text: string, from: number): Replaced | undefined {
  pattern.lastIndex = from
  const match = pattern.exec(text)
  return match === null ? undefined : { start: match.index, end: pattern.lastIndex, instead: decoded(match) }
}

/** The next escape of a form, and the blank that a plus is next to one. */
function nextOfForm(text: string, from: number): Replaced | undefined {
  const found = nextEncoded(encoded, text, from)
  const plus = text.indexOf('+', from)
  return plus < 0 || (found !== undefined && found.start < plus) ? found : { start: plus, end: plus + 1, instead: ' ' }
}

function holdsUnseen(text: string): boolean {
  return mayHoldUnseen.test(text) && unseen.test(text)
}

function decoded([, percent, decimal, hexadecimal, name, blank]: RegExpExecArray): string {
  if (blank !== undefined) return ' '
  if (percent !== undefined) return String.fromCharCode(Number.parseInt(percent, 16))
  if (name !== undefined) return entities[name] ?? ''
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return blankCodes[code] ?? (code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '')
}

/** One of these stands in every text that has another reading, but for a dump of bytes. */
const otherwise = new RegExp(`[\\x1B\\x9B%&\\\\${unseenSigns}${blanks}]`)
const perhapsOtherwise = new RegExp(`[\\x1B\\x9B%&\\\\${perhapsUnseen}]`)

/** Whether a text has no other reading than itself: one look spares most short ones five. */
export function readsOneWay(text: string): boolean {
  return !(perhapsOtherwise.test(text) && otherwise.test(text)) && !holdsWordMarks(text)
}

/** The text without escape sequences of a terminal. */
export function withoutAnsi(view: View): View {
  return view.text.includes('\x1B') || view.text.includes('\x9B') ? replaced(view, nextAnsi) : view
}

function nextAnsi(text: string, from: number): Replaced | undefined {
  ansi.lastIndex = from
  const match = ansi.exec(text)
  return match === null ? undefined : { start: match.index, end: ansi.lastIndex, instead: '' }
}

/** The parts of a text that hold backslash escapes, with those read and the lines around them. */
export function withoutEscapes(view: View): View[] {
  return view.text.includes('\\') ? readings(view, nextEscape) : []
}

/**
 * The next escape of JSON, shells and programs, also of JSON in JSON, by any number of backslashes. Texts of programs hold
 * so many that a pattern takes several times as long.
 */
function nextEscape(text: string, from: number): Replaced | undefined {
  for (let start = text.indexOf('\\', from); start !== -1; ) {
    let at = start + 1
    while (text[at] === '\\') at++
    // What is left of a run is none of its own.
    const found = start === 0 || text[start - 1] !== '\\' ? escapeAt(text, start, at) : undefined
    if (found !== undefined) return found
    start = text.indexOf('\\', at)
  }
  return undefined
}

/** The escape whose backslashes begin at `start` and end before `at`. */
function escapeAt(text: string, start: number, at: number): Replaced | undefined {
  const sign = text.charAt(at)
  if (sign === 'n' || sign === 'r') return { start, end: at + 1, instead: '\n' }
  if (sign === 't') return { start, end: at + 1, instead: '\t' }
  if (sign !== '' && escapedSigns.includes(sign))
    return fileSigns.includes(sign) && isBehindHome(text, start) ? undefined : { start, end: at + 1, instead: sign }
  if (sign === '' || !numberedSigns.includes(sign)) return undefined
  numbered.lastIndex = at
  const [whole, hex = '', octal = ''] = numbered.exec(text) ?? []
  if (whole === undefined) return undefined
  const code = octal === '' ? Number.parseInt(hex, 16) : Number.parseInt(octal, 8)
  // What is no character is a colour.
  return { start, end: at + whole.length, instead: Number.isNaN(code) ? '' : String.fromCharCode(code) }
}

/** Folders of Windows that hold those of people, and how long the name of one may be. */
const homes = /(?:Users|homes?|Settings|profiles)\$?$/i
const maxHomesLength = 9
const maxNameLength = 64

/** Whether a backslash parts a home folder of Windows from a file in it: `C:\Users\ada\.npmrc` is no file `ada.npmrc`. */
function isBehindHome(text: string, start: number): boolean {
  let at = start < 1 ? -1 : text.lastIndexOf('\\', start - 1)
  if (at < 0 || start - at > maxNameLength || start - at < 2) return false
  while (text[at - 1] === '\\') at--
  return homes.test(text.slice(Math.max(0, at - maxHomesLength), at))
}

const quotes = /["'`\\\\]+/g

/** A text without quotes and backslashes. */
export function withoutQuotes(text: string): string {
  return text.replaceAll(quotes, '')
}

/** The parts of a text that hold quotes or backslashes, without those. */
export function unquoted(view: View): View[] {
  return readings(view, (text, from) => {
    quotes.lastIndex = from
    const match = quotes.exec(text)
    return match === null ? undefined : { start: match.index, end: quotes.lastIndex, instead: '' }
  })
}

/** A part of a text that reads otherwise, `end` exclusive. */
interface Replaced {
  start: number
  end: number
  instead: string
}

/** Gives the next part of a text from a place on that reads otherwise. */
type Reading = (text: string, from: number) => Replaced | undefined

/** Rules look so far back at names, and so far ahead at what stands below. */
const linesAround = 3
const maxAround = 4096

/** Views of the parts of a text that read otherwise; what lies far from those was read already. */
export function readings(view: View, next: Reading): View[] {
  const { text } = view
  const found: View[] = []
  for (let match = next(text, 0); match !== undefined; ) {
    const start = lineBefore(text, match.start)
    let end = start
    // One part as long as the next match lies in it.
    do {
      end = Math.max(end, lineBehind(text, match.end))
      match = end < text.length ? next(text, match.end) : undefined
    } while (match !== undefined && match.start < end)
    found.push(replaced(view, next, start, end))
  }
  return found
}

function lineBefore(text: string, at: number): number {
  if (at === 0) return 0
  const from = Math.max(0, at - maxAround)
  const before = text.slice(from, at)
  let start = before.length
  for (let line = 0; line < linesAround && start > 0; line++) start = before.lastIndexOf('\n', start - 1)
  return from + Math.max(0, start + 1)
}

function lineBehind(text: string, at: number): number {
  const behind = text.slice(at, at + maxAround)
  let end = -1
  for (let line = 0; line < linesAround; line++) {
    const next = behind.indexOf('\n', end + 1)
    if (next < 0) return at + behind.length
    end = next
  }
  return at + end + 1
}

/**
 * What tools put around parts of a line, by what stands in every text that has such: tags of pages that set words apart, the
 * marks of `git diff --word-diff`, `^I` for a tab in what `cat -A` prints, carets before the signs of a command line of Windows,
 * colours of a terminal whose escape character was lost or written as a sign of its own.
 */
const marks: readonly (readonly [signs: readonly string[], source: string])[] = [
  [
    ['</span>', '</b>', '</strong>', '</code>', '</em>', '<wbr>'],
    '<\\/?(?:span|b|strong|em|i|code|label|font|mark|wbr)(?:\\s[^<>\\n]{0,200})?\\/?>',
  ],
  [['-]'], '\\[-|-\\]'],
  [['+}'], '\\{\\+|\\+\\}'],
  [['^I'], '\\^I'],
  [[' ^"'], '\\^(?=["&|<>^%{}()!\\\\,[\\]])'],
  [
    ['[0m', '[m', '[39m', '[00m'],
    '(?<!\\\\(?:u\\{?001[Bb]\\}?|x1[Bb]|033|e))(?:\\^\\[|\\u241B)?\\[(?:(?:\\d{1,3}(?:;\\d{1,3}){0,5})?m(?!\\])|K)',
  ],
]
/** What closes or opens what a mark of a changed word opens or closes. */
const otherMark: Readonly<Record<string, string>> = { '[-': '-]', '-]': '[-', '{+': '+}', '+}': '{+' }
const maxChanged = 400

/** The parts of a text in which such marks stand, without them. */
export function withoutWordMarks(view: View): View[] {
  const sources = marks.filter(([signs]) => signs.some((sign) => view.text.includes(sign))).map(([, source]) => source)
  if (sources.length === 0) return []
  const pattern = new RegExp(sources.join('|'), 'g')
  return readings(view, (text, from) => {
    pattern.lastIndex = from
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const [mark] = match
      if (hasOther(text, match.index, mark))
        return { start: match.index, end: pattern.lastIndex, instead: mark === '^I' ? '\t' : '' }
    }
    return undefined
  })
}

/** Whether the other mark of a changed word stands in the same line; other marks have none. */
function hasOther(text: string, at: number, mark: string): boolean {
  const other = otherMark[mark]
  if (other === undefined) return true
  const isOpening = mark === '[-' || mark === '{+'
  const near = isOpening ? text.slice(at + 2, at + maxChanged) : text.slice(Math.max(0, at - maxChanged), at)
  const line = isOpening ? near.split('\n', 1)[0] : near.slice(near.lastIndexOf('\n') + 1)
  return line?.includes(other) === true
}

function holdsWordMarks(text: string): boolean {
  return marks.some(([signs]) => signs.some((sign) => text.includes(sign)))
}

/** The part of the text that a part of a view stands for. */
export function rangeIn(view: View, start: number, end: number): [number, number] {
  if (view.origin === undefined) return [start, end]
  return [placeBelow(view, start, false), placeBelow(view, end - 1, true) + 1]
}

/** Where the first or the last character that one of a view stands for is in the text. */
function placeBelow({ text, origin }: View, place: number, isLast: boolean): number {
  if (origin === undefined || place < 0 || place >= text.length) return place
  const { below, pieces } = origin
  let [low, high] = [0, pieces.length / 3]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((pieces[middle * 3] ?? 0) <= place) low = middle
    else high = middle
  }
  const [at = 0, start = 0, length = 0] = pieces.slice(low * 3, low * 3 + 3)
  if (length === 0) return placeBelow(below, start + place - at, isLast)
  return placeBelow(below, isLast ? start + length - 1 : start, isLast)
}

function replaced(below: View, next: Reading, start = 0, stop = below.text.length): View {
  const pieces: number[] = []
  const part = start === 0 && stop === below.text.length ? below.text : below.text.slice(start, stop)
  let written = ''
  let last = 0
  const copy = (end: number): void => {
    if (end > last) pieces.push(written.length, start + last, 0)
    written += part.slice(last, end)
  }
  for (let match = next(part, 0); match !== undefined; match = next(part, match.end)) {
    copy(match.start)
    last = match.end
    if (match.instead !== '') pieces.push(written.length, start + match.start, match.end - match.start)
    written += match.instead
  }
  copy(part.length)
  return { text: written, origin: { below, pieces } }
}
