/** What the find of a session reads about its other pages: the words of each item as its page shows them, packed. */

import type { Element, Root } from 'hast'
import { type FindKind, inline, kindOfClass } from '../../templates/assets/find/text.js'
import { packedScript } from '../render/output.ts'
import { withoutControls } from '../render/visible-text.ts'
import { ownValue } from '../util/own.ts'

/** An item of a page: its anchor, its kinds, and its words separated by single spaces. */
type FindItem = [id: string, kinds: FindKind[], text: string]

const inlineTags = new Set(inline.split(','))

/** An item whose words are still being collected. */
interface OpenItem {
  id: string
  kinds: Set<FindKind>
  text: string
  /** Whether the text ends in a space or is empty. Looking at the text itself would copy all of it for each piece. */
  isParted: boolean
  /** The element that contained the last words. */
  block: Element | undefined
}

/** The items in a page's body, in order, each without the items inside it. */
export function findItems(tree: Root): FindItem[] {
  const items: OpenItem[] = []
  for (const child of tree.children) if (child.type === 'element') readElement(child, { items })
  return items.map(({ id, kinds, text }) => [id, [...kinds], withoutControls(text.trimEnd())])
}

/** The current position in a page. */
interface Scope {
  items: OpenItem[]
  item?: OpenItem | undefined
  block?: Element | undefined
  parent?: Element
}

function readElement(element: Element, { items, item: outer, block: around, parent }: Scope): void {
  const names = classesOf(element)
  if (isNoWord(element, names, parent)) return
  const isItem = names.length > 0 && names.includes('item') && typeof element.properties['id'] === 'string'
  const item = isItem ? openItem(element, names, items) : outer
  const isApart = isItem || !inlineTags.has(element.tagName) || parent?.tagName === 'summary'
  const block = isApart ? element : around
  let scope: Scope | undefined
  for (const child of element.children) {
    if (child.type === 'text') addText(child.value, item, block)
    else if (child.type === 'element') {
      scope ??= { items, item, block, parent: element }
      readElement(child, scope)
    }
  }
}

function openItem(element: Element, names: readonly string[], items: OpenItem[]): OpenItem {
  const inside = element.children.flatMap((child) => (child.type === 'element' ? classesOf(child) : []))
  const marks = inside.includes('failed') ? [...names, 'failed'] : names
  const kinds = marks.map((name) => ownValue(kindOfClass, name))
  const item: OpenItem = {
    id: String(element.properties['id']),
    kinds: new Set(kinds.filter((kind) => kind !== undefined)),
    text: '',
    isParted: true,
    block: undefined,
  }
  items.push(item)
  return item
}

/** Classes of elements whose text does not count as words of the session; `templates/assets/find/text.js` has the same list. */
const notWords = new Set(['at', 'hide', 'show-all'])

/**
 * Whether an element's text does not count as words of the session: times, headings of items for screen readers, the source of a
 * drawn formula.
 */
function isNoWord(element: Element, names: readonly string[], parent: Element | undefined): boolean {
  if (element.tagName === 'annotation') return true
  for (const name of names) if (notWords.has(name)) return true
  return element.tagName === 'header' && parent !== undefined && classesOf(parent).includes('item')
}

/** Whitespace other than one space. */
const blanks = /[^\S ]|\s{2}/

function addText(value: string, item: OpenItem | undefined, block: Element | undefined): void {
  if (item === undefined || value === '') return
  if (block !== item.block && !item.isParted) {
    item.text += ' '
    item.isParted = true
  }
  item.block = block
  const words = blanks.test(value) ? value.replace(/\s+/g, ' ') : value
  const added = item.isParted && words.startsWith(' ') ? words.slice(1) : words
  if (added === '') return
  item.text += added
  item.isParted = added.endsWith(' ')
}

const noNames: readonly string[] = []

function classesOf({ properties }: Element): readonly string[] {
  const names = properties['className']
  return Array.isArray(names) ? (names as string[]) : noNames // our pages contain texts only
}

/**
 * The script that hands the items of a page to the find. It is packed, because it contains most of the words of the page. The
 * script of the first page also gives the number of `pages`.
 */
export function findScript(items: readonly FindItem[], pages?: number): string[] {
  const json = items.flatMap((item, index) => [index === 0 ? '' : ',', JSON.stringify(item)])
  return packedScript('codexFind', ['{"items":[', ...json, pages === undefined ? ']}' : `],"pages":${pages}}`])
}
