/** Finds what must not be published in a text: one pass finds beginnings, and rules are tried only there. */

import { type Anchors, compileAnchors } from './anchors.ts'
import { brokenAnchors, type Finding, isKeyLike, isSeparateToken, type MatchContext, tryJoined } from './broken.ts'
import { type Chain, chainsIn, isJoined } from './joints.ts'
import type { People } from './personal/people.ts'
import { readingsOf } from './readings.ts'
import { isInWord, type PatternRule, type Rule, type Secret, secretAt, secretsAt } from './rule.ts'
import { rules as secretRules } from './rules/all.ts'
import { beginSearch, endOfCut } from './search.ts'
import { isMixed } from './values/letters.ts'
import { allWithoutLinePrefixes, secretsInLines } from './values/line-prefixes.ts'
import { isPublic } from './values/public.ts'
import { isUuid, isWordy } from './values/randomness.ts'
import { rangeIn, type View, viewOf } from './view.ts'

/** Returns the findings of a text in order, without overlaps. `people` adds what is known about the session. */
export type Finder = (text: string, people?: People) => Finding[]

/** Shorter texts contain nothing that a rule recognises. */
const minLength = 3

/**
 * A finder by rules. Where findings overlap, the first rule names what is replaced. It remembers short texts in which rules find
 * nothing, because half of all texts are keys, kinds and names that were searched before, in this session or another.
 */
export function finder(rules: readonly Rule[]): Finder {
  // Compiled for the first text, because a program that only imports this module needs none.
  let anchors: Anchors | undefined
  const clean = new Set<string>()
  const search = (views: readonly View[], people: People | undefined, isClean: boolean): Finding[] => {
    const found: Finding[] = []
    anchors ??= compileAnchors(rules)
    for (const view of views) {
      const context: MatchContext = { view, rules, found, spanned: undefined, narrow: 0 }
      if (!isClean) findIn(context, anchors)
      if (!isClean) findJoined(context, anchors)
      if (people !== undefined) findPeople(context, people)
    }
    return found
  }
  const hasNoSecret = (text: string, found: readonly Finding[]): boolean =>
    text.length <= maxRememberedLength && found.every(({ rank }) => rank === rules.length)
  return (text, people) => {
    if (text.length < minLength) return []
    // Checking the length first avoids hashing a long text.
    const isClean = text.length <= maxRememberedLength && clean.has(text)
    if (isClean && people === undefined) return []
    const views = isClean ? [viewOf(text)] : readingsOf(text)
    const found = search(views, people, isClean)
    if (!isClean && views.length === 1 && hasNoSecret(text, found)) remember(text, clean)
    return found.length < 2 ? found : merged(found)
  }
}

/** Longer texts rarely repeat. */
const maxRememberedLength = 256
const maxRemembered = 4096

function remember(text: string, texts: Set<string>): void {
  if (texts.size >= maxRemembered) texts.clear()
  texts.add(text)
}

/** What a hit needs: its context, and the anchors that are being searched. */
interface Found {
  context: MatchContext
  anchors: Anchors
}

function findIn(context: MatchContext, anchors: Anchors): void {
  beginSearch(context.view.text)
  anchors.search(context.view.text, tryRules, { context, anchors })
  brokenAnchors(context, anchors)
}

/** Finds tokens in literals that code joins. */
function findJoined({ view, rules, found }: MatchContext, anchors: Anchors): void {
  for (const chain of chainsIn(view))
    anchors.search(chain.view.text, tryRulesInChain, {
      context: { view: chain.view, rules, found, spanned: undefined, narrow: 0 },
      chain,
    })
}

interface FoundJoined {
  context: MatchContext
  chain: Chain
}

/** Takes a token with a form of its own that begins with one literal and ends in another. */
function tryRulesInChain(offset: number, ranks: readonly number[], { context, chain }: FoundJoined): void {
  const { view, rules } = context
  for (const rank of ranks) {
    const rule = rules[rank]
    if (!rule?.wraps || rule.pattern === undefined) continue
    if (rule.notAfter !== undefined && isInWord(view.text, offset, rule.notAfter)) continue
    const secret = secretAt(view.text, offset, rule)
    if (secret === undefined || !spansLiterals(secret, chain)) continue
    if (isJoined(chain) || !beginsWithToken(context, secret, chain, rule)) add(context, secret, rule, rank)
  }
}

