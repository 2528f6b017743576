/**
 * hast to HTML for the bodies of pages.
 *
 * The same text as hast-util-to-html gives, for the trees that our handlers make, in an eighth of its time: pages
 * spent more on being written down than on being thought out. A test holds the two against each other.
 */

import type { Element, ElementContent, Nodes, Properties } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { find, html as schema } from 'property-information'

/** The HTML of a tree. Comments and embedded SVG are left to the library. Elements that are keys of `cuts` get their HTML. */
export function serialize(tree: Nodes, cuts?: Map<Element, string>): string {
  const parts: string[] = []
  write(tree, parts, cuts)
  return parts.join('')
}

const voids = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'col', 'wbr'])
/** Elements whose content is read by rules of their own; our handlers make none of them. */
const foreign = new Set(['svg', 'script', 'style', 'template'])

function write(node: Nodes, parts: string[], cuts?: Map<Element, string>): void {
  if (node.type === 'text') {
    parts.push(escapeText(node.value))
  } else if (node.type === 'root') {
    writeAll(node.children, parts, cuts)
  } else if (node.type !== 'element' || foreign.has(node.tagName)) {
    parts.push(toHtml(node))
  } else {
    const start = parts.length
    writeElement(node, parts, cuts)
    if (cuts?.has(node)) cuts.set(node, parts.slice(start).join(''))
  }
}

function writeElement({ tagName, properties, children }: Element, parts: string[], cuts?: Map<Element, string>): void {
  parts.push('<', tagName)
  writeProperties(properties, parts)
  parts.push('>')
  if (voids.has(tagName)) return
  writeAll(children, parts, cuts)
  parts.push('</', tagName, '>')
}

function writeAll(children: readonly (ElementContent | Nodes)[], parts: string[], cuts?: Map<Element, string>): void {
  for (const child of children) write(child, parts, cuts)
}

function writeProperties(properties: Properties, parts: string[]): void {
  for (const key in properties) {
    const value = properties[key]
    if (value === null || value === undefined || value === false) continue
    const { attribute, isBoolean, separator } = attributeOf(key)
    if (value === true || (isBoolean && (value === '' || value === attribute || value === 1))) {
      parts.push(' ', attribute)
      continue
    }
    if (isBoolean && value === 0) continue
    parts.push(' ', attribute, '="', escapeValue(Array.isArray(value) ? value.join(separator) : String(value)), '"')
  }
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
