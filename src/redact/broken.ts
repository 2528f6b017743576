/** The shared context of a search, and tokens that a terminal or a writer broke over lines. */

import type { Anchors } from './anchors.ts'
import { type PatternRule, type Rule, type Secret, secretAt } from './rule.ts'
import { isIn, isMixed, letterTable } from './values/letters.ts'
import { isWordy } from './values/randomness.ts'
import { rangeIn, type View } from './view.ts'

/** What was found in a text: `start` inclusive, `end` exclusive. `value` reads without line breaks and escapes. */
export interface Finding {
  start: number
  end: number
  rule: string
  value: string
  /** Position of the rule. The lowest among overlapping findings gives the name. */
  rank: number
  /** The replacement; without it, a mark with a number. */
  replacement?: string
  /** What else was found in its place: other readings, and values that it contains. */
  inner?: readonly Finding[]
}

/** A search over one reading of a text. */
export interface MatchContext {
  readonly view: View
  readonly rules: readonly Rule[]
  /** Receives what is found, with offsets in the original text. */
  readonly found: Finding[]
  /** The end of the last match of each rule that spans, by rank. */
  spanned: Map<number, number> | undefined
  /** How many beginnings on narrow lines were tried so far. */
  narrow: number
  /** The last run that was read. */
  run?: BrokenRun
}

/** The text from an offset on that may be one token, over several lines. */
interface BrokenRun {
  offset: number
  run: string
  breaks: readonly Break[]
}

// Tokens with a form of their own that a terminal, or a writer, broke over lines.

/**
 * Matches what is between two lines of one token: a line end, with the border of a box, a backslash or spaces around it, and the
 * beginning of the next line: indent, border, line number, or the mark of a comment, a quotation or a diff.
 */
export const lineEnd: string =
  '[ \\t]{0,80}[|│┃║▌]?[ \\t]{0,8}\\\\?\\r?\\n(?:[ \\t]{0,40}(?:[|│┃║▌>#*;]{1,3}|\\/\\/|\\d{1,6}[:|)→\\t]?(?=[ \\t])|[+-](?=[^-+])|["\'](?=\\S))?[ \\t→]{0,40})'
const tokenRun = new RegExp(`(?:[\\w.+/=~:-]|${lineEnd}(?=[\\w.+/=~-]))+`, 'y')
const lineEnds = new RegExp(lineEnd, 'g')
const lineEndAt = new RegExp(lineEnd, 'y')
const maxRunLength = 8192
const maxLines = 24

/**
 * Takes a token that continues after a line break, as when a terminal is too narrow. If the first line is a token already, up to
 * `whole`, the next one must look like the rest of a key.
 */
export function tryJoined(context: MatchContext, offset: number, rank: number, whole: number | undefined): boolean {
  const { view, found } = context
  const rule = context.rules[rank]
  if (rule?.pattern === undefined || !mayBeBroken(context, offset) || !isJoined(view.text, offset)) return false
  const { run, breaks } = runAt(context, offset)
  const end = offset + (breaks[0]?.at ?? -1)
  if (end < offset || (whole !== undefined && whole < end - 1)) return false
  if (whole !== undefined && whole - offset === rule.length) return false
  const start = Math.max(0, offset - 1)
  const before = view.text.slice(start, offset)
  const joined = joinLines(
    {
      lines: linesOf(run, breaks),
      endings: breaks.map(({ length }) => length),
      before,
      isToken: whole !== undefined,
      after: view.text.slice(offset + run.length, offset + run.length + 16),
    },
    rule,
  )
  if (joined === undefined) return false
  const { secret } = joined
  const [from, to] = rangeIn(
    view,
    start + offsetWithBreaks(secret.start, joined.breaks),
    start + offsetWithBreaks(secret.end, joined.breaks),
  )
  found.push({ start: from, end: to, rule: rule.id, value: secret.value, rank })
  return true
}

