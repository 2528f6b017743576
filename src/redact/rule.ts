/** What a rule is: where it looks, and what it finds there. */

import type { Anchored, Anchors } from './anchors.ts'

/** Finds one kind of secret, by a pattern or by a reader. Both are bounded, so that no text makes them slow. */
export type Rule = PatternRule | ReaderRule

/** What rules of both sorts declare. */
interface RuleBase extends Anchored {
  /** Used in the replacement, and for the counts in the receipt. */
  id: string
  /** The token may be broken over lines, as terminals do at their right edge. */
  wraps?: boolean
  /** The secret may continue after the right edge of a terminal, though only its surroundings reveal it. */
  continues?: boolean
  /** It reads several lines, so it is also tried on them without what a tool put before each. */
  lines?: true
  /** Replaces each finding; without it, a mark with the rule's id and a number does. */
  replacement?: string
}

/** A rule for secrets that have a form. */
export interface PatternRule extends RuleBase {
  /**
   * Sticky; applied where an anchor begins. What one of the groups `secret`, `single` and `bare` matches is replaced, else the
   * whole match, together with `head`, which matches before it. `name` and `rest` make up the name of the value.
   */
  pattern: RegExp
  /** Distinguishes secrets from what only looks like one. */
  isSecret: (value: string, name: string) => boolean
  /** The length of every complete token of this kind: one of this length does not continue in the next line. */
  length?: number
  /** What never occurs right before a token, except as the end of an escape; checked before the pattern is tried. */
  notAfter?: NotAfter
  /** What the pattern matches is searched only once, secret or not: nothing that begins inside it is matched separately. */
  spans?: true
  read?: never
}

/** What may not come before a token: letters and digits, or those and `_`. */
export type NotAfter = 'letters' | 'word'

/** A rule that reads the text around an anchor; it may return several secrets. */
export interface ReaderRule extends RuleBase {
  /** `anchors` are those of the running search, so that what a rule decodes is searched with the same ones. */
  read: (text: string, offset: number, anchors?: Anchors) => readonly Secret[]
  pattern?: never
  notAfter?: never
  spans?: never
}

// What one rule finds at one offset.

/** A secret in a text: `start` inclusive, `end` exclusive. */
export interface Secret {
  start: number
  end: number
  /** Without line breaks and escapes. */
  value: string
  /** Id of the rule that recognises it, if it is not the one that found it. */
  rule?: string
}

/** Markdown's emphasis around a token. Elsewhere its characters are part of words. */
const emphasis = '_{1,3}'

/**
 * Source of a lookbehind for a token that begins a word of letters, digits, `_` and `-`: no such character may precede it, except
 * emphasis.
 */
export const beginsWord: string = `(?<=(?<!\\w)(?<!\\w-)(?:${emphasis})?)`

/** Source of a lookahead for a token that ends such a word: no such character, emphasis, or the end of a comment. */
export const endsWord: string = `(?=${emphasis}(?![\\w-])|-->|(?![\\w-]))`

const escapeEnd = /%[0-9A-Fa-f]{2}$|\\[nrt]$/

/** A `_` before an offset that is not emphasis, because a letter, a digit or too many underscores precede it. */
const joined = /[A-Za-z0-9]_{1,3}$|_{4}$/

/** Whether what begins at an offset is inside a word, and so no token of its own. */
export function isInWord(text: string, offset: number, notAfter: NotAfter): boolean {
  if (offset === 0) return false
  const code = text.charCodeAt(offset - 1)
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
  if (!isLetter && (notAfter === 'letters' || code !== 95 || !joined.test(text.slice(Math.max(0, offset - 4), offset))))
    return false
  return !escapeEnd.test(text.slice(Math.max(0, offset - 3), offset))
}

const digest = /sha(?:256-[A-Za-z0-9+/]{43}=|384-[A-Za-z0-9+/]{64}|512-[A-Za-z0-9+/]{86}==)(?![\w+/=-])/y
const digestHead = /sha(?:256|384|512)-(?=[A-Za-z0-9+/]*$)/

/** Whether an offset is inside a Base64 digest of a lock file, which may contain the form of any short token by chance. */
function isInDigest(text: string, offset: number): boolean {
  const from = Math.max(0, offset - 96)
  const head = digestHead.exec(text.slice(from, offset))
  if (head === null) return false
  digest.lastIndex = from + head.index
  return digest.test(text)
}

/** What a rule that finds nothing returns: one list for all, because most tries find nothing. */
export const none: readonly Secret[] = []

/** Returns what a rule finds where one of its anchors begins. */
export function secretsAt(text: string, offset: number, rule: Rule, anchors?: Anchors): readonly Secret[] {
  if (rule.read !== undefined) return rule.read(text, offset, anchors)
  const secret = secretAt(text, offset, rule)
  return secret === undefined ? none : [secret]
}

/** A value without the quotes around it: elsewhere it may occur without them. */
function withoutQuotes({ start, end, value }: Secret): Secret {
  if (!/^(["'`])(?!\1)[^\n]+\1$/.test(value) || value.slice(1, -1).includes(value.charAt(0)))
    return { start, end, value }
  return { start: start + 1, end: end - 1, value: value.slice(1, -1) }
}

/** Returns what a rule with a pattern finds where one of its anchors begins. */
export function secretAt(text: string, offset: number, { pattern, isSecret }: PatternRule): Secret | undefined {
  pattern.lastIndex = offset
  const match = pattern.exec(text)
  if (match === null) return undefined
  const { secret, single, bare, head = '', name = '', rest = '' } = match.groups ?? {}
  const inner = secret ?? single ?? bare
  const value = inner ?? head + match[0]
  if (!isSecret(value, name + rest) || isInDigest(text, offset)) return undefined
  const start = inner === undefined ? offset - head.length : offset + match[0].lastIndexOf(inner)
  return withoutQuotes({ start, end: start + value.length, value })
}
