/** Tokens with a form of their own that a terminal, or a writer, broke over lines. */
import type { AnchorSearch } from './anchors.ts'
import type { Hunt } from './hunt.ts'
import type { Rule } from './rule.ts'
import { type Secret, secretAt } from './secret-at.ts'
import { isMixed, isWordy } from './values.ts'
import { rangeIn } from './view.ts'

const tokenRun = /(?:[\w.+/=~:-]|\r?\n(?=[\w.+/=~-]))+/y
const longestRun = 8192
const mostLines = 24

/**
 * Takes a token that goes on behind a line break, as where a terminal is too narrow. Where the first line is a token
 * already, up to `whole`, the next one must look like the rest of a key.
 */
export function takeJoined(hunt: Hunt, place: number, rank: number, whole: number | undefined): boolean {
  const { view, found } = hunt
  const rule = hunt.rules[rank]
  if (rule === undefined || !mayBeBroken(hunt, place)) return false
  tokenRun.lastIndex = 0
  const run = tokenRun.exec(view.text.slice(place, place + longestRun))?.[0] ?? ''
  const end = place + run.indexOf('\n')
  if (end < place || (whole !== undefined && whole < end - 1)) return false
  const start = Math.max(0, place - 1)
  const before = view.text.slice(start, place)
  const joined = joinLines(
    { lines: run.split(/\r?\n/), ending: run.includes('\r') ? 2 : 1, before, isToken: whole !== undefined },
    rule,
  )
  if (joined === undefined) return false
  const { secret, breaks } = joined
  const [from, to] = rangeIn(view, start + behindBreaks(secret.start, breaks), start + behindBreaks(secret.end, breaks))
  found.push({ start: from, end: to, rule: rule.id, value: secret.value, rank })
  return true
}

/** No terminal is narrower: of lines that end before its edge only the first few are tried, for lists of them cost much. */
const narrowest = 16
const mostNarrow = 200

/** Whether a token at a place may go on behind the end of its line. */
function mayBeBroken(hunt: Hunt, place: number): boolean {
  const { view } = hunt
  const end = view.text.slice(place, place + longestRun).indexOf('\n')
  if (end < 0) return false
  const before = view.text.slice(Math.max(0, place - narrowest), place)
  if (before.length - before.lastIndexOf('\n') - 1 + end >= narrowest) return true
  hunt.narrow++
  return hunt.narrow <= mostNarrow
}

interface Lines {
  lines: readonly string[]
  /** Length of a line break. */
  ending: number
  /** What stands before the first line: it may be the middle of a word. */
  before: string
  /** The first line alone is a token. */
  isToken: boolean
}

/**
 * A token over several lines, with the breaks in it: over all that look like parts of a key, else over the first two.
 * At most two tries a place, so that no text makes them many.
 */
function joinLines({ lines, ending, before, isToken }: Lines, rule: Rule): Joined | undefined {
  const count = partsOf(lines, isToken)
  return count < 2 ? undefined : (joinFirst(count) ?? (count > 2 ? joinFirst(2) : undefined))

  function joinFirst(parts: number): Joined | undefined {
    let joined = before
    const breaks: Break[] = []
    for (const line of lines.slice(0, parts)) {
      if (joined !== before) breaks.push({ at: joined.length, length: ending })
      joined += line
    }
    const secret = secretAt(joined, before.length, rule)
    const reached = secret !== undefined && secret.end > (breaks[0]?.at ?? joined.length)
    return reached ? { secret, breaks } : undefined
  }
}

/** A line that begins another variable is no rest of a token: env dumps have one below the other. */
const assignment = /^[A-Za-z_][\w.-]{0,80}[=:][^=]/

/** Number of lines that may be parts of one token; the one behind a beginning that is no token yet need not look so. */
function partsOf(lines: readonly string[], isToken: boolean): number {
  const doubtful = isToken ? 1 : 2
  const end = lines
    .slice(0, mostLines)
    .findIndex((line, index) => index > 0 && (assignment.test(line) || (index >= doubtful && !isKeyLike(line))))
  return end < 0 ? Math.min(lines.length, mostLines) : end
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

function isKeyLike(tail: string): boolean {
  return !isWordy(tail) && isMixed(tail)
}

const reach = 12
const lineBreak = /[\w-]\r?\n(?=[\w-])/g

/** Takes the tokens whose beginning itself is broken over two lines. */
export function brokenAnchors(hunt: Hunt, search: AnchorSearch): void {
  const { text } = hunt.view
  if (!text.includes('\n')) return
  for (const { index, 0: mark } of text.matchAll(lineBreak)) {
    const [end, next] = [index + 1, index + mark.length]
    const start = Math.max(0, end - reach)
    search(text.slice(start, end) + text.slice(next, next + reach), (place, ranks) => {
      if (start + place >= end) return
      for (const rank of ranks) if (hunt.rules[rank]?.wraps) takeJoined(hunt, start + place, rank, undefined)
    })
  }
}
