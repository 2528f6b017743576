/** Marks that pages read as people mean them, written so that whoever renders the Markdown does so too. */

import type { Delete, Emphasis, Link, Mathematics, Nodes, Parents, Root, Strong } from 'mdast'
import type { Node } from 'unist'
import { keptBackslashes } from './math.ts'

// Emphasis in Chinese, Japanese and Korean. CommonMark tells marks that open from marks that close by blanks and
// punctuation, so that `**“회의록”**을` shows its asterisks: there is no blank before the particle. Models write this all
// the time. In Markdown the letter beside the marks becomes a reference, which counts as punctuation there and reads as
// the letter.

const letter = '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}]'
const sign = '[\\p{P}\\p{S}]'
const unparted = new RegExp(
  `(?<=(?!${sign})${letter})\\*+(?=(?!\\*)${sign})|(?<=(?!\\*)${sign})\\*+(?=(?!${sign})${letter})`,
  'uy',
)

/** Whether asterisks stand between a letter of these scripts and a sign, where CommonMark gives them no meaning. */
export function hasCjkEmphasis(value: string): boolean {
  // Not by one search, which would look behind at every character.
  for (let at = value.indexOf('*'); at >= 0; at = value.indexOf('*', at + 1)) {
    unparted.lastIndex = at
    if (unparted.test(value)) return true
  }
  return false
}

const letterBefore = new RegExp(`(?!${sign})${letter}$`, 'u')
const letterBehind = new RegExp(`^(?!${sign})${letter}`, 'u')
const signBefore = new RegExp(`${sign}$`, 'u')
const signBehind = new RegExp(`^${sign}`, 'u')

/** The changes that make emphasis be read by CommonMark too; none where it is anyway. */
export function emphasisSplices(node: Emphasis | Strong, value: string): Splice[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  const [open, close] = [runAt(value, range.start), runAt(value, range.end - 1)]
  const splices: Splice[] = []
  const before = letterBefore.exec(value.slice(Math.max(0, open.start - 2), open.start))?.[0]
  if (before !== undefined && signBehind.test(value.slice(open.end, open.end + 2))) {
    splices.push({ start: open.start - before.length, end: open.start, text: reference(before) })
  }
  const behind = letterBehind.exec(value.slice(close.end, close.end + 2))?.[0]
  if (behind !== undefined && signBefore.test(value.slice(Math.max(0, close.start - 2), close.start))) {
    splices.push({ start: close.end, end: close.end + behind.length, text: reference(behind) })
  }
  return splices
}

/** The run of asterisks around a place. */
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

/** Whether a node is struck out by single tildes: `19~23 and 5~6`, `~/x and ~/y` are no deletions. */
export function isSingleTilde(node: Nodes, value: string): boolean {
  const start = node.type === 'delete' ? node.position?.start.offset : undefined
  return start !== undefined && !value.startsWith('~~', start)
}

/** Single tildes strike out on some hosts, and were meant to by nobody. */
export function escapeTildes(node: Delete, value: string): Splice[] {
  const range = rangeOf(node)
  if (range === undefined || !isSingleTilde(node, value)) return []
  return [range.start, range.end - 1].map((at) => ({ start: at, end: at, text: '\\' }))
}

/** Backslashes that are no escapes, escaped, where text shows them: not in code, HTML or the target of a link. */
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

/** What of a node is no text: all of code and HTML, the tail of a link. */
function opaquePart(node: Nodes): { start: number; end: number } {
  const range = rangeOf(node)
  if (range === undefined || node.type === 'text' || node.type === 'mathematics') return { start: 0, end: 0 }
  if (!('children' in node)) return range
  const last = node.children.at(-1)
  const end = last === undefined ? undefined : rangeOf(last)?.end
  return node.type === 'link' && end !== undefined ? { start: end, end: range.end } : { start: 0, end: 0 }
}

/**
 * A line of a formula that is an underline, a list, a quote, a heading, a rule or a fence to Markdown, and the end of the line before
 * it, unless a comment of TeX goes that far.
 */
const blockLine =
  /(?<!(?<!\\)%.*)\n(?=[ \t]*(?:[=-]+[ \t]*$|[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|>|#{1,6}(?:[ \t]|$)|[-*_](?:[ \t]*[-*_])+[ \t]*$|`{3}|~{3}))/gm

/** An end of a line of TeX, unless a comment goes that far: what follows would become a part of it. */
const texLineEnd = /(?<!(?<!\\)%.*)\n/g

/** A formula in one line, or in more where comments end: TeX sees neither other line ends nor blanks that begin a line. */
export function texInLine(tex: string): string {
  return tex.replace(texLineEnd, ' ').replace(/\n[ \t]+/g, '\n')
}

/**
 * A formula in the delimiters that hosts know, and without what they could take for a tag or a block: TeX does not see spaces, nor
 * where lines end.
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

// Links to files on a drive of Windows: a letter and a colon are a scheme to Markdown, which no host follows.

const drivePath = /^[a-z]:[\\/][^`|]*$/i
/** What closes a label, with a destination and no title. */
const linkTail = /^\]\([ \t]*(?:<([^<>\n]+)>|([^\s<>]+))[ \t]*\)$/
/** A label that begins no block at the begin of a line. */
const calmLabel = /^(?!\d{1,9}[.)])[\p{L}\p{N}`_./]/u

/** The name of such a file, and its path as code behind it, in place of a link: `gate.lua (C:/shop/gate.lua)`. */
export function fileOnDrive(node: Link, value: string): Splice[] {
  const range = rangeOf(node)
  const last = node.children.at(-1)
  if (range === undefined || last === undefined || !drivePath.test(node.url)) return []
  const { end = range.end } = rangeOf(last) ?? {}
  const [, angled, bare = angled] = linkTail.exec(value.slice(end, range.end)) ?? []
  if (bare === undefined || !calmLabel.test(value.slice(range.start + 1, end))) return []
  // A backslash that parts folders is none of Markdown's.
  const path = bare.charAt(2) === '\\' ? bare : node.url
  return [
    { start: range.start, end: range.start + 1, text: '' },
    { start: end, end: range.end, text: ` (\`${path}\`)` },
  ]
}

// Visits trees of Markdown. A general visitor costs more than the parser that made the tree.

/** Calls `visit` for a node and everything in it, in order of the text. */
export function walk(node: Nodes, visit: (node: Nodes, parent?: Parents) => void, parent?: Parents): void {
  visit(node, parent)
  if (!('children' in node)) return
  for (const child of node.children) walk(child, visit, node)
}

// Small changes of a text by position.

/** Replaces the UTF-16 units from `start` to `end` (exclusive) by `text`; equal places insert. */
export interface Splice {
  start: number
  end: number
  text: string
}

/** Makes the changes. Of two that overlap the earlier one counts; insertions at one place keep their order. */
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

/** Where a node stands in its text, or `undefined` for a node that the parser made up. */
export function rangeOf(node: Node): { start: number; end: number } | undefined {
  const start = node.position?.start.offset
  const end = node.position?.end.offset
  return start === undefined || end === undefined ? undefined : { start, end }
}

/** What lines after the first of a block at `start` begin with: its quotes, and spaces for its list markers. */
export function linePrefix(value: string, start: number): string {
  return value.slice(value.lastIndexOf('\n', start - 1) + 1, start).replace(/[^>\t ]/g, ' ')
}
