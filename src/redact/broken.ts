/** What the parts of a search share, and tokens that a terminal or a writer broke over lines. */

import type { Anchors } from './anchors.ts'
import { type PatternRule, type Rule, type Secret, secretAt } from './rule.ts'
import { isIn, isMixed, letterTable } from './values/characters.ts'
import { isWordy } from './values/values.ts'
import { rangeIn, type View } from './view.ts'

/** What was found in a text: `start` inclusive, `end` exclusive. `value` is it as it reads without breaks and escapes. */
export interface Finding {
  start: number
  end: number
  rule: string
  value: string
  /** Position of the rule: the lowest of overlapping findings gives the name. */
  rank: number
  /** What stands in its place; without it a mark with a number. */
  instead?: string
}

/** A search over one reading of a text. */
export interface MatchContext {
  readonly view: View
  readonly rules: readonly Rule[]
  /** Takes what is found, by places of the text itself. */
  readonly found: Finding[]
  /** Where the last match of a rule that spans ends, by rank. */
  spanned: Map<number, number> | undefined
  /** Beginnings on narrow lines that were tried so far. */
  narrow: number
  /** The last run that was read. */
  run?: BrokenRun
}

/** A text from a place on that one token may be, over several lines. */
interface BrokenRun {
  place: number
  run: string
  breaks: readonly Break[]
}

// Tokens with a form of their own that a terminal, or a writer, broke over lines.

/**
 * What stands between two lines of one token: a line end, with a border of a box, a backslash or blanks around it, and
 * the beginning of the next line: indent, border, number, mark of a comment, a quotation or a diff.
 */
const lineEnd =
  '[ \\t]{0,80}[|│┃║▌]?[ \\t]{0,8}\\\\?\\r?\\n(?:[ \\t]{0,40}(?:[|│┃║▌>#*;]{1,3}|\\/\\/|\\d{1,6}[:|)→\\t]?(?=[ \\t])|[+-](?=[^-+])|["\'](?=\\S))?[ \\t→]{0,40})'
const tokenRun = new RegExp(`(?:[\\w.+/=~:-]|${lineEnd}(?=[\\w.+/=~-]))+`, 'y')
const lineEnds = new RegExp(lineEnd, 'g')
const lineEndAt = new RegExp(lineEnd, 'y')
const maxRunLength = 8192
const maxLines = 24

/**
 * Takes a token that goes on behind a line break, as where a terminal is too narrow. Where the first line is a token
 * already, up to `whole`, the next one must look like the rest of a key.
 */
export function takeJoined(context: MatchContext, place: number, rank: number, whole: number | undefined): boolean {
  const { view, found } = context
  const rule = context.rules[rank]
  if (rule?.pattern === undefined || !mayBeBroken(context, place) || !isJoined(view.text, place)) return false
  const { run, breaks } = runAt(context, place)
  const end = place + (breaks[0]?.at ?? -1)
  if (end < place || (whole !== undefined && whole < end - 1)) return false
  if (whole !== undefined && whole - place === rule.length) return false
  const start = Math.max(0, place - 1)
  const before = view.text.slice(start, place)
  const joined = joinLines(
    {
      lines: linesOf(run, breaks),
      endings: breaks.map(({ length }) => length),
      before,
      isToken: whole !== undefined,
      behind: view.text.slice(place + run.length, place + run.length + 16),
    },
    rule,
  )
  if (joined === undefined) return false
  const { secret } = joined
  const [from, to] = rangeIn(
    view,
    start + behindBreaks(secret.start, joined.breaks),
    start + behindBreaks(secret.end, joined.breaks),
  )
  found.push({ start: from, end: to, rule: rule.id, value: secret.value, rank })
  return true
}

/** What may be parts of one token, with the breaks between them; read once for all rules that begin at a place. */
function runAt(context: MatchContext, place: number): BrokenRun {
  if (context.run?.place === place) return context.run
  const { text } = context.view
  const limit = Math.min(text.length, place + maxRunLength)
  // No line behind the last one that may be a part is looked at: many short lines are read again at each of them.
  let end = place
  for (let line = 0; line <= maxLines && end < limit; line++) {
    const next = text.indexOf('\n', end)
    end = next < 0 ? limit : Math.min(limit, next + 1)
  }
  tokenRun.lastIndex = 0
  const run = tokenRun.exec(text.slice(place, end))?.[0] ?? ''
  const breaks = Array.from(run.matchAll(lineEnds), ({ index, 0: mark }) => ({ at: index, length: mark.length }))
  context.run = { place, run, breaks }
  return context.run
}

function linesOf(run: string, breaks: readonly Break[]): string[] {
  const starts = [0, ...breaks.map(({ at, length }) => at + length)]
  return starts.map((start, line) => run.slice(start, breaks[line]?.at))
}

/** No terminal is narrower: of lines that end before its edge only the first few are tried, for lists of them cost much. */
const narrowest = 16
const maxNarrow = 200

/** Whether a token at a place may go on behind the end of its line. */
function mayBeBroken(context: MatchContext, place: number): boolean {
  const { view } = context
  const end = view.text.slice(place, place + maxRunLength).indexOf('\n')
  if (end < 0) return false
  const before = view.text.slice(Math.max(0, place - narrowest), place)
  if (before.length - before.lastIndexOf('\n') - 1 + end >= narrowest) return true
  context.narrow++
  return context.narrow <= maxNarrow
}