/** Reads what may be the parts of one token, with the breaks between them, once for all rules that begin at an offset. */
function runAt(context: MatchContext, offset: number): BrokenRun {
  if (context.run?.offset === offset) return context.run
  const { text } = context.view
  const limit = Math.min(text.length, offset + maxRunLength)
  // Stops after the last line that may be a part, because many short lines are read again at each of them.
  let end = offset
  for (let line = 0; line <= maxLines && end < limit; line++) {
    const next = text.indexOf('\n', end)
    end = next < 0 ? limit : Math.min(limit, next + 1)
  }
  tokenRun.lastIndex = 0
  const run = tokenRun.exec(text.slice(offset, end))?.[0] ?? ''
  const breaks = Array.from(run.matchAll(lineEnds), ({ index, 0: mark }) => ({ at: index, length: mark.length }))
  context.run = { offset, run, breaks }
  return context.run
}

function linesOf(run: string, breaks: readonly Break[]): string[] {
  const starts = [0, ...breaks.map(({ at, length }) => at + length)]
  return starts.map((start, line) => run.slice(start, breaks[line]?.at))
}

/**
 * The least width of a terminal. Of tokens on lines that end before it, only the first few are tried, because long lists cost
 * much.
 */
const narrowest = 16
const maxNarrow = 200

/** Whether a token may continue after the end of its line. */
function mayBeBroken(context: MatchContext, offset: number): boolean {
  const { view } = context
  const end = view.text.slice(offset, offset + maxRunLength).indexOf('\n')
  if (end < 0) return false
  const before = view.text.slice(Math.max(0, offset - narrowest), offset)
  if (before.length - before.lastIndexOf('\n') - 1 + end >= narrowest) return true
  context.narrow++
  return context.narrow <= maxNarrow
}

/** Characters of `tokenRun` that are not part of a break, by their codes below 128. */
const tokenCodes = letterTable('_.+/=~:-')

/** Whether a break follows the token's first part. Most tokens are followed by a space or a punctuation character. */
function isJoined(text: string, offset: number): boolean {
  const limit = Math.min(text.length, offset + maxRunLength)
  let end = offset
  while (end < limit && isIn(tokenCodes, text.charCodeAt(end))) end++
  lineEndAt.lastIndex = end
  return lineEndAt.test(text)
}

interface Lines {
  lines: readonly string[]
  /** Lengths of the line breaks between them. */
  endings: readonly number[]
  /** What comes before the first line, which may begin inside a word. */
  before: string
  /** The first line alone is a token. */
  isToken: boolean
  /** What follows the last line. */
  after: string
}

/**
 * Joins a token over several lines, and returns it with the breaks in it: over all lines that look like parts of a key, else over
 * the first two. At most two tries at an offset keep the number bounded for any text.
 */
function joinLines({ lines, endings, before, isToken, after }: Lines, rule: PatternRule): Joined | undefined {
  const count = partsOf(lines, isToken)
  return count < 2 ? undefined : (joinFirst(count) ?? (count > 2 ? joinFirst(2) : undefined))

  function joinFirst(parts: number): Joined | undefined {
    let joined = before
    const breaks: Break[] = []
    for (const [index, line] of lines.slice(0, parts).entries()) {
      if (index > 0) breaks.push({ at: joined.length, length: endings[index - 1] ?? 0 })
      joined += line
    }
    // Only after its last line may the text end, or be cut.
    const secret = secretAt(joined + (parts === lines.length ? after : '\n'), before.length, rule)
    const reached = secret !== undefined && secret.end > (breaks[0]?.at ?? joined.length)
    return reached ? { secret, breaks } : undefined
  }
}

/** A line that begins another variable does not continue a token: dumps of an environment list one after the other. */
const assignment = /^[A-Za-z_][\w.-]{0,80}[=:][^=]/

const path = /^~?\/[a-z.]{2,20}(?:\/|$)/

/**
 * The number of lines that may be parts of one token. The line after a beginning that is not yet a token need not look like one.
 */
function partsOf(lines: readonly string[], isToken: boolean): number {
  const doubtful = isToken ? 1 : 2
  const end = lines
    .slice(0, maxLines)
    .findIndex(
      (line, index) =>
        index > 0 &&
        (assignment.test(line) ||
          path.test(line) ||
          (isToken && isSeparateToken(line)) ||
          (index >= doubtful && !isKeyLike(line))),
    )
  return end < 0 ? Math.min(lines.length, maxLines) : end
}

