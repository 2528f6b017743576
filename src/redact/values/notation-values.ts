/** Reads the value after a name, by the notation that binds it. */

import { isIdentifier } from './code-shapes.ts'
import { kindOfName } from './names.ts'
import { isStrong, isUuid, isWordy } from './randomness.ts'
import { readValue, type Surroundings, type Value } from './value-reader.ts'

/** A name in a text: `start` inclusive, `end` exclusive. */
export interface Name {
  text: string
  start: number
  end: number
  around: () => Surroundings
}

/** Reads the word after a name, or the quoted text there. */
export const readWord = (name: Name, at: number, between?: RegExpExecArray): Value | undefined =>
  closesLabel(name, at, between?.[0] ?? '') ? afterLabel(name, at) : readValue(name.text, at, name.around())

/** `"Password: " next`: whether the quote after the name closes the text that contains the name. */
function closesLabel({ text, start }: Name, at: number, between: string): boolean {
  const sign = text.charAt(at)
  if ((sign !== '"' && sign !== "'") || between.includes(sign) || text[start - 1] !== sign) return false
  return /^(?:[\s,;)\]}]|$)/.test(text.charAt(at + 1))
}

const joint = /["'][ \t]{0,4}(?:(?:[+.,&]|\|\||<<)[ \t]{0,4})?/y

/** Reads what is joined to a label: `"password: " + "…"`, `print("Password: ", "…")`; without quotes it may be a variable. */
function afterLabel({ text, start }: Name, at: number): Value {
  joint.lastIndex = at
  joint.test(text)
  const value = readValue(text, joint.lastIndex, {
    startsLine: false,
    isTight: false,
    before: text.charAt(start - 1),
    isCommand: false,
  })
  const isValue = value !== undefined && (value.quoted || isStrong(text.slice(value.start, value.end)))
  return isValue ? value : { start: at, end: at, quoted: false }
}

const nameOf = ({ text, start, end }: Name): string => text.slice(start, end)

/** Reads up to the brace that is followed by another pair or the end; a brace within the value is doubled. */
export function readBraced({ text, start }: Name, at: number): Value | undefined {
  if (!/[;"']/.test(text.charAt(start - 1))) return undefined
  const length = text.slice(at, at + 512).search(/(?<!\})(?:\}\})*\}(?:[;"'\s]|$)/)
  return length < 1 ? undefined : { start: at, end: at + length, quoted: true }
}

/** Reads a password after a user only if the name is about logging in; other tuples hold a name and something else. */
export function readTuple(name: Name, at: number): Value | undefined {
  return /auth|cred|login|pass|basic/i.test(nameOf(name)) ? readWord(name, at) : undefined
}

const comparing = /^(?:equals(?:IgnoreCase)?|eq|is|compareTo|contentEquals|toBe|toEqual)$/

/** Reads the argument of a method, which belongs to the secret only if the method compares: `password.encode("…")` does not. */
export function readInvocation(name: Name, at: number): Value | undefined {
  const method = /\.([^.]+)$/.exec(nameOf(name))?.[1]
  const isOther = method !== undefined && kindOfName(method) === undefined && !comparing.test(method)
  return isOther ? undefined : readWord(name, at)
}

/** Names of arguments that only say that a value follows. */
const carries =
  /^(?:val(?:ue)?|def(?:ault)?|dflt|fallback|initial|text|data|content|string|str|body|to|with|new|v|s)(?:_|$|[A-Z])/

/** A call that stores the value of a name; further arguments say where. */
const setter = /(?:[Ss]et|[Pp]ut|[Dd]efine|[Ss]tore|[Ss]ave|[Aa]dd)\w{0,24}\(\s{0,4}["'`]$/

/** The beginning of a row of a table of settings in SQL: a name of what is not the value may precede the value. */
const rowOfTable = /\b(?:VALUES|values)\s{0,8}\([^;]{0,1024}$/
const maxStatement = 1040

/**
 * Reads an argument. In a list of names each is by itself, except after an option. An argument with a name of its own (`sha256 =
 * "…"`) is not the value of the name before it, and no other notation may take it for one.
 */
export function readArgument(name: Name, at: number, { groups }: RegExpExecArray): Value | undefined {
  const keyword = groups?.['keyword']
  if (keyword !== undefined && !carries.test(keyword) && kindOfName(keyword) === undefined)
    return { start: at, end: at, quoted: false }
  const value = readWord(name, at)
  if (value === undefined || !value.quoted) return value
  const { text, start } = name
  // In a list, as in cache keys, a UUID is an id: `['token', '…']`.
  if (text[start - 2] === '[' && isUuid(text.slice(value.start, value.end))) return undefined
  const isListed =
    !nameOf(name).startsWith('-') &&
    !rowOfTable.test(text.slice(Math.max(0, start - maxStatement), start)) &&
    !setter.test(text.slice(Math.max(0, start - 60), start)) &&
    (/["'`]\s{0,40},\s{0,40}["'`]$/.test(text.slice(Math.max(0, start - 84), start)) ||
      /^["'`]\s{0,40},\s{0,40}["'`]/.test(text.slice(value.end, value.end + 84)))
  const given = text.slice(value.start, value.end)
  return isListed && /^["'`]$/.test(text.charAt(start - 1)) && (isWordy(given) || isIdentifier(given))
    ? undefined
    : value
}

/** What sets the variable after it, in a shell or in a file that builds an image. */
const assigns = /(?:^|[\s;&|(])(?:setx|setenv|ENV|ARG|set -[a-zA-Z]{1,4})[ \t]{1,4}$/

export function readAssigned(name: Name, at: number): Value | undefined {
  return assigns.test(name.text.slice(Math.max(0, name.start - 24), name.start)) ? readWord(name, at) : undefined
}

/**
 * Reads a value after a type. A type is made of words: if it looks random, it is a value itself, and what follows belongs to
 * something else.
 */
export function readTyped(name: Name, at: number, { groups }: RegExpExecArray): Value | undefined {
  return groups?.['type']?.match(/\w+/g)?.some(isStrong) ? undefined : readWord(name, at)
}

/** Reads words. `<trusted-key id="…"`: what has a name of its own was judged by that. `[token flow](…)` is the text of a link. */
export function readWords(name: Name, at: number): Value | undefined {
  return /^(?:[A-Za-z_][\w.:-]{0,40}=["'`]|\(?\[?[\w.-]{1,40}\]\()/.test(name.text.slice(at, at + 43))
    ? undefined
    : readWord(name, at)
}

/** Reads what a sentence says about a password; `pass to` is a verb. */
export function readSaid(name: Name, at: number, [between]: RegExpExecArray): Value | undefined {
  return /^pass$/i.test(nameOf(name)) && /\bto[: \t]+$/.test(between) ? undefined : readWords(name, at)
}

/** Before the name: whose password it is, or who uses it. */
const owner =
  /(?:^|[\s("'`])(?:use|using|with|by|enter|type|try|my|your|our|new|old|temp|temporary|initial|current|default|admin|root|sudo|user|db|database|ssh|wifi|login|test)[ \t]$/i
/** A word and a number of more than one digit. */
const numberedWord = /^[A-Za-z]{4,16}\d{2,6}[!@#$%^&*?]{0,3}(?=["'`]|[.,;)]{0,2}(?:\s|$))/

/** The same, or a mixed word, up to the end of the line, as in settings. */
const lastWord = /^(?=[^\s]*\d)[^\s"'`()[\]{}<>,:;]{6,64}(?=[ \t]*(?:\r?\n|$))/

/** Reads a word with a number right after a password that somebody has or uses, or that is the first word of its line. */
export function readNumberedWord(name: Name, at: number): Value | undefined {
  const { text, start, around } = name
  const rest = text.slice(at, at + 68)
  const isOwnPassword = owner.test(text.slice(Math.max(0, start - 16), start)) && numberedWord.test(rest)
  const word = lastWord.exec(rest)?.[0]
  const isSetting = word !== undefined && (numberedWord.test(word) || !isWordy(word)) && around().startsLine
  return isOwnPassword || isSetting ? readWord(name, at) : undefined
}

/** Reads a literal. `pass` before a text is a verb, unless the text looks random. */
export function readLiteral(name: Name, at: number): Value | undefined {
  const value = readWord(name, at)
  if (value === undefined || !/^pass$/i.test(nameOf(name))) return value
  return isStrong(name.text.slice(value.start, value.end)) ? value : undefined
}

/** Reads what follows a password and whose it is. A word with a digit may say more about the password: `min8chars`. */
export function readPrompted(name: Name, at: number): Value | undefined {
  const value = readLiteral(name, at)
  if (value === undefined) return undefined
  const given = name.text.slice(value.start, value.end)
  return /\d\D*\d|[^A-Za-z\d]/.test(given) ? value : undefined
}

/** Reads the text of an element up to the next tag, without whitespace around it. */
export function readElement({ text }: Name, at: number): Value | undefined {
  const isData = text.startsWith('[CDATA[', at - 7)
  const open = text.slice(at, at + 2048).search(isData ? /\]\]>/ : /</)
  if (open < 1) return undefined
  const inner = text.slice(at, at + open).trimEnd()
  return inner === '' || !/^(?:<\/|\]\]>)/.test(text.slice(at + open, at + open + 3))
    ? undefined
    : { start: at, end: at + inner.length, quoted: true }
}

const cellEnd = /[|│┃║\t\r\n]|[ ]{2}|,/

/** Whether a bar separates alternatives of a pattern, `(?:password|…)`, or is a pipe after a path, `lookup/password | wc`. */
const isOtherBar = (before: string, between: string): boolean =>
  (between === '|' && /[(|:]/.test(before)) || (between === ' | ' && before === '/')

/** Reads a cell of a row, without the quotes or marks around its text. */
export function readCell({ text, around, start }: Name, at: number, [between]: RegExpExecArray): Value | undefined {
  if (isOtherBar(text.charAt(start - 1), between)) return undefined
  if (/[,;]$/.test(between) && !around().startsLine && !/[,;]/.test(text.charAt(start - 1))) return undefined
  const rest = text.slice(at, at + 512)
  const length = rest.search(/[,;]$/.test(between) ? cellEnd : /[|│┃║\t\r\n]|[ ]{2}/)
  const cell = (length < 0 ? rest : rest.slice(0, length)).trimEnd()
  const [marks = ''] = /^["'`*]{0,3}/.exec(cell) ?? []
  const [after = ''] = /["'`*]{0,3}$/.exec(cell.slice(marks.length)) ?? []
  const end = at + cell.length - (marks === '' ? 0 : after.length)
  return end > at + marks.length ? { start: at + marks.length, end, quoted: true } : undefined
}

const beginsRow = /^[\s|│┃║"'`*]*$/
/** A heading of two columns, or of more if the value is in the second. */
const nameAndValue =
  /^[\s|│┃║"'`*]*(?:name|key|variable|setting|parameter|option|property|env(?:ironment)?(?:[ _]var(?:iable)?)?)s?["'`*]*[ \t]*(?:[|│┃║,;\t]|[ ]{2})[ \t]*["'`*]*values?\b/i
/** How far above a row its heading may be. */
const maxAbove = 2048

/** Reads the second cell of a row whose first is the name, in a table whose heading says that this is its value. */
export function readRow(name: Name, at: number, between: RegExpExecArray): Value | undefined {
  const { text, start } = name
  const [row = '', ...above] = text
    .slice(Math.max(0, start - maxAbove), start)
    .split('\n')
    .toReversed()
  if (!beginsRow.test(row)) return undefined
  const end = above.findIndex((line) => line.trim() === '')
  const lines = end < 0 ? above : above.slice(0, end)
  return lines.some((line) => nameAndValue.test(line)) ? readCell(name, at, between) : undefined
}
