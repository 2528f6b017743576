/** Cuts texts by UTF-16 units, but never within a surrogate pair: half of one is no character. */

/** The beginning of a text, of at most `length` units. */
export function beginningOf(text: string, length: number): string {
  return text.slice(0, codePointOffset(text, length))
}

/** An offset in a text, or the one before it if it is within a surrogate pair. */
export function codePointOffset(text: string, offset: number): number {
  const isWithin = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, offset - 1), offset + 1))
  return isWithin ? offset - 1 : offset
}
