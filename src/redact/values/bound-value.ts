/** The value that the text around a name binds to it, or that is alone below it, if it is a secret. */

import { beginsJoinedList, withJoined } from '../joints.ts'
import { none, type Secret } from '../rule.ts'
import { tryReachItem } from '../search.ts'
import { isCodeAfterName, isIdentifier, isTypeName } from './code-shapes.ts'
import { withFoldedLines } from './folded.ts'
import { isMixed } from './letters.ts'
import { isSecretOf } from './named-value.ts'
import type { NameKind } from './names.ts'
import type { Name } from './notation-values.ts'
import { type Notation, notations } from './notations.ts'
import { isPlaceholder } from './placeholders.ts'
import { isPublic } from './public.ts'
import { isWordy } from './randomness.ts'
import { readValue, type Surroundings, type Value } from './value-reader.ts'

// Names whose values are in lists next to them: several names before one assignment, and several values after one name.

const before = /(?:^|\n)[ \t]*(?:(?:const|let|var|local|my)[ \t(]{1,3})?((?:\$?[\w.]{1,40},[ \t]{0,3}){1,4})$/
const quoteAhead = '(?=[rbfu]?["\'])'

/** Reads a value of a multiple assignment: before it there are as many literals as there are names before this one. */
function readAssigned({ text, start, around }: Name, at: number): Value | undefined {
  const names = before.exec(text.slice(Math.max(0, start - 160), start))?.[1]?.match(/,/g)?.length
  if (names === undefined) return undefined
  const skipped = new RegExp(
    `(?:[rbfu]?(?:"[^"\\\\\\n]{0,120}"|'[^'\\\\\\n]{0,120}'),[ \\t]{0,3}){${names}}${quoteAhead}`,
    'y',
  )
  skipped.lastIndex = at
  return skipped.test(text) ? readValue(text, skipped.lastIndex, around()) : undefined
}

/** Reads up to the brackets that close a long string of Lua. */
function readLong({ text }: Name, at: number): Value | undefined {
  const length = text.slice(at, at + 512).search(/\]\]|\n/)
  return length < 1 || !text.startsWith(']]', at + length) ? undefined : { start: at, end: at + length, quoted: true }
}

const read = (name: Name, at: number): Value | undefined => readValue(name.text, at, name.around())

const severalSecrets = /(?:pass(?:word|phrase|code)?|pwd|secret|token|key)s$/i

