/** Which secrets are known again where nothing but themselves tells them: a wrong one would blank words everywhere. */
import { isMixed, isPlaceholder, isPublic, isWordy } from './values.ts'

const minLength = 10
const maxLength = 2048
const uuid = /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i
const commit = /^[0-9a-f]{40}$/
const file = /^[\w@.~-]*(?:[/\\][\w@.~-]+)+\.[A-Za-z][\w]{0,7}$/
const instant = /^\d{4}-\d\d-\d\d[T_ ]?[\d:.]*(?:Z|[+-]\d\d:?\d\d)?$/
/** A number of a version inside a name, as in `tool-3.15.0-linux-x64`. */
const version = /(?:^|[-_v])\d+\.\d+(?:\.\d+|[-_])/
/** Signs that join no words of a name. */
const oddSign = /[!"$%&'()*;<>?[\]^`{|}~]/
/** Names under which also an id or a digest is a secret. */
const strongName =
  /(?:token|secret|passw(?:or)?d|passphrase|pwd|api[-_]?key|access[-_]?key)["'`\]]{0,2}[\s:=>"'`]{1,6}$/i
const passwordName = /(?:passw(?:or)?d|passphrase|pwd|pass)["'`\]]{0,2}[\s:=>"'`]{1,6}$/i
const word = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g

/** Where a value was found: the rule, and what stands right before it. */
export interface Telling {
  rule: string
  before: string
}

/**
 * Whether a value that was told as a secret may be replaced wherever else it stands: ten characters or more of two classes,
 * and neither words, names of code, files and versions, nor ids and commits under a name that says little.
 */
export function isKnowable(value: string, { rule, before }: Telling): boolean {
  if (value.length < minLength || value.length > maxLength || !isMixed(value)) return false
  if (isWordy(value) && !oddSign.test(value)) return false
  if (/[\r\n]|\.{3}|…/.test(value) || isPlaceholder(value) || file.test(value)) return false
  if (uuid.test(value) || commit.test(value)) return rule !== 'named-secret' || strongName.test(before)
  if (isPublic(value) || version.test(value) || instant.test(value)) return false
  return isRandomEnough(value, rule !== 'named-secret' || passwordName.test(before))
}

/** Whether the parts between signs, digits and capitals are too short for words. `isSure` where the context is a password's. */
function isRandomEnough(value: string, isSure: boolean): boolean {
  const parts = value.match(word) ?? []
  const numbers = parts.filter((part) => /^\d/.test(part)).length
  const length = parts.reduce((sum, part) => sum + part.length, 0) / Math.max(1, parts.length)
  if (numbers === 0) return length < (isSure ? 3 : 2.5)
  if (/\s/.test(value)) return length < 2.5
  if (isSure) return length < 6
  return length < (numbers > 2 ? 3.6 : 3)
}

/** Parts of a text that may be a secret, or the head of one: what is worth looking for where such a thing is told. */
export function suspectsIn(text: string): string[] {
  const words = text.match(/[^\s"'`<>()[\]{},;]{8,}/g) ?? []
  const parts = words.flatMap((word) => [word, ...word.split(/[=:/&?@|]/)])
  return parts.filter(
    (part) => part.length >= 8 && isMixed(part) && !isWordy(part) && !isPublic(part) && !file.test(part),
  )
}
