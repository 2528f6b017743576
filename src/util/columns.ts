/** Text in columns of a terminal. */
import stringWidth from 'string-width'

const segmenter = new Intl.Segmenter()

/** Characters that move the cursor, change the order of letters or cannot be seen. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/**
 * Text of unknown origin on one line of a terminal: white space is joined to single spaces, control characters
 * become `\x1b`, characters that reorder or hide others `\u{202e}`.
 */
export function printable(text: string): string {
  return text.replace(/[\t\n\v\f\r \u2028\u2029]+/g, ' ').replace(unsafe, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 2 ? `\\u{${code}}` : `\\x${code.padStart(2, '0')}`
  })
}

/** Number of columns that printable text takes; wide characters count two. */
export function textWidth(text: string): number {
  return stringWidth(text)
}

/** Text that takes at most `width` columns; a cut is marked by `…` and never splits a character. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let used = 0
  let kept = ''
  for (const { segment } of segmenter.segment(text)) {
    const size = textWidth(segment)
    if (used + size > width - 1) break
    used += size
    kept += segment
  }
  return width < 1 ? '' : `${kept.trimEnd()}…`
}

/** Text filled with spaces to exactly `width` columns, cut where it is longer. */
export function fitToWidth(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const cut = cutToWidth(text, width)
  const space = ' '.repeat(Math.max(0, width - textWidth(cut)))
  return align === 'left' ? cut + space : space + cut
}
