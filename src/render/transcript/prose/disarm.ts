/**
 * Text that no renderer can mistake for HTML or for a link that runs something. Parsers differ on where code ends and on
 * what a tag is, so this looks at lines and characters only, and keeps `<` unchanged only in code on which all parsers agree.
 */

import { fencesOf } from './fences.ts'
import { isSafeUrl } from './schemes.ts'

/** TeX commands that do more than draw a formula: hosts that draw formulas execute some of them. */
const tex = /\\(?:href|url|html\w*|class|style|cssId|data|require|unicode|includegraphics)\b/i
/** Everything that could become active contains one of these. */
const activeMarks =
  /<[a-z/!?]|\[|\{:|\b(?:on\w+|href|src|style)\s*=|\\(?:href|url|html\w*|class|style|cssId|data|require|unicode|includegraphics)\b/i

/** Whether a body contains anything that `disarm` may change. */
export function hasActiveMarks(body: string): boolean {
  return activeMarks.test(body)
}

/**
 * The body changed so that, outside code, no `<` begins a tag, no `![` a picture, and no `](` or `]:` a destination that
 * runs something. It reads as before. `undefined` if renderers may disagree on which lines are code.
 */
export function disarm(body: string): string | undefined {
  const lines = body.split('\n')
  const fences = fencesOf(lines)
  if (fences === undefined) return undefined
  if (!activeMarks.test(body)) return body
  const result: string[] = []
  let from = 0
  for (const fence of [...fences, { from: lines.length, to: lines.length }]) {
    disarmLines(lines, from, fence.from, result)
    for (let at = fence.from; at <= fence.to && at < lines.length; at++) result.push(lines[at] ?? '')
    from = fence.to + 1
  }
  return result.join('\n')
}

/** Disarms lines outside fences. Blank lines separate paragraphs, and code ends with its paragraph. */
function disarmLines(lines: readonly string[], from: number, to: number, result: string[]): void {
  let paragraph: string[] = []
  for (let at = from; at <= to; at++) {
    const line = at === to ? '' : (lines[at] ?? '')
    if (!/^[ \t>]*$/.test(line)) {
      paragraph.push(openLabel.test(line) && isLabelOpen(lines, at + 1) ? line.replace('[', '\\[') : line)
      continue
    }
    if (paragraph.length > 0) result.push(disarmParagraph(paragraph.join('\n')))
    paragraph = []
    if (at < to) result.push(line)
  }
}

/** Whether a definition's label that a line leaves open could continue: some renderers look for its end in any later line. */
function isLabelOpen(lines: readonly string[], from: number): boolean {
  for (let at = from; at < lines.length; at++) {
    const bracket = /[[\]]:?/.exec(lines[at] ?? '')?.[0]
    if (bracket !== undefined) return bracket === ']:'
  }
  return true
}

function disarmParagraph(text: string): string {
  if (!activeMarks.test(text)) return text
  const spans = undisputedSpans(text)
  return spans === undefined ? disarmText(unwrapCode(text), []) : disarmText(text, spans)
}

/** Where something active could begin. */
const beginning = /<(?=[a-z/!?])|!\[|\](?=[(:])|\{(?=:|[^}\n]{0,200}\b(?:on\w+|href|src|style)\s*=)|\$/gi

function disarmText(text: string, spans: readonly CodeSpan[]): string {
  const parts: string[] = []
  let [from, next] = [0, 0]
  const hasTex = tex.test(text)
  beginning.lastIndex = 0
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    const at = match.index
    while (next < spans.length && (spans[next]?.end ?? 0) <= at) next++
    if ((spans[next]?.start ?? text.length) <= at) continue
    if (match[0] === '$' && !hasTex) continue
    const before = text.slice(from, at)
    const change = changeAt(text, at, match[0], before)
    parts.push(change.before ?? before, change.text)
    from = change.end
    beginning.lastIndex = Math.max(from, beginning.lastIndex)
  }
  return parts.length === 0 ? text : `${parts.join('')}${text.slice(from)}`
}

interface Change {
  /** Replaces the text up to `end`. */
  text: string
  end: number
  /** Replaces the text between the previous change and this one, if that changes too. */
  before?: string
}

function changeAt(text: string, at: number, mark: string, before: string): Change {
  if (mark === '<') return disarmTag(text, at, before)
  if (mark.startsWith(']')) return disarmTarget(text, at)
  return { text: escapesNext(before) ? mark : `\\${mark}`, end: at + mark.length }
}

/** An address in angle brackets that every renderer reads as one. */
const autolink =
  /<((?:https?:\/\/|mailto:)(?:[^\s<>\\"`|[\]&]|&(?!#|\w*;)){1,2000}|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+)>/iy
/** A bare address at the end of a text: it would absorb what follows, including escapes and entities. */
const bareAddress = /((?:https?|ftp)(?=:\/\/)|www(?=\.)|[\w.+-](?=@))([^\s<]*)$/i

/** Whether an odd number of backslashes ends a text. */
function escapesNext(before: string): boolean {
  let start = before.length
  while (start > 0 && before.charAt(start - 1) === '\\') start--
  return (before.length - start) % 2 === 1
}

function disarmTag(text: string, at: number, before: string): Change {
  const isEscaped = escapesNext(before)
  autolink.lastIndex = at
  const address = isEscaped || before.endsWith('!') ? undefined : autolink.exec(text)?.[1]
  if (address !== undefined) {
    const target = /^(?:https?|mailto):/i.test(address) ? address : `mailto:${address}`
    const words = address.replace(/[*_~!$(){}#]/g, '\\$&')
    return { text: `[${words}](${plainTarget(target)})`, end: autolink.lastIndex }
  }
  return { before: withoutAddress(isEscaped ? before.slice(0, -1) : before), text: '&lt;', end: at + 1 }
}

/** A text whose last word is escaped if it is a bare address. */
function withoutAddress(before: string): string {
  let start = before.length
  while (start > 0 && before.length - start < 2000 && !/\s/.test(before.charAt(start - 1))) start--
  return before.slice(0, start) + before.slice(start).replace(bareAddress, '$1\\$2')
}

function disarmTarget(text: string, at: number): Change {
  const isLink = text.charAt(at + 1) === '('
  const target = targetAt(text, at + 2)
  const isQuiet = isLink ? isQuietTarget(target.value) : isQuietDefinition(text, at, target)
  if (!isQuiet) return { text: `]\\${text.charAt(at + 1)}`, end: at + 2 }
  if (!target.isAngled) return { text: text.slice(at, at + 2), end: at + 2 }
  return { text: `${text.slice(at, target.start)}${plainTarget(target.value)}`, end: target.end }
}

// Code within lines of prose, and whether all renderers find it where we do.

/** Positions of a code span in its text: of its first backtick and after its last one. */
interface CodeSpan {
  start: number
  end: number
  /** Number of backticks on each side. */
  marks: number
}

/** What would be a tag, a comment or a declaration outside code. */
const tagStart = /<[a-z/!?]/i

/**
 * The code spans of a paragraph (a run of lines without a blank one). Backticks pair as CommonMark says, but if `inLine` is
 * set, only within a line.
 */
function spansOf(text: string, inLine: boolean): { spans: CodeSpan[]; isPaired: boolean } {
  const spans: CodeSpan[] = []
  const run = /\\[^\n]|`+/g
  let isPaired = true
  for (let open = run.exec(text); open !== null; open = run.exec(text)) {
    if (open[0].startsWith('\\')) {
      if (open[0] === '\\`') isPaired = false
      continue
    }
    const marks = open[0].length
    const lineEnd = text.indexOf('\n', open.index)
    const until = inLine && lineEnd !== -1 ? lineEnd : text.length
    const end = closingOf(text, run.lastIndex, until, marks)
    if (end === undefined) isPaired = false
    else {
      spans.push({ start: open.index, end, marks })
      run.lastIndex = end
    }
  }
  return { spans, isPaired }
}

function closingOf(text: string, from: number, until: number, marks: number): number | undefined {
  const run = /`+/g
  run.lastIndex = from
  for (let close = run.exec(text); close !== null && close.index < until; close = run.exec(text)) {
    if (close[0].length === marks) return run.lastIndex
  }
  return undefined
}

/**
 * The code spans of a paragraph if all renderers agree on them, `undefined` if they may not: a backtick without its partner
 * in the line; one that a bare address, the tail of a link or a cell of a table may absorb; emphasis that may end inside
 * code.
 */
function undisputedSpans(text: string): CodeSpan[] | undefined {
  const { spans, isPaired } = spansOf(text, true)
  if (!isPaired) return undefined
  const inside = spans.map(({ start, end, marks }) => text.slice(start + marks, end - marks))
  const outside = withoutSpans(text, spans)
  if (inside.some((code) => code.includes('|')) && /^[ \t>]*[|:-][-:| \t>]*$/m.test(text)) return undefined
  if (inside.some((code) => code.includes('~')) && outside.includes('~')) return undefined
  if (spans.some(({ marks }, at) => marks > 1 && isOpenToEmphasis(inside[at] ?? '', outside))) return undefined
  if (/\]\([^)\n]*(?:["'(<\\`\0]|$)/m.test(outside) || /\]\[[^\]\n]*(?:\0|$)/m.test(outside)) return undefined
  if (spans.length > 0 && outside.split(/\s+/).some(isCodeInAddress)) return undefined
  return spans
}

/** Whether a bare address would absorb code. */
function isCodeInAddress(word: string): boolean {
  const code = word.lastIndexOf('\0')
  return code > 0 && /:\/\/|www\.|@/i.test(word.slice(0, code))
}

/** Whether a parser without support for code in several backticks could find emphasis or a link that ends inside. */
function isOpenToEmphasis(code: string, outside: string): boolean {
  return code.includes('`') ? /[*_~[]/.test(code + outside) : /[*_~[\]]/.test(code)
}

/** The text outside code: each span is replaced by one NUL. */
function withoutSpans(text: string, spans: readonly CodeSpan[]): string {
  let from = 0
  let outside = ''
  for (const { start, end } of spans) {
    outside += `${text.slice(from, start)}\0`
    from = end
  }
  return outside + text.slice(from)
}

/** A paragraph whose code spans with tags are turned into text that shows their backticks and marks as typed. */
function unwrapCode(text: string): string {
  let from = 0
  let result = ''
  for (const { start, end } of spansOf(text, false).spans) {
    const source = text.slice(start, end)
    if (!tagStart.test(source)) continue
    result += text.slice(from, start) + source.replace(/[!-/:-@[-`{-~]/g, plainMark)
    from = end
  }
  return result + text.slice(from)
}

function plainMark(mark: string): string {
  if (mark === '`') return '&#96;'
  if (mark === '<') return '&lt;'
  return mark === '&' ? '&amp;' : `\\${mark}`
}

// Destinations of links and definitions as any renderer could read them from the text.

/** A destination as written. */
interface Target {
  value: string
  start: number
  end: number
  /** It is between `<` and `>`, which are part of its range but not of `value`. */
  isAngled: boolean
}

/** The beginning of a definition whose label continues on the next line. */
const openLabel: RegExp = /^(?:[ >]|[-*+] |\d{1,9}[.)] )*\[(?:\\.|[^[\]\\])*$/

const space = /[ \t\n>]*/y
const angled = /<([^<>\n]{0,2000})>/y
/** Limited to what shows a scheme, because many unclosed links would each be read to the end. */
const bare = /[^\s)]{0,2000}/y

/** The destination after the mark that ends at `from`. */
function targetAt(text: string, from: number): Target {
  space.lastIndex = from
  space.exec(text)
  const start = space.lastIndex
  angled.lastIndex = start
  const inner = angled.exec(text)
  if (inner !== null) return { value: inner[1] ?? '', start, end: angled.lastIndex, isAngled: true }
  bare.lastIndex = start
  const value = bare.exec(text)?.[0] ?? ''
  return { value, start, end: start + value.length, isAngled: false }
}

/**
 * Whether a destination is harmless no matter what is decoded in it: before the first slash, query or fragment it has no
 * entity, and its scheme is safe with backslash escapes removed, both with and without percent codes decoded.
 */
function isQuietTarget(value: string): boolean {
  if (/&#|&\w+;/.test(/^(?:&#|[^/?#])*/.exec(value)?.[0] ?? '')) return false
  const plain = value.replace(/\\(?=[!-/:-@[-`{-~])/g, '')
  return isSafeUrl(plain) && isSafeUrl(percentDecoded(plain))
}

function percentDecoded(value: string): string {
  return value.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** An angled destination without its brackets. */
function plainTarget(value: string): string {
  return value === ''
    ? '<>'
    : value.replace(/[ ()\\]/g, (mark) => encodeURIComponent(mark).replace('(', '%28').replace(')', '%29'))
}

const title = /^[ \t]*(?:(?:"[^"\\\n]*"|'[^'\\\n]*'|\([^()\\\n]*\))[ \t]*)?$/

/**
 * Whether a possible definition, whose label ends at `at`, is within a single line and harmless. A title that begins on one
 * line and ends on another would absorb what is in between, for some renderers even fences.
 */
function isQuietDefinition(text: string, at: number, target: Target): boolean {
  if (!isQuietTarget(target.value)) return false
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
  if (!openLabel.test(line)) return true
  const lineEnd = text.indexOf('\n', at)
  const [tail, below] = lineEnd === -1 ? [text.slice(at), ''] : [text.slice(at, lineEnd), text.slice(lineEnd + 1)]
  if (/^[\s>]*["'(]/.test(below)) return false
  if (/^\]:[ \t>]*$/.test(tail)) return false
  const rest = text.slice(target.end, lineEnd === -1 ? text.length : lineEnd)
  return title.test(rest) || !/^[ \t]*["'(]/.test(rest)
}
