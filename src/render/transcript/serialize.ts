/**
 * hast to HTML for the bodies of pages.
 *
 * Produces the same text as hast-util-to-html, for the trees that our handlers make, in an eighth of the time: pages used to
 * take longer to serialise than to make. A test compares the two.
 */

import type { Element, Nodes, Properties } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { find, html as schema } from 'property-information'
import { append } from '../../util/groups.ts'
import { pieceUnits } from '../../util/pieces.ts'
import { hidingUnits } from '../visible-text.ts'

/**
 * The HTML of a tree. Comments and embedded SVG are left to the library.
 * `tidy` is `withoutControls` or similar; HTML that contains no hidden character is not passed through it.
 */
export function serialize(tree: Nodes, tidy?: (html: string) => string): string {
  return htmlPieces(tree, tidy).join('')
}

/** The HTML of a tree in pieces. For elements that are keys of `cuts`, their own HTML is stored as the value. */
export function htmlPieces(
  tree: Nodes,
  tidy: (html: string) => string = asIs,
  cuts?: Map<Element, string[]>,
): string[] {
  const writer = new Writer(tidy, cuts)
  writer.write(tree)
  return writer.flush()
}

function asIs(html: string): string {
  return html
}

const voids = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'col', 'wbr'])
/** Elements whose content is parsed by special rules; our handlers make none of them. */
const foreign = new Set(['svg', 'script', 'style', 'template'])

/** Appends to one string, which takes half the time of a list of parts, and closes it as a piece before it gets long. */
class Writer {
  #html = ''
  /** The open piece may contain hidden characters. */
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
      const before = this.flush()
      this.#element(node)
      const pieces = this.flush()
      this.#cuts.set(node, pieces)
      append(before, pieces)
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
    // Only after an element: hidden characters come in runs, and a piece must contain the whole run.
    if (this.#html.length > pieceUnits) this.#close()
  }

  #close(): void {
    if (this.#html !== '') this.#pieces.push(this.#hides ? this.#tidy(this.#html) : this.#html)
    this.#html = ''
    this.#hides = false
  }

  /** Returns everything written since the last call. */
  flush(): string[] {
    this.#close()
    const pieces = this.#pieces
    this.#pieces = []
    return pieces
  }

  /** Attributes with a space before each. */
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

  /** Replaces some characters of a text by references, and notes whether it may contain hidden ones. */
  #escape(text: string, characters: RegExp): string {
    this.#hides ||= hiding.test(text)
    return text.replace(characters, reference)
  }
}

/** Characters that texts and attribute values cannot contain literally. */
const escaped = { text: /[<&]/g, value: /["&'`\0]/g }
const hiding = new RegExp(`[${hidingUnits}]`)
/** The same and hidden characters: most texts contain neither. */
const special = { text: new RegExp(`[<&${hidingUnits}]`), value: new RegExp(`["&'\`${hidingUnits}]`) }

type Value = Properties[string]

interface Attribute {
  attribute: string
  isBoolean: boolean
  separator: string
}

const attributes = new Map<string, Attribute>()

/** How a property is written; the library is asked once for each. */
function attributeOf(key: string): Attribute {
  let writing = attributes.get(key)
  if (writing === undefined) {
    const { attribute, boolean: isPlain, overloadedBoolean, commaSeparated } = find(schema, key)
    writing = { attribute, isBoolean: isPlain || overloadedBoolean, separator: commaSeparated ? ', ' : ' ' }
    attributes.set(key, writing)
  }
  return writing
}

function reference(character: string): string {
  return `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`
}
