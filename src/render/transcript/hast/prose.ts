/** Prose: converts Markdown source to sanitised hast. */

import type { Element, ElementContent, Properties, Root } from 'hast'
import { type Schema, sanitize } from 'hast-util-sanitize'
import type { Html, Mathematics, Root as MdastRoot, Parents } from 'mdast'
import { type Handlers, toHast } from 'mdast-util-to-hast'
import { defined } from '../../../util/own.ts'
import { formatBytes } from '../../../util/time.ts'
import { eachElement, h, isDeeper, unlink } from '../../hast.ts'
import { literal, proseText, scriptLanguage } from '../../visible-text.ts'
import { languageOfTag } from '../highlight.ts'
import { isProse, readProse } from '../prose/read.ts'
import { foreignRel, leadsOut } from '../prose/schemes.ts'
import { codeParts, readTyped, type TypedBlock, type TypedPart, type TypedRun, typedRuns } from '../prose/typed.ts'
import { drawFormulas, formulaMark } from './mathematics.ts'
import { block, codeToHast, copied } from './parts.ts'
import type { State } from './state.ts'
import { usualProse } from './usual-prose.ts'

/** Levels of nesting; no real text has more, and a hostile body would overflow the stack of recursive walks. */
const maxDepth = 64

/** Hast of a body. A body that is not prose, or cannot be parsed as Markdown, is shown literally in a `pre`. */
export function prose(value: string, options: Pick<TidyOptions, 'id'>, state: State): ElementContent[] {
  if (value.trim() === '') return []
  const plain = plainParagraphs(value)
  if (plain !== undefined) return plain
  if (!isProse(value)) return [block('text', literal(value))]
  const tree = readProse(value, state.context.engine)
  if (tree.data?.unparsed === true || isDeeper(tree, maxDepth)) return [block('text', literal(value))]
  const usual = usualProse(tree, headingLevels(state.level))
  const children = usual ?? sanitizedProse(tree, options, state)
  colourFences(children, state)
  if (usual === undefined) drawFormulas(children, state.context.drawTex)
  return children
}

/** Hast of what a person typed: unchanged lines, in paragraphs that keep every space and line end. */
export function typedProse(value: string, state: State): ElementContent[] {
  if (value.trim() === '') return []
  if (!isProse(value)) return [block('text', literal(value))]
  const children = readTyped(value).flatMap((part) => [...textOf(part.before), typedBlock(part)])
  colourFences(children, state)
  drawFormulas(children, state.context.drawTex)
  return children
}

function typedBlock(part: TypedBlock): ElementContent {
  if (part.kind === 'paragraph') return h('p', {}, typedRuns(part.parts).flatMap(typedRun))
  // The same class as in other prose; the colouring decides what it means.
  const [, language = '', more = ''] = /^(\S*)\s*(.*)$/.exec(part.info) ?? []
  const className = languageOfTag(language) === undefined ? {} : { className: [`language-${language}`] }
  const pre = h('pre', codeProperties(), h('code', className, literal(part.value)))
  // Words after the language are shown, because they configure nothing here.
  return more === '' ? pre : h('div', {}, h('p', {}, proseText(more)), pre)
}

/** A short text that a model wrote, with its inline code. */
export function withCode(text: string): ElementContent[] {
  return codeParts(text).flatMap((part) => (part.kind === 'code' ? typedPart(part) : literal(part.value)))
}

function typedRun({ strong, parts }: TypedRun): ElementContent[] {
  const children = parts.flatMap(typedPart)
  return strong ? [h('strong', {}, children)] : children
}

function typedPart(part: TypedPart): ElementContent[] {
  switch (part.kind) {
    case 'code':
      return [h('code', {}, literal(part.value))]
    case 'mention':
      return [h('code', { title: part.target }, literal(part.value))]
    case 'link': {
      const link = h('a', { href: part.value }, proseText(part.value))
      tidyLink(link)
      return [link]
    }
    case 'formula':
      return [formulaMark({ ...part.formula, value: part.value })]
    default:
      return proseText(part.value)
  }
}

/** Hast of any tree, made by packages that support all of Markdown and HTML; code is not coloured, formulas are still TeX. */
export function sanitizedProse(
  tree: MdastRoot,
  { id }: Pick<TidyOptions, 'id'>,
  state: Pick<State, 'level' | 'ids'>,
): ElementContent[] {
  const hast = toHast(tree, { clobberPrefix: `${id}-`, footnoteLabelTagName: 'p', handlers }) as Root // of a root
  tidy(hast, { id, level: state.level, ids: state.ids })
  const clean = sanitize(hast, schema) as Root // sanitize keeps the type of a root
  return clean.children.filter((child): child is ElementContent => child.type !== 'doctype')
}

