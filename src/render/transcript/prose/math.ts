/**
 * Finds mathematics in prose before Markdown is parsed, so that Markdown does not swallow its backslashes.
 *
 * Models write TeX as `\(…\)`, `\[…\]`, `$…$` and `$$…$$`. The first two are also escaped brackets, the others also
 * prices, shell variables and quotes of SQL, so a span counts only if its content reads as mathematics.
 */

/** A formula in a body. Offsets are UTF-16 units, delimiters included. */
export interface Formula {
  start: number
  end: number
  /** The text between the delimiters, without the marks of quotes that its lines begin with. */
  tex: string
  /** To be drawn on a line of its own. */
  display: boolean
}

type Opening = '\\(' | '\\[' | '$' | '$$'

interface Span extends Formula {
  opening: Opening
}

/** UTF-16 units of a formula; longer ones stay text. */
const maxLength = 4000

const closing: Readonly<Record<Opening, string>> = { '\\(': '\\)', '\\[': '\\]', $: '$', $$: '$$' }

/** Escapes, runs of dollars, and what ends formulas: a backtick or a blank line ends any, a line end one in single dollars. */
const token = /\\[^\n]|\$+|`|\n(?:[ \t>]*\n)?/g

/** The formulas of a body, in order, including those in code, which only a parser of Markdown can recognise. */
export function findFormulas(body: string): Formula[] {
  if (!/\\[([]|\$/.test(body)) return []
  const judged = spansOf(body).map((span) => ({ ...span, verdict: judge(body, span) }))
  // A bare number between dollars is a formula in a body that has other formulas, and a price elsewhere.
  const hasSome = judged.some(({ verdict }) => verdict === 'formula')
  return hasSome ? judged.filter(({ verdict }) => verdict !== 'text') : []
}

/**
 * Offsets of the backslashes of `\\(` and `\\)` around what is not a formula. Nobody needs to escape a round bracket, so it
 * is a pattern or unrecognised mathematics, and both mean something else without the backslash.
 */
export function keptBackslashes(body: string): number[] {
  if (!body.includes('\\(')) return []
  const spans = spansOf(body).filter((span) => span.opening === '\\(' && judge(body, span) === 'text')
  return spans.flatMap(({ start, end }) => [start, end - 2])
}

/** All spans between an opening delimiter and the next closing one of its kind, whatever they contain. */
function spansOf(body: string): Span[] {
  const spans: Span[] = []
  let open: { opening: Opening; from: number } | undefined
  token.lastIndex = 0
  for (let match = token.exec(body); match !== null; match = token.exec(body)) {
    const [mark] = match
    if (endsAll(mark, open?.opening)) open = undefined
    else if (open !== undefined && isClosing(body, mark, open.opening, token.lastIndex)) {
      spans.push(spanAt(body, open.opening, open.from, token.lastIndex))
      open = undefined
    } else if (isOpening(body, mark, match.index, open?.opening)) open = { opening: mark, from: match.index }
  }
  return spans
}

function endsAll(mark: string, open: Opening | undefined): boolean {
  return mark === '`' || (mark.startsWith('\n') && (mark.length > 1 || open === '$'))
}

function isOpening(body: string, mark: string, at: number, open: Opening | undefined): mark is Opening {
  if (mark === '\\(' || mark === '\\[') return open === undefined || open.startsWith('$')
  if (open !== undefined && open !== '$') return false
  if (mark === '$$') return true
  return mark === '$' && !/[\p{L}\p{N}_$]/u.test(body.charAt(at - 1)) && /[^\s$]/.test(body.charAt(at + 1))
}

function isClosing(body: string, mark: string, open: Opening, end: number): boolean {
  if (mark !== closing[open]) return false
  return mark !== '$' || (/\S/.test(body.charAt(end - 2)) && !/[\p{L}\p{N}_]/u.test(body.charAt(end)))
}

function spanAt(body: string, opening: Opening, start: number, end: number): Span {
  const tex = withoutQuotes(body.slice(start + opening.length, end - opening.length), quotesAround(body, start)).trim()
  return { opening, start, end, tex, display: opening === '\\[' || opening === '$$' }
}

/** A line end, and the indentation and marks of quotes after it. */
const prefixes = /\n[ \t>]*/g

/** Marks of quotes and lists that a line begins with. */
const outerMarks = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*/

/** The number of quotes around an offset. */
export function quotesAround(body: string, at: number): number {
  const before = body.slice(body.lastIndexOf('\n', at - 1) + 1, at)
  return quoteMarksIn(outerMarks.exec(before)?.[0] ?? '').length
}

