/** What a person typed, as Markdown that shows the same words on the same lines in every renderer. */

import { fenceFor } from './fences.ts'
import { texInLine } from './marks.ts'
import type { Formula } from './math.ts'
import { nameAndLocation, type TypedBlock, type TypedPart } from './typed.ts'

/** How much is escaped. `light`: marks that renderers may act on. `strict`: every mark. */
type EscapeLevel = 'light' | 'strict'

/** Columns of indentation from which Markdown reads a line as code; a block with such a line is fenced. */
const codeIndent = 4

/** Ends a line of a paragraph so that its line break is kept. */
const hardBreak = '  '

/** Markdown of typed blocks. Their text must not contain controls. */
export function typedMarkdown(blocks: readonly TypedBlock[], level: EscapeLevel): string {
  return blocks
    .map((block) => (block.kind === 'fence' ? fence(block.value, block.info) : paragraph(block.parts, level)))
    .join('\n\n')
}

/** Turns indented blocks into fences; consecutive ones become a single fence, with the blank lines between them. */
export function fenceIndented(blocks: readonly TypedBlock[]): TypedBlock[] {
  const result: TypedBlock[] = []
  let open: Extract<TypedBlock, { kind: 'fence' }> | undefined
  for (const block of blocks) {
    const source = block.kind === 'paragraph' ? block.parts.map((part) => part.source).join('') : ''
    if (!isIndented(source)) {
      open = undefined
      result.push(block)
    } else if (open !== undefined) open.value += block.before + source
    else {
      open = { kind: 'fence', before: block.before, value: source, info: '' }
      result.push(open)
    }
  }
  return result
}

function isIndented(source: string): boolean {
  return source
    .split('\n')
    .some((line) => (/^[ \t]*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0) >= codeIndent)
}

/** The blocks with a name instead of each formula, whose TeX would be marks to Markdown; the same list without formulas. */
export function withoutTex(blocks: readonly TypedBlock[]): readonly TypedBlock[] {
  let hasFormula = false
  const plain = blocks.map((block): TypedBlock => {
    if (block.kind === 'fence') return block
    const parts = block.parts.map((part): TypedPart => {
      if (part.kind !== 'formula') return part
      hasFormula = true
      // Code is written as it is.
      return { kind: 'code', value: '$formula$', source: '$formula$' }
    })
    return { ...block, parts }
  })
  return hasFormula ? plain : blocks
}

function fence(value: string, info: string): string {
  const marks = fenceFor(value)
  const lines = value === '' ? [] : value.split('\n').map((line) => line.trimEnd())
  return [`${marks}${info.replace(/[<|[\]`]/g, ' ').trimEnd()}`, ...lines, marks].join('\n')
}

// Paragraphs.

function paragraph(parts: readonly TypedPart[], level: EscapeLevel): string {
  const pairs = pairsOf(parts.map(marksOf).join(' '))
  const written = parts.map((part, index) => {
    const after = parts[index + 1]
    const before = parts[index - 1]?.source.at(-1) ?? '\n'
    const next = after === undefined ? '\n' : nameAndLocation(after).name
    if (part.kind === 'formula') return formula(part.formula)
    if (part.kind === 'code') return part.source
    if (part.kind === 'link') return address(part.source, next)
    const { name, location } = nameAndLocation(part)
    const text = escaped(name, { before, next: location === undefined ? next.charAt(0) : ' ', pairs, level })
    return location === undefined ? text : `${text} (\`${location}\`)`
  })
  return written.join('').split('\n').map(lineStart).join(`${hardBreak}\n`)
}

/** The text in which marks could pair. Renderers without formulas read the TeX as text too. */
function marksOf(part: TypedPart): string {
  if (part.kind === 'formula') return part.formula.tex
  return part.kind === 'text' || part.kind === 'mention' ? nameAndLocation(part).name : ''
}

