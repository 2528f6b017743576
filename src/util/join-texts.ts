/** Phrases of parts that may say nothing. */

/** Texts with another one between them; those that are absent or empty are left out. */
export function joinTexts(texts: readonly (string | undefined)[], between: string): string {
  return texts.filter((text) => text !== undefined && text !== '').join(between)
}
