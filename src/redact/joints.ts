/** Finds literals that code joins into one text, as readings of it: `'a' + 'b'`, `["a", "b"].join("")`, `"a" "b"`. */

import type { Secret } from './rule.ts'
import { isIn, letterTable } from './values/letters.ts'
import type { View } from './view.ts'

/** Literals in a row, read as one text. */
export interface Chain {
  view: View
  /** Offset in the view at which each of the literals begins. */
  starts: readonly number[]
  /** Where the first begins and the last ends in the text below. */
  start: number
  end: number
  kind: Kind
}

/** What is between literals: operators or calls that join them, only line ends, or what may separate values. */
type Kind = 'joined' | 'stacked' | 'listed'

/** Operators that join; calls and statements that append are below. */
const sign = '(?:,|[+&~]{1,2}|\\.{1,2}|\\|\\||<<|<>|\\\\)'
/** Whitespace, and what a diff, a quotation or a listing puts before a line. */
const mark = '(?:[+-]|[|│>#*]{1,2}|\\d{1,6}[:|→\\t]?)'
const blanks = `\\s{0,40}(?:(?<=\\n)${mark}[ \\t→]{0,40})?`
const append =
  '\\)?\\s{0,40}\\.\\s{0,4}(?:concat|append|push_str|push|write|update|add)\\(\\s{0,4}|;?[ \\t]{0,4}\\r?\\n[+>|-]?[ \\t]{0,40}[\\w$.]{1,40}[ \\t]{0,3}(?:[+.]=|<<)[ \\t]{0,3}|\\}\\$\\{'
/** From the quote that closes a literal to the one that opens the next. A character of `piece` must precede: half of all quotes open a literal. */
const joint = new RegExp(
  `["'\`](?<=[\\w+/=~:%.-].)(?<between>${blanks}(?:${sign}(?: _)?${blanks})?|${append})(?:[rbfuRBU]{1,2})?["'\`]`,
  'g',
)
const nextJoint = new RegExp(joint.source, 'y')
const piece = /[\w+/=~:%.-]{1,512}/y
/** Matches a joint that may separate two values. */
const loose = /^\s*[,\\]?\s*$/

const marks = new RegExp(`\\n${mark}`, 'g')

function jointKind(given: string): Kind {
  const between = given.includes('\n') ? given.replaceAll(marks, '\n') : given
  if (!loose.test(between)) return 'joined'
  return between.includes('\n') && !between.includes(',') ? 'stacked' : 'listed'
}

/** Match what follows, or precedes, a list whose items become one text. */
const joinedAfter =
  /^["'`],?\s{0,40}[\])}]{1,2}\s{0,8}(?:\.\s{0,8}join\((["'`])\1\)|\.concat\(\)|-join|,\s{0,8}["`]{2}\))/
const joinedBefore =
  /(?:(["'`])\1\.join\(\s{0,8}[[(]|concat!\(|concat\(|join\((["'`])\2,|implode\((["'`])\3, ?\[)\s{0,40}$/
const aroundList = 80

/** No token is shorter. */
const minLength = 16
const maxLength = 4096
const none: readonly Chain[] = []

/** Finds the literals of a text that are in a row and consist of the characters of tokens. */
export function chainsIn(below: View): readonly Chain[] {
  const { text } = below
  if (text.length < minLength) return none
  joint.lastIndex = 0
  let match = joint.exec(text)
  if (match === null) return none
  const found: Chain[] = []
  for (; match !== null; match = joint.exec(text)) {
    const first = pieceBefore(text, match.index)
    const pieces = piecesFrom(text, first, match.index, joint.lastIndex, match.groups?.['between'] ?? '')
    joint.lastIndex = Math.max(match.index + 1, pieces.end)
    const chain = pieces.length < minLength ? undefined : chainOf(below, pieces)
    if (chain !== undefined) found.push(chain)
  }
  return found
}

/** Offset at which the literal that ends at `end` begins, as far as it consists of the characters of tokens. */
function pieceBefore(text: string, end: number): number {
  let start = end
  while (start > 0 && end - start < maxPiece && isIn(pieceCodes, text.charCodeAt(start - 1))) start--
  return start
}

const maxPiece = 512
/** Characters of `piece`, by their codes below 128. */
const pieceCodes = letterTable('_+/=~:%.-')

interface Pieces {
  /** Offsets at which each begins and ends. */
  bounds: readonly number[]
  /** The number of characters of all. */
  length: number
  /** Offset at which the last one ends. */
  end: number
  kind: Kind
}

/** The pieces from the first one on, whose joint to the second ends at `at`. */
function piecesFrom(text: string, start: number, end: number, at: number, between: string): Pieces {
  const bounds = [start, end]
  const kind = jointKind(between)
  // The arguments of one call belong together.
  const isCall = between.includes('(')
  let length = end - start
  for (let next = at; length < maxLength; ) {
    piece.lastIndex = next
    if (!piece.test(text)) break
    const stop = piece.lastIndex
    // The name of a JSON property is not part of the value before it.
    if (/^["'`]\s{0,4}:/.test(text.slice(stop, stop + 6))) break
    bounds.push(next, stop)
    length += stop - next
    nextJoint.lastIndex = stop
    const after = nextJoint.exec(text)?.groups?.['between']
    if (after === undefined || (jointKind(after) !== kind && !(isCall && after.includes(',')))) break
    next = nextJoint.lastIndex
  }
  return { bounds, length, end: bounds.at(-1) ?? end, kind }
}