/** The body of a text in its own block, with its language, so that a page can space and align it. */
export function body(children: ElementContent[], text: string): ElementContent {
  return h('div', { className: ['prose'], ...defined({ lang: scriptLanguage(text) }), ...copied('text') }, children)
}

// Colours of fenced code in prose.

/** Colours the fences of sanitised prose in place; code with marked characters or in an unknown language stays plain. */
function colourFences(children: readonly ElementContent[], state: State): void {
  for (const node of children) {
    if (node.type !== 'element') continue
    if (node.tagName === 'pre') colourFence(node, state)
    else colourFences(node.children, state)
  }
}

function colourFence({ children }: Element, state: State): void {
  const [code] = children
  if (code?.type !== 'element') return
  const [text, ...others] = code.children
  if (text?.type !== 'text' || others.length > 0) return
  const tokens = state.colour(text.value, languageOf(code))
  if (tokens !== undefined) code.children = codeToHast(tokens)
}

function languageOf({ properties }: Element): string | undefined {
  const classes = properties['className']
  const name = Array.isArray(classes) ? String(classes[0]) : ''
  return name.startsWith('language-') ? languageOfTag(name.slice('language-'.length)) : undefined
}

// The fast path: bodies in which no character means anything to Markdown.

/**
 * Anything that CommonMark or GFM may act on: punctuation of inlines, entities, autolinks, line starts of blocks,
 * indentation, spaces at a line's end, controls, hidden characters. Broad on purpose: a doubtful body takes the slow path.
 */
