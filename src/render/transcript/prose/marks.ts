/** Marks that pages read as people mean them, written so that other renderers of the Markdown do so too. */

import type { Delete, Emphasis, Link, Mathematics, Nodes, Parents, Root, Strong } from 'mdast'
import type { Node } from 'unist'
import { keptBackslashes } from './math.ts'

// Emphasis in Chinese, Japanese and Korean. CommonMark decides by spaces and punctuation whether marks open or close, so
// `**“회의록”**을` shows its asterisks: there is no space before the particle. Models write this all the time. In Markdown
// the letter next to the marks becomes a character reference, which counts as punctuation there and reads as the letter.

const letter = '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}]'
const punctuation = '[\\p{P}\\p{S}]'
const asterisksBetween = new RegExp(
  `(?<=(?!${punctuation})${letter})\\*+(?=(?!\\*)${punctuation})|(?<=(?!\\*)${punctuation})\\*+(?=(?!${punctuation})${letter})`,
  'uy',
)

/** Whether asterisks are between a letter of these scripts and punctuation, where CommonMark gives them no meaning. */
export function hasCjkEmphasis(value: string): boolean {
  // Not in one search, which would evaluate the lookbehind at every character.
  for (let at = value.indexOf('*'); at >= 0; at = value.indexOf('*', at + 1)) {
    asterisksBetween.lastIndex = at
    if (asterisksBetween.test(value)) return true
  }
  return false
}

// With the flag `u`, V8 of Node 26 finds no character above U+FFFF for a class at the end of a pattern.
const letterBefore = new RegExp(`(?!${punctuation})${letter}$`, 'v')
const letterAfter = new RegExp(`^(?!${punctuation})${letter}`, 'v')
const punctuationBefore = new RegExp(`${punctuation}$`, 'v')
const punctuationAfter = new RegExp(`^${punctuation}`, 'v')

/** The changes with which CommonMark reads emphasis too; none if it does so anyway. */
export function emphasisSplices(node: Emphasis | Strong, value: string): Splice[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  const [open, close] = [runAt(value, range.start), runAt(value, range.end - 1)]
  const splices: Splice[] = []
  const before = letterBefore.exec(value.slice(Math.max(0, open.start - 2), open.start))?.[0]
  if (before !== undefined && punctuationAfter.test(value.slice(open.end, open.end + 2))) {
    splices.push({ start: open.start - before.length, end: open.start, text: reference(before) })
  }
  const after = letterAfter.exec(value.slice(close.end, close.end + 2))?.[0]
  if (after !== undefined && punctuationBefore.test(value.slice(Math.max(0, close.start - 2), close.start))) {
    splices.push({ start: close.end, end: close.end + after.length, text: reference(after) })
  }
  return splices
}

/** The run of asterisks around an offset. */
function runAt(value: string, at: number): { start: number; end: number } {
  let [start, end] = [at, at]
  while (value.charAt(start - 1) === '*') start--
  while (value.charAt(end) === '*') end++
  return { start, end }
}

function reference(character: string): string {
  return `&#${character.codePointAt(0)};`
}

// Formulas, tildes, backslashes.

/** Whether a node is struck out by single tildes: `19~23 and 5~6` and `~/x and ~/y` are not meant as deletions. */
export function isSingleTilde(node: Nodes, value: string): boolean {
  const start = node.type === 'delete' ? node.position?.start.offset : undefined
  return start !== undefined && !value.startsWith('~~', start)
}

/** Escapes single tildes, which strike out text on some hosts although nobody means that. */
export function escapeTildes(node: Delete, value: string): Splice[] {
  const range = rangeOf(node)
  if (range === undefined || !isSingleTilde(node, value)) return []
  return [range.start, range.end - 1].map((at) => ({ start: at, end: at, text: '\\' }))
}

/** Escapes backslashes that are not escapes, where text shows them: not in code, HTML or the target of a link. */
export function escapeBackslashes(root: Root, value: string): Splice[] {
  const kept = keptBackslashes(value)
  if (kept.length === 0) return []
  const opaque: { start: number; end: number }[] = []
  walk(root, (node) => opaque.push(opaquePart(node)))
  opaque.sort((left, right) => left.start - right.start)
  let [next, end] = [0, 0]
  return kept.flatMap((at) => {
    for (; (opaque[next]?.start ?? value.length) <= at; next++) end = Math.max(end, opaque[next]?.end ?? 0)
    return at < end ? [] : [{ start: at, end: at, text: '\\' }]
  })
}

/** The part of a node that is not text: all of code and HTML, the tail of a link. */
function opaquePart(node: Nodes): { start: number; end: number } {
  const range = rangeOf(node)
  if (range === undefined || node.type === 'text' || node.type === 'mathematics') return { start: 0, end: 0 }
  if (!('children' in node)) return range
  const last = node.children.at(-1)
  const end = last === undefined ? undefined : rangeOf(last)?.end
  return node.type === 'link' && end !== undefined ? { start: end, end: range.end } : { start: 0, end: 0 }
}

