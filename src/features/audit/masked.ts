/** The words around a finding, masked: enough to find the place, nothing of what stands there. */

/** Part of a text, `end` exclusive. */
interface Range {
  start: number
  end: number
}

const reach = 32

/**
 * What stands around a part of a text: letters become `x`, digits `0`, white space one space, and `instead` stands for
 * the part itself. At most 32 characters on each side.
 */
export function maskedContext(text: string, { start, end }: Range, instead: string): string {
  const from = Math.max(0, start - reach)
  const to = Math.min(text.length, end + reach)
  const before = mask(text.slice(from, start))
  const after = mask(text.slice(end, to))
  return `${from > 0 ? '…' : ''}${before}${instead}${after}${to < text.length ? '…' : ''}`.trim()
}

/** Signs stay, for `key=` and `"key": "` tell where to look; what is neither sign nor ASCII is masked too. */
function mask(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{N}]/gu, '0')
    .replace(/[^\x20-\x2F0\x3A-\x40\x5B-\x60\x7B-\x7E]/gu, 'x')
    .replaceAll('`', "'")
}
