/** Joins texts that may be absent. */

/** Joins texts with a separator, leaving out those that are absent or empty. */
export function joinTexts(texts: readonly (string | undefined)[], between: string): string {
  return texts.filter((text) => text !== undefined && text !== '').join(between)
}
