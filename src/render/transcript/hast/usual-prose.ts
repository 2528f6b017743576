/**
 * Common Markdown as hast in one walk instead of the six of mdast-util-to-hast, our changes and the sanitiser. It produces
 * only nodes that those would leave unchanged; a property test compares both ways.
 */

import type { Element, ElementContent, Properties } from 'hast'
import type { List, ListItem, Nodes, Parents, Root, Table, TableRow } from 'mdast'
import { append } from '../../../util/groups.ts'
import { literal, proseText } from '../../visible-text.ts'
import { foreignRel, leadsOut } from '../prose/schemes.ts'
import { copied } from './parts.ts'

/** Element name of a heading by its level; must be called in the order of the text. */
type HeadingName = (level: number) => string

/** Hast of a tree, with its code uncoloured; `undefined` if it contains anything unusual, which needs the slow way. */
export function usualProse(tree: Root, heading: HeadingName): ElementContent[] | undefined {
  return isUsual(tree) ? withBreaks(blocks(tree, heading), false) : undefined
}

const leaves = new Set(['text', 'inlineCode', 'break', 'thematicBreak'])
const parents = new Set([
  ...['root', 'paragraph', 'heading', 'strong', 'emphasis', 'delete', 'blockquote', 'list'],
  ...['table', 'tableRow', 'tableCell'],
])
/** A fence's first word that can be part of a class unchanged. */
const language = /^[\w+#.-]{1,31}$/
/** An address that normalising leaves unchanged; not a fragment, which would lead into the page. */
const address = /^(?!#)(?:[!#$&-;=?-Z_a-z~]|%[\dA-Za-z]{2})*$/

function isUsual(node: Nodes): boolean {
  // `data` may name a different element.
  if (node.data !== undefined && node.data !== null) return false
  if (leaves.has(node.type)) return true
  if (node.type === 'code') return !node.lang || language.test(node.lang)
  if (node.type === 'link') return address.test(node.url) && areUsual(node)
  if (node.type === 'listItem') return typeof node.checked !== 'boolean' && areUsual(node)
  return parents.has(node.type) && areUsual(node as Parents)
}

function areUsual({ children }: Parents): boolean {
  for (const [index, child] of children.entries()) {
    if (!isUsual(child)) return false
    // The slow way also trims leading spaces inside an element after a break.
    if (child.type !== 'text' && children[index - 1]?.type === 'break') return false
  }
  return true
}

function element(tagName: string, children: ElementContent[], properties: Properties = {}): Element {
  return { type: 'element', tagName, properties, children }
}

const lineEnd = (): ElementContent => ({ type: 'text', value: '\n' })

/** Nodes with line ends between them and, if `around` is set, also before and after them. */
function withBreaks(nodes: readonly ElementContent[], around: boolean): ElementContent[] {
  const result: ElementContent[] = around ? [lineEnd()] : []
  for (const [index, node] of nodes.entries()) {
    if (index > 0) result.push(lineEnd())
    result.push(node)
  }
  if (around && nodes.length > 0) result.push(lineEnd())
  return result
}

function blocks({ children }: Parents, heading: HeadingName): ElementContent[] {
  const result: ElementContent[] = []
  for (const child of children) append(result, block(child, heading))
  return result
}

function block(node: Nodes, heading: HeadingName): ElementContent[] {
  switch (node.type) {
    case 'paragraph':
      return [element('p', phrases(node))]
    case 'heading':
      return [element(heading(node.depth), phrases(node))]
    case 'code':
      return [fence(node.value, node.lang)]
    case 'thematicBreak':
      return [element('hr', [])]
    case 'blockquote':
      return [element('blockquote', withBreaks(blocks(node, heading), true))]
    case 'list':
      return [list(node, heading)]
    case 'table':
      return [table(node)]
    default:
      return phrase(node)
  }
}

function fence(value: string, lang: string | null | undefined): Element {
  const code = element(
    'code',
    literal(value === '' ? '' : `${value}\n`),
    lang ? { className: [`language-${lang}`] } : {},
  )
  return element('pre', [code], { tabIndex: 0, ...copied('code') })
}

function list(node: List, heading: HeadingName): Element {
  const isLoose = node.spread === true || node.children.some(isLooseItem)
  const items = node.children.map((item) => listItem(item, isLoose, heading))
  const properties = typeof node.start === 'number' && node.start !== 1 ? { start: node.start } : {}
  return element(node.ordered ? 'ol' : 'ul', withBreaks(items, true), properties)
}

function isLooseItem({ spread, children }: ListItem): boolean {
  return spread ?? children.length > 1
}

/** An item of a list; in a tight list, its words have no paragraph around them. */
function listItem(item: ListItem, isLoose: boolean, heading: HeadingName): Element {
  const result: ElementContent[] = []
  const children = blocks(item, heading)
  const isParagraph = (node: ElementContent | undefined): boolean => node?.type === 'element' && node.tagName === 'p'
  for (const [index, child] of children.entries()) {
    if (isLoose || index > 0 || !isParagraph(child)) result.push(lineEnd())
    if (!isLoose && isParagraph(child) && child.type === 'element') append(result, child.children)
    else result.push(child)
  }
  if (children.length > 0 && (isLoose || !isParagraph(children.at(-1)))) result.push(lineEnd())
  return element('li', result)
}

/** A table in a box in which it scrolls; its first row is the head, and each row has a cell for each column. */
function table({ children: [head, ...rows], align }: Table): Element {
  const bodyRows = rows.map((row) => tableRow(row, 'td', align))
  const body = rows.length === 0 ? [] : [element('tbody', withBreaks(bodyRows, true))]
  const top = head === undefined ? [] : [element('thead', withBreaks([tableRow(head, 'th', align)], true))]
  const whole = element('table', withBreaks([...top, ...body], true))
  return element('div', [whole], { className: ['wide'], tabIndex: 0 })
}

function tableRow({ children }: TableRow, tagName: 'th' | 'td', align: Table['align']): Element {
  const cells = Array.from({ length: align?.length ?? children.length }, (_, column): Element => {
    const [cell, side] = [children[column], align?.[column]]
    const properties: Properties = side === 'center' || side === 'right' ? { className: [side] } : {}
    return element(tagName, cell === undefined ? [] : phrases(cell), properties)
  })
  return element('tr', withBreaks(cells, true))
}

function phrases({ children }: Parents): ElementContent[] {
  const result: ElementContent[] = []
  for (const [index, child] of children.entries()) {
    if (child.type === 'text' && children[index - 1]?.type === 'break')
      append(result, proseText(inLines(child.value).replace(/^[ \t]+/, '')))
    else append(result, phrase(child))
  }
  return result
}

/** A text without spaces and tabs around its line ends. */
function inLines(value: string): string {
  return /[\r\n]/.test(value) ? value.replace(/(?:(?<![ \t])[ \t]+)?(\r?\n|\r)[ \t]*/g, '$1') : value
}

function phrase(node: Nodes): ElementContent[] {
  switch (node.type) {
    case 'text':
      return proseText(inLines(node.value))
    case 'inlineCode':
      return [element('code', literal(node.value.replace(/\r?\n|\r/g, ' ')))]
    case 'strong':
      return [element('strong', phrases(node))]
    case 'emphasis':
      return [element('em', phrases(node))]
    case 'delete':
      return [element('del', phrases(node))]
    case 'break':
      return [element('br', []), lineEnd()]
    case 'link':
      return [link(node.url, node.title, phrases(node))]
    default:
      return []
  }
}

/** A link of the web or of mail; any other becomes a `span` with its target as tooltip. */
function link(url: string, title: string | null | undefined, children: ElementContent[]): Element {
  if (!leadsOut(url)) return element('span', children, { className: ['nolink'], ...(url === '' ? {} : { title: url }) })
  const href = url.replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase())
  return element('a', children, {
    href,
    ...(title === null || title === undefined ? {} : { title }),
    rel: [...foreignRel],
  })
}