/** Characters of `tokenRun` that are no part of a break, by their codes below 128. */
const tokenCodes = letterTable('_.+/=~:-')

/** Whether a break stands behind the token's first part: most tokens end with a blank or a sign. */
function isJoined(text: string, place: number): boolean {
  const limit = Math.min(text.length, place + maxRunLength)
  let end = place
  while (end < limit && isIn(tokenCodes, text.charCodeAt(end))) end++
  lineEndAt.lastIndex = end
  return lineEndAt.test(text)
}

interface Lines {
  lines: readonly string[]
  /** Lengths of the line breaks between them. */
  endings: readonly number[]
  /** What stands before the first line: it may be the middle of a word. */
  before: string
  /** The first line alone is a token. */
  isToken: boolean
  /** What stands behind the last line. */
  behind: string
}

/**
 * A token over several lines, with the breaks in it: over all that look like parts of a key, else over the first two.
 * At most two tries a place, so that no text makes them many.
 */
function joinLines({ lines, endings, before, isToken, behind }: Lines, rule: PatternRule): Joined | undefined {
  const count = partsOf(lines, isToken)
  return count < 2 ? undefined : (joinFirst(count) ?? (count > 2 ? joinFirst(2) : undefined))

  function joinFirst(parts: number): Joined | undefined {
    let joined = before
    const breaks: Break[] = []
    for (const [index, line] of lines.slice(0, parts).entries()) {
      if (index > 0) breaks.push({ at: joined.length, length: endings[index - 1] ?? 0 })
      joined += line
    }
    // The text ends, or is cut, behind its last line and nowhere else.
    const secret = secretAt(joined + (parts === lines.length ? behind : '\n'), before.length, rule)
    const reached = secret !== undefined && secret.end > (breaks[0]?.at ?? joined.length)
    return reached ? { secret, breaks } : undefined
  }
}

/** A line that begins another variable is no rest of a token: env dumps have one below the other. */
const assignment = /^[A-Za-z_][\w.-]{0,80}[=:][^=]/

const path = /^~?\/[a-z.]{2,20}(?:\/|$)/

/** Number of lines that may be parts of one token; the one behind a beginning that is no token yet need not look so. */
function partsOf(lines: readonly string[], isToken: boolean): number {
  const doubtful = isToken ? 1 : 2
  const end = lines
    .slice(0, maxLines)
    .findIndex(
      (line, index) =>
        index > 0 &&
        (assignment.test(line) ||
          path.test(line) ||
          (isToken && isOther(line)) ||
          (index >= doubtful && !isKeyLike(line))),
    )
  return end < 0 ? Math.min(lines.length, maxLines) : end
}

/** A digest, an id of a commit or another token is no rest of the token above it. */
export function isOther(line: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$|^[a-z]{2,8}[_-](?:[a-z]{2,8}[_-])?[A-Za-z0-9]{16,}$/.test(line)
}

interface Joined {
  secret: Secret
  breaks: Break[]
}

/** A line break that was taken out of a text, by its place in what is left. */
interface Break {
  at: number
  length: number
}

/** A place in joined text as a place in the text with its breaks. */
function behindBreaks(place: number, breaks: readonly Break[]): number {
  return breaks.reduce((sum, { at, length }) => (at < place ? sum + length : sum), place)
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
    const next = goesOn(text, line, end)
    if (next === 0) continue
    // Words are longer where they are encoded, and what must follow them there is looked at, too.
    const isEncoded = isRun(text, next)
    const start = Math.max(0, end - (isEncoded ? 2 * reach : reach))
    const stop = Math.min(text.length, next + (isEncoded ? 2 * reach : reach))
    if (!mayCross(text, start, end, next, stop)) continue
    const rest = isEncoded ? stop + reach : stop
    search(text.slice(start, end) + text.slice(next, rest), takeBroken, { context, start, end })
  }
}

/** Where a token may go on behind the end of a line; else 0. */
function goesOn(text: string, line: number, end: number): number {
  const first = text.charCodeAt(line + 1)
  if ((first !== 32 && !isWordCode(first)) || end === 0 || !isWordCode(text.charCodeAt(end - 1))) return 0
  return first === 32 ? behindIndent(text, line + 1, end) : line + 1
}

const maxIndent = 40

/** Where an indented line goes on with the long run at the end of the one before it, if it begins with a long run; else 0. */
function behindIndent(text: string, place: number, end: number): number {
  if (!isRun(text, end - reach)) return 0
  let next = place
  while (text.charCodeAt(next) === 32 && next - place < maxIndent) next++
  return isRun(text, next) ? next : 0
}

/** Whether letters and digits stand at a place, more than most words have. */
function isRun(text: string, place: number): boolean {
  for (let at = place; at < place + reach; at++) if (!isWordCode(text.charCodeAt(at))) return false
  return true
}

/** Takes a token that begins in the part of a text that a line break ends. */
function takeBroken(place: number, ranks: readonly number[], { context, start, end }: LineEnd): void {
  if (start + place >= end) return
  for (const rank of ranks) {
    const rule = context.rules[rank]
    if (rule?.wraps && rule.read === undefined) takeJoined(context, start + place, rank, undefined)
    else if (rule?.wraps) takeRead(context, start + place, rank)
  }
}

/** Takes what a rule reads that follows line breaks itself. */
function takeRead({ view, rules, found }: MatchContext, place: number, rank: number): void {
  const rule = rules[rank]
  for (const secret of rule?.read?.(view.text, place) ?? []) {
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
