/** Changes to the hast of prose before it is sanitised: links, images, headings, tasks, tables, footnotes, code. */
import type { Element, ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import { visit } from 'unist-util-visit'
import { formatBytes } from '../../util/time.ts'
import { literal, proseText } from '../literal.ts'
import { copied } from './parts.ts'

/** What the body's surroundings demand. */
export interface TidyOptions {
  /** Prefix of ids in this body. */
  id: string
  /** Level of the first heading. */
  level: number
  /** Ids taken in the page; grows. */
  ids: Set<string>
}

/** What is done to an element by its name. */
const changes: Readonly<Record<string, (node: Element) => void>> = {
  a: tidyLink,
  code: (node) => {
    node.children = node.children.flatMap(showOdd)
  },
  img: (node) => replaceWith(node, imageLink(node)),
  input: (node) => replaceWith(node, taskMark(node)),
  pre: (node) => {
    node.properties = { tabIndex: 0, ...copied('code') }
  },
  td: alignByClass,
  th: alignByClass,
}

/** Changes a body's hast in place. */
export function tidy(tree: Root, options: TidyOptions): void {
  const headings = headingLevels(options.level)
  visit(tree, 'element', (node, index, parent) => {
    claimId(node, options)
    if (node.tagName !== 'code') node.children = node.children.flatMap(showHidden)
    if (/^h[1-6]$/.test(node.tagName)) node.tagName = headings(Number(node.tagName.slice(1)))
    else changes[node.tagName]?.(node)
    if (node.tagName !== 'table' || parent === undefined || index === undefined) return undefined
    parent.children[index] = h('div', { className: ['wide'], tabIndex: 0 }, node)
    // The walk goes on into the table, then behind its wrapper, which needs nothing.
    return index + 1
  })
}

/** Levels without gaps: the first heading gets `first`, a deeper one the next level, none passes 6. */
function headingLevels(first: number): (level: number) => string {
  const open: number[] = []
  return (level) => {
    while (open.length > 0 && (open.at(-1) ?? 0) >= level) open.pop()
    open.push(level)
    return `h${Math.min(6, first + open.length - 1)}`
  }
}

/** Footnote ids are unique in the page; a second claimant goes without. */
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

/** Web and mail links stay, marked as foreign; links to anything else name their target but lead nowhere. */
function tidyLink(node: Element): void {
  const href = String(node.properties['href'] ?? '')
  if (href.startsWith('#')) return
  if (/^(?:https?:\/\/|mailto:)/i.test(href)) {
    node.properties['href'] = href.replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase())
    node.properties['rel'] = ['nofollow', 'noreferrer', 'noopener']
    // A link may not hold another one.
    visit(node, 'element', (child) => {
      if (child.tagName === 'img') replaceWith(child, imageNote(child))
    })
    return
  }
  node.tagName = 'span'
  node.properties = { className: ['nolink'], ...(href === '' ? {} : { title: href }) }
}

/** Pictures in prose are never loaded: a web address becomes a link, anything else a note. */
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

/** A task's box as a mark with a word for screen readers. */
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

function showOdd(child: ElementContent): ElementContent[] {
  return child.type === 'text' ? literal(child.value) : [child]
}

function showHidden(child: ElementContent): ElementContent[] {
  return child.type === 'text' ? proseText(child.value) : [child]
}
