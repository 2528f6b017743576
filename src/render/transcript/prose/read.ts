/** Reads prose as people mean it: Markdown with formulas, without formatting that was triggered by accident. */

import type { Parents, PhrasingContent, Root } from 'mdast'
import { cjkEngine, type Engine, parseMarkdown } from './engine.ts'
import { hasCjkEmphasis, isSingleTilde } from './marks.ts'
import { parseWithFormulas } from './mask.ts'

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
