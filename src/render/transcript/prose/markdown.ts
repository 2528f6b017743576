/** Which bodies are worth parsing as Markdown. */

/** Bodies longer than this many UTF-16 units are shown as they are. */
const maxLength = 64 * 1024
const minLogLines = 400
/** A line that is nested this deeply is no prose; parsers slow down or fail on it. */
const deep = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){50}/m
/** Lines that only Markdown has: list items, quotes, headings, tables, indented parts of these. */
const marked = /^\s*(?:[-*+>|#]|\d{1,9}[.)]\s|\s{2})/

/**
 * Whether a body is prose. It is not when it is longer than 64 Ki characters, nests absurdly, or looks like a log:
 * more than 400 lines outside fences of which fewer than one in fifty is blank and fewer than half are lists,
 * quotes, headings, tables or indented.
 */
export function isProse(value: string): boolean {
  if (value.length > maxLength) return false
  if (deep.test(value)) return false
  return !looksLikeLog(value)
}

function looksLikeLog(value: string): boolean {
  const lines = value.split('\n')
  if (lines.length <= minLogLines) return false
  let fenced = false
  let outside = 0
  let blank = 0
  let structured = 0
  for (const line of lines) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    else if (!fenced) {
      outside += 1
      if (line.trim() === '') blank += 1
      else if (marked.test(line)) structured += 1
    }
  }
  return outside > minLogLines && blank * 50 < outside && structured * 2 < outside
}
