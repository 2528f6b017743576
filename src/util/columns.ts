/** Text in columns of a terminal. */

import stringWidth from 'string-width'

const segmenter = new Intl.Segmenter()

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
