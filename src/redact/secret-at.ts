/** What one rule finds at one place. */
import type { PatternRule, Rule } from './rule.ts'

/** A secret in a text: `start` inclusive, `end` exclusive. */
export interface Secret {
  start: number
  end: number
  /** As it reads without breaks and escapes. */
  value: string
  /** Id of the rule that knows it, where that is another than the one that found it. */
  rule?: string
}

const none: readonly Secret[] = []

/** What a rule finds where one of its anchors begins. */
export function secretsAt(text: string, place: number, rule: Rule): readonly Secret[] {
  if (rule.read !== undefined) return rule.read(text, place)
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
  if (!isSecret(value, name + rest)) return undefined
  const start = inner === undefined ? place - head.length : place + match[0].lastIndexOf(inner)
  return { start, end: start + value.length, value }
}
