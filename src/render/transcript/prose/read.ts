/** Reads prose as people mean it: Markdown with formulas, without formatting that was triggered by accident. */

import type { Literal, Mathematics, Nodes, Parents, PhrasingContent, Root, Text } from 'mdast'
import { defined } from '../../../util/own.ts'
import { cjkEngine, type Engine, parseMarkdown } from './engine.ts'
import { hasCjkEmphasis, isSingleTilde } from './marks.ts'
import { type Formula, findFormulas, keptBackslashes, quotesAround, withoutQuotes } from './math.ts'

declare module 'mdast' {
  /** A formula; its value is the source as it was written, delimiters included. */
  interface Mathematics extends Literal {
    type: 'mathematics'
    tex: string
    display: boolean
  }
  interface PhrasingContentMap {
    mathematics: Mathematics
  }
  interface RootContentMap {
    mathematics: Mathematics
  }
}

/** Parses a body: Markdown, formulas, and emphasis as it is meant in scripts without spaces between words. Never throws. */
export function readMarkdown(value: string, engine: Engine): Root {
  const known = trees.get(engine)
  const root = known?.get(value) ?? parseBody(value, engine)
  known?.set(value, root)
  return root
}

/** Parses a body for readers; single tildes strike nothing out. Never throws; see `parseMarkdown` for unreadable bodies. */
export function readProse(value: string, engine: Engine): Root {
  if (!value.includes('~')) return readMarkdown(value, engine)
  const root = parseBody(value, engine)
  keepTildes(root, value)
  return root
}

function parseBody(value: string, engine: Engine): Root {
  return parseWithFormulas(value, (body) => parseMarkdown(body, hasCjkEmphasis(body) ? cjkEngine : engine))
}

/** Trees by body, for engines that remember. */
const trees = new WeakMap<Engine, Map<string, Root>>()

/**
 * An engine for one slice, whose page, twin, story and search read the same bodies: it parses each body only once. Its trees
 * must not be changed.
 */
export function rememberBodies(engine: Engine): Engine {
  const remembering: Engine = (value) => engine(value)
  trees.set(remembering, new Map())
  return remembering
}

function keepTildes(parent: Parents, value: string): void {
  const children = parent.children as PhrasingContent[] // deletions are among phrasing only
  for (let at = 0; at < children.length; at++) {
    const child = children[at]
    if (child === undefined || !('children' in child)) continue
    keepTildes(child, value)
    if (child.type !== 'delete' || !isSingleTilde(child, value)) continue
    const tilde: PhrasingContent = { type: 'text', value: '~' }
    children.splice(at, 1, tilde, ...child.children, { ...tilde })
    at += child.children.length + 1
  }
}

// Which bodies are prose.

/** Bodies longer than this many UTF-16 units are shown literally. */
const maxLength = 64 * 1024
const minLogLines = 400
/** A line that is nested this deeply is not prose; parsers slow down or fail on it. */
const deep = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){50}/m
/** Lines that only Markdown has: list items, quotes, headings, tables, indented parts of these. */
const marked = /^\s*(?:[-*+>|#]|\d{1,9}[.)]\s|\s{2})/

/**
 * Whether a body is prose. It is not if it is longer than 64 Ki UTF-16 units, nests absurdly, or looks like a log: more than
 * 400 lines outside fences, of which fewer than one in fifty are blank and fewer than half are lists, quotes, headings,
 * tables or indented.
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

// While a body is parsed, a mask replaces each character of a formula by a letter that means nothing to Markdown, so that
// positions do not change. The letters are noncharacters, which no text should contain; a body that contains one is parsed
// without formulas.

const first = '\uFDD0'
const letter = '\uFDD1'
const backslash = '\uFDD2'
const masked = /[\uFDD0-\uFDD2]/
const run = /\uFDD0(?:[\uFDD1\n \t>]*\uFDD1)?/g

/**
 * Parses a body like `parse`, with its formulas as nodes instead of text. In code and HTML they remain text. If part of a
 * formula ended up in an address, a title or another name, the body is parsed as if it had no formulas.
 */
function parseWithFormulas(body: string, parse: (value: string) => Root): Root {
  const formulas = findFormulas(body)
  const kept = keptBackslashes(body)
  if (formulas.length + kept.length === 0 || masked.test(body)) return parse(body)
  const mask = maskFormulas(withoutBackslashes(body, kept), formulas)
  const tree = parse(mask)
  return unmask(tree, { body, mask, formulas, next: 0 }) ? tree : parse(body)
}

function withoutBackslashes(body: string, kept: readonly number[]): string {
  const characters = body.split('')
  for (const at of kept) characters[at] = backslash
  return characters.join('')
}

/** A body in which each character of a formula is a letter, except line ends and the marks of quotes that lines begin with. */
function maskFormulas(body: string, formulas: readonly Formula[]): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of formulas) {
    const quotes = quotesAround(body, start)
    const hiddenLines = body.slice(start + 1, end).replace(/(\n[ \t>]*)|[^\n]/g, (_, prefix?: string) => {
      let seen = 0
      return prefix?.replace(/>/g, (mark) => (seen++ < quotes ? mark : letter)) ?? letter
    })
    parts.push(body.slice(from, start), first, hiddenLines)
    from = end
  }
  return parts.join('') + body.slice(from)
}

