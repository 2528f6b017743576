/** Bodies of messages as portable Markdown: verbatim except for the minimum that must change. */

import type {
  Definition,
  FootnoteDefinition,
  FootnoteReference,
  Heading,
  Html,
  Image,
  ImageReference,
  LinkReference,
  Nodes,
  Parents,
  Root,
} from 'mdast'
import { stripControls } from '../../../util/printable.ts'
import { disarm, hasActiveMarks } from './disarm.ts'
import { type Engine, parseMarkdown, referenceEngine } from './engine.ts'
import { fenceFor, fenceSplices } from './fences.ts'
import {
  applySplices,
  emphasisSplices,
  escapeBackslashes,
  escapeTildes,
  fileOnDrive,
  hasCjkEmphasis,
  inDollars,
  isSingleTilde,
  linePrefix,
  rangeOf,
  type Splice,
  walk,
} from './marks.ts'
import { isProse, readMarkdown } from './read.ts'
import { isSafeUrl, mayRunAfterMark } from './schemes.ts'
import { nameAndLocation, readTyped, type TypedBlock, typedWords } from './typed.ts'
import { fenceIndented, typedMarkdown, withoutTex } from './typed-markdown.ts'

/** How a body is made portable. */
interface BodyOptions {
  /** Id of the item that contains the body. */
  id: string
  engine: Engine
  /** A person typed the body (default: false). */
  typed?: boolean
  /** The body will be inside a blockquote (default: false). */
  quoted?: boolean
}

