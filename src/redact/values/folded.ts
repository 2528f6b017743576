/**
 * Values of several lines: a YAML scalar without quotes, an unclosed string or a property with a backslash at its end, and what is
 * in a block below its name.
 */

import type { Secret } from '../rule.ts'
import { lineEndAfter, tryReachItem } from '../search.ts'
import { isNoWord, type Value } from './value-reader.ts'

const maxLines = 8
const maxHead = 160

/** What may be between the beginning of a line or of a string and its key, and between the key and its value. */
const beforeKey = /(?:^|[\n"'`])(?<indent>[ \t]*(?:- {1,4})?)["']?$/
const afterKey = /^["']?[ \t]{0,4}:[ \t]{1,8}(?<quote>["']?)$/
const lineEnd = /^[ \t]*\r?\n/
const nextLine = /(?<indent>[ \t]{1,64})(?<content>\S(?:[^\n]{0,510}[^\s])?)[ \t]*\r?(?=\n|$)/y
/** The line in which a string ends: its quote occurs nowhere else in it. */
const closing: Readonly<Record<string, RegExp>> = {
  '"': /^(?<rest>(?:[^"\\]|\\.)*)"[ \t]*(?:#.*)?$/,
  "'": /^(?<rest>(?:[^']|'')*)'[ \t]*(?:#.*)?$/,
}

/** Extends a value by the lines that continue it, which YAML requires to be indented further than its key. */
export function withFoldedLines(text: string, name: { start: number; end: number }, value: Secret): Secret {
  const indent = beforeKey.exec(text.slice(Math.max(0, name.start - maxHead), name.start))?.groups?.['indent']
  const quote = afterKey.exec(text.slice(name.end, value.start).slice(0, maxHead))?.groups?.['quote']
  if (text[value.end] === '\\') return withContinuedLines(text, name, value)
  if (indent === undefined || quote === undefined) return value
  const first = lineEnd.exec(text.slice(value.end, value.end + maxHead))?.[0]
  if (first === undefined) return value
  return quote === ''
    ? withPlainLines(text, value, value.end + first.length, indent.length)
    : withQuotedLines(text, value, { at: value.end + first.length, indent: indent.length, quote })
}

/** What is before a property, and between it and its value. */
const beforeProperty = /(?:^|\n)[+-]?[ \t]*$/
const afterProperty = /^[ \t]{0,24}[:=][ \t]{0,24}$/
const continued = /\\\r?\n[+-]?[ \t]{0,64}(?<piece>[^\s\\]{1,512})(?=\\\r?\n|[ \t]*(?:\r?\n|$))/y
/** An option, an assignment or an operator is not a piece of a value: the command of a shell goes on. */
const ofCommand = /^(?:--?[a-zA-Z]|[\w.-]+[=:]|&&|[|;&>])/

/** Properties of Java continue after a backslash, without the blanks before the next piece. */
function withContinuedLines(text: string, name: { start: number; end: number }, value: Secret): Secret {
  const isProperty =
    beforeProperty.test(text.slice(Math.max(0, name.start - maxHead), name.start)) &&
    afterProperty.test(text.slice(name.end, value.start).slice(0, maxHead))
  let folded = value
  for (let count = 0; isProperty && count < maxLines; count++) {
    continued.lastIndex = folded.end
    const piece = continued.exec(text)?.groups?.['piece'] ?? ''
    if (piece === '' || ofCommand.test(piece)) break
    folded = { start: value.start, end: continued.lastIndex, value: folded.value + piece }
  }
  return folded
}

/** A comment, an item of a list, another key, an address, a bracket or a quote; the end of a sentence. */
const notPlain = /^(?:#|-[ \t]|["'[{]|https?:)|^[\w.-]+["']?(?:=|:(?:\s|$))|[:.;!?]$/
const key = /["']?[A-Za-z_][\w.-]{0,64}["']?:(?=[ \t]|\r?\n)/y

function isKeyAt(text: string, at: number, indent: number): boolean {
  key.lastIndex = at + indent
  return text.slice(at, at + indent).trim() === '' && key.test(text)
}

/**
 * Words as they occur in sentences do not belong to a value without quotes, unless another key at the same column follows, which
 * shows that the text is YAML. Other keys never do.
 */
function withPlainLines(text: string, value: Secret, from: number, indent: number): Secret {
  let sure = value
  let folded = value
  let isSure = true
  let at = from
  for (let count = 0; count < maxLines; count++) {
    const line = lineAt(text, at, indent)
    if (line === undefined || notPlain.test(line.content)) break
    folded = extended(folded, line.start, line.content)
    isSure &&= line.content.split(/[ \t]+/).every(isNoWord)
    if (isSure) sure = folded
    at = line.next
  }
  return isKeyAt(text, at, indent) ? folded : sure
}

function withQuotedLines(
  text: string,
  value: Secret,
  { at: from, indent, quote }: { at: number; indent: number; quote: string },
): Secret {
  let folded = value
  for (let count = 0, at = from; count < maxLines; count++) {
    const line = lineAt(text, at, indent)
    if (line === undefined) break
    const rest = closing[quote]?.exec(line.content)?.groups?.['rest']
    if (rest !== undefined) return rest === '' ? folded : extended(folded, line.start, rest)
    if (line.content.includes(quote)) break
    folded = extended(folded, line.start, line.content)
    at = line.next
  }
  // Without its end it is no string.
  return value
}

interface Line {
  start: number
  content: string
  /** Offset of the line after it. */
  next: number
}

/** The line at an offset, if it is indented further than the key. */
function lineAt(text: string, at: number, indent: number): Line | undefined {
  nextLine.lastIndex = at
  const groups = nextLine.exec(text)?.groups
  const own = groups?.['indent']?.length ?? 0
  if (groups === undefined || own <= indent) return undefined
  return { start: at + own, content: groups['content'] ?? '', next: nextLine.lastIndex + 1 }
}

/** YAML folds a line end into one space. */
function extended({ start, value }: Secret, at: number, content: string): Secret {
  return { start, end: at + content.length, value: `${value} ${content}` }
}

// Values in the lines below their name.

/** The position of a name in a text. */
interface NameAt {
  text: string
  start: number
}

/** Reads one line, which must be followed by the end mark. */
export function readHeredoc({ text }: NameAt, at: number, { groups }: RegExpExecArray): Value | undefined {
  const [line = '', value = '', tag] =
    /^([^\n]{1,512}?)[ \t]{0,8}\r?\n[ \t]{0,40}(\w{1,40})/.exec(text.slice(at, at + 640)) ?? []
  return line === '' || tag !== groups?.['tag'] ? undefined : { start: at, end: at + value.length, quoted: true }
}

const maxBlock = 64
const maxLine = 1024
const maxIndent = 256

/** Reads the lines below a YAML key that are indented further than it. */
export function readBlock({ text, start }: NameAt, at: number): Value | undefined {
  const before = text.slice(Math.max(0, start - maxIndent), start)
  const own = before.length - before.lastIndexOf('\n') - 1
  const indent = /^[ \t]*/.exec(text.slice(at, at + 80))?.[0].length ?? 0
  const mark = /^[ \t]*-?[ \t]*/.exec(text.slice(start - own, start))?.[0].length ?? 0
  if (indent <= Math.min(own, mark)) return undefined
  let end = at
  for (let line = 0, from = at; from < text.length; line++) {
    const given = text.slice(from, lineEndAfter(text, from, maxLine))
    if (!tryReachItem(line, maxBlock, given.length + 1)) break
    if (given.trim() !== '' && given.length - given.trimStart().length < indent) break
    if (given.trim() !== '') end = from + given.trimEnd().length
    from += given.length + 1
  }
  return end > at + indent ? { start: at + indent, end, quoted: true } : undefined
}
