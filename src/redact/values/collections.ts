/**
 * Collections of values under one name: `apiKeys = ["…", "…"]`, `"secrets": {"db": "…"}`, `tokens:` with lines below,
 * `[api_keys]` in a settings file, `API_TOKENS=…,…`, `secrets["db"] = "…"`, `tokens.push("…")`, `<key>ApiKeys</key><array>`. The
 * names of the single values say nothing, so only what looks random counts.
 */

import { none, type Secret } from '../rule.ts'
import { lineEndAfter, searchNumber, tryReach, tryReachItem } from '../search.ts'
import { isSecretOf } from './named-value.ts'
import type { NameKind } from './names.ts'

/** A name in a text: `start` inclusive, `end` exclusive. */
interface NameRange {
  start: number
  end: number
}

const maxLine = 1024
const maxLines = 64
const maxBracket = 4096

/** What constructs a list, a set or a map in programs. */
const made =
  '(?:(?:new )?(?:\\w{0,20}(?:Set|List|Map|Array|Dict|Vec)|dict|set|list|tuple|frozenset)(?:\\.(?:of|from|asList))?(?:<[\\w, ]{0,40}>)?\\(?|\\[\\]\\w{1,20}|map\\[\\w{1,20}\\]\\w{1,20})?'
/** What opens a list or a map, or what is put into one. */
const opening = new RegExp(
  `["'\`]?(?::[ \\t]?[\\w<>[\\]|, ]{1,40}(?=[ \\t]=))?[ \\t]{0,3}(?:=>|:=|[:=])[ \\t]{0,3}${made}[ \\t]{0,2}[[{(]|["'][ \\t]\\{|\\(`,
  'y',
)
/** What opens a list under a singular name. */
const listOpening = /["'`]?[ \t]{0,3}(?:=>|:=|[:=])[ \t]{0,3}\[|[ \t](?:NOT[ \t])?(?:IN|in)[ \t]{0,2}\(/y
const shellOpening = /=\(/y
/** What opens a map under a singular name. */
const mapOpening = /["'`]?[ \t]{0,3}[:=][ \t]{0,3}\{/y
/** What opens elements: the name is an element itself, an attribute of one, or the key before one. */
const elements = /["']?(?:\s[^<>\n]{0,80})?>\s{0,40}(?=<)|<\/key>\s{0,40}<(?:array|dict)>\s{0,40}/y
const listMark = '(?:[-*•]|\\d{1,3}[.)])'
const listAhead = `(?=[ \\t]{0,8}${listMark} )`
/** The end of the line above the values: of a key, a sentence, a Markdown heading. */
const linesBelow = new RegExp(
  `["']?(?: (?:are|were|is|created|generated|below|here|follow|list)){0,3}(?::\\**[ \\t]*(?:#[^\\n]{0,160})?\\r?\\n|\\*{0,2}(?:\\r?\\n){1,2}${listAhead})(?:\\r?\\n${listAhead})?`,
  'y',
)
const sectionEnd = /\]{1,2}[ \t]*(?:[#;][^\n]{0,160})?\r?\n/y
const separated = /["'`]?(?:\[[^\]\n]{0,60}\](?:\.\w{1,40})?)?[ \t]{0,3}[:=][ \t]{0,3}["'`]?(?=[\w+/~.-])/y
/** A sentence that continues with the values. */
const spoken = / (?:are|were|is)[ \t:]{1,3}/y
const setBefore = /\bset(?: --?[a-z]{1,12}){1,3} $/

/** The secrets of the list or map that a plural name is bound to. */
export function secretsWithin(text: string, range: NameRange, kind: NameKind): readonly Secret[] {
  const { start, end } = range
  if (begins(shellOpening, text, end)) return inWords(text, shellOpening.lastIndex, kind)
  if (begins(opening, text, end)) return inBrackets(text, opening.lastIndex, kind)
  const below = secretsBelow(text, range, kind)
  if (below !== undefined) return below
  if (begins(separated, text, end)) return inWords(text, separated.lastIndex, kind)
  if (begins(spoken, text, end)) return inWords(text, spoken.lastIndex, 'weak')
  const isOption = text.startsWith('--', start) || setBefore.test(text.slice(Math.max(0, start - 48), start))
  // Some options of such names take fingerprints of keys.
  return isOption && text[end] === ' ' ? inWords(text, end + 1, kind === 'secret' ? 'weak' : kind) : none
}

/** Those of the lines or elements that a name introduces; `undefined` if it introduces none. */
function secretsBelow(text: string, { start, end }: NameRange, kind: NameKind): readonly Secret[] | undefined {
  if (text[start - 1] === '[' && begins(sectionEnd, text, end)) return inLines(text, sectionEnd.lastIndex, kind, -1)
  if (begins(linesBelow, text, end)) {
    const line = text.lastIndexOf('\n', start) + 1
    return start - line > maxLine ? none : inLines(text, linesBelow.lastIndex, kind, indentOf(text.slice(line, end)))
  }
  return begins(elements, text, end) ? inElements(text, elements.lastIndex, kind) : undefined
}

/**
 * The secrets of the map that a singular name is bound to: `apiKey: { prod: "…", dev: "…" }`. Only what looks most random counts.
 */
export function secretsMapped(text: string, range: NameRange): readonly Secret[] {
  if (begins(mapOpening, text, range.end)) return inBrackets(text, mapOpening.lastIndex, 'weak')
  return secretsBelow(text, range, 'weak') ?? none
}

/** The secrets of the list that a singular name is bound to. */
export function secretsListed(text: string, { end }: NameRange, kind: NameKind): readonly Secret[] {
  if (begins(listOpening, text, end)) return inBrackets(text, listOpening.lastIndex, kind)
  return begins(shellOpening, text, end) ? inWords(text, shellOpening.lastIndex, kind) : none
}

function begins(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

const part = /["'`[\](){}]/g
const literals: Readonly<Record<string, RegExp>> = {
  '"': /(?:[^"\\\n]|\\.)*"/y,
  "'": /(?:[^'\\\n]|\\.)*'/y,
  '`': /(?:[^`\\]|\\.)*`/y,
}
const keyBefore = /["'`]?([\w.-]{1,60})["'`]?\s{0,4}(?:=>|[:=])\s{0,4}$/
const keyAfter = /["'`]\s{0,4}(?:=>|:(?!:))/y
/** Names of what may look random and is stored next to a secret. */
const besides = /(?:name|ur[li]|path|file|version|hash|digest|checksum|fingerprint|(?:^|_|[a-z])(?:id|Id|ID)s?|_at|At)$/

/** What was read last, so that names within it do not read their part again. */
interface ReadPart {
  search: number
  kind?: NameKind
  from: number
  to: number
}

let bracketsRead: ReadPart = { search: 0, from: 0, to: 0 }
let wordsRead: ReadPart = { search: 0, from: 0, to: 0 }

function isRead({ search, kind, from, to }: ReadPart, offset: number, own: NameKind): boolean {
  return search === searchNumber() && kind === own && from <= offset && offset < to
}

/** The texts within brackets that look random, at any depth. */
function inBrackets(text: string, from: number, kind: NameKind): readonly Secret[] {
  if (isRead(bracketsRead, from, kind)) return none
  const found: Secret[] = []
  bracketsRead = { search: searchNumber(), kind, from, to: readBrackets(found, text, from, kind) }
  return found
}

/** Collects them; returns the offset up to which it read. */
function readBrackets(found: Secret[], text: string, from: number, kind: NameKind): number {
  let last = from + maxBracket
  let at = from
  for (let depth = 1; depth > 0; ) {
    part.lastIndex = at
    const sign = part.exec(text)?.[0]
    const offset = part.lastIndex - 1
    if (sign === undefined || (offset >= last && !tryReach(offset - at))) break
    last = Math.max(last, offset)
    const literal = literals[sign]
    at = literal === undefined ? offset + 1 : takeLiteral(found, text, offset, { literal, kind })
    if (literal === undefined) depth += '[({'.includes(sign) ? 1 : -1
  }
  return at
}

/** Collects a quoted text that looks random, unless it is a key; returns the offset after it. */
function takeLiteral(
  found: Secret[],
  text: string,
  offset: number,
  { literal, kind }: { literal: RegExp; kind: NameKind },
): number {
  if (!begins(literal, text, offset + 1)) return offset + 1
  const end = literal.lastIndex - 1
  if (!begins(keyAfter, text, end) && !besides.test(keyOf(text, offset))) push(found, text, offset + 1, end, kind)
  return end + 1
}

function keyOf(text: string, offset: number): string {
  return keyBefore.exec(text.slice(Math.max(0, offset - 80), offset))?.[1] ?? ''
}

const element = /<([\w:.-]{1,40})(?:\s[^<>\n]{0,120})?>([^<>]{0,512})<\/\1>\s{0,40}/y

/** The texts of consecutive elements. */
function inElements(text: string, from: number, kind: NameKind): readonly Secret[] {
  const found: Secret[] = []
  for (let at = from, row = 0; ; row++) {
    element.lastIndex = at
    const [whole = '', , value = ''] = element.exec(text) ?? []
    if (whole === '' || !tryReachItem(row, maxLines, whole.length)) return found
    const start = at + whole.indexOf('>') + 1 + (value.length - value.trimStart().length)
    if (value.trim() !== '') push(found, text, start, start + value.trim().length, kind)
    at += whole.length
  }
}

/** The mark of a diff or a quotation, or a number, before a line; a minus with only one space after it begins an entry. */
const mark = /^(?:\d{1,6}[:|→\t]|[+>|│]|-(?=[ \t]{2}))/

function indentOf(line: string): number {
  return line.replace(mark, (given) => ' '.repeat(given.length)).search(/\S/)
}

/** An entry of a list or a map, without whitespace around it. */
const entry =
  /^(?:(?:[-*•]|\d{1,3}[.)]) +)?(?:["']?(?<key>[\w.@/-][\w.@ /-]{0,79}?)["']?[ \t]{0,8}(?:=>|[:=/])[ \t]{1,8}|(?<short>[\w.-]{1,80})=)?["'`]?(?<value>[^\s"'`#,;][^\s"'`]*)["'`]?,?(?:[ \t]+#.*)?$/
/** What is indented no further than the name and yet belongs to it: an entry of a list, or a single word. */
const unindented = /^(?:[-*•]|\d{1,3}[.)]|[\w.@-]{1,40} \/) |^["'`]?[^\s"'`:=]{6,512}["'`]?,?[ \t]*\r?$/

/** The values of lines that are indented further than a name, or of a section up to the next one. */
function inLines(text: string, from: number, kind: NameKind, indent: number): readonly Secret[] {
  const found: Secret[] = []
  for (let at = from, row = 0; at < text.length; row++) {
    const end = lineEndAfter(text, at, maxLine)
    if (!tryReachItem(row, maxLines, end - at)) break
    const line = text.slice(at, end)
    const own = indentOf(line)
    if (own >= 0 && (isSectionHead(line) || own < indent || (own === indent && !unindented.test(line.slice(own)))))
      break
    const { key = '', short = '', value = '' } = entry.exec(line.replace(mark, '').trim())?.groups ?? {}
    const start = at + line.lastIndexOf(value)
    if (value !== '' && !besides.test(key + short)) push(found, text, start, start + value.length, kind)
    at = end + 1
  }
  return found
}

const isSectionHead = (line: string): boolean => /^[ \t]*\[{1,2}[\w."' -]{1,80}\]{1,2}[ \t]*(?:[#;]|\r?$)/.test(line)

const word = /[^\s,;|&:="'`<>(){}[\]]{6,512}={0,2}/g
const lineOfWords = /[^\n<>(){}[\]]{1,2048}/y

/** The random words of one line or text: `a,b,c`, `ada:a bob:b`. */
function inWords(text: string, from: number, kind: NameKind): readonly Secret[] {
  if (isRead(wordsRead, from, kind)) return none
  lineOfWords.lastIndex = from
  const words = lineOfWords.exec(text)?.[0] ?? ''
  wordsRead = { search: searchNumber(), kind, from, to: from + words.length }
  const found: Secret[] = []
  for (const { 0: value, index } of words.matchAll(word))
    push(found, text, from + index, from + index + value.length, kind)
  return found
}

/**
 * What a value may consist of. Patterns, templates and code are not in a list of keys, and short words may be tokens of a text.
 */
const forms: Readonly<Record<NameKind, RegExp>> = {
  password: /^\S+$/,
  secret: /^[\w.~+/=:-]+$/,
  weak: /^(?=\D*\d)[\w-]{20,}$/,
}

function push(found: Secret[], text: string, start: number, end: number, kind: NameKind): void {
  const value = text.slice(start, end)
  if (forms[kind].test(value) && isSecretOf(kind, value, 'loose')) found.push({ start, end, value })
}
