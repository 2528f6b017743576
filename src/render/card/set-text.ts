/** Text in a font of which not every character is at hand. */
import type { Font } from './font.ts'

/** Characters that draw nothing by themselves: without them nothing is missing. */
const silent = /^[\p{Cf}\p{Mn}\p{Variation_Selector}\p{Cc}]$/u

/**
 * The characters of a text that a font can draw, white space joined. `undefined` where it lacks as many as it has: the
 * rest would be no text any more.
 */
export function drawable(text: string, font: Font): string | undefined {
  let kept = ''
  let shown = 0
  let lost = 0
  for (const character of text.normalize('NFC').replace(/\s+/gu, ' ').trim()) {
    const isThere = font.advance(character.codePointAt(0) ?? 0) !== undefined
    if (isThere) kept += character
    if (character === ' ' || silent.test(character)) continue
    if (isThere) shown++
    else lost++
  }
  return shown > lost ? kept.replace(/ +/g, ' ').trim() : undefined
}

/** Width of a drawable text in em. */
export function widthOf(text: string, font: Font): number {
  let width = 0
  for (const character of text) width += font.advance(character.codePointAt(0) ?? 0) ?? 0
  return width
}

/** A text in lines of at most `width` em, at most `most` of them; what has no room is cut, with an ellipsis. */
export function wrap(text: string, font: Font, { width, most }: { width: number; most: number }): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of wordsOf(text, font, width)) {
    const longer = line === '' ? word.trimStart() : line + word
    if (widthOf(longer, font) <= width) {
      line = longer
      continue
    }
    lines.push(line)
    line = word.trimStart()
    if (lines.length === most) return [...lines.slice(0, -1), cut(`${lines.at(-1)} ${line}`, font, width)]
  }
  return line === '' ? lines : [...lines, line]
}

/** Words with the space before them; a word that is longer than a line comes in characters. */
function wordsOf(text: string, font: Font, width: number): string[] {
  const words = text.match(/ ?[^ ]+/g) ?? []
  return words.flatMap((word) => (widthOf(word, font) > width ? [...word] : [word]))
}

/** The beginning of a text that has room for an ellipsis behind it. */
function cut(text: string, font: Font, width: number): string {
  const ellipsis = font.advance(0x2026) === undefined ? '...' : '…'
  const room = width - widthOf(ellipsis, font)
  let used = 0
  let kept = ''
  for (const character of text) {
    used += widthOf(character, font)
    if (used > room) break
    kept += character
  }
  return kept.trimEnd() + ellipsis
}
