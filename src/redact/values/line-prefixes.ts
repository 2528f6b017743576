/** The lines around a name without what a tool put before each: signs of a diff, numbers, names of files. */

import type { Secret } from '../rule.ts'
import { lineEndAfter, tryReachItem } from '../search.ts'
import { rangeIn, type View, viewOf } from '../view.ts'

const time = '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d[\\d.,:Z+-]{0,16} '

/**
 * What is before the lines of a text, by its writer, and how it begins. The same one must be before the line of the name and the
 * next.
 */
const prefixes: readonly (readonly [begins: RegExp, prefix: RegExp])[] = [
  // `diff`, a quotation
  [/[<>|]/, /[<>|](?: |(?=\r?\n))/y],
  // What a program logs, by `docker compose`, with a time, by a system, in a job of GitHub
  [/[\w.]/, /[\w.-]{1,60} {1,24}\| ?/y],
  [/\d/, new RegExp(`${time}(?:[\\w./-]{1,40}\\[[\\w.-]{1,20}\\]: )?`, 'y')],
  [/[A-Z]/, /[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,60} \S{1,60}: /y],
  [/\w/, new RegExp(`[^\\t\\n]{1,80}\\t[^\\t\\n]{1,80}\\t${time}`, 'y')],
  // `nl`, `cat -n`, `grep -n`, an editor
  [/[ \tL\d]/, /[ \t]{0,8}L?\d{1,6}(?:\t| ?[:|)→│-][ \t]?)/y],
  // `grep -n` in several files
  [/[\w./@]/, /(?:[\w@+-]{1,40}[./]|[./]){1,12}[\w@+]{1,40}[:-](?:\d{1,6}[:-])?/y],
  // `git blame`
  [/[\^0-9a-f]/, /\^?[0-9a-f]{7,40} [^()\n]{0,80}\([^()\n]{1,120} \d{1,6}\) ?/y],
]
/** A diff marks only some lines; the others begin with a space. */
const lineOfDiff = /[+ -]/y

/** Lines that may be part of a value that begins below its name, and of lists below it. */
const maxLines = 64
/** Fields of one object: a name, and its value in another line at the same column. */
const maxFields = 5
const maxLine = 1024
const maxHead = 200

/** A name with nothing but punctuation after it. Otherwise what is below belongs to it only if it is indented further. */
const hasNothingAfter = /^[\w.\u0080-\uFFFF-]{1,80}[^A-Za-z\u0080-\uFFFF]{0,40}$/

/** A view of the line of a name and those below it, and an offset in the name there. */
export interface BareLines {
  view: View
  offset: number
}

/**
 * Returns the line of a name, which contains `offset`, and the lines that may belong to it without their prefixes; `undefined` if
 * they have none.
 */
export function withoutLinePrefixes(text: string, offset: number): BareLines | undefined {
  const found = prefixAround(text, offset)
  if (found === undefined) return undefined
  const { prefix, from, below, next } = found
  const isFurther = indentAt(text, below, text.length) > indentAt(text, from, offset)
  if (!isFurther && !hasNothingAfter.test(text.slice(offset, next))) return undefined
  const own = indentAt(text, from, offset)
  return { view: viewOfLines(text, linesFrom(text, prefix, from, own)), offset: offset - from }
}

/** The same with the line above and all lines below, for what is in several lines whatever their indents. */
export function allWithoutLinePrefixes(text: string, offset: number): BareLines | undefined {
  const found = prefixAround(text, offset)
  if (found === undefined) return undefined
  const { prefix, line, from } = found
  const above = lineAbove(text, prefix, line)
  const lines = [...above, ...linesFrom(text, prefix, from, -1)]
  return { view: viewOfLines(text, lines), offset: offset - from + lengthOf(above) }
}

/** What `read` finds in bare lines, at its offsets in the whole text. */
export function secretsInLines(
  { view, offset }: BareLines,
  read: (text: string, offset: number) => readonly Secret[],
): readonly Secret[] {
  return read(view.text, offset).map((secret) => {
    const [start, end] = rangeIn(view, secret.start, secret.end)
    return { ...secret, start, end }
  })
}