/**
 * Whether the first of several literals is a token, or has the form of one. What follows it is then another value, unless it
 * looks like the rest of a key below.
 */
function beginsWithToken(
  { view, found }: MatchContext,
  secret: Secret,
  { starts, kind }: Chain,
  rule: PatternRule,
): boolean {
  const [start] = rangeIn(view, secret.start, secret.end)
  const index = starts.indexOf(secret.start) + 1
  const second = view.text.slice(starts[index], starts[index + 1]).trimEnd()
  const mayContinue = kind === 'stacked' || isWrapped(view.text, starts)
  if (mayContinue && isKeyLike(second) && !isSeparateToken(second)) return false
  if (found.some((other) => other.start <= start && start < other.end)) return true
  rule.pattern.lastIndex = secret.start
  return rule.pattern.test(`${view.text.slice(0, starts[index])}\n`)
}

const minWidth = 20

/**
 * Whether the literals are the lines of one wrapped text: at least three, each as long as the first, the last at most as long.
 */
function isWrapped(text: string, starts: readonly number[]): boolean {
  const [, width = 0] = starts
  const last = starts.length - 1
  if (last < 2 || width < minWidth || text.trimEnd().length - (starts[last] ?? 0) > width) return false
  return starts.every((start, index) => start === index * width)
}

function spansLiterals({ start, end }: Secret, { starts }: Chain): boolean {
  const first = starts.indexOf(start)
  return first >= 0 && (starts[first + 1] ?? end) < end
}

/** Finds only secrets. */
export const findSecrets: Finder = finder(secretRules)

function tryRules(offset: number, ranks: readonly number[], { context, anchors }: Found): void {
  for (const rank of ranks) tryRule(context, offset, rank, anchors)
}

function tryRule(context: MatchContext, offset: number, rank: number, anchors: Anchors): void {
  const rule = context.rules[rank]
  if (rule === undefined || offset < (context.spanned?.get(rank) ?? 0)) return
  if (rule.lines) tryLines(context, offset, rule, rank)
  if (rule.read !== undefined) {
    for (const secret of secretsAt(context.view.text, offset, rule, anchors)) add(context, secret, rule, rank)
    return
  }
  if (rule.notAfter !== undefined && isInWord(context.view.text, offset, rule.notAfter)) return
  const secret = secretAt(context.view.text, offset, rule)
  // After a match, `lastIndex` of a sticky pattern is the end of the match.
  if (rule.spans) {
    context.spanned ??= new Map()
    context.spanned.set(rank, rule.pattern.lastIndex)
  }
  if (rule.wraps && tryJoined(context, offset, rank, secret?.end)) return
  if (secret !== undefined) add(context, secret, rule, rank)
}

/** Tries a rule on the lines from an offset on without what a tool put before each. */
function tryLines(context: MatchContext, offset: number, rule: Rule, rank: number): void {
  const bare = allWithoutLinePrefixes(context.view.text, offset)
  if (bare === undefined) return
  for (const secret of secretsInLines(bare, (text, at) => secretsAt(text, at, rule))) add(context, secret, rule, rank)
}

function add({ view, found }: MatchContext, secret: Secret, { id, replacement, continues }: Rule, rank: number): void {
  const cut = endOfCut(view.text, secret.start, secret.end)
  const own = cut === secret.end ? secret : { ...secret, end: cut, value: view.text.slice(secret.start, cut) }
  const whole = continues ? continued(view.text, own) : own
  const [start, end] = rangeIn(view, whole.start, whole.end)
  const finding: Finding = { start, end, rule: secret.rule ?? id, value: whole.value, rank }
  if (replacement !== undefined) finding.replacement = replacement
  found.push(finding)
}

