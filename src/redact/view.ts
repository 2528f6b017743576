/** A text as rules read it, and where each of its characters is in the original text. */

import { escapeSequence } from '../util/printable.ts'

/** A text, or another reading of a part of it. */
export interface View {
  text: string
  /** Absent if the view is the text itself. */
  origin: Origin | undefined
}

/** What a view was made from. */
interface Origin {
  below: View
  /**
   * Three numbers for each piece, in the order of the view: its offset in the view, the offset below of what it stands for, and
   * the length of that if every character of the piece stands for all of it; 0 for a copy. Few texts contain a finding, so
   * offsets are looked up when needed instead of being kept for each character.
   */
  pieces: readonly number[]
}

/** A text as it is. */
export function viewOf(text: string): View {
  return { text, origin: undefined }
}

/** A run of escape sequences. A step to the right and back belongs to it. */
const ansi = new RegExp(String.raw`(?:\x1B\[1?C\x08|${escapeSequence})+`, 'g')
/** What a backslash may begin besides single characters: a colour, or a character by its number. */
const numbered =
  /(?:u\{?001[Bb]\}?|x1[Bb]|033|e)\[[0-9;]{0,24}m|(?:u(?:\{0{0,4}|00)|x\{?|U0{6}|0{4}(?=[\dA-Fa-f]{2}(?![\dA-Fa-f])))([2-7][0-9A-Fa-f])\}?|(0?(?:0[4-7]|1[0-7])[0-7]|[4-7][0-7](?![0-7]))/y
/** What may follow the backslash of those. */
const numberedEscapes = 'ux0e14567U'
const escapedPunctuation = '"\'/`$_*~.=+- !#%&()[]{}|;:,<>?@^'
/** Those of them that a file name below a Windows home folder may begin with. */
const filePunctuation = '.$_~+-=!#%&()[]{};,@^ '

/** Percent escapes, also of percent escapes; entities of HTML, also of entities; invisible characters; overtyped ones. */
const encoded =
  /%(?:25){0,3}([2-7][0-9A-Fa-f]|0[9ADad]|1[Bb])|&(?:amp;){0,3}(?:#(\d{1,6})|#[xX]([0-9A-Fa-f]{1,5})|(amp|quot|lt|gt|apos|lowbar|UnderBar|equals|colon|sol|num|period|hyphen|dash|plus|nbsp|Tab|NewLine|shy|ZeroWidthSpace));?/g
/** A form encodes a space as a plus. Such a plus is not part of a value if it is next to an escape, or between words. */
const ofForm = /%(?:3[AD]|2[2C7]|0[AD])\+|\+%(?:3[AD]|2[27])|[A-Za-z]\+-{0,2}[a-z]{1,12}\+/i
/**
 * A zero byte, a backspace, a soft hyphen, a character without width or for text direction, an invisible letter, a variation
 * selector, and the first half of a tag character.
 */
const unseenCharacters =
  '\\x00\\x08\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\uDB40'
/** Spaces of a special width: text copied from a page contains them where a person would type a normal one. */
const blanks = '\\u00A0\\u2000-\\u200A\\u202F\\u205F\\u3000'
const unseen = new RegExp(`[${unseenCharacters}${blanks}]`)
/**
 * These and others between them, in fewer ranges. A class of more than 16 ranges is checked through a function for each character
 * of a text that is not Latin-1, at eight times the cost.
 */
const perhapsUnseen =
  '\\0-\\x08\\x9B-\\u00AD\\u034F\\u061C\\u115F-\\u180F\\u2000-\\u200F\\u202A-\\u206F\\u3000\\u3164\\uFE00-\\uFEFF\\uFFA0-\\uFFFB\\uDB40'
const mayHoldUnseen = new RegExp(`[${perhapsUnseen}]`)
const encodedOrUnseen = new RegExp(
  `${encoded.source}|([${blanks}])|[^\\n\\x08]\\x08|\\uDB40[\\uDC00-\\uDFFF]|[${unseenCharacters}]`,
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
 * The parts of a text that were encoded for an address or a page, decoded, with the lines around them. What is invisible, and
 * what was overtyped, is taken out.
 */
export function withoutEncoding(view: View): View[] {
  const { text } = view
  const hasUnseen = holdsUnseen(text)
  const hasPercent = text.includes('%')
  if (!hasUnseen && !hasPercent && !text.includes('&')) return []
  const found = readings(view, (part, from) => nextMatch(hasUnseen ? encodedOrUnseen : encoded, part, from, decoded))
  if (hasPercent && ofForm.test(text)) found.push(...readings(view, nextOfForm))
  return found
}

/** The next escape of a form, or the space that a plus stands for. */
function nextOfForm(text: string, from: number): Replaced | undefined {
  const found = nextMatch(encoded, text, from, decoded)
  const plus = text.indexOf('+', from)
  return plus < 0 || (found !== undefined && found.start < plus)
    ? found
    : { start: plus, end: plus + 1, replacement: ' ' }
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

/** Letters as wide as ideographs, which the keyboards of some languages type. */
const wideLetters = '\\uFF21-\\uFF3A\\uFF41-\\uFF5A'
const wideLetter = new RegExp(`[${wideLetters}]`)
/** All characters with such a form, by 0xFEE0 behind the normal ones. */
const wide = /[\uFF01-\uFF5E]/g
const toWide = 0xfee0

/** The parts of a text with such letters, with normal ones. */
export function withoutWideLetters(view: View): View[] {
  if (!wideLetter.test(view.text)) return []
  return readings(view, (text, from) =>
    nextMatch(wide, text, from, ([sign]) => String.fromCharCode(sign.charCodeAt(0) - toWide)),
  )
}

/** Every text with another reading contains one of these, except for dumps of bytes. */
const otherwise = new RegExp(`[\\x1B\\x9B%&\\\\${unseenCharacters}${blanks}${wideLetters}]`)
const perhapsOtherwise = new RegExp(`[\\x1B%&\\\\${perhapsUnseen}\\uFF21-\\uFF5A]`)

/** Whether a text has no reading other than itself. This one check saves most short texts five. */
export function readsOneWay(text: string): boolean {
  return !(perhapsOtherwise.test(text) && otherwise.test(text)) && !holdsWordMarks(text)
}

/** The text without escape sequences of a terminal. */
export function withoutAnsi(view: View): View {
  const { text } = view
  return text.includes('\x1B') || text.includes('\x9B') ? replaced(view, nextAnsi) : view
}

const nextAnsi: Reading = (text, from) => nextMatch(ansi, text, from)

/** The parts of a text that contain backslash escapes, with those resolved and the lines around them. */
export function withoutEscapes(view: View): View[] {
  return view.text.includes('\\') ? readings(view, nextEscape) : []
}

/**
 * The next escape of JSON, shells and programs, also of JSON in JSON, with any number of backslashes. Texts of programs contain
 * so many that a pattern takes several times as long.
 */
function nextEscape(text: string, from: number): Replaced | undefined {
  for (let start = text.indexOf('\\', from); start !== -1; ) {
    let at = start + 1
    while (text[at] === '\\') at++
    // The remainder of a run is not an escape of its own.
    const found = start === 0 || text[start - 1] !== '\\' ? escapeAt(text, start, at) : undefined
    if (found !== undefined) return found
    start = text.indexOf('\\', at)
  }
  return undefined
}

/** The escape whose backslashes begin at `start` and end before `at`. */
function escapeAt(text: string, start: number, at: number): Replaced | undefined {
  const sign = text.charAt(at)
  if (sign === 'n' || sign === 'r') return { start, end: lineEndAt(text, start, at), replacement: '\n' }
  if (sign === 't') return { start, end: at + 1, replacement: '\t' }
  if (sign !== '' && escapedPunctuation.includes(sign))
    return filePunctuation.includes(sign) && isAfterHome(text, start)
      ? undefined
      : { start, end: at + 1, replacement: sign }
  if (sign === '' || !numberedEscapes.includes(sign)) return undefined
  numbered.lastIndex = at
  const [whole, hex = '', octal = ''] = numbered.exec(text) ?? []
  if (whole === undefined) return undefined
  const code = octal === '' ? Number.parseInt(hex, 16) : Number.parseInt(octal, 8)
  // A match without a character code is a colour.
  return { start, end: at + whole.length, replacement: Number.isNaN(code) ? '' : String.fromCharCode(code) }
}

/** The end of an escaped line end. Both escapes of `\r\n` are one, as in lines that are not escaped. */
function lineEndAt(text: string, start: number, at: number): number {
  const feed = at + 1 + at - start
  const isPair = text[at] === 'r' && text[feed] === 'n' && text.startsWith(text.slice(start, at), at + 1)
  return isPair ? feed + 1 : at + 1
}

/**
 * Windows folders that contain the folders of people; below, the most characters looked at, and how long a person's name may be.
 */
const homes = /(?:Users|homes?|Settings|profiles)\$?$/i
const maxHomesLength = 9
const maxNameLength = 64

/** Whether a backslash separates a Windows home folder from a file in it: `C:\Users\ada\.npmrc` is not a file `ada.npmrc`. */
function isAfterHome(text: string, start: number): boolean {
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

/** The parts of a text that contain quotes or backslashes, without those. */
export function unquoted(view: View): View[] {
  return readings(view, (text, from) => nextMatch(quotes, text, from))
}

/** A part of a text that reads differently, `end` exclusive. */
interface Replaced {
  start: number
  end: number
  replacement: string
}

/** Returns the next part of a text, from an offset on, that reads differently. */
type Reading = (text: string, from: number) => Replaced | undefined

/** The next match of a pattern, and what stands for it: nothing, unless `read` says otherwise. */
function nextMatch(
  pattern: RegExp,
  text: string,
  from: number,
  read?: (match: RegExpExecArray) => string,
): Replaced | undefined {
  pattern.lastIndex = from
  const match = pattern.exec(text)
  return match === null ? undefined : { start: match.index, end: pattern.lastIndex, replacement: read?.(match) ?? '' }
}

/** Rules look at most this far back at names, and this far ahead at what is below. */
const linesAround = 3
const maxAround = 4096

/** Views of the parts of a text that read differently; anything far from those was read already. */
export function readings(view: View, next: Reading): View[] {
  const { text } = view
  const found: View[] = []
  for (let match = next(text, 0); match !== undefined; ) {
    const start = lineBefore(text, match.start)
    let end = start
    // One part, as long as the next match is inside it.
    do {
      end = Math.max(end, lineAfter(text, match.end))
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

function lineAfter(text: string, at: number): number {
  const after = text.slice(at, at + maxAround)
  let end = -1
  for (let line = 0; line < linesAround; line++) {
    const next = after.indexOf('\n', end + 1)
    if (next < 0) return at + after.length
    end = next
  }
  return at + end + 1
}

/**
 * What tools put around parts of a line, by what every text with such marks contains: tags of pages that set words apart, the
 * marks of `git diff --word-diff`, `^I` for a tab in the output of `cat -A`, carets before the special characters of a Windows
 * command line, colours of a terminal whose escape character was lost or written as a visible character.
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
/** The counterpart of each mark of a changed word. */
const otherMark: Readonly<Record<string, string>> = { '[-': '-]', '-]': '[-', '{+': '+}', '+}': '{+' }
const maxChanged = 400

/** The parts of a text that contain such marks, without them. */
export function withoutWordMarks(view: View): View[] {
  const sources = marks
    .filter(([characters]) => characters.some((sign) => view.text.includes(sign)))
    .map(([, source]) => source)
  if (sources.length === 0) return []
  const pattern = new RegExp(sources.join('|'), 'g')
  return readings(view, (text, from) => {
    pattern.lastIndex = from
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const [mark] = match
      if (hasOther(text, match.index, mark))
        return { start: match.index, end: pattern.lastIndex, replacement: mark === '^I' ? '\t' : '' }
    }
    return undefined
  })
}

/** Whether the counterpart of a mark of a changed word is in the same line; other marks need none. */
function hasOther(text: string, at: number, mark: string): boolean {
  const other = otherMark[mark]
  if (other === undefined) return true
  const isOpening = mark === '[-' || mark === '{+'
  const near = isOpening ? text.slice(at + 2, at + maxChanged) : text.slice(Math.max(0, at - maxChanged), at)
  const line = isOpening ? near.split('\n', 1)[0] : near.slice(near.lastIndexOf('\n') + 1)
  return line?.includes(other) === true
}

function holdsWordMarks(text: string): boolean {
  return marks.some(([characters]) => characters.some((sign) => text.includes(sign)))
}

/** The part of the original text that a part of a view stands for. */
export function rangeIn(view: View, start: number, end: number): [number, number] {
  if (view.origin === undefined) return [start, end]
  return [offsetBelow(view, start, false), offsetBelow(view, end - 1, true) + 1]
}

/** Offset, in the original text, of the first or last character that a character of a view stands for. */
function offsetBelow({ text, origin }: View, offset: number, isLast: boolean): number {
  if (origin === undefined || offset < 0 || offset >= text.length) return offset
  const { below, pieces } = origin
  let [low, high] = [0, pieces.length / 3]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((pieces[middle * 3] ?? 0) <= offset) low = middle
    else high = middle
  }
  const [at = 0, start = 0, length = 0] = pieces.slice(low * 3, low * 3 + 3)
  if (length === 0) return offsetBelow(below, start + offset - at, isLast)
  return offsetBelow(below, isLast ? start + length - 1 : start, isLast)
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
    if (match.replacement !== '') pieces.push(written.length, start + match.start, match.end - match.start)
    written += match.replacement
  }
  copy(part.length)
  return { text: written, origin: { below, pieces } }
}