interface Masked {
  body: string
  mask: string
  formulas: readonly Formula[]
  /** Index of the first formula that the walk has not reached. */
  next: number
}

/** Puts formulas back into the tree of the masked body; `false` if one is elsewhere than in text, code or HTML. */
function unmask(node: Nodes, source: Masked): boolean {
  if (hasMaskedName(node)) return false
  if ('value' in node) return !masked.test(node.value) || restore(node, source)
  if (!('children' in node)) return true
  const children: Nodes[] = node.children // what a parent may contain follows from its type; formulas replace texts
  for (let at = 0; at < children.length; at++) {
    const child = children[at]
    if (child === undefined) continue
    const parts = child.type === 'text' && masked.test(child.value) ? withFormulas(child, source) : undefined
    if (parts !== undefined) {
      children.splice(at, 1, ...parts)
      at += parts.length - 1
    } else if (!unmask(child, source)) return false
  }
  return node.type !== 'root' || source.next === source.formulas.length
}

const names = ['url', 'title', 'alt', 'label', 'lang', 'meta'] as const

function hasMaskedName(node: Nodes): boolean {
  return names.some((name) => {
    const value = (node as unknown as Record<string, unknown>)[name] // any of them may be there, by type
    return typeof value === 'string' && masked.test(value)
  })
}

function mathematics({ start, end, tex, display }: Formula, text: Text, body: string): Mathematics {
  const value = withoutQuotes(body.slice(start, end), quotesAround(body, start))
  const { position } = text
  if (position === undefined) return { type: 'mathematics', value, tex, display }
  // Only the offsets are the formula's own, because nothing uses its lines.
  const ownPosition = { start: { ...position.start, offset: start }, end: { ...position.end, offset: end } }
  return { type: 'mathematics', value, tex, display, position: ownPosition }
}

/** A text as texts and formulas; `undefined` if the formulas do not match. */
function withFormulas(node: Text, source: Masked): PhrasingContent[] | undefined {
  const parts: PhrasingContent[] = []
  let from = 0
  for (const { 0: letters, index } of node.value.matchAll(run)) {
    const formula = source.formulas[source.next++]
    if (formula === undefined || letters.length > formula.end - formula.start) return undefined
    if (index > from) parts.push(textOf(node.value.slice(from, index)))
    parts.push(mathematics(formula, node, source.body))
    from = index + letters.length
  }
  const rest = textOf(node.value.slice(from))
  if (masked.test(rest.value)) return undefined
  if (parts.length === 0) return [{ ...rest, ...defined({ position: node.position }) }]
  return rest.value === '' ? parts : [...parts, rest]
}

function textOf(value: string): Text {
  return { type: 'text', value: value.replaceAll(backslash, '\\') }
}

/** Restores the characters under the mask, in the order of their letters in the node's value. */
function restore(node: Literal, source: Masked): boolean {
  const start = node.position?.start.offset
  const end = node.position?.end.offset
  if (start === undefined || end === undefined) return false
  let at = start
  node.value = node.value.replace(/[\uFDD0-\uFDD2]/g, (letter) => {
    while (at < end && source.mask.charAt(at) !== letter) at++
    if (letter === first) source.next++
    return source.body.charAt(at++)
  })
  return at <= end
}
