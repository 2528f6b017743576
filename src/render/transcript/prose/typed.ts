/**
 * Reads what a person typed: fences of backticks, code that was pasted without them, inline code, addresses of the web and
 * formulas between clear delimiters.
 * Everything else stays as it was typed, line by line, because people type `#` and `*` with meanings of their own and paste
 * text that is not Markdown.
 */

import type { Message } from '../../../transcript/trast.ts'
import { append } from '../../../util/groups.ts'
import { baseName } from '../../../util/paths.ts'
import { type Formula, findFormulas } from './math.ts'
import { codeBlocks, codesOf, parser } from './typed-code.ts'

/** Whether a message was typed by a person or printed by a hook, and is not Markdown of a model. */
export function isTyped({ role, origin, delegated }: Pick<Message, 'role' | 'origin' | 'delegated'>): boolean {
  return role === 'user' && !delegated && (origin === 'typed' || origin === 'hook')
}

/** A part of a paragraph. `value` is what is shown; `source` is what was typed, which for text is the same. */
export type TypedPart =
  | { kind: 'text' | 'code' | 'link'; value: string; source: string }
  | { kind: 'formula'; value: string; source: string; formula: Formula }
  /** What a client wrote for a file, a skill or a plugin that was picked from a list: its name and its location. */
  | { kind: 'mention'; value: string; source: string; target: string }

/** A run of lines without a blank one, or a block of code. `before` is the blank space between it and the block before. */
export type TypedBlock =
  | { kind: 'paragraph'; before: string; parts: TypedPart[] }
  /** `info` is the rest of the line with the opening fence; its first word may name a language. */
  | { kind: 'fence'; before: string; value: string; info: string }

/** Recently read texts: page, story, twin and search all read each prompt. */
const cache = new Map<string, readonly TypedBlock[]>()
const maxCached = 200
/** UTF-16 units of the longest text that is remembered. */
const maxCachedLength = 8000

/** The blocks of a typed text in order, without the blank lines around them. All line ends become newlines. */
export function readTyped(text: string): readonly TypedBlock[] {
  const blocks = cache.get(text) ?? blocksOf(text)
  if (text.length <= maxCachedLength && !cache.has(text)) {
    if (cache.size >= maxCached) cache.clear()
    cache.set(text, blocks)
  }
  return blocks
}

function blocksOf(text: string): TypedBlock[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const blocks: TypedBlock[] = []
  let [from, before] = [0, '']
  const close = (to: number): void => {
    const source = lines.slice(from, to).join('\n')
    if (from < to && source.trim() !== '') {
      blocks.push({ kind: 'paragraph', before, parts: partsOf(source) })
      before = '\n'
    }
  }
  const codes = codeBlocks(lines)
  for (let at = 0; at < lines.length; at++) {
    const code = codes.get(at)
    if (code !== undefined) {
      close(at)
      blocks.push({ kind: 'fence', before, value: code.value, info: code.info })
      before = '\n'
      at = code.to
      from = at + 1
    } else if ((lines[at] ?? '').trim() === '') {
      close(at)
      before += blocks.length === 0 ? '' : `${lines[at] ?? ''}\n`
      from = at + 1
    }
  }
  close(lines.length)
  return blocks
}

// Lines of prose.

interface Span {
  start: number
  end: number
  part: TypedPart
}

/** A short text that a model wrote, as a step of a plan: its words, and the code in them. */
export function codeParts(source: string): TypedPart[] {
  return cutAt(codesOfLines(source), source)
}

function partsOf(source: string): TypedPart[] {
  return cutAt(withMentions(withFormulas(spansOf(source), source), source), source)
}

function cutAt(spans: readonly Span[], source: string): TypedPart[] {
  const parts: TypedPart[] = []
  let from = 0
  for (const { start, end, part } of spans) {
    if (start > from) parts.push(plain(source.slice(from, start)))
    parts.push(part)
    from = end
  }
  if (from < source.length) parts.push(plain(source.slice(from)))
  return parts
}

function plain(value: string): TypedPart {
  return { kind: 'text', value, source: value }
}

/** Code and addresses, line by line: a mark that is left open on one line does not affect the next. */
function spansOf(source: string): Span[] {
  return /https?:/i.test(source) ? byLine(source, spansOfAnyLine) : codesOfLines(source)
}

function codesOfLines(source: string): Span[] {
  return source.includes('`') ? byLine(source, codesOfLine) : []
}

function byLine(source: string, read: (line: string, offset: number) => Span[]): Span[] {
  const spans: Span[] = []
  let offset = 0
  for (const line of source.split('\n')) {
    append(spans, read(line, offset))
    offset += line.length + 1
  }
  return spans
}