const significant =
  /[\\`*_{}[\]<>#|~$&@\0-\x09\x0B-\x1F\x7F]|:\/\/|www\.|xmpp:|mailto:|^[ \t\-+=:]|^\d{1,9}[.)]|[ \t]$|^\u00A0|[\x80-\x9F\u200B\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uDB40]/im

/** Paragraphs of a body without any significant character, else `undefined`. */
export function plainParagraphs(value: string): ElementContent[] | undefined {
  if (value.length > 20_000 || significant.test(value)) return undefined
  return value
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => h('p', {}, paragraph.replace(/^\n|\n$/g, '')))
}

function textOf(value: string): ElementContent[] {
  return value === '' ? [] : [{ type: 'text', value }]
}

// The elements and attributes that transcript text may finally have.

const inherited = ['ariaDescribedBy', 'ariaLabel'] as const

/**
 * Schema of hast-util-sanitize: no style, only the classes named here, no element that loads or runs anything.
 * Ids come only from footnotes and already have the item's anchor, so nothing is clobbered here.
 */
const schema: Schema = {
  tagNames: [
    'a blockquote br code del div em h2 h3 h4 h5 h6 hr li math ol p pre section span strong sup',
    'table tbody td th thead tr ul',
  ].flatMap((names) => names.split(' ')),
  attributes: {
    a: ['href', 'id', 'title', ['rel', ...foreignRel], ['className', 'back'], ...inherited],
    code: [['className', /^language-[\w+#.-]{1,40}$/]],
    div: [['className', 'wide'], 'tabIndex'],
    li: ['id'],
    math: ['dataTex', ['dataDisplay', 'block', 'inline']],
    ol: ['start'],
    p: ['id', ['className', 'raw', 'note-label']],
    pre: ['tabIndex', ['dataCopy', 'code'], ['dataWrap', true]],
    section: [['className', 'footnotes']],
    span: ['title', 'role', 'ariaLabel', ['className', 'nolink', 'task', 'done', 'ctl']],
    td: [['className', 'center', 'right']],
    th: [['className', 'center', 'right']],
  },
  // Keys that are absent here would be taken from the package's default schema.
  clobber: [],
  required: {},
  protocols: { href: ['http', 'https', 'mailto'] },
  strip: ['script', 'style'],
}

// Changes while mdast becomes hast: raw HTML is text.

const flowParents = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/** Handlers for mdast-util-to-hast. Raw HTML is shown as text; a block of it keeps its line ends. */
const handlers: Handlers = {
  html: (_state, node: Html, parent: Parents | undefined) => {
    const isBlock = parent !== undefined && flowParents.has(parent.type)
    return isBlock ? h('p', { className: ['raw'] }, node.value) : { type: 'text', value: node.value }
  },
  mathematics: (_state, node: Mathematics) => formulaMark(node),
}

// Changes to the hast of prose before it is sanitised: links, images, headings, tasks, tables, footnotes, code.

/** What the surroundings of a body require. */
interface TidyOptions {
  /** Prefix of ids inside the body, such as those of footnotes: the item's anchor. */
  id: string
  /** Level of the first heading. */
  level: number
  /** Ids that are already used on the page; grows. */
  ids: Set<string>
}

/** Shows the text of a node by `show`, and leaves elements unchanged. */
function textBy(show: (text: string) => ElementContent[]): (child: ElementContent) => ElementContent[] {
  return (child) => (child.type === 'text' ? show(child.value) : [child])
}

const showOdd = textBy(literal)
const showHidden = textBy(proseText)

/** Changes to elements, by name. */
const changes: Readonly<Record<string, (node: Element) => void>> = {
  a: tidyLink,
  code: (node) => {
    node.children = node.children.flatMap(showOdd)
  },
  img: (node) => replaceWith(node, imageLink(node)),
  input: (node) => replaceWith(node, taskMark(node)),
  pre: (node) => {
    node.properties = codeProperties()
  },
  td: alignByClass,
  th: alignByClass,
}

/** Changes a body's hast in place. */
function tidy(tree: Root, options: TidyOptions): void {
  const headings = headingLevels(options.level)
  eachElement(tree, (node) => {
    claimId(node, options)
    if (node.tagName !== 'code') node.children = node.children.flatMap(showHidden)
    if (/^h[1-6]$/.test(node.tagName)) node.tagName = headings(Number(node.tagName.slice(1)))
    else changes[node.tagName]?.(node)
  })
  widen(tree)
}

/** Puts each table into a box in which it scrolls. */
export function widen(parent: Root | Element): void {
  for (const [index, child] of parent.children.entries()) {
    if (child.type !== 'element') continue
    widen(child)
    if (child.tagName === 'table') parent.children[index] = h('div', { className: ['wide'], tabIndex: 0 }, child)
  }
}

/** Levels without gaps: the first heading gets `first`, a deeper one the next level, at most 6. */
export function headingLevels(first: number): (level: number) => string {
  const open: number[] = []
  return (level) => {
    while (open.length > 0 && (open.at(-1) ?? 0) >= level) open.pop()
    open.push(level)
    return `h${Math.min(6, first + open.length - 1)}`
  }
}

/** Keeps footnote ids unique on the page: a repeated id is removed. */
function claimId(node: Element, { id, ids }: TidyOptions): void {
  const { properties } = node
  if (properties['id'] === 'footnote-label') {
    properties['id'] = `${id}-notes`
    properties['className'] = ['note-label']
  }
  if (properties['ariaDescribedBy'] !== undefined) properties['ariaDescribedBy'] = [`${id}-notes`]
  if (properties['dataFootnoteBackref'] !== undefined) properties['className'] = ['back']
  const own = properties['id']
  if (typeof own !== 'string') return
  if (ids.has(own)) delete properties['id']
  else ids.add(own)
}

/** Keeps links of the web and of mail, marked as foreign; others become text with their target as tooltip. */
function tidyLink(node: Element): void {
  const href = String(node.properties['href'] ?? '')
  if (href.startsWith('#')) return
  if (leadsOut(href)) {
    node.properties['href'] = href.replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase())
    node.properties['rel'] = [...foreignRel]
    // A link must not contain another link.
    eachElement(node, (child) => {
      if (child.tagName === 'img') replaceWith(child, imageNote(child))
    })
    return
  }
  unlink(node)
}

/** What replaces a picture in prose, which is never loaded: a link for a web address, else a note. */
function imageLink(node: Element): Element {
  const source = String(node.properties['src'] ?? '')
  if (!/^https?:\/\//i.test(source)) return imageNote(node)
  const alt = String(node.properties['alt'] ?? '').trim()
  const link = h('a', { href: source }, alt === '' ? source : `Image: ${alt}`)
  tidyLink(link)
  return link
}

function imageNote(node: Element): Element {
  const source = String(node.properties['src'] ?? '')
  const alt = String(node.properties['alt'] ?? '').trim()
  const inline = /^data:([\w/+.-]{1,40})/i.exec(source)
  const target = inline === null ? source : `${inline[1]}, ${formatBytes(source.length)}, left out`
  return h('span', { className: ['nolink'], title: target }, alt === '' ? `Image (${target})` : `Image: ${alt}`)
}

/** The check box of a task as a symbol with a word for screen readers. */
function taskMark(node: Element): Element {
  const done = node.properties['checked'] === true
  const properties = { className: done ? ['task', 'done'] : ['task'], role: 'img', ariaLabel: done ? 'done' : 'to do' }
  return h('span', properties, done ? '\u2713' : '\u25CB')
}

function replaceWith(node: Element, other: Element): void {
  node.tagName = other.tagName
  node.properties = other.properties
  node.children = other.children
}

function alignByClass(node: Element): void {
  const align = node.properties['align']
  delete node.properties['align']
  if (align === 'center' || align === 'right') node.properties['className'] = [align]
}

function codeProperties(): Properties {
  return { tabIndex: 0, ...copied('code') }
}