/** The line before another, if it has the same prefix. */
function lineAbove(text: string, prefix: RegExp, line: number): Line[] {
  if (line === 0) return []
  const begin = line < 2 ? 0 : text.lastIndexOf('\n', line - 2) + 1
  const start = line - begin > maxHead ? undefined : endOf(prefix, text, begin)
  return start === undefined || start >= line ? [] : [{ start, end: line }]
}

const lengthOf = (lines: readonly Line[]): number => lines.reduce((sum, { start, end }) => sum + end - start, 0)

/** The prefix of a line and the next, and where both lines begin, with it and after it. */
interface Prefixed {
  prefix: RegExp
  line: number
  from: number
  /** The next line, with its prefix and without. */
  next: number
  below: number
}

function prefixAround(text: string, offset: number): Prefixed | undefined {
  const head = text.slice(Math.max(0, offset - maxHead), offset)
  const begin = head.lastIndexOf('\n')
  if (begin < 0 && offset > maxHead) return undefined
  const rest = text.slice(offset, offset + maxLine).indexOf('\n')
  if (rest < 0) return undefined
  const [line, next] = [offset - head.length + begin + 1, offset + rest + 1]
  const prefix = prefixOf(text, line, next)
  if (prefix === undefined) return undefined
  const from = endOf(prefix, text, line) ?? line
  const below = endOf(prefix, text, next) ?? next
  return from > offset ? undefined : { prefix, line, from, next, below }
}

/** A line without its prefix, `end` exclusive and with the line end. */
interface Line {
  start: number
  end: number
}

/** The line from `from` on, which contains the name, and those below, by the indent of the name. */
function linesFrom(text: string, prefix: RegExp, from: number, own: number): Line[] {
  const lines: Line[] = []
  for (let at: number | undefined = from; at !== undefined && lines.length < maxLines; ) {
    const end: number = lineEndAfter(text, at, maxLine) + 1
    const isFurther = end - at < 2 || indentAt(text, at, end) > own
    if (lines.length >= maxFields && !isFurther) break
    if (!tryReachItem(lines.length, maxFields, end - at)) break
    lines.push({ start: at, end: Math.min(end, text.length) })
    at = end < text.length ? endOf(prefix, text, end) : undefined
  }
  return lines
}

function indentAt(text: string, from: number, end: number): number {
  let at = from
  while (at < end && (text[at] === ' ' || text[at] === '\t')) at++
  return at - from
}

function viewOfLines(text: string, lines: readonly Line[]): View {
  let shown = ''
  const pieces: number[] = []
  for (const { start, end } of lines) {
    pieces.push(shown.length, start, 0)
    shown += text.slice(start, end)
  }
  return { text: shown, origin: { below: viewOf(text), pieces } }
}

function endOf(prefix: RegExp, text: string, line: number): number | undefined {
  prefix.lastIndex = line
  return prefix.test(text) ? prefix.lastIndex : undefined
}

/** The end of what a tool put before the line that begins at an offset; `undefined` if it put nothing there. */
export function endOfLinePrefix(text: string, line: number): number | undefined {
  const sign = text.charAt(line)
  // A removed line of a diff. Rules accept the sign of an added one.
  if (sign === '-') return line + 1
  for (const [begins, prefix] of prefixes) {
    const end = begins.test(sign) ? endOf(prefix, text, line) : undefined
    if (end !== undefined) return end
  }
  return undefined
}

/** The prefix that both lines have. */
function prefixOf(text: string, line: number, next: number): RegExp | undefined {
  const [sign, other] = [text.charAt(line), text.charAt(next)]
  if (/[+ -]/.test(sign) && /[+ -]/.test(other) && (sign !== ' ' || other !== ' ')) return lineOfDiff
  for (const [begins, prefix] of prefixes) {
    if (!begins.test(sign) || !begins.test(other)) continue
    if (endOf(prefix, text, line) !== undefined && endOf(prefix, text, next) !== undefined) return prefix
  }
  return undefined
}
