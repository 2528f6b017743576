/** What a rule is: where to look, and what stands there. */

import type { Anchored, Anchors } from './anchors.ts'

/** Finds one kind of secret, by a pattern or by a reader. Both are bounded, so that no text makes them slow. */
export type Rule = PatternRule | ReaderRule

/** What rules of both sorts say of themselves. */
interface RuleBase extends Anchored {
  /** Stands in the replacement, and counts in the receipt. */
  id: string
  /** The token may be broken over lines, as terminals do at their right edge. */
  wraps?: boolean
  /** The secret may go on behind the right edge of a terminal, though nothing but its surroundings tells it. */
  continues?: boolean
  /** What stands in place of each finding; without it a mark with the rule's id and a number. */
  instead?: string
}

/** A rule whose secrets have a form. */
export interface PatternRule extends RuleBase {
  /**
   * Sticky; applied where an anchor begins. One of the groups `secret`, `single` and `bare` is what goes, else
   * the whole match with `head`, which stands before it. `name` and `rest` are what the value is called.
   */
  pattern: RegExp
  /** Tells secrets from what only looks like one. */
  isSecret: (value: string, name: string) => boolean
  /** So long is every whole token of this kind: one of this length does not go on in the next line. */
  length?: number
  /** What never stands right before it, but for the end of an escape: asked before the pattern is made. */
  apart?: Apart
  /** What the pattern matches is searched once, secret or not: nothing that begins inside it is one of its own. */
  spans?: true
  read?: never
}

/** Letters and digits, or those and `_`. */
export type Apart = 'letters' | 'word'

/** A rule that reads what stands around an anchor; it may give several secrets. */
export interface ReaderRule extends RuleBase {
  /** `anchors` are those of the search that goes on; what a rule decodes is searched by the same. */
  read: (text: string, place: number, anchors?: Anchors) => readonly Secret[]
  pattern?: never
  apart?: never
  spans?: never
}

// What one rule finds at one place.

/** A secret in a text: `start` inclusive, `end` exclusive. */
export interface Secret {
  start: number
  end: number
  /** As it reads without breaks and escapes. */
  value: string
  /** Id of the rule that knows it, where that is another than the one that found it. */
  rule?: string
}

/** Markdown's emphasis around a token: its signs are letters of words elsewhere. */
const emphasis = '_{1,3}'

/** Source of what stands before a token that begins a word of letters, digits, `_` and `-`: nothing of one but signs. */
export const beginsWord: string = `(?<=(?<!\\w)(?<!\\w-)(?:${emphasis})?)`

/** Source of what stands behind a token that ends such a word: nothing of one, emphasis, or the end of a comment. */
export const endsWord: string = `(?=${emphasis}(?![\\w-])|-->|(?![\\w-]))`

const escapeEnd = /%[0-9A-Fa-f]{2}$|\\[nrt]$/

/** A `_` before a place that is no emphasis: a letter, a digit or too many of its kind stand before it. */
const joined = /[A-Za-z0-9]_{1,3}$|_{4}$/

/** Whether what begins at a place is the middle of a word, and so none that stands apart. */
export function isInWord(text: string, place: number, apart: Apart): boolean {
  if (place === 0) return false
  const code = text.charCodeAt(place - 1)
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
  if (!isLetter && (apart === 'letters' || code !== 95 || !joined.test(text.slice(Math.max(0, place - 4), place))))
    return false
  return !escapeEnd.test(text.slice(Math.max(0, place - 3), place))
}

const digest = /sha(?:256-[A-Za-z0-9+/]{43}=|384-[A-Za-z0-9+/]{64}|512-[A-Za-z0-9+/]{86}==)(?![\w+/=-])/y
const digestHead = /sha(?:256|384|512)-(?=[A-Za-z0-9+/]*$)/

/** Whether a place is inside a digest of lock files, in Base64: it may hold the form of any short token by chance. */
function isInDigest(text: string, place: number): boolean {
  const from = Math.max(0, place - 96)
  const head = digestHead.exec(text.slice(from, place))
  if (head === null) return false
  digest.lastIndex = from + head.index
  return digest.test(text)
}

const none: readonly Secret[] = []

/** What a rule finds where one of its anchors begins. */
export function secretsAt(text: string, place: number, rule: Rule, anchors?: Anchors): readonly Secret[] {
  if (rule.read !== undefined) return rule.read(text, place, anchors)
  const secret = secretAt(text, place, rule)
  return secret === undefined ? none : [secret]
}

/** What a rule with a pattern finds where one of its anchors begins. */
export function secretAt(text: string, place: number, { pattern, isSecret }: PatternRule): Secret | undefined {
  pattern.lastIndex = place
  const match = pattern.exec(text)
  if (match === null) return undefined
  const { secret, single, bare, head = '', name = '', rest = '' } = match.groups ?? {}
  const inner = secret ?? single ?? bare
  const value = inner ?? head + match[0]
  if (!isSecret(value, name + rest) || isInDigest(text, place)) return undefined
  const start = inner === undefined ? place - head.length : place + match[0].lastIndexOf(inner)
  return { start, end: start + value.length, value }
}