function spansOfAnyLine(line: string, offset: number): Span[] {
  return /https?:/i.test(line) ? spansOfLine(line, offset) : codesOfLine(line, offset)
}

/** The code in a line without addresses, as the tokenizer finds it: from backticks to the next run of the same length. */
function codesOfLine(line: string, offset: number): Span[] {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ start: index, length }))
  const spans: Span[] = []
  for (let at = 0; at < runs.length; at++) {
    const { start, length } = runs[at] ?? { start: 0, length: 0 }
    let closing = at + 1
    while (closing < runs.length && runs[closing]?.length !== length) closing++
    const close = runs[closing]
    if (close === undefined) continue
    const end = close.start + length
    spans.push({ start: offset + start, end: offset + end, part: code(line.slice(start, end)) })
    at = closing
  }
  return spans
}

function spansOfLine(line: string, offset: number): Span[] {
  const spans: Span[] = []
  for (const [step, token] of parser.text().write(codesOf(line))) {
    const { start, end } = token
    const type: string = token.type // extensions have types of their own
    if (step === 'enter' || (type !== 'codeText' && type !== 'literalAutolink')) continue
    const found = line.slice(start.offset, end.offset)
    const source = type === 'codeText' ? found : wholeAddress(found, line.charAt(end.offset))
    const part: TypedPart = type === 'codeText' ? code(source) : { kind: 'link', value: source, source }
    spans.push({ start: offset + start.offset, end: offset + start.offset + source.length, part })
  }
  return spans
}

/** An address as people mean it: Chinese and Japanese punctuation ends it; the bracket that closes one in it belongs to it. */
function wholeAddress(found: string, next: string): string {
  const source = found.replace(/[\u3000-\u303F\uFF00-\uFF60\u201C\u201D].*$/, '')
  const isOpen = next === ']' && source === found && source.lastIndexOf('[') > source.lastIndexOf(']')
  return isOpen ? `${source}]` : source
}