/** Tried before all others, because one of those would take a part of these for a value. */
const listNotations: readonly Notation[] = [
  // `USER, PASSWORD = "ada", "…"`
  {
    id: 'names',
    hints: ['", ', "', ", '","', "','"],
    between: new RegExp(`(?:,[ \\t]{0,3}\\$?[\\w.]{1,40}){0,3}[ \\t]{0,3}:?=[ \\t]{0,3}${quoteAhead}`, 'y'),
    read: readAssigned,
    binding: 'firm',
  },
  // `password = ["…", "…"].join("")`
  {
    id: 'joined',
    hints: ['["', "['", '("', "('", '[\n', '(\n'],
    between: new RegExp(`["']?[ \\t]{0,3}[:=][ \\t]{0,3}(?:""\\.join\\(|''\\.join\\()?[[(]\\s{0,40}${quoteAhead}`, 'y'),
    read: (name, at) => (beginsJoinedList(name.text, at) ? read(name, at) : undefined),
    binding: 'firm',
  },
  // `"passwords": ["…", "…"]`; under a singular name, a list holds a user and a password
  {
    id: 'array',
    hints: ['['],
    between: new RegExp(`["']?[ \\t]{0,3}[:=][ \\t]{0,3}\\[\\s{0,40}${quoteAhead}`, 'y'),
    read: (name, at) => (severalSecrets.test(name.text.slice(name.start, name.end)) ? read(name, at) : undefined),
    binding: 'firm',
  },
  // `password = [[…]]`
  { id: 'long', hints: ['[['], between: /[ \t]{0,3}=[ \t]{0,3}\[\[/y, read: readLong, binding: 'firm' },
  // `passwords:` with `- …` below, which may also be rules for passwords
  {
    id: 'items',
    hints: ['- '],
    between: /["']?:[ \t]{0,4}\r?\n[ \t]{0,40}-[ \t]{1,4}(?![^\n]{0,80}:(?:\s|$))/y,
    read,
    binding: 'loose',
  },
  // `ENV.fetch("NAME") { "…" }`, `var("NAME").unwrap_or_else(|_| "…".into())`, `getenv("NAME").orElseGet(() -> "…")`
  {
    id: 'otherwise',
    hints: [') {', '.unwrap_or_else', 'rElse'],
    between: new RegExp(
      `["']\\)(?:[ \\t]{0,3}\\{[ \\t]{0,3}|\\s{0,40}\\.(?:unwrap_or_else|orElseGet|orElse|getOrElse)\\((?:(?:\\|_?\\w{0,20}\\||\\(\\)[ \\t]?[=-]>)[ \\t]{0,3})?)${quoteAhead}`,
      'y',
    ),
    read,
    binding: 'firm',
  },
  // `("password" . "…")`, `{password, <<"…">>}`, `password: []const u8 = "…"`, `s:8:"password";s:12:"…"`
  {
    id: 'foreign',
    hints: [' . ', '<<', ': []', ';s:'],
    between: new RegExp(
      `(?:["'][ \\t]\\.[ \\t]|["'];s:\\d{1,5}:|["']?,[ \\t]{0,3}<<|[ \\t]{0,2}:[ \\t]{0,2}\\[\\](?:const[ \\t])?\\w{1,12}[ \\t]{0,3}=[ \\t]{0,3})${quoteAhead}`,
      'y',
    ),
    read,
    binding: 'firm',
  },
]

// Any name.

const hintReach = 200
const allNotations: readonly Notation[] = [...listNotations, ...notations]

/** The secrets that a name binds, in the first notation that fits the text around it. */
export function readBound(text: string, name: Name, kind: NameKind): readonly Secret[] {
  const after = text.slice(name.end, name.end + hintReach)
  for (const notation of allNotations) {
    if (notation.passwordsOnly && kind !== 'password') continue
    if (notation.hints?.some((hint) => after.includes(hint)) === false) continue
    notation.between.lastIndex = name.end
    const match = notation.between.exec(text)
    const value = match === null ? undefined : notation.read(name, notation.between.lastIndex, match)
    if (value === undefined) continue
    if (isRepeated(text, name, value)) return none
    const secrets = [value, ...furtherItems(text, value, name)]
      .flatMap((item) => judged(text, name, item, kind, notation))
      .concat(changedValue(text, name, value, kind))
    if (secrets.length > 0 || notation.binding === 'firm') return secrets
  }
  return valueBefore(text, name, kind)
}

/** Whether a name is bound to itself, which says nothing: `exports.x = x`, `"a/x": ["a/x"]`. */
function isRepeated(text: string, name: Name, { start, end }: Value): boolean {
  const value = text.slice(start, end)
  const isLast = value === text.slice(name.start, name.end).replace(/^.*\./, '')
  return isLast || (end - start > name.end - name.start && text.startsWith(value, name.end - (end - start)))
}

function judged(
  text: string,
  name: Name,
  { start, end, quoted }: Value,
  kind: NameKind,
  { binding, isPassword }: Notation,
): Secret[] {
  const value = text.slice(start, end)
  if (!quoted && (isCodeAfterName(value) || isPassed(value, text.slice(name.start, name.end)))) return []
  const sure = binding === 'firm' && quoted ? 'literal' : binding
  const own = isPassword ? 'password' : kind
  const isSecret = (given: string): boolean => isSecretOf(own, given, sure)
  const joined = binding === 'loose' ? undefined : withJoined(text, { start, end, value })
  if (joined !== undefined && isSecret(joined.value)) return [joined]
  if (!isSecret(value)) return quoted ? [] : otherEnd(text, name, { start, end, value }, isSecret)
  const isOther = isOfCode(text, { start, end, quoted }) || (own === 'weak' && isStored(text, name, end))
  return isOther ? [] : [withFoldedLines(text, name, { start, end, value })]
}

/** A value that is a secret only up to the first space of the quoted text, or only with what looks like another pair after it. */
function otherEnd(
  text: string,
  name: Name,
  { start, end, value }: Secret,
  isSecret: (value: string) => boolean,
): Secret[] {
  const blank = value.search(/\s/)
  if (blank > 0 && isSecret(value.slice(0, blank))) return [{ start, end: start + blank, value: value.slice(0, blank) }]
  if (!pairSign.test(text.charAt(end))) return []
  const whole = wholeWord(text, start, value, name.around())
  return whole.length > value.length && isSecret(whole) ? [{ start, end: start + whole.length, value: whole }] : []
}

/** Test runners report how many tests passed, or which: `pass: 1048213`, `pass:stage1`. */
const isPassed = (value: string, name: string): boolean => /^[a-z]*\d{1,2}$|^\d+$/.test(value) && /^pass$/i.test(name)

const call = /[\w$.:-]{1,80}\([^()\n]{0,120}(?:\([^()\n]{0,120}\)[^()\n]{0,120}){0,4}\)/y
const variable = /^[a-z_$]/

/** Whether a value without quotes is a variable among others, or a call that was cut at its first comma. */
function isOfCode(text: string, { start, end, quoted }: Value): boolean {
  if (quoted) return false
  const value = text.slice(start, end)
  if (text[start - 1] === ' ' && /[,;)\]}]/.test(text.charAt(end)) && variable.test(value) && isIdentifier(value))
    return true
  // `key={isOpen ? 'a' : 'b'}`
  if (text[start - 1] === '=' && value.startsWith('{') && isIdentifier(value.slice(1))) return true
  // `$password->push($x)`
  if (text.startsWith('->', start - 2) && /^[A-Za-z_]\w*\(/.test(value)) return true
  if (text[start - 1] === ' ' && /[,;)\]}<>|]/.test(text.charAt(end)) && isTypeName(value)) return true
  if (isDeclared(text, value, end)) return true
  if (!value.includes('(')) return false
  call.lastIndex = start
  const whole = call.exec(text)?.[0] ?? ''
  return whole.length > value.length && isPlaceholder(whole)
}

