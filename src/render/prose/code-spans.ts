/** Code inside lines of prose, and whether all renderers see it where we do. */

/** Positions of a code span in its text: of its first mark and behind its last one. */
export interface CodeSpan {
  start: number
  end: number
  /** How many backticks stand on each side. */
  marks: number
}

/** What would be a tag, a comment or a declaration outside code. */
const tagStart = /<[a-z/!?]/i

/**
 * The code spans of a paragraph (a run of lines without a blank one). Backticks pair as CommonMark says, but a span
 * ends in its own line where `inLine` is set.
 */
function spansOf(text: string, inLine: boolean): { spans: CodeSpan[]; isWhole: boolean } {
  const spans: CodeSpan[] = []
  const run = /\\[^\n]|`+/g
  let isWhole = true
  for (let open = run.exec(text); open !== null; open = run.exec(text)) {
    if (open[0].startsWith('\\')) {
      if (open[0] === '\\`') isWhole = false
      continue
    }
    const marks = open[0].length
    const lineEnd = text.indexOf('\n', open.index)
    const until = inLine && lineEnd !== -1 ? lineEnd : text.length
    const end = closingOf(text, run.lastIndex, until, marks)
    if (end === undefined) isWhole = false
    else {
      spans.push({ start: open.index, end, marks })
      run.lastIndex = end
    }
  }
  return { spans, isWhole }
}

function closingOf(text: string, from: number, until: number, marks: number): number | undefined {
  const run = /`+/g
  run.lastIndex = from
  for (let close = run.exec(text); close !== null && close.index < until; close = run.exec(text)) {
    if (close[0].length === marks) return run.lastIndex
  }
  return undefined
}

/**
 * The code spans of a paragraph on which all renderers agree, or `undefined` where they may not: a backtick without
 * its partner in the line; one that a bare address, the tail of a link or a cell of a table may take in; emphasis
 * that may end inside code.
 */
export function settledSpans(text: string): CodeSpan[] | undefined {
  const { spans, isWhole } = spansOf(text, true)
  if (!isWhole) return undefined
  const inside = spans.map(({ start, end, marks }) => text.slice(start + marks, end - marks))
  const outside = withoutSpans(text, spans)
  if (inside.some((code) => code.includes('|')) && /^[ \t>]*[|:-][-:| \t>]*$/m.test(text)) return undefined
  if (inside.some((code) => code.includes('~')) && outside.includes('~')) return undefined
  if (spans.some(({ marks }, at) => marks > 1 && isOpenToEmphasis(inside[at] ?? '', outside))) return undefined
  if (/\]\([^)\n]*(?:["'(<\\`\0]|$)/m.test(outside) || /\]\[[^\]\n]*(?:\0|$)/m.test(outside)) return undefined
  if (spans.length > 0 && outside.split(/\s+/).some(isCodeInAddress)) return undefined
  return spans
}

/** Whether code stands in what a bare address would take in. */
function isCodeInAddress(word: string): boolean {
  const code = word.lastIndexOf('\0')
  return code > 0 && /:\/\/|www\.|@/i.test(word.slice(0, code))
}

/** Whether a parser that does not know of code with several marks could find emphasis or a link that ends inside. */
function isOpenToEmphasis(code: string, outside: string): boolean {
  return code.includes('`') ? /[*_~[]/.test(code + outside) : /[*_~[\]]/.test(code)
}

/** A text in which each span is one NUL: what stands outside code. */
function withoutSpans(text: string, spans: readonly CodeSpan[]): string {
  let from = 0
  let outside = ''
  for (const { start, end } of spans) {
    outside += `${text.slice(from, start)}\0`
    from = end
  }
  return outside + text.slice(from)
}

/** A paragraph whose code with tags in it is text: its backticks and all marks in it stand as they were typed. */
export function unwrapCode(text: string): string {
  let from = 0
  let result = ''
  for (const { start, end } of spansOf(text, false).spans) {
    const source = text.slice(start, end)
    if (!tagStart.test(source)) continue
    result += text.slice(from, start) + source.replace(/[!-/:-@[-`{-~]/g, plainMark)
    from = end
  }
  return result + text.slice(from)
}

function plainMark(mark: string): string {
  if (mark === '`') return '&#96;'
  if (mark === '<') return '&lt;'
  return mark === '&' ? '&amp;' : `\\${mark}`
}
