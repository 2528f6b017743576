/** Text that should be JSON and is not: quotes, brackets, escapes and known keys stay, so that it stays as damaged. */
import { fillWord } from './filler.ts'
import { randomOf } from './random.ts'
import { scrubLine } from './text.ts'
import type { Scope } from './tokens.ts'
import { formatKeys, formatValues } from './words.ts'

const kept = /"([\w.-]{1,60})"|\\u[0-9a-fA-F]{4}|\\[^u]|\b(?:true|false|null)\b/g

/** A damaged text with its words replaced. */
export function scrubDamaged(text: string, scope: Scope): string {
  let scrubbed = ''
  let from = 0
  for (const match of text.matchAll(kept)) {
    const [found, name] = match
    if (name !== undefined && !formatKeys.has(name) && !formatValues.has(name)) continue
    scrubbed +=
      scrubLine(text.slice(from, match.index), scope) + (found.startsWith('\\u') ? scrubEscape(found, scope) : found)
    from = match.index + found.length
  }
  return scrubbed + scrubLine(text.slice(from), scope)
}

/** An escaped letter is a letter. */
function scrubEscape(text: string, { secret }: Scope): string {
  const character = String.fromCharCode(Number.parseInt(text.slice(2), 16))
  if (!/\p{L}/u.test(character)) return text
  const filled = fillWord(character, randomOf(secret, text))
  return `\\u${filled.charCodeAt(0).toString(16).padStart(4, '0')}`
}