/** Marks that occur more than once, so that they could pair. */
function pairsOf(text: string): ReadonlySet<string> {
  const found: [string, RegExp][] = [
    ['*', /\*/g],
    ['~', /~/g],
    ['_', /(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu],
  ]
  return new Set(found.filter(([, mark]) => (text.match(mark)?.length ?? 0) > 1).map(([mark]) => mark))
}

function formula({ tex, display }: Formula): string {
  const marks = display ? '$$' : '$'
  return marks + texInLine(tex.replace(/<(?=[a-z/!?])/gi, '< ')) + marks
}

interface Surroundings {
  /** Characters before and after the text; a line end at the borders of the paragraph. */
  before: string
  next: string
  pairs: ReadonlySet<string>
  level: EscapeLevel
}

/** Marks that may become code, emphasis, tags, entities, links, notes or addresses; a run of underscores is one mark. */
const marks = /\\|`|\*|_+|~|<|&(?=#?\w{1,40};)|\](?=[([:])|\[(?=\^)|:(?=\/\/)|(?<=[\w.+-])@(?=\w)|(?<=www)\./gi
const everyMark = /[!-/:-@[-`{-~]/g

function escaped(text: string, surroundings: Surroundings): string {
  if (surroundings.level === 'strict') return text.replace(everyMark, plainMark)
  return text.replace(marks, (mark, index: number) => {
    const before = text.charAt(index - 1) || surroundings.before
    const next = text.charAt(index + mark.length) || surroundings.next
    return isActive(mark.charAt(0), before, next, surroundings.pairs) ? Array.from(mark, plainMark).join('') : mark
  })
}

function isActive(mark: string, before: string, next: string, pairs: ReadonlySet<string>): boolean {
  switch (mark) {
    case '\\':
      return /[!-/:-@[-`{-~\n]/.test(next)
    case '*':
    case '~':
      return pairs.has(mark) && !(/\s/.test(before) && /\s/.test(next))
    case '_':
      return pairs.has(mark) && !(isWord(before) && isWord(next))
    case '<':
      return /[a-z/!?]/i.test(next)
    default:
      return true
  }
}

const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character)

function plainMark(mark: string): string {
  if (mark === '<') return '&lt;'
  if (mark === '&') return '&amp;'
  return /[!-/:-@[-`{-~]/.test(mark) ? `\\${mark}` : mark
}

/** What begins or underlines a block; after a number, the character that follows it is escaped. */
const blockStart = /^(?:\d{1,9}(?=[.)](?:\s|$))|(?=[-+*](?:\s|$)|#{1,6}(?:\s|$)|>|[|:=-][-:|=\s]*$|(?:[-*_]\s*){3,}$))/

/** A line whose beginning is read as text and whose indentation is kept. */
function lineStart(line: string): string {
  const text = line.trimEnd()
  const indent = /^\s*/.exec(text)?.[0] ?? ''
  if (indent !== '') return Array.from(indent, entity).join('') + text.slice(indent.length)
  return text.replace(blockStart, '$&\\')
}

function entity(blank: string): string {
  return /[ \t]/.test(blank) ? '&nbsp;' : `&#${blank.codePointAt(0)};`
}

/** An address as typed if neither it nor what follows could be misread, else as a link with the address as its words. */
function address(url: string, next: string): string {
  const isPlain = /^https?:\/\/[\w./?=%,:+-]*[\w/]$/i.test(url) && !/__|_[./?=%,:+-]|[./?=%,:+-]_|_$/.test(url)
  if (isPlain && /^[.,;:!?)]{0,2}(?:\s|$)/.test(next)) return url
  const target = url
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/[^\w\-.~:/?#@!$&+,;=%]|&(?=#?\w{1,40};)/gu, encodeURIComponent)
  return `[${url.replace(/[^\p{L}\p{N}/.,;=?%+-]/gu, plainMark)}](${target.replace(/[*()']/g, percentEncoded)})`
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
