/** The parts of the style sheet as one, without what only those who write it read. */

/** A string, which stays; comments with the white space around them, or the white space that begins a line. */
const token = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?:\s*\/\*.*?\*\/)+\s*|\n\s+/gs

/** Joins parts of a style sheet in their order, without comments, indentation and empty lines. */
export function linkStyle(parts: readonly string[]): string {
  // Something stays between words: a comment parts them too.
  const text = parts.join('\n').replace(token, (all, string) => string ?? (all.includes('\n') ? '\n' : ' '))
  return `${text.trim()}\n`
}
