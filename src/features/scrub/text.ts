/** Texts: every word is replaced, the lines, marks and phrases between them stay. */

import { randomOf } from './filler.ts'
import { patchFileLine, splitFrames } from './frames.ts'
import { isBase64, isCipher, type Scope, scrubBase64, scrubCipher, scrubDataUrl, scrubTokens } from './tokens.ts'

/** A text of any kind with all that a person or a program said replaced. Equal lines give equal lines. */
export function scrubText(text: string, scope: Scope): string {
  if (isCipher(text)) return scrubCipher(text)
  if (text.startsWith('data:')) {
    const url = scrubDataUrl(text, randomOf(scope.secret, text))
    if (url !== undefined) return url
  }
  if (isBase64(text)) return scrubBase64(text, randomOf(scope.secret, text))
  return text
    .split('\n')
    .map((line) => scrubLine(line, scope))
    .join('\n')
}

/**
 * One line. The replacement of a word depends on all that stands beside it up to the next phrase or line end: who knows
 * one line, for example of a public prompt, learns nothing about any other.
 */
export function scrubLine(line: string, scope: Scope): string {
  const file = patchFileLine(line)
  if (file !== undefined) return file.head + scope.names.path(file.path) + file.tail
  return splitFrames(line)
    .map((part, at) => (at % 2 === 1 ? part : scrubUnit(part, scope)))
    .join('')
}

/** Blanks around a text do not count: the two logs of a rollout differ in them. */
function scrubUnit(text: string, scope: Scope): string {
  const core = text.trim()
  if (core === '') return text
  const start = text.indexOf(core)
  return text.slice(0, start) + scrubTokens(core, scope) + text.slice(start + core.length)
}
