/** Joins, cuts and recognises texts. Cuts are by UTF-16 units, but never within a surrogate pair: half of one is no character. */

/** Joins texts with a separator, leaving out those that are absent or empty. */
export function joinTexts(texts: readonly (string | undefined)[], between: string): string {
  return texts.filter((text) => text !== undefined && text !== '').join(between)
}

/** The beginning of a text, of at most `length` units. */
export function beginningOf(text: string, length: number): string {
  return text.slice(0, codePointOffset(text, length))
}

/** A text, or if it is longer than `limit` units, its first `length` and an ellipsis. */
export function shortened(text: string, limit: number, length: number = limit): string {
  return text.length > limit ? `${beginningOf(text, length)}…` : text
}

/** An offset in a text, or the one before it if it is within a surrogate pair. */
export function codePointOffset(text: string, offset: number): number {
  const isWithin = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, offset - 1), offset + 1))
  return isWithin ? offset - 1 : offset
}

/** Whether a value is one line of text that is not blank. */
export function isLine(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/\p{Cc}/u.test(value)
}

/** A regular expression that matches exactly this text. */
export function escapedPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
