/** Code that was pasted into a prompt, and what the user says about it before it, after it or between two pieces. */

import { append } from '../util/groups.ts'

/** The lines of a prompt that begins with pasted code. */
interface PastedPrompt {
  /** What is said of the code, to its end or the next piece. */
  said: readonly string[]
  code: readonly string[]
}

const keywords = new Set(
  (
    'abstract async begin break case catch class const continue def do elif else elseif elsif end enum except export ' +
    'extern final finally fn for foreach from func function if impl import include inline interface let local match module ' +
    'namespace override package pass private protected pub public require return static struct switch then throw try ' +
    'type typedef using val var void while with'
  ).split(' '),
)
/** A sentence begins with three plain words, or with letters of a script that has no spaces. */
const sentence =
  /^(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?:(?:[\p{L}\p{M}'’]+,? ){2}[\p{L}\p{M}'’]+|[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}])/u
/** A comment, a preprocessor directive, an annotation, closing brackets. */
const frame =
  /^(?:\/\/|\/\*|\*\/|--(?:\s|-|\[\[)|<!--|#!\/|#(?:include|define|if|ifdef|ifndef|endif|pragma|import)\b|@\w+\(|["'`)\]}>;,]+$)/
const json = /^(?:[[{]\s*(?:["{[\]}]|$)|"[^"]*"\s*:)/
const imports = /^(?:import|from|using|require|package) [\w.*'"/@:-]+(?: import [\w.*, ]+| as \w+)?;?$/
const assignment = /^[\w$.*&[\]'"]+(?:\s*:\s*[\w<>[\].|]+)?\s*(?:[-+*/|&?%:]|\|\||&&)?=(?!=)\s*\S/
const wholeCall = /^[\w$]+(?:(?:\.|::?|->)[\w$]+)*\([^()]*(?:\([^()]*\)[^()]*){0,9}\)[;,]?$/
const codePunctuation = /[(){}[\]=;<>]|::|->/
const codeEnd = /[;{}]$|[)\]}],$|=>$|\):$|\s(?:then|do)$/
/** How much of a line is read, in UTF-16 units. */
const maxLineLength = 600

/** Whether a line is code, and not a sentence that mentions code. */
function isCode(line: string): boolean {
  const text = line.slice(0, maxLineLength).trim()
  if (frame.test(text) || json.test(text) || imports.test(text)) return true
  const isKeyword = keywords.has(/^\w*/.exec(text)?.[0] ?? '')
  if (sentence.test(text)) return isKeyword && codeEnd.test(text)
  if (/[?!.]$/.test(text)) return false
  if (isKeyword && (/^\w+[;:,)]*$/.test(text) || codePunctuation.test(text))) return true
  return assignment.test(text) || wholeCall.test(text) || (codePunctuation.test(text) && codeEnd.test(text))
}

/** Two words, or two letters of a script that has no spaces. A single word may belong to the code, or be a secret. */
const saying = /\p{L}[^\s\p{L}]*\s+\S*\p{L}|[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{2}/u

interface Run {
  isCode: boolean
  isFenced: boolean
  lines: string[]
  /** Numbers of the first and the last line, from 0. */
  from: number
  to: number
}

/**
 * Whether a line closes a fence that `mark` opened. Some people put the closing mark at the end of the last line of code; a mark
 * that opens before it in the line, as in `see ```a``` `, does not count.
 */
export function closesFence(line: string, mark: string): boolean {
  const text = line.trimEnd()
  const end = /(?:`*|~*)$/.exec(text)?.[0] ?? ''
  return end.startsWith(mark) && !text.slice(0, text.length - end.length).includes(mark)
}

/** Returns a function that is called with each line in order and says whether it is in a fence, or opens or closes one. */
function fenceReader(): (line: string) => boolean {
  let open: string | undefined
  return (line) => {
    if (open !== undefined) {
      if (closesFence(line, open)) open = undefined
      return true
    }
    const [, mark, rest = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    // A fence that closes on its own line leaves nothing open.
    if (mark !== undefined && !rest.includes(mark)) open = mark
    return mark !== undefined
  }
}

/** The lines in runs of words and of code. Lines in a fence, and lines indented below code, are code. Blank lines are omitted. */
function runsOf(lines: readonly string[]): Run[] {
  const runs: Run[] = []
  const read = fenceReader()
  for (const [at, line] of lines.entries()) {
    const isFenced = read(line)
    if (line.trim() === '') continue
    const last = runs.at(-1)
    const isBelow = last?.isCode === true && /^(?: {4}|\t|\s*\*[ /])/.test(line)
    const run = { isCode: isFenced || isBelow || isCode(line), isFenced, lines: [line], from: at, to: at }
    if (last?.isCode === run.isCode && last.isFenced === isFenced) {
      last.lines.push(line)
      last.to = at
    } else runs.push(run)
  }
  return runs
}

/**
 * Reads a prompt that begins with pasted code and says something about it; `undefined` for any other. After a fence, the first
 * words count. Without fences, a line of an unknown language may look like words, so only the words after all code count.
 */
export function pastedPrompt(lines: readonly string[], hasWord: (line: string) => boolean): PastedPrompt | undefined {
  const runs = runsOf(lines).filter(({ lines }) => lines.some(hasWord))
  const [first, ...later] = runs
  if (first?.isCode !== true) return undefined
  const said = later.filter((run) => !run.isCode && run.lines.some((line) => saying.test(line)))
  const run = first.isFenced ? said[0] : said.at(-1)
  if (run === undefined) return undefined
  return { said: run.lines.slice(run.lines.findIndex((line) => saying.test(line))), code: first.lines }
}

// Pasted code without fences, which pages show as code.

/** Numbers of the first and the last line of a piece of code, from 0. */
interface CodeLines {
  from: number
  to: number
}

/** The minimum number of lines of a piece of code, and of those that are code whatever is around them. */
const minLines = { all: 4, sure: 3 }

/** A line between lines of code that belongs to them, unless it is a sentence: indented, a comment, one word, with signs of code. */
const betweenCode = /^(?:\s|#|<|\w+$)|[(){}[\]=;<>]/

/** A line that begins as those of lists, quotations and tables do. */
const listed = /^\s*(?:[-*+]|\d{1,3}[.)]|[>|#])\s/

/**
 * The pieces of code that surely were pasted, with the blank lines in them, outside of fences: several lines, some of them
 * indented, in which nothing reads like a sentence.
 */
export function pastedCode(lines: readonly string[]): CodeLines[] {
  const pieces: Run[] = []
  let gap: Run[] = []
  for (const run of runsOf(lines)) {
    const last = pieces.at(-1)
    if (!run.isCode || run.isFenced) gap.push(run)
    else {
      if (last !== undefined && gap.every(isBetween)) {
        for (const part of [...gap, run]) append(last.lines, part.lines)
        last.to = run.to
      } else pieces.push(run)
      gap = []
    }
  }
  return pieces.filter(isSure).map(({ from, to }) => ({ from, to }))
}

function isBetween({ isFenced, lines }: Run): boolean {
  return !isFenced && lines.every((line) => isPart(line) && !sentence.test(line.trim()))
}

function isPart(line: string): boolean {
  return betweenCode.test(line) || (line.endsWith(':') && keywords.has(/^\w*/.exec(line)?.[0] ?? ''))
}

function isSure({ lines }: Run): boolean {
  const last = lines.at(-1) ?? ''
  // What is asked may be indented as the code above it.
  if (sentence.test(last.trim()) && !isCode(last)) return false
  const sure = lines.filter((line) => !listed.test(line) && isCode(line)).length
  return lines.length >= minLines.all && sure >= minLines.sure && lines.some((line) => /^(?: {2}|\t)/.test(line))
}