/** Lines without the marks of `quotes` quotes; further `>` belong to the text. */
export function withoutQuotes(lines: string, quotes: number): string {
  return lines.replace(prefixes, (marks) => `\n${quoteMarksIn(marks).slice(quotes)}`)
}

/** The marks of quotes (`>`) among some marks. */
function quoteMarksIn(marks: string): string {
  return marks.replace(/[^>]/g, '')
}

/** Commands whose braces contain words. */
const words = /\\(?:text\w*|mathrm|mathbf|mathit|mathsf|mathtt|operatorname\*?|mbox|begin|end|label|tag)\s*\{[^{}]*\}/g
/** Escapes that Markdown needs and TeX does not have. */
const escapes = /\\[*.\-#()[\]+~`<>]/
/** What only mathematics has: commands, spacing of TeX, powers, indices of a letter or a group. */
const strong =
  /\\[a-zA-Z]+|\\[,;:!]|(?<=\S)\^|(?<![A-Za-z\d])[A-Za-z]_[\w{\\]|[})\]]_[\w{\\]|\p{Script=Greek}|[∈∉∑∏∫√∞≤≥≠≈×⋅→∀∃∂∇]/u
const weak = /[=<>+*/|!-]/
const functions = new Set('sin cos tan log exp max min lim det mod gcd sup inf arg'.split(' '))
/** One letter, or a letter that is applied to something: `n`, `f(x)`, `O(n)`. */
const atom = /^\d{0,3}[A-Za-z]'{0,2}$|^[A-Za-z]{1,2}\([^()]{1,40}\)$/
/** A tuple or a set of single letters and numbers: `A, P`, `(x, y)`, `{a1, a2}`. */
const tuple = /^(?:\\?[({[])?\s*[A-Za-z]\d?'{0,2}(?:\s*[,;]\s*(?:[A-Za-z]\d?'{0,2}|\d{1,4}|\.{3}))+\s*(?:\\?[)}\]])?$/
const numbers = /^[\d\s.,:%+\-–/*=()]+$/
const price = /^[\d.,]+\s?(?:[kKmMbB]n?|[A-Za-z]{3,})?$/
/** Delimiters on lines of their own: nobody writes escaped brackets in prose like that. */
const frame = /^\\\[[ \t]*\n[\s\S]*\n[ \t>]*\\\]$/
const hidden = /[\0-\x08\x0B-\x1F\x7F-\x9F\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFDD0-\uFDEF\uFFF9-\uFFFB]/

type Verdict = 'formula' | 'number' | 'text'

/** Whether a span is a formula, judged by its content; `number` if only the rest of the body can decide. */
function judge(body: string, { opening, tex, start, end }: Span): Verdict {
  if (tex === '' || tex.length > maxLength || hidden.test(tex)) return 'text'
  const bare = tex.replace(words, ' ')
  if (escapes.test(bare)) return 'text'
  if (strong.test(tex) || (opening === '\\(' && tuple.test(bare))) return 'formula'
  const framed = opening === '\\[' && isAlone(body, start, end) && frame.test(body.slice(start, end))
  if (numbers.test(bare.replace(/\\(?=[% ])/g, '')))
    return opening.startsWith('\\') && !bare.includes('=') && !framed ? 'text' : 'number'
  // Escaped brackets in a line hold single letters, ranges and links: `\[x\]`, `\[a-z\]`.
  if (opening === '\\[' && !framed && !(isAlone(body, start, end) && /\s/.test(bare)) && !/ [=<>] /.test(bare))
    return 'text'
  return isPlainFormula(bare) ? 'formula' : 'text'
}

/** Whether letters and symbols without a command are a formula: no words, no price, something to calculate. */
function isPlainFormula(bare: string): boolean {
  const names = bare.match(/[A-Za-z]{3,}/g) ?? []
  if (names.some((name) => !functions.has(name)) || /["@#]|[';]{2}/.test(bare) || price.test(bare)) return false
  return atom.test(bare) || (weak.test(bare) && /(?<![A-Za-z])[A-Za-z]{1,2}(?![A-Za-z])/.test(bare))
}

/** Whether the lines of a span contain nothing else, except the marks of a list or quote and closing punctuation. */
function isAlone(body: string, start: number, end: number): boolean {
  const before = body.slice(body.lastIndexOf('\n', start - 1) + 1, start)
  const next = body.indexOf('\n', end)
  return (
    /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/.test(before) &&
    /^[\s.,;]*$/.test(body.slice(end, next === -1 ? undefined : next))
  )
}