/** Adds what is known about people. It ranks after all rules. */
function findPeople({ view, rules, found }: MatchContext, people: People): void {
  // A name that a rule finds to be a machine is known from then on, wherever else it occurs.
  for (const { rule, value } of found) if (rule === 'host-name') people.learnHost(value)
  const covered = view.origin === undefined ? found.toSorted((a, b) => a.start - b.start) : undefined
  for (const { start: from, end: to, rule, replacement } of people.find(view.text, covered)) {
    const [start, end] = rangeIn(view, from, to)
    const finding: Finding = { start, end, rule, value: view.text.slice(from, to), rank: rules.length }
    if (replacement !== undefined) finding.replacement = replacement
    found.push(finding)
  }
}

/** Merges overlapping findings under the first of their rules. */
function merged(found: readonly Finding[]): Finding[] {
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank)
  const result: Finding[] = []
  for (const finding of sorted) {
    const last = result.at(-1)
    if (last === undefined || finding.start >= last.end) result.push(finding)
    else {
      const named = finding.rank < last.rank ? finding : last
      const [start, end] = [last.start, Math.max(last.end, finding.end)]
      result[result.length - 1] = { ...named, start, end, inner: innerOf(last, finding) }
    }
  }
  return result
}

/** How many other findings one keeps, so that a text in which all overlap stays quick. */
const maxInner = 64

/** Both findings of one place, and what the first one contains already. */
function innerOf(last: Finding, finding: Finding): readonly Finding[] {
  const inner = last.inner ?? [last]
  return inner.length < maxInner ? [...inner, finding] : inner
}

// Secrets that only their surroundings reveal, broken over lines by a terminal.

/** A line that ends before this column was not broken by a terminal. */
const narrowest = 40
const maxLines = 24
const tokenLine = /\r?\n([\w.+/=~:%-]{4,512})(?=["'`,;)}]{0,3}(?:\r?\n|$))/y
/** The same in a box, which a value fills up to its border. */
const boxLine = /[ \t]?[│┃║][ \t]{0,8}\r?\n[ \t]{0,40}[│┃║][ \t]{0,8}([\w.+/=~:%-]{4,512})(?=[ \t]{0,160}[│┃║])/y
const assignment = /^[A-Za-z_][\w.-]{0,80}[=:][^=]/
const instant = /^\d{4}-\d\d-\d\d(?:[T ]|$)/
const hex = /^[0-9a-f]+$/i
/** Lengths of keys and signatures in hexadecimal digits. */
const hexLengths: ReadonlySet<number> = new Set([32, 40, 48, 64, 96, 128])

/**
 * Extends a secret over the following lines that continue it: it reaches the end of a line at least as wide as a terminal, and
 * the next lines, no wider, consist only of the characters of a key. Digests, ids and other variables do not continue it.
 */
function continued(text: string, found: Secret): Secret {
  const secret = withoutReturn(found)
  let { end, value } = secret
  const isInBox = /^[ \t]?[│┃║]/.test(text.slice(end, end + 2))
  if (!isInBox && !/[\r\n]/.test(text.charAt(end))) return secret
  const width = end - Math.max(text.lastIndexOf('\n', end - 1), text.lastIndexOf('\r', end - 1)) - 1
  if (width < narrowest) return secret
  for (let line = 1; line < maxLines; line++) {
    const next = isInBox ? boxLine : tokenLine
    next.lastIndex = end
    const [whole = '', rest = ''] = next.exec(text) ?? []
    if (rest === '' || rest.length > width || !isContinuation(rest, value)) break
    end += whole.length
    value += rest
    // Only a full line continues; in a box, the next pattern checks that.
    if (!isInBox && rest.length < width) break
  }
  return { start: secret.start, end, value }
}

/** A value without the carriage return before the end of its line. */
function withoutReturn({ start, end, value }: Secret): Secret {
  return value.endsWith('\r') ? { start, end: end - 1, value: value.slice(0, -1) } : { start, end, value }
}

function isContinuation(line: string, value: string): boolean {
  if (hex.test(line)) return hex.test(value) && hexLengths.has(value.length + line.length)
  return (
    !assignment.test(line) && !instant.test(line) && !isPublic(line) && !isUuid(line) && isMixed(line) && !isWordy(line)
  )
}
