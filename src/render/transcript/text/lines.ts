/** Small makers of plain text. */

import type { Literal } from '../../../transcript/trast.ts'
import { stripAnsi, stripControls } from '../../../util/ansi-strip.ts'
import { omissionLine } from '../../labels.ts'

/** Parts that are not empty, between dots. */
export function dotted(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ')
}

/** `[a · b]` of what is known, or nothing. */
export function bracketed(parts: readonly string[]): string[] {
  const text = dotted(parts)
  return text === '' ? [] : [`[${text}]`]
}

/** A text with two spaces before each line that is not blank. */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

/** A literal without escape sequences and blank lines around it; a cut one says how much is missing. */
export function literalText(node: Literal, strip: (text: string) => string = stripAnsi): string[] {
  const { value, omitted } = node
  const at = omitted?.at ?? value.length
  const parts = [strip(value.slice(0, at)), omitted === undefined ? '' : omissionLine(omitted), strip(value.slice(at))]
  const text = parts.map(trimLines).filter((part) => part !== '')
  return text.length === 0 ? [] : [text.join('\n')]
}

/** A body of prose, whose line endings of every kind are newlines. */
export function proseText(node: Literal): string[] {
  return literalText(node, stripControls)
}

/** A text without blank lines before it and white space behind it. */
function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
}

/** A text on one line, without controls. */
export function oneLine(text: string): string {
  return stripAnsi(text).replace(/\s+/g, ' ').trim()
}
