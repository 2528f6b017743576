/** Finds code in what a person typed: between fences of backticks, or pasted without them. */

import { parse, preprocess } from 'micromark'
import { codeFenced } from 'micromark-core-commonmark'
import { gfm } from 'micromark-extension-gfm'
import { closesFence, pastedCode } from '../../../transcript/pasted.ts'

type Extension = NonNullable<NonNullable<Parameters<typeof parse>[0]>['extensions']>[number]

/** Disables everything in Markdown and GitHub's dialect except fences of backticks, inline code and addresses. */
const typedDialect: Extension = {
  disable: {
    null: [
      ...['blockQuote', 'list', 'headingAtx', 'setextUnderline', 'thematicBreak', 'codeIndented', 'htmlFlow', 'table'],
      ...['attention', 'strikethrough', 'autolink', 'htmlText', 'labelStartImage', 'labelStartLink', 'labelEnd'],
      ...['characterEscape', 'characterReference', 'hardBreakEscape', 'definition', 'tasklistCheck', 'codeFenced'],
      ...['gfmFootnoteDefinition', 'gfmFootnoteCall', 'gfmPotentialFootnoteCall', 'emailAutolink', 'wwwAutolink'],
    ],
  },
  // Under another name, which is not disabled, and not for tildes.
  flow: { 96: { ...codeFenced, name: 'fencedByBackticks' } },
}

/** Tokenizes typed text. */
export const parser: ReturnType<typeof parse> = parse({ extensions: [gfm(), typedDialect] })

/** Input of the tokenizer. A byte order mark becomes a space: if it were left out, all offsets after it would be wrong. */
export function codesOf(text: string): ReturnType<ReturnType<typeof preprocess>> {
  return preprocess()(text.replace(/^\uFEFF/, ' '), undefined, true)
}

/** Lines of code. */
interface CodeBlock {
  /** Number of its last line, from 0. */
  to: number
  value: string
  /** The rest of the line with the opening fence; empty for pasted code. */
  info: string
}

/** Code by the number of its first line. Fences around nothing are no code: their marks stay text, as they were typed. */
export function codeBlocks(lines: readonly string[]): Map<number, CodeBlock> {
  const blocks = new Map<number, CodeBlock>()
  let from: number | undefined = 0
  for (let round = 0; from !== undefined && round < maxClosedLate; round++) from = addFences(lines, from, blocks)
  for (const [at, { value }] of blocks) if (value.trim() === '') blocks.delete(at)
  for (const [at, piece] of pastedIn(lines, blocks)) blocks.set(at, piece)
  return blocks
}

/** The maximum number of fences that are closed at the end of a line of code: the lines after each are parsed again. */
const maxClosedLate = 16

/**
 * Adds the fences from a line on. Markdown continues a fence that no line closes to the end of the text; if a line of its code
 * ends with backticks, the person closed it there, and the number of the next line is returned.
 */
function addFences(all: readonly string[], first: number, blocks: Map<number, CodeBlock>): number | undefined {
  const lines = first === 0 ? all : all.slice(first)
  if (!lines.some((line) => /^[ \t]*```/.test(line))) return undefined
  let marks = 0
  for (const [step, token] of parser.flow().write(codesOf(lines.join('\n')))) {
    if (step === 'enter') continue
    if (token.type === 'codeFencedFence') marks++
    if (token.type !== 'codeFenced') continue
    const from = token.start.line - 1
    const block = lines.slice(from, token.end.line)
    const mark = /`+/.exec(block[0] ?? '')?.[0] ?? ''
    const late = marks > 1 ? -1 : block.findIndex((line, at) => at > 0 && closesFence(line, mark))
    if (late > 0) {
      const { value, info } = contentOf(block.slice(0, late + 1), false)
      blocks.set(first + from, { to: first + from + late, value: value.replace(/`+[ \t]*$/, ''), info })
      return first + from + late + 1
    }
    blocks.set(first + from, { to: first + token.end.line - 1, ...contentOf(block, marks > 1) })
    marks = 0
  }
  return undefined
}

/** Pasted code by the number of its first line; none that overlaps a fence. */
function pastedIn(lines: readonly string[], fences: ReadonlyMap<number, CodeBlock>): Map<number, CodeBlock> {
  const fenced = new Set<number>()
  for (const [from, { to }] of fences) for (let at = from; at <= to; at++) fenced.add(at)
  const pieces = new Map<number, CodeBlock>()
  for (const { from, to } of pastedCode(lines)) {
    const block = lines.slice(from, to + 1)
    if (!block.some((_, index) => fenced.has(from + index))) pieces.set(from, { to, value: block.join('\n'), info: '' })
  }
  return pieces
}

function contentOf([open = '', ...rest]: readonly string[], isClosed: boolean): { value: string; info: string } {
  const indent = /^ */.exec(open)?.[0].length ?? 0
  const body = isClosed ? rest.slice(0, -1) : rest
  return {
    value: body.map((line) => line.replace(new RegExp(`^ {0,${indent}}`), '')).join('\n'),
    info: open.replace(/^[ \t]*`+/, '').trim(),
  }
}