/** Whether a value is the type of a variable whose value follows: `token: CsrfToken? = null`. */
function isDeclared(text: string, value: string, end: number): boolean {
  if (!/^ = /.test(text.slice(end, end + 3))) return false
  return /^[A-Z]/.test(value) && value.split(/[<>?,]/).every((type) => type === '' || isTypeName(type))
}

const storedBefore = /(?:\[\[["'`]|[Bb]ucket(?:Name)?["']?\s?[:=,]?\s?["']?[\w.-]{1,80}["']?[,\s]\s{0,40}["']?)$/
const storedAfter =
  /^["'`\])},;|\s[]{1,40}(?:file_?name|content_?type|byte_?size|size|last_?modified|e_?tag|checksum|bucket|upload_?id)["']?\s{0,16}[:=|,]/i

/** Whether a `key` names an object in a store: next to its bucket, its file, its size, or bound in a query. */
function isStored(text: string, name: Name, end: number): boolean {
  if (!/^key$/i.test(text.slice(name.start, name.end))) return false
  return (
    storedAfter.test(text.slice(end, end + 80)) ||
    storedBefore.test(text.slice(Math.max(0, name.start - 160), name.start))
  )
}

const pairSign = /[,;&<]/
/** A value of at most this many characters is too short to be a value of its own. */
const maxShort = 5
const glued = /\S{1,2048}/y

/** In a line of its own, what looks like another pair or a tag is part of the value, if the value is not one without it. */
function wholeWord(text: string, start: number, value: string, { startsLine, isTight, before }: Surroundings): string {
  if (!startsLine || !isTight || before !== '') return value
  if (!isMixed(value) || (value.length > maxShort && isPlaceholder(value)) || isPublic(value)) return value
  glued.lastIndex = start
  const whole = glued.exec(text)?.[0] ?? value
  return isWordy(whole) ? value : whole
}

const changed = /["'`]?(?:[ \t]{1,3}->[ \t]{1,3}|\r?\n\+[ \t]{0,40}["']?[Vv]alue["']?[ \t]{0,2}[:=][ \t]{0,2})/y

/** The value that a plan shows as the replacement of another: `password = "…" -> "…"`. */
function changedValue(text: string, { around }: Name, { end }: Value, kind: NameKind): Secret[] {
  changed.lastIndex = end
  if (!changed.test(text)) return []
  const value = readValue(text, changed.lastIndex, around())
  if (value === undefined) return []
  const given = text.slice(value.start, value.end)
  return isSecretOf(kind, given, 'firm') ? [{ start: value.start, end: value.end, value: given }] : []
}

const nameField =
  /["'`]?(?:(?:option|config|setting|meta|param|variable|property|conf)_)?(?:[Nn]ame|[Kk]ey|[Hh]eader|[Ii]d|[Vv]ariable)["'`]?\s{0,4}[:=]\s{0,4}["'`]?$/
const valueField =
  /["'`]?(?:(?:option|config|setting|meta|param|variable|property|conf)_)?(?:[Vv]al(?:ue)?|VALUE|[Ss]ecret|[Cc]ontent)["'`]?\s{0,4}[:=]\s{0,4}(["'`])(?<value>(?:(?!\1)[^\\\n]|\\.){4,512})\1(?:[\s,;]{1,40}|\s{1,8}(?:WHERE|where)\s{1,8}(?:[\w.]{1,40}\s?=\s?[\w']{1,40}\s{1,4}(?:AND|and)\s{1,4})?)$/d

/** The same without quotes, in a line of its own. */
const valueLine =
  /(?:^|[\n \t-])(?:[Vv]alue|VALUE)[ \t]?[:=][ \t]{1,4}(?!["'`|>&*!])(?<value>[^\s"'`]{4,512})[ \t]{0,4}\r?\n[ \t]{1,40}$/d

const inputBefore = /<input\s(?:[^<>]{0,200}\s)?value=(["'])([^"'<>\n]{4,256})\1(?:\s[^<>]{0,200})?\stype=["']?$/

/** `{ "value": "…", "name": "API_KEY" }`, `<input value="…" type="password">` */
function valueBefore(text: string, name: Name, kind: NameKind): readonly Secret[] {
  if (/type=["']?$/.test(text.slice(Math.max(0, name.start - 6), name.start))) return typedBefore(text, name.start)
  const field = nameField.exec(text.slice(Math.max(0, name.start - 40), name.start))
  if (field === null) return []
  const to = name.start - field[0].length
  const from = Math.max(0, to - 720)
  const head = text.slice(from, to)
  const range = (valueField.exec(head) ?? valueLine.exec(head))?.indices?.groups?.['value']
  if (range === undefined) return []
  const [start, end] = range
  const value = head.slice(start, end)
  return isSecretOf(kind, value, 'firm') ? [{ start: from + start, end: from + end, value }] : []
}

function typedBefore(text: string, start: number): readonly Secret[] {
  const [whole = '', sign = '', value = ''] = inputBefore.exec(text.slice(Math.max(0, start - 700), start)) ?? []
  const at = start - whole.length + whole.indexOf(`value=${sign}${value}${sign}`) + 7
  return whole !== '' && isSecretOf('password', value, 'firm') ? [{ start: at, end: at + value.length, value }] : []
}

const maxLine = 1024
/** The most values read below one label. */
const maxValues = 64

/** What may follow a name that is the whole of its line, and precede it. */
const labelEnd =
  /["'`*_]{0,3}[ \t]{0,3}[:：]?(?:[ \t*_]{0,4}\r?\n(?:[ \t]{0,40}\r?\n)?[ \t>]{0,12}|[ \t]{0,160}[│┃║][ \t]{0,8}\r?\n[ \t]{0,40}[│┃║][ \t]{0,40})["'`]?/y
const labelBegin = /(?:^|\n|[:=,(]\s?["'`]|[:.!?] )[ \t#>*_│┃║-]{0,12}(?:[\p{L}'’-]{1,24} ){0,4}["'`]?$/u
/** Not a tag, even an escaped one, because then the label ends a sentence. */
const loneValue = /(?!<|&(?:lt|#60|#x3c);)[^\s"'`]{6,512}(?=["'`]?(?:[ \t]{1,160}[│┃║])?[ \t]*(?:\r?\n|$))/iy
const nextLine = /["'`]?(?:[ \t]{1,160}[│┃║])?[ \t]*\r?\n[ \t>│┃║]{0,12}["'`]?/y

/** Values that are alone below their label, as on account pages: `Client secret`, and the next line. */
export function secretsBelowLabel(text: string, start: number, end: number, kind: NameKind): readonly Secret[] {
  labelEnd.lastIndex = end
  if (!labelEnd.test(text) || !labelBegin.test(text.slice(Math.max(0, start - 128), start))) return none
  const found: Secret[] = []
  for (let at = labelEnd.lastIndex; tryReachItem(found.length, maxValues, maxLine); at = nextLine.lastIndex) {
    loneValue.lastIndex = at
    const value = loneValue.exec(text)?.[0] ?? ''
    if (!isSecretOf(kind, value, 'loose')) break
    found.push({ start: at, end: at + value.length, value })
    nextLine.lastIndex = at + value.length
    if (!nextLine.test(text)) break
  }
  return found
}

const maxItems = 32
const beginsItem = /(?:\[\s{0,40}["']?|\n[ \t]{0,40}-[ \t]{1,4}["']?)$/
const nextItem = /["']?(?:,\s{0,40}(?=["'])|[ \t]{0,4}\r?\n[ \t]{0,40}-[ \t]{1,4}(?![^\n]{0,80}:(?:\s|$)))/y

/** The values of a list after its first. */
function furtherItems(text: string, { start, end }: Value, name: Name): Value[] {
  if (!beginsItem.test(text.slice(Math.max(0, start - 84), start))) return []
  const items: Value[] = []
  for (let at = end; ; ) {
    nextItem.lastIndex = at
    if (!nextItem.test(text)) break
    const value = readValue(text, nextItem.lastIndex, name.around())
    if (value === undefined || value.end <= at || !tryReachItem(items.length, maxItems, value.end - at)) break
    items.push(value)
    at = value.end
  }
  return items
}
