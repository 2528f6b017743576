/** One line of a rollout, sound or damaged. */
import { splitObjects } from '../util/json.ts'
import { decodeBytes, encodeBytes } from './bytes.ts'
import { scrubDamaged } from './damaged.ts'
import { namesOf } from './names.ts'
import { printLike } from './print.ts'
import type { Scope } from './tokens.ts'
import { isShallow, scrubValue } from './value.ts'

/** Replaces what one file says; names have one replacement over all calls. */
export interface Scrubber {
  /** A line without its line end, or a whole document. */
  scrub: (bytes: Uint8Array) => Buffer
}

/** A scrubber for one file. `secret` must be hard to guess: who knows it can test guesses about the words. */
export function scrubber(secret: string): Scrubber {
  const scope: Scope = { names: namesOf(secret), secret }
  return {
    scrub(bytes) {
      const { text, exact } = decodeBytes(bytes)
      return encodeBytes(scrubRecords(text, scope), exact)
    },
  }
}

/** White space, and what crashes and editors leave at the ends of a line. */
const padding = new Set([...'\0\ufeff \t\r\n'])

function scrubRecords(text: string, scope: Scope): string {
  let start = 0
  let end = text.length
  while (start < end && padding.has(text.charAt(start))) start++
  while (end > start && padding.has(text.charAt(end - 1))) end--
  const body = text.slice(start, end)
  if (body === '') return text
  return text.slice(0, start) + (scrubJson(body, scope) ?? scrubParts(body, scope)) + text.slice(end)
}

/** `undefined` where a text is no JSON that can be walked. */
function scrubJson(text: string, scope: Scope): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return isShallow(value) ? printLike(text, value, scrubValue(value, scope)) : undefined
}

/** Records that ran together, or one that is broken (rollout-format 9, hazards 1 and 2). */
function scrubParts(text: string, scope: Scope): string {
  return splitObjects(text)
    .map((part) => scrubJson(part, scope) ?? scrubBroken(part, scope))
    .join('')
}

/** A whole record may stand behind half of another one. */
function scrubBroken(text: string, scope: Scope): string {
  let at = text.length
  for (let tries = 0; tries < 4 && at > 0; tries++) {
    at = text.lastIndexOf('{"timestamp":', at - 1)
    const later = at > 0 ? scrubJson(text.slice(at), scope) : undefined
    if (later !== undefined) return scrubDamaged(text.slice(0, at), scope) + later
  }
  return scrubDamaged(text, scope)
}