function code(source: string): TypedPart {
  const marks = /^`+/.exec(source)?.[0].length ?? 0
  // One space on each side only separates the backticks from the code.
  return { kind: 'code', value: source.slice(marks, -marks).replace(/^ (.*\S.*) $/, '$1'), source }
}

/** Adds formulas between `\( \)`, `\[ \]` and `$$ $$`, unless they contain code or an address. */
function withFormulas(spans: Span[], source: string): Span[] {
  const found = findFormulas(source).filter(({ start }) => /\\|\$\$/y.test(source.slice(start, start + 2)))
  const free = outside(spans, found)
  if (free.length === 0) return spans
  const formulas = free.map((formula): Span => {
    const { start, end } = formula
    const text = source.slice(start, end)
    return { start, end, part: { kind: 'formula', value: text, source: text, formula } }
  })
  return [...spans, ...formulas].sort((left, right) => left.start - right.start)
}

/** The ranges that no span overlaps. Both are in the order of the text and read once, because there may be thousands. */
function outside<Range extends { start: number; end: number }>(spans: readonly Span[], ranges: Range[]): Range[] {
  let at = 0
  return ranges.filter(({ start, end }) => {
    while ((spans[at]?.end ?? Number.POSITIVE_INFINITY) <= start) at++
    return (spans[at]?.start ?? Number.POSITIVE_INFINITY) >= end
  })
}

/** A link as clients write it for what was picked; VS Code escapes only the bracket that would end it, `(1\\)`. */
const mentions = /\[([^[\]\n]{1,200})\]\(((?:\\\)|[^)\n]){1,400})\)/g

/** Adds names that clients wrote with their locations, unless they contain code, an address or a formula. */
function withMentions(spans: Span[], source: string): Span[] {
  if (!source.includes('](')) return spans
  const found = [...source.matchAll(mentions)].flatMap(
    ({ 0: whole, 1: value = '', 2: written = '', index }): Span[] => {
      const target = written.replaceAll('\\)', ')')
      if (!isMention(value, target)) return []
      return [{ start: index, end: index + whole.length, part: { kind: 'mention', value, source: whole, target } }]
    },
  )
  const free = outside(spans, found)
  return free.length === 0 ? spans : [...spans, ...free].sort((left, right) => left.start - right.start)
}

/** The line or position after the path of a file: `:104`, `:104:7`, `#L104-L110`. */
const lineOf = /(?::\d{1,9}(?::\d{1,9})?|#L\d{1,9}(?:C\d{1,9})?(?:-L?\d{1,9})?)$/

/** Whether a client wrote a link for something picked: a file by name, `$skill`, `@plugin`, an app's item; else it was typed. */
function isMention(label: string, target: string): boolean {
  if (/^[a-z][\w+.-]+:\/\//i.test(target)) return !/^https?:/i.test(target)
  if (!/[\\/]/.test(target)) return false
  const name = baseName(target.replace(lineOf, '').replace(/[\\/]+$/, ''))
  return /^[$@]\S/.test(label) || (name !== '' && label.startsWith(name))
}

// What is emphasised in a paragraph: lines that begin like Markdown headings, and words between double asterisks. A page shows
// such a run in bold, with its marks, because they were typed.

/** Consecutive parts that are all emphasised, or all not. */
export interface TypedRun {
  strong: boolean
  parts: readonly TypedPart[]
}

/** Replaces each character of a part that is not text: it is neither letter nor space nor mark. */
const other = '\uFFFC'

/**
 * A heading, or words in asterisks, but not an operator between numbers or names, and not a path pattern. There is no
 * asterisk between the asterisks, so that each character is examined at most twice.
 */
const emphasised = /^ {0,3}#{1,6}[ \t]+\S.*$|(?<![\w*\\/])\*\*(?=[^\s*])[^*\n]*[^\s*]\*\*(?![\w*/])/gm

/** Runs of the parts of a paragraph. Only text is cut where a run begins or ends. */
export function typedRuns(parts: readonly TypedPart[]): TypedRun[] {
  if (!parts.some(({ kind, source }) => kind === 'text' && /#|\*\*/.test(source))) return [{ strong: false, parts }]
  const seen = parts.map(({ kind, source }) => (kind === 'text' ? source : other.repeat(source.length))).join('')
  /** Offsets at which the emphasised runs begin and end, alternately. */
  const borders = [...seen.matchAll(emphasised)].flatMap(({ 0: { length }, index }) => [index, index + length])
  const runs: { strong: boolean; parts: TypedPart[] }[] = []
  let [offset, passed] = [0, 0]
  const nextBorder = (): number => {
    while ((borders[passed] ?? Number.POSITIVE_INFINITY) <= offset) passed++
    return borders[passed] ?? Number.POSITIVE_INFINITY
  }
  const add = (part: TypedPart): void => {
    const strong = passed % 2 === 1
    const last = runs.at(-1)
    if (last?.strong === strong) last.parts.push(part)
    else runs.push({ strong, parts: [part] })
    offset += part.source.length
  }
  for (const part of parts) {
    const [start, end] = [offset, offset + part.source.length]
    for (let border = nextBorder(); part.kind === 'text' && border < end; border = nextBorder())
      add(plain(seen.slice(offset, border)))
    add(offset === start ? part : plain(seen.slice(offset, end)))
  }
  return runs
}

/** A location of a mention that inline code can show. */
const codeLocation = /^[^`|<>\s](?:[^`|<>\n]*[^`|<>\s])?$/

/** How Markdown shows a part: a mention by name and location, `gate.lua (C:/shop/gate.lua)`, else the part as it was typed. */
export function nameAndLocation(part: TypedPart): { name: string; location?: string } {
  const { kind, value, source } = part
  return kind === 'mention' && codeLocation.test(part.target)
    ? { name: value, location: part.target }
    : { name: source }
}

/** Consecutive words of one kind. */
export interface WordPiece {
  text: string
  /** Shown as inline code. */
  isCode: boolean
}

/** The words of a typed text without the backticks of code; by default, mentions as they were typed. */
export function typedWords(blocks: readonly TypedBlock[], mention?: (part: TypedPart) => string): string {
  return typedPieces(blocks, mention)
    .map(({ text }) => text)
    .join('')
}

/** The words of a typed text in pieces; mentions count as code, because pages show them so. */
export function typedPieces(
  blocks: readonly TypedBlock[],
  mention = (part: TypedPart): string => part.source,
): WordPiece[] {
  return blocks.flatMap((block) => {
    const parts: readonly TypedPart[] =
      block.kind === 'fence' ? [{ kind: 'text', value: block.value, source: block.value }] : block.parts
    const words = parts.map((part) => ({
      text: wordsOf(part, mention),
      isCode: part.kind === 'code' || part.kind === 'mention',
    }))
    return [{ text: block.before, isCode: false }, ...words]
  })
}

function wordsOf(part: TypedPart, mention: (part: TypedPart) => string): string {
  if (part.kind === 'formula') return part.formula.tex
  return part.kind === 'mention' ? mention(part) : part.value
}
