/** Finds secrets in a text: one pass for beginnings, and rules only where one stands. */
import { type AnchorSearch, anchorSearch } from './anchors.ts'
import type { Rule } from './rule.ts'
import { rules } from './rules/all.ts'
import { isMixed, isWordy } from './values.ts'
import { rangeIn, type View, withoutAnsi, withoutEscapes } from './view.ts'

/** A secret in a text: `start` inclusive, `end` exclusive. `value` is the secret as it reads without breaks and escapes. */
export interface Finding {
  start: number
  end: number
  rule: string
  value: string
  /** Position of the rule: the lowest of overlapping findings gives the name. */
  rank: number
}

const search = anchorSearch(rules)

/** Shorter texts hold no secret that a rule knows. */
const shortest = 8

/** The secrets of a text in order, none overlapping another. */
export function findSecrets(text: string): Finding[] {
  if (text.length < shortest) return []
  const plain = { text }
  const view = withoutAnsi(plain)
  const found: Finding[] = []
  findIn(view, found)
  // Without colours, two tokens may stand together that they kept apart.
  if (view !== plain) findIn(plain, found)
  if (text.includes('\\')) findIn(withoutEscapes(view), found)
  return found.length < 2 ? found : merged(found)
}

/** Adds what the rules find in a view. */
function findIn(view: View, found: Finding[]): void {
  search(view.text, (place, ranks) => {
    for (const rank of ranks) take(view, place, rank, found)
  })
  brokenAnchors(view.text, (place, ranks) => {
    for (const rank of ranks) if (rules[rank]?.wraps) takeJoined(view, place, rank, found, undefined)
  })
}

function take(view: View, place: number, rank: number, found: Finding[]): void {
  const rule = rules[rank]
  if (rule === undefined) return
  const secret = secretAt(view.text, place, rule)
  if (rule.wraps && takeJoined(view, place, rank, found, secret?.end)) return
  if (secret === undefined) return
  const [start, end] = rangeIn(view, secret.start, secret.end)
  found.push({ start, end, rule: rule.id, value: secret.value, rank })
}

interface Secret {
  start: number
  end: number
  value: string
}

/** What a rule finds at one place. */
export function secretAt(text: string, place: number, { pattern, isSecret }: Rule): Secret | undefined {
  pattern.lastIndex = place
  const match = pattern.exec(text)
  if (match === null) return undefined
  const { secret, single, bare, head = '', name = '', rest = '' } = match.groups ?? {}
  const inner = secret ?? single ?? bare
  const value = inner ?? head + match[0]
  if (!isSecret(value, name + rest)) return undefined
  const start = inner === undefined ? place - head.length : place + match[0].lastIndexOf(inner)
  return { start, end: start + value.length, value }
}

const tokenRun = /(?:[\w.+/=~:-]|\r?\n(?=[\w.+/=~-]))+/y
const longestRun = 8192
const mostLines = 24

/**
 * Takes a token that goes on behind a line break, as where a terminal is too narrow. Where the first line is a token
 * already, up to `whole`, the next one must look like the rest of a key.
 */
function takeJoined(view: View, place: number, rank: number, found: Finding[], whole: number | undefined): boolean {
  const rule = rules[rank]
  if (rule === undefined || !mayBeBroken(view, place)) return false
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
const narrowTried = new WeakMap<View, number>()

/** Whether a token at a place may go on behind the end of its line. */
function mayBeBroken(view: View, place: number): boolean {
  const end = view.text.slice(place, place + longestRun).indexOf('\n')
  if (end < 0) return false
  const before = view.text.slice(Math.max(0, place - narrowest), place)
  if (before.length - before.lastIndexOf('\n') - 1 + end >= narrowest) return true
  const tried = (narrowTried.get(view) ?? 0) + 1
  narrowTried.set(view, tried)
  return tried <= mostNarrow
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

/** Gives the places where a beginning itself is broken over two lines. */
function brokenAnchors(text: string, onHit: Parameters<AnchorSearch>[1]): void {
  if (!text.includes('\n')) return
  for (const { index, 0: mark } of text.matchAll(lineBreak)) {
    const [end, next] = [index + 1, index + mark.length]
    const start = Math.max(0, end - reach)
    search(text.slice(start, end) + text.slice(next, next + reach), (place, ranks) => {
      if (start + place < end) onHit(start + place, ranks)
    })
  }
}

/** Overlapping findings as one, under the first of their rules. */
function merged(found: readonly Finding[]): Finding[] {
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank)
  const result: Finding[] = []
  for (const finding of sorted) {
    const last = result.at(-1)
    if (last === undefined || finding.start >= last.end) result.push({ ...finding })
    else {
      const named = finding.rank < last.rank ? finding : last
      Object.assign(last, { ...named, start: last.start, end: Math.max(last.end, finding.end) })
    }
  }
  return result
}
