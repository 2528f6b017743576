/** Code as hast: runs of colour, and marks over them. */

import type { ElementContent } from 'hast'
import { literal } from '../../visible-text.ts'
import type { Token } from '../highlight.ts'
import type { Range } from './diff.ts'

/** Hast of tokens; each kind is a class, and text without a kind stands bare. */
export function codeToHast(tokens: readonly Token[]): ElementContent[] {
  const result: ElementContent[] = []
  // Built by hand: pages of code have thousands of these.
  for (const { text, kind } of tokens) {
    const children = literal(text)
    if (kind !== undefined)
      result.push({ type: 'element', tagName: 'span', properties: { className: [kind] }, children })
    else for (const node of children) result.push(node)
  }
  return result
}

/** The same with a `b` around each marked part. Marks are in order and do not overlap. */
export function markedToHast(tokens: readonly Token[], marks: readonly Range[]): ElementContent[] {
  if (marks.length === 0) return codeToHast(tokens)
  const result: ElementContent[] = []
  let from = 0
  for (const { start, end } of marks) {
    result.push(...codeToHast(cutTokens(tokens, from, start)), {
      type: 'element',
      tagName: 'b',
      properties: {},
      children: codeToHast(cutTokens(tokens, start, end)),
    })
    from = end
  }
  return [...result, ...codeToHast(cutTokens(tokens, from, Number.POSITIVE_INFINITY))]
}

/** The part of some tokens between two UTF-16 indices. */
function cutTokens(tokens: readonly Token[], start: number, end: number): Token[] {
  const parts: Token[] = []
  let offset = 0
  for (const token of tokens) {
    const text = token.text.slice(Math.max(0, start - offset), Math.max(0, end - offset))
    if (text !== '') parts.push({ ...token, text })
    offset += token.text.length
  }
  return parts
}
