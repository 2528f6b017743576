/** Code that was pasted into a prompt, and what its person says of it: the words stand before it, behind it or between two pieces. */

/** The lines of a prompt that begins with pasted code. */
export interface PastedPrompt {
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
/** Three plain words, or letters of a script without blanks, are how a sentence begins. */
const sentence =
  /^(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?:(?:[\p{L}\p{M}'’]+,? ){2}[\p{L}\p{M}'’]+|[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}])/u
/** A comment, a rule of a preprocessor, a mark of an annotation, brackets that close. */
const frame =
  /^(?:\/\/|\/\*|\*\/|--(?:\s|-|\[\[)|<!--|#!\/|#(?:include|define|if|ifdef|ifndef|endif|pragma|import)\b|@\w+\(|["'`)\]}>;,]+$)/
const json = /^(?:[[{]\s*(?:["{[\]}]|$)|"[^"]*"\s*:)/
const imports = /^(?:import|from|using|require|package) [\w.*'"/@:-]+(?: import [\w.*, ]+| as \w+)?;?$/
const assignment = /^[\w$.*&[\]'"]+(?:\s*:\s*[\w<>[\].|]+)?\s*(?:[-+*/|&?%:]|\|\||&&)?=(?!=)\s*\S/
const wholeCall = /^[\w$]+(?:(?:\.|::?|->)[\w$]+)*\([^()]*(?:\([^()]*\)[^()]*){0,9}\)[;,]?$/
const signs = /[(){}[\]=;<>]|::|->/
const codeEnd = /[;{}]$|[)\]}],$|=>$|\):$|\s(?:then|do)$/
/** UTF-16 units of a line that are read. */
const maxLineLength = 600

/** Whether a line is code, and no sentence in which code is named. */
function isCode(line: string): boolean {
  const text = line.slice(0, maxLineLength).trim()
  if (frame.test(text) || json.test(text) || imports.test(text)) return true
  const isKeyword = keywords.has(/^\w*/.exec(text)?.[0] ?? '')
  if (sentence.test(text)) return isKeyword && codeEnd.test(text)
  if (/[?!.]$/.test(text)) return false
  if (isKeyword && (/^\w+[;:,)]*$/.test(text) || signs.test(text))) return true
  return assignment.test(text) || wholeCall.test(text) || (signs.test(text) && codeEnd.test(text))
}

/** Two words, or two letters of a script without blanks: a word alone may be the last one of the code, or a secret. */
const saying = /\p{L}[^\s\p{L}]*\s+\S*\p{L}|[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{2}/u

interface Run {
  isCode: boolean
  isFenced: boolean
  lines: string[]
}

/** Says of one line after the other whether it stands in a fence, its marks included. */
function fenceReader(): (line: string) => boolean {
  let open: string | undefined
  return (line) => {
    if (open !== undefined) {
      // Some put the mark behind the last line of the code.
      if (line.trimEnd().endsWith(open)) open = undefined
      return true
    }
    const [, mark, rest = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    // Of a fence on one line, nothing is open behind it.
    if (mark !== undefined && !rest.includes(mark)) open = mark
    return mark !== undefined
  }
}

/** Lines in runs of words and of code: in a fence, code, or what is indented below code. Blank lines are left out. */
function runsOf(lines: readonly string[]): Run[] {
  const runs: Run[] = []
  const read = fenceReader()
  for (const line of lines) {
    const isFenced = read(line)
    if (line.trim() === '') continue
    const last = runs.at(-1)
    const isBelow = last?.isCode === true && /^(?: {4}|\t|\s*\*[ /])/.test(line)
    const run = { isCode: isFenced || isBelow || isCode(line), isFenced, lines: [line] }
    if (last?.isCode === run.isCode && last.isFenced === isFenced) last.lines.push(line)
    else runs.push(run)
  }
  return runs
}

/**
 * A prompt that begins with pasted code and says something of it; nothing of others. Between fences it is plain what was said
 * first; without them, a line of a language that nobody knows may look like words, so that those behind all code count.
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
