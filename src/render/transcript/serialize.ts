/**
 * hast to HTML for the bodies of pages.
 *
 * The same text as hast-util-to-html gives, for the trees that our handlers make, in an eighth of its time: pages
 * spent more on being written down than on being thought out. A test holds the two against each other.
 */

import type { Element, Nodes, Properties } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { find, html as schema } from 'property-information'

/** The HTML of a tree. Comments and embedded SVG are left to the library. Elements that are keys of `cuts` get their HTML. */
export function serialize(tree: Nodes, cuts?: Map<Element, string>): string {
  const writer = new Writer(cuts)
  writer.write(tree)
  return writer.html
}

const voids = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'col', 'wbr'])
/** Elements whose content is read by rules of their own; our handlers make none of them. */
const foreign = new Set(['svg', 'script', 'style', 'template'])

/** One text that grows: half of the time that a list of its pieces takes. */
class Writer {
  html = ''
  readonly #cuts: Map<Element, string> | undefined

  constructor(cuts: Map<Element, string> | undefined) {
    this.#cuts = cuts
  }

  write(node: Nodes): void {
    if (node.type === 'text') {
      this.html += escapeText(node.value)
    } else if (node.type === 'root') {
      for (const child of node.children) this.write(child)
    } else if (node.type !== 'element' || foreign.has(node.tagName)) {
      this.html += toHtml(node)
    } else if (this.#cuts?.has(node)) {
      const start = this.html.length
      this.#element(node)
      this.#cuts.set(node, this.html.slice(start))
    } else {
      this.#element(node)
    }
  }

  #element({ tagName, properties, children }: Element): void {
    this.html += `<${tagName}${written(properties)}>`
    if (voids.has(tagName)) return
    for (const child of children) this.write(child)
    this.html += `</${tagName}>`
  }
}

/** Attributes with a blank before each. */
function written(properties: Properties): string {
  let html = ''
  for (const key in properties) {
    const value = properties[key]
    if (value === null || value === undefined || value === false) continue
    const { attribute, isBoolean, separator } = attributeOf(key)
    if (value === true || (isBoolean && (value === '' || value === attribute || value === 1))) {
      html += ` ${attribute}`
      continue
    }
    if (isBoolean && value === 0) continue
    html += ` ${attribute}="${escapeValue(Array.isArray(value) ? value.join(separator) : String(value))}"`
  }
  return html
}

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

function escapeText(value: string): string {
  return /[<&]/.test(value) ? value.replace(/[<&]/g, reference) : value
}

function escapeValue(value: string): string {
  return /["&'`\0]/.test(value) ? value.replace(/["&'`\0]/g, reference) : value
}

function reference(character: string): string {
  return `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`
}