/** Whether a line is a digest, the id of a commit or another token, and so does not continue the token above it. */
export function isSeparateToken(line: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$|^[a-z]{2,8}[_-](?:[a-z]{2,8}[_-])?[A-Za-z0-9]{16,}$/.test(line)
}

interface Joined {
  secret: Secret
  breaks: Break[]
}

/** A line break that was taken out of a text, by its offset in the rest. */
interface Break {
  at: number
  length: number
}

/** Converts an offset in joined text to one in the text with its breaks. */
function offsetWithBreaks(offset: number, breaks: readonly Break[]): number {
  return breaks.reduce((sum, { at, length }) => (at < offset ? sum + length : sum), offset)
}

/** Whether a line or a literal looks like a part of a key. */
export function isKeyLike(tail: string): boolean {
  return !isWordy(tail) && isMixed(tail)
}

const reach = 12

/** Takes the tokens whose beginning itself is broken over two lines. */
export function brokenAnchors(context: MatchContext, { search, mayCross }: Anchors): void {
  const { text } = context.view
  // A line break at the beginning or the end of the text breaks nothing.
  for (let line = text.indexOf('\n', 1); line > 0 && line + 1 < text.length; line = text.indexOf('\n', line + 1)) {
    const end = text.charCodeAt(line - 1) === 13 ? line - 1 : line
    const next = continuationAfter(text, line, end)
    if (next === 0) continue
    // Words are longer when they are encoded, and what must follow them there is checked, too.
    const isEncoded = isRun(text, next)
    const start = Math.max(0, end - (isEncoded ? 2 * reach : reach))
    const stop = Math.min(text.length, next + (isEncoded ? 2 * reach : reach))
    if (!mayCross(text, start, end, next, stop)) continue
    const rest = isEncoded ? stop + reach : stop
    search(text.slice(start, end) + text.slice(next, rest), tryBroken, { context, start, end })
  }
}

/** Offset at which a token may continue after the end of a line, or 0. */
function continuationAfter(text: string, line: number, end: number): number {
  const first = text.charCodeAt(line + 1)
  if ((first !== 32 && !isWordCode(first)) || end === 0 || !isWordCode(text.charCodeAt(end - 1))) return 0
  return first === 32 ? afterIndent(text, line + 1, end) : line + 1
}

const maxIndent = 40

/**
 * Offset at which an indented line continues the long run at the end of the line before it, if it begins with a long run; else 0.
 */
function afterIndent(text: string, offset: number, end: number): number {
  if (!isRun(text, end - reach)) return 0
  let next = offset
  while (text.charCodeAt(next) === 32 && next - offset < maxIndent) next++
  return isRun(text, next) ? next : 0
}

/** Whether an offset begins a run of letters and digits longer than most words. */
function isRun(text: string, offset: number): boolean {
  for (let at = offset; at < offset + reach; at++) if (!isWordCode(text.charCodeAt(at))) return false
  return true
}

/** Takes a token that begins in the part of a text before a line break. */
function tryBroken(offset: number, ranks: readonly number[], { context, start, end }: LineEnd): void {
  if (start + offset >= end) return
  for (const rank of ranks) {
    const rule = context.rules[rank]
    if (rule?.wraps && rule.read === undefined) tryJoined(context, start + offset, rank, undefined)
    else if (rule?.wraps) tryReader(context, start + offset, rank)
  }
}

/** Takes what is found by a rule with a reader, which follows line breaks itself. */
function tryReader({ view, rules, found }: MatchContext, offset: number, rank: number): void {
  const rule = rules[rank]
  for (const secret of rule?.read?.(view.text, offset) ?? []) {
    const [start, end] = rangeIn(view, secret.start, secret.end)
    found.push({ start, end, rule: secret.rule ?? rule?.id ?? '', value: secret.value, rank })
  }
}

interface LineEnd {
  context: MatchContext
  start: number
  end: number
}

/** A letter, a digit, `-` or `_`. */
function isWordCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 45 ||
    code === 95
  )
}
