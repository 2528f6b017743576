/** Rows of text with a gap for a secret, and what must remain of them. */

/** All pieces of a length: a text that still contains one has lost only a part of the secret. */
export function piecesOf(secret: string, length: number): string[] {
  return Array.from({ length: Math.max(1, secret.length - length + 1) }, (_, at) => secret.slice(at, at + length))
}

/** A row with its secret. */
export interface FilledRow {
  text: string
  /** What precedes the first redacted part, and what follows the last one. */
  before: string
  after: string
}

/**
 * Puts a secret at each `‹›` and `«»` of a row. Where more than the secret is redacted, `⟦` and `⟧` enclose it.
 */
export function fillRow(row: string, secret: string): FilledRow {
  const ends = row.split(/[⟦⟧]/)
  const parts = ends.length > 1 ? ends : row.split(/‹›|«»/)
  const text = row.replaceAll(/‹›|«»/g, () => secret).replaceAll(/[⟦⟧]/g, '')
  return { text, before: parts[0] ?? '', after: parts.at(-1) ?? '' }
}
