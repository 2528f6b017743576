/** Short texts without the marks of Markdown: titles, outlines, rows of lists. */

/** Drops marks around words and at the start of a line; what only looks like a mark stays. */
export function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}|>|[-*+])\s+/, '')
    .replace(/!?\[([^\]]+)\]\([^()\s]+\)/g, '$1')
    .replace(/(`+)(?!`)(.+?)(?<!`)\1(?!`)/g, '$2')
    .replace(/(?<![\w*])(\*{1,2})(?=\S)(.+?)(?<=\S)\1(?![\w*])/g, '$2')
    .trim()
}
