/**
 * hast to HTML for the bodies of pages.
 *
 * The same text as hast-util-to-html gives, for the trees that our handlers make, in an eighth of its time: pages
 * spent more on being written down than on being thought out. A test holds the two against each other.
 */

import type { Element, Nodes, Properties } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { find, html as schema } from 'property-information'
import { append } from '../../util/groups.ts'
import { pieceUnits } from '../../util/pieces.ts'
import { hidingUnits } from '../visible-text.ts'

/**
 * The HTML of a tree. Comments and embedded SVG are left to the library.
 * `tidy` is `withoutControls` or alike: HTML in which nothing hides goes without a pass over the whole of it.
 */
export function serialize(tree: Nodes, tidy?: (html: string) => string): string {
  return htmlPieces(tree, tidy).join('')
}

/** The same in pieces. Elements that are keys of `cuts` get their HTML. */
export function htmlPieces(
  tree: Nodes,
  tidy: (html: string) => string = asIs,
  cuts?: Map<Element, string[]>,
): string[] {
  const writer = new Writer(tidy, cuts)
  writer.write(tree)
  return writer.take()
}

function asIs(html: string): string {
  return html
}

const voids = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'col', 'wbr'])
/** Elements whose content is read by rules of their own; our handlers make none of them. */
const foreign = new Set(['svg', 'script', 'style', 'template'])

/** A text that grows, which takes half of the time of a list of all its parts, and is closed before it is long. */
class Writer {
  #html = ''
  /** Something was written to it that may hide. */
  #hides = false
  #pieces: string[] = []
  readonly #tidy: (html: string) => string
  readonly #cuts: Map<Element, string[]> | undefined

  constructor(tidy: (html: string) => string, cuts: Map<Element, string[]> | undefined) {
    this.#tidy = tidy
    this.#cuts = cuts
  }

  write(node: Nodes): void {
    if (node.type === 'text') {
      this.#html += special.text.test(node.value) ? this.#escape(node.value, escaped.text) : node.value
    } else if (node.type === 'root') {
      for (const child of node.children) this.write(child)
    } else if (node.type !== 'element' || foreign.has(node.tagName)) {
      this.#html += toHtml(node)
      this.#hides = true
    } else if (this.#cuts?.has(node)) {
      const before = this.take()
      this.#element(node)
      const own = this.take()
      this.#cuts.set(node, own)
      append(before, own)
      this.#pieces = before
    } else {
      this.#element(node)
    }
  }

  #element({ tagName, properties, children }: Element): void {
    this.#html += `<${tagName}${this.#attributes(properties)}>`
    if (voids.has(tagName)) return
    for (const child of children) this.write(child)
    this.#html += `</${tagName}>`
    // Behind an element: what hides in a text is a run of characters, and a piece must hold all of it.
    if (this.#html.length > pieceUnits) this.#close()
  }

  #close(): void {
    if (this.#html !== '') this.#pieces.push(this.#hides ? this.#tidy(this.#html) : this.#html)
    this.#html = ''
    this.#hides = false
  }

  /** All that was written since the last call. */
  take(): string[] {
    this.#close()
    const pieces = this.#pieces
    this.#pieces = []
    return pieces
  }

  /** Attributes with a blank before each. */
  #attributes(properties: Properties): string {
    let html = ''
    for (const key in properties) {
      const value = properties[key]
      if (value !== null && value !== undefined && value !== false) html += this.#attribute(attributeOf(key), value)
    }
    return html
  }

  #attribute({ attribute, isBoolean, separator }: Attribute, value: Exclude<Value, null | undefined | false>): string {
    if (value === true || (isBoolean && (value === '' || value === attribute || value === 1))) return ` ${attribute}`
    if (isBoolean && value === 0) return ''
    const text = Array.isArray(value) ? value.join(separator) : String(value)
    return ` ${attribute}="${special.value.test(text) ? this.#escape(text, escaped.value) : text}"`
  }

  /** A special text: some of its characters as references, all others as they are. */
  #escape(text: string, characters: RegExp): string {
    this.#hides ||= hiding.test(text)
    return text.replace(characters, reference)
  }
}

/** What texts and values of attributes cannot hold as it is. */
const escaped = { text: /[<&]/g, value: /["&'`\0]/g }
const hiding = new RegExp(`[${hidingUnits}]`)
/** The same, and what hides: most texts hold nothing of either. */
const special = { text: new RegExp(`[<&${hidingUnits}]`), value: new RegExp(`["&'\`${hidingUnits}]`) }

type Value = Properties[string]

interface Attribute {
  attribute: string
  isBoolean: boolean
  separator: string
}

const attributes = new Map<string, Attribute>()

/** How a property is written; asked of the library once for each. */
function attributeOf(key: string): Attribute {
  let known = attributes.get(key)
  if (known === undefined) {
    const { attribute, boolean: isPlain, overloadedBoolean, commaSeparated } = find(schema, key)
    known = { attribute, isBoolean: isPlain || overloadedBoolean, separator: commaSeparated ? ', ' : ' ' }
    attributes.set(key, known)
  }
  return known
}

function reference(character: string): string {
  return `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`
}