function chainOf(below: View, { bounds, end, kind }: Pieces): Chain | undefined {
  if (bounds.length < 4) return undefined
  const { text } = below
  const first = bounds[0] ?? 0
  const starts: number[] = []
  const pieces: number[] = []
  let joined = ''
  for (let index = 0; index < bounds.length; index += 2) {
    const from = bounds[index] ?? 0
    starts.push(joined.length)
    pieces.push(joined.length, from, 0)
    joined += text.slice(from, bounds[index + 1])
  }
  // The end of the last literal is a cut only if the text is cut there.
  const after = cut.test(text.slice(end, end + 16)) ? '' : '\n'
  return { view: { text: joined + after, origin: { below, pieces } }, starts, start: first, end, kind }
}

/** Matches what follows the last literal of a text that is cut, as titles are. */
const cut = /^["'`]?[\s,+.]{0,8}(?:…|\.{3}|$)/

/** Whether code certainly joins the literals of a chain. Literals in a list, or next to each other, may be several values. */
export function isJoined({ view, start, end, kind }: Chain): boolean {
  return kind === 'joined' || isJoinedList(view.origin?.below.text ?? '', start, end)
}

/** Whether code joins the items of the list between two offsets, where its first item begins and its last one ends. */
function isJoinedList(text: string, start: number, end: number): boolean {
  return (
    joinedAfter.test(text.slice(end, end + aroundList)) ||
    joinedBefore.test(text.slice(Math.max(0, start - aroundList), Math.max(0, start - 1)))
  )
}

// Values after a name; their literals may contain any character.

/**
 * Matches what is between two literals that make up one text: an operator or a call that joins them, or only a line end; a comma
 * in a list.
 */
const literalJoint =
  /["'`](?:\s{0,40}(?:[+&~]|\.{1,2}|\|\||<<|(?<comma>,))\s{0,40}|\)?\.(?:concat|append)\(|[ \t]{0,4}\\?\r?\n[ \t]{1,80})[rbfu]?["'`](?<piece>[\w+/=.~!?$&@#%^*-]{2,512})(?=["'`](?![ \t]{0,4}[:=]))/y
const maxPieces = 32

/** A value extended by the literals that code joins to it, which make up one secret. */
export function withJoined(text: string, { start, end, value }: Secret): Secret | undefined {
  let at = end
  let whole = value
  let [sure, sureEnd] = [whole, at]
  let isListed = false
  for (let count = 0; count < maxPieces && /["'`]/.test(text.charAt(at)); count++) {
    literalJoint.lastIndex = at
    const { piece: own, comma } = literalJoint.exec(text)?.groups ?? {}
    if (own === undefined) break
    isListed ||= comma !== undefined
    at = literalJoint.lastIndex
    whole += own
    if (!isListed) [sure, sureEnd] = [whole, at]
  }
  if (isListed && isJoinedList(text, start, at)) return { start, end: at, value: whole }
  return sureEnd === end ? undefined : { start, end: sureEnd, value: sure }
}

/** Whether the list of literals that begins at `start` is joined into one text. */
export function beginsJoinedList(text: string, start: number): boolean {
  items.lastIndex = start
  return items.test(text) && isJoinedList(text, start + 1, items.lastIndex)
}

const items = /(?:["'`][\w+/=.~!@#%^*-]{1,512}["'`],\s{0,40}){1,32}["'`][\w+/=.~!@#%^*-]{1,512}(?=["'`])/y