/** Line ends to regular expressions of JavaScript, and therefore to some parsers. */
const separators = /[\u2028\u2029]/g
/** What may need a change: HTML, heading, fence, link, underline, formula. A body without any of them is kept as it is. */
const special = /[<#`~[\t]|[=-][ \t]*$|\\[([]/m
/** A tag in indented code directly after a list marker; several of these are a pasted diff, not a list of code blocks. */
const pastedLine = /^[ >]*[-*+](?: {5}|\t).*<[a-z/!?]/gim
const maxPastedLines = 2

/**
 * The Markdown of a body, without blank lines around it, or `undefined` if the body is not prose or cannot be made safe and
 * must be fenced. The result has no HTML and no heading above level 4, leaves nothing open, loads nothing, and its labels
 * have the item's id; all of this is proved by parsing the result.
 */
export function portableBody(value: string, options: BodyOptions): string | undefined {
  const body = stripControls(value)
    .replace(separators, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  if (!isProse(body) || (body.match(pastedLine)?.length ?? 0) > maxPastedLines) return undefined
  const { id, engine, typed = false, quoted = false } = options
  if (!typed && !special.test(body) && !hasActiveMarks(body) && !hasCjkEmphasis(body)) return body
  const result = typed ? escapedTyped(body, id, engine) : spliced(body, id, engine)
  return result === undefined || (quoted && !isSameQuoted(result, engine)) ? undefined : result
}

/** Escapes a typed body as little as possible; the text that the Markdown shows is compared with the typed words. */
function escapedTyped(body: string, id: string, engine: Engine): string | undefined {
  const blocks = fenceIndented(readTyped(body))
  const plain = withoutTex(blocks)
  for (const level of ['light', 'strict'] as const) {
    const result = disarm(typedMarkdown(blocks, level))
    const read = plain === blocks ? result : disarm(typedMarkdown(plain, level))
    if (result === undefined || read === undefined) continue
    if (isPortable(result, id, engine) && isReadAs(read, plain, engine)) return result
  }
  return undefined
}

/** Whether the Markdown shows the words of a typed text without formulas. */
function isReadAs(markdown: string, typed: readonly TypedBlock[], engine: Engine): boolean {
  const words: string[] = []
  for (const block of parseMarkdown(markdown, engine).children) {
    if (block.type !== 'paragraph' && block.type !== 'code') return false
    walk(block, (node) => {
      if (node.type === 'break') words.push('\n')
      else if ('value' in node) words.push(node.value)
    })
    words.push('\n')
  }
  const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim()
  const expected = typedWords(typed, (part) => {
    const { name, location } = nameAndLocation(part)
    return location === undefined ? name : `${name} (${location})`
  })
  return squeezed(words.join('')) === squeezed(expected)
}

function spliced(body: string, id: string, engine: Engine): string | undefined {
  const root = readMarkdown(body, engine)
  if (root.data?.unparsed) return undefined
  for (const html of htmlLevels) {
    const splices = collectSplices(root, body, { id, html })
    const spliced = applySplices(body, splices)
    const result = disarm(spliced)
    if (result === undefined) continue
    const trusted = result === spliced && splices.length === 0 && !isSuspicious(body)
    if (trusted || isPortable(result, id, engine)) return result
  }
  return undefined
}

// Proves by parsing that a changed body is safe inside another document.

const probe = 'end of the body'

/** A task with a blank first line: engines disagree on what follows it. */
const blankTask = /\[[ x]\][ \t]*$/im

/** Whether engines might read a body differently in a way that does harm. */
function isSuspicious(body: string): boolean {
  return mayRunAfterMark(body) || blankTask.test(body)
}

/**
 * Whether a body has no HTML, picture, unsafe link, foreign label or heading of the frame's levels, and leaves nothing open:
 * a heading appended to it is read as a heading. A suspicious body must also pass with the reference engine.
 */
function isPortable(body: string, id: string, engine: Engine): boolean {
  const engines = isSuspicious(body) ? [engine, referenceEngine] : [engine]
  return engines.every((one) => isPortableFor(body, id, one))
}

function isPortableFor(body: string, id: string, engine: Engine): boolean {
  const source = `${body}\n\n# ${probe}`
  const root = parseMarkdown(source, engine)
  const last = root.children.at(-1)
  if (last?.type !== 'heading' || last.depth !== 1) return false
  const prefix = labelPrefix(id)
  return root.children.every((node) => node === last || areAllowed(node, prefix, source))
}

/** Whether a node and all below it are allowed. */
function areAllowed(node: Nodes, prefix: string, source: string): boolean {
  if (!isAllowed(node, prefix, source)) return false
  if ('children' in node) for (const child of node.children) if (!areAllowed(child, prefix, source)) return false
  return true
}

/**
 * Whether a body reads the same inside a blockquote. With tabs it may not: after the mark of the quote a tab reaches another
 * column, and what it indents may become something else.
 */
function isSameQuoted(body: string, engine: Engine): boolean {
  if (!body.includes('\t')) return true
  const [quote, ...rest] = parseMarkdown(body.replace(/^/gm, '> '), engine).children
  if (quote?.type !== 'blockquote' || rest.length > 0) return false
  return outline(quote.children) === outline(parseMarkdown(body, engine).children)
}

/** Types and texts of nodes, in order. */
function outline(nodes: readonly Nodes[]): string {
  const parts: string[] = []
  for (const top of nodes) walk(top, (node) => parts.push(node.type, 'value' in node ? node.value : ''))
  return JSON.stringify(parts)
}

function isAllowed(node: Nodes, prefix: string, source: string): boolean {
  switch (node.type) {
    case 'html':
    case 'image':
    case 'imageReference':
      return false
    case 'heading':
      return node.depth > headingFloor
    case 'code':
      return fenceSplices(node, source).length === 0
    case 'delete':
      return !isSingleTilde(node, source)
    case 'link':
      return isSafeUrl(node.url)
    case 'definition':
      return isSafeUrl(node.url) && (node.label ?? '').startsWith(prefix)
    case 'footnoteDefinition':
    case 'footnoteReference':
    case 'linkReference':
      return (node.label ?? '').startsWith(prefix)
    default:
      return true
  }
}

// Finds what must change in a body so that it can be put into another document.

/** Headings of a body start below this level. */
const headingFloor = 3

/** Blocks whose HTML children are blocks too; elsewhere HTML is inline. */
const flowParents = new Set<string | undefined>(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/** How bodies are changed. */
interface CollectOptions {
  /** Id of the item: the prefix of footnote and definition labels. */
  id: string
  html: HtmlLevel
}

/**
 * How HTML becomes text. `light`: only `disarm` changes each `<`. `fenced`: blocks of HTML are also fenced, so that their
 * lines are not read as Markdown. `strict`: in addition, every mark of inline HTML is escaped.
 */
type HtmlLevel = (typeof htmlLevels)[number]

/** The levels, the smallest change first. */
const htmlLevels = ['light', 'fenced', 'strict'] as const

interface SpliceContext {
  value: string
  options: CollectOptions
  /** Identifiers of definitions that become text; references to them then become text by themselves. */
  refused: ReadonlySet<string>
}

/** The changes that make a parsed body portable, in no particular order. */
function collectSplices(root: Root, value: string, options: CollectOptions): Splice[] {
  const splices = escapeBackslashes(root, value)
  const context = { value, options, refused: refusedDefinitions(root) }
  addSplices(root, undefined, context, splices)
  return splices
}

function addSplices(node: Nodes, parent: Parents | undefined, context: SpliceContext, splices: Splice[]): void {
  for (const splice of splicesOf(node, parent, context)) splices.push(splice)
  if ('children' in node) for (const child of node.children) addSplices(child, node, context, splices)
}

function splicesOf(node: Nodes, parent: Parents | undefined, context: SpliceContext): readonly Splice[] {
  switch (node.type) {
    case 'heading':
      return deepen(node, context)
    case 'html':
      return neutralise(node, parent, context)
    case 'code':
      return fenceSplices(node, context.value)
    case 'definition':
      return isSafeUrl(node.url) ? labelSplices(node, context.value, context.options.id) : none
    case 'imageReference':
    case 'linkReference':
      return context.refused.has(node.identifier) ? [] : labelSplices(node, context.value, context.options.id)
    case 'image':
    case 'footnoteDefinition':
    case 'footnoteReference':
      return labelSplices(node, context.value, context.options.id)
    case 'delete':
      return escapeTildes(node, context.value)
    case 'emphasis':
    case 'strong':
      return emphasisSplices(node, context.value)
    case 'link':
      return fileOnDrive(node, context.value)
    case 'mathematics':
      return inDollars(node, context.value)
    default:
      return none
  }
}

/** Identifiers with an unsafe definition; of several definitions the first one counts. */
function refusedDefinitions(root: Root): Set<string> {
  const safe = new Map<string, boolean>()
  walk(root, (node) => {
    if (node.type === 'definition' && !safe.has(node.identifier)) safe.set(node.identifier, isSafeUrl(node.url))
  })
  return new Set([...safe].filter(([, isSafe]) => !isSafe).map(([identifier]) => identifier))
}

const none: readonly Splice[] = []

/** Moves a heading below the item's own level, at most to level 6. */
function deepen(node: Heading, { value }: SpliceContext): Splice[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  const depth = Math.min(6, node.depth + headingFloor)
  if (value.charAt(range.start) === '#') {
    return [{ start: range.start, end: range.start, text: '#'.repeat(depth - node.depth) }]
  }
  return fromSetext(range, value, '#'.repeat(depth))
}

/** Turns an underlined heading, which has only two levels, into one with `#`, and joins its lines. */
function fromSetext(range: { start: number; end: number }, value: string, marks: string): Splice[] {
  const underline = value.lastIndexOf('\n', range.end - 1)
  const splices: Splice[] = [{ start: range.start, end: range.start, text: `${marks} ` }]
  const content = value.slice(range.start, underline)
  for (const match of content.matchAll(/\n[ \t>]*/g)) {
    const start = range.start + match.index
    splices.push({ start, end: start + match[0].length, text: ' ' })
  }
  // A mark at the end would be read as the closing sequence of the new heading.
  const closing = content.trimEnd().endsWith('#') ? ` ${marks}` : ''
  splices.push({ start: underline, end: range.end, text: closing })
  return splices
}

function neutralise(node: Html, parent: Parents | undefined, { value, options }: SpliceContext): Splice[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  if (options.html === 'light') return []
  if (flowParents.has(parent?.type)) return fenceHtml(range, value)
  if (options.html === 'fenced') return []
  return [...value.slice(range.start, range.end).matchAll(/[!-/:-@[-`{-~]/g)].map((match) => {
    const start = range.start + match.index
    return { start, end: start + 1, text: match[0] === '<' ? '&lt;' : `\\${match[0]}` }
  })
}

function fenceHtml({ start, end }: { start: number; end: number }, value: string): Splice[] {
  const content = value.slice(start, end)
  const prefix = linePrefix(value, start)
  const fence = fenceFor(content)
  return [
    { start, end: start, text: `${fence}html\n${prefix}` },
    { start: end, end, text: content.endsWith('\n') ? `${prefix}${fence}\n` : `\n${prefix}${fence}` },
  ]
}

// Labels of footnotes and definitions are made unique by the item's id; pictures become links.

/** Nodes with a label, or with an exclamation mark to drop. */
type Labelled = Definition | FootnoteDefinition | FootnoteReference | Image | ImageReference | LinkReference

/** The prefix of an item's labels. */
function labelPrefix(id: string): string {
  return `${id}-`
}

/** Prefixes the label of a node with the item's id, and drops the mark that makes a link a picture. */
function labelSplices(node: Labelled, value: string, id: string): Splice[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  const prefix = labelPrefix(id)
  switch (node.type) {
    case 'footnoteDefinition':
    case 'footnoteReference':
      return insert(value.indexOf('[^', range.start) + 2, prefix)
    case 'definition':
      return insert(value.indexOf('[', range.start) + 1, prefix)
    case 'image':
      return dropMark(range.start, node.alt)
    case 'imageReference':
      return [...dropMark(range.start, node.alt), ...referenceSplices(node, value, prefix, range)]
    default:
      return referenceSplices(node, value, prefix, range)
  }
}

function insert(at: number, text: string): Splice[] {
  return [{ start: at, end: at, text }]
}

/** Turns a picture into a link; one without a description gets a word that can be clicked. */
function dropMark(start: number, alt: string | null | undefined): Splice[] {
  const word = (alt ?? '') === '' ? insert(start + 2, 'image') : []
  return [{ start, end: start + 1, text: '' }, ...word]
}

function referenceSplices(
  node: LinkReference | ImageReference,
  value: string,
  prefix: string,
  { start, end }: { start: number; end: number },
): Splice[] {
  const source = value.slice(start, end)
  const first = source.indexOf('[') + 1
  if (node.referenceType === 'full') return insert(start + source.lastIndexOf('[') + 1, prefix)
  const tail = node.referenceType === 'collapsed' ? source.lastIndexOf('[') : source.length
  const label = source.slice(first, tail - 1)
  if (node.referenceType === 'collapsed') return insert(end - 1, `${prefix}${label}`)
  return insert(end, `[${prefix}${label}]`)
}