/**
 * A line end in a formula that is followed by what Markdown reads as an underline, a list, a quote, a heading, a rule or a
 * fence, unless a TeX comment reaches to it.
 */
const blockLine =
  /(?<!(?<!\\)%.*)\n(?=[ \t]*(?:[=-]+[ \t]*$|[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|>|#{1,6}(?:[ \t]|$)|[-*_](?:[ \t]*[-*_])+[ \t]*$|`{3}|~{3}))/gm

/** A line end in TeX, unless a comment reaches to it: the next line would become part of the comment. */
const texLineEnd = /(?<!(?<!\\)%.*)\n/g

/** A formula on one line, or on more if comments end lines: TeX ignores all other line ends, and leading spaces. */
export function texInLine(tex: string): string {
  return tex.replace(texLineEnd, ' ').replace(/\n[ \t]+/g, '\n')
}

/**
 * A formula in the delimiters that hosts know, without what they could read as a tag or a block; TeX ignores spaces and line
 * ends.
 */
export function inDollars(node: Mathematics, value: string): Splice[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  const tex = node.tex.replace(/<(?=[a-z/!?])/gi, '< ')
  const opened = `$$\n${tex}`
  const lines = opened.replace(blockLine, ' ')
  if (node.value.startsWith('$') && tex === node.tex && lines === opened) return []
  const lineEnd = `\n${linePrefix(value, range.start)}`
  if (!node.display) return [{ ...range, text: `$${texInLine(tex).replaceAll('\n', lineEnd)}$` }]
  if (!tex.includes('\n')) return [{ ...range, text: `$$${tex}$$` }]
  return [{ ...range, text: [...lines.split('\n'), '$$'].join(lineEnd) }]
}

// Links to files on a drive of Windows: to Markdown a letter and a colon are a scheme, which no host follows.

const drivePath = /^[a-z]:[\\/][^`|]*$/i
/** What closes a label, with a destination and no title. */
const linkTail = /^\]\([ \t]*(?:<([^<>\n]+)>|([^\s<>]+))[ \t]*\)$/
/** A label that does not begin a block at the beginning of a line. */
const calmLabel = /^(?!\d{1,9}[.)])[\p{L}\p{N}`_./]/u

/** Replaces a link to such a file by its name and its path as code: `gate.lua (C:/shop/gate.lua)`. */
export function fileOnDrive(node: Link, value: string): Splice[] {
  const range = rangeOf(node)
  const last = node.children.at(-1)
  if (range === undefined || last === undefined || !drivePath.test(node.url)) return []
  const { end = range.end } = rangeOf(last) ?? {}
  const [, angled, bare = angled] = linkTail.exec(value.slice(end, range.end)) ?? []
  if (bare === undefined || !calmLabel.test(value.slice(range.start + 1, end))) return []
  // A backslash between folders is not an escape.
  const path = bare.charAt(2) === '\\' ? bare : node.url
  return [
    { start: range.start, end: range.start + 1, text: '' },
    { start: end, end: range.end, text: ` (\`${path}\`)` },
  ]
}

// Visits trees of Markdown. A general visitor costs more than the parser that made the tree.

/** Calls `visit` for a node and everything in it, in the order of the text. */
export function walk(node: Nodes, visit: (node: Nodes, parent?: Parents) => void, parent?: Parents): void {
  visit(node, parent)
  if (!('children' in node)) return
  for (const child of node.children) walk(child, visit, node)
}

// Small changes of a text by position.

/** Replaces the UTF-16 units from `start` to `end` (exclusive) with `text`; inserts if both are equal. */
export interface Splice {
  start: number
  end: number
  text: string
}

/** Applies changes. Of two that overlap the earlier one counts; insertions at one offset keep their order. */
export function applySplices(value: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((a, b) => a.start - b.start || a.end - b.end)
  const parts: string[] = []
  let from = 0
  for (const { start, end, text } of ordered) {
    if (start < from) continue
    parts.push(value.slice(from, start), text)
    from = end
  }
  parts.push(value.slice(from))
  return parts.join('')
}

/** The range of a node in its text, or `undefined` for a node that the parser generated. */
export function rangeOf(node: Node): { start: number; end: number } | undefined {
  const start = node.position?.start.offset
  const end = node.position?.end.offset
  return start === undefined || end === undefined ? undefined : { start, end }
}

/** The prefix of all lines but the first of a block at `start`: its quotes, and spaces in place of its list markers. */
export function linePrefix(value: string, start: number): string {
  return value.slice(value.lastIndexOf('\n', start - 1) + 1, start).replace(/[^>\t ]/g, ' ')
}
