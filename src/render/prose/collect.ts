/** Finds what must change in a body so that it can stand inside another document. */
import type { Heading, Html, Nodes, Paragraph, Parents, Root } from 'mdast'
import { fenceSplices } from './fences.ts'
import { labelSplices } from './labels.ts'
import { isSafeUrl } from './schemes.ts'
import { linePrefix, rangeOf, type Splice } from './splice.ts'
import { walk } from './walk.ts'

/** Headings of a body start below this level. */
export const headingFloor = 3

/** What a line of a paragraph ends with so that its break stays. */
export const hardBreak = '  '

/** Blocks whose HTML children are blocks too; elsewhere HTML stands in a line. */
const flowParents = new Set<string | undefined>(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/** How bodies are changed. */
export interface CollectOptions {
  /** Id of the item: goes before footnote and definition labels. */
  id: string
  /** Line breaks of paragraphs are kept. */
  breaks: boolean
  html: HtmlLevel
}

/**
 * How HTML becomes text. `light`: by what `disarm` does to each `<`. `fenced`: blocks of HTML are fenced, so that
 * their lines are not read as Markdown. `strict`: HTML inside a line has every mark escaped as well.
 */
export type HtmlLevel = (typeof htmlLevels)[number]

/** The levels, least change first. */
export const htmlLevels = ['light', 'fenced', 'strict'] as const

interface Place {
  value: string
  options: CollectOptions
  /** Identifiers of definitions that become text; references to them do so by themselves. */
  refused: ReadonlySet<string>
}

/** The changes that make a parsed body portable, in no order. */
export function collectSplices(root: Root, value: string, options: CollectOptions): Splice[] {
  const splices: Splice[] = []
  const place = { value, options, refused: refusedDefinitions(root) }
  walk(root, (node, parent) => {
    splices.push(...splicesOf(node, parent, place))
  })
  return splices
}

function splicesOf(node: Nodes, parent: Parents | undefined, place: Place): readonly Splice[] {
  switch (node.type) {
    case 'heading':
      return deepen(node, place)
    case 'html':
      return neutralise(node, parent, place)
    case 'code':
      return fenceSplices(node, place.value)
    case 'definition':
      return isSafeUrl(node.url) ? labelSplices(node, place.value, place.options.id) : none
    case 'imageReference':
    case 'linkReference':
      return place.refused.has(node.identifier) ? [] : labelSplices(node, place.value, place.options.id)
    case 'image':
    case 'footnoteDefinition':
    case 'footnoteReference':
      return labelSplices(node, place.value, place.options.id)
    case 'paragraph':
      return place.options.breaks ? breakSplices(node, place.value) : []
    default:
      return none
  }
}

/** Of several definitions the first one counts. */
function refusedDefinitions(root: Root): Set<string> {
  const safe = new Map<string, boolean>()
  walk(root, (node) => {
    if (node.type === 'definition' && !safe.has(node.identifier)) safe.set(node.identifier, isSafeUrl(node.url))
  })
  return new Set([...safe].filter(([, isSafe]) => !isSafe).map(([identifier]) => identifier))
}

const none: readonly Splice[] = []

/** Moves a heading below the item's own; one that would pass level 6 becomes level 6. */
function deepen(node: Heading, { value }: Place): Splice[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  const depth = Math.min(6, node.depth + headingFloor)
  if (value.charAt(range.start) === '#') {
    return [{ start: range.start, end: range.start, text: '#'.repeat(depth - node.depth) }]
  }
  return fromSetext(range, value, '#'.repeat(depth))
}

/** An underlined heading has two levels only: it becomes one of `#`, its lines are joined. */
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

function neutralise(node: Html, parent: Parents | undefined, { value, options }: Place): Splice[] {
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
  const fence = '`'.repeat(Math.max(3, ...[...content.matchAll(/`+/g)].map((match) => match[0].length + 1)))
  return [
    { start, end: start, text: `${fence}html\n${prefix}` },
    { start: end, end, text: content.endsWith('\n') ? `${prefix}${fence}\n` : `\n${prefix}${fence}` },
  ]
}

/** Two spaces at the end of each line of a paragraph that goes on, but inside code, links and HTML. */
function breakSplices(node: Paragraph, value: string): Splice[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  const closed: { start: number; end: number }[] = []
  walk(node, (child) => {
    const inner = rangeOf(child)
    if (inner === undefined || !['inlineCode', 'html', 'link', 'image', 'break'].includes(child.type)) return
    closed.push(inner)
  })
  const splices: Splice[] = []
  let next = 0
  for (const match of value.slice(range.start, range.end).matchAll(/\n/g)) {
    const start = range.start + match.index
    while (next < closed.length && (closed[next]?.end ?? 0) <= start) next += 1
    if ((closed[next]?.start ?? value.length) > start) splices.push({ start, end: start, text: hardBreak })
  }
  return splices
}
