/** Makes and walks hast: an element in one call, and all elements of a tree. */

import type { Element, ElementContent, Nodes, Properties, Root } from 'hast'

/** What an element may be given to hold: nodes, texts, and lists of them; nothing where there is none. */
export type Child = ElementContent | Root | string | number | null | undefined | readonly Child[]

/**
 * An element by its name, hast properties and children. As hastscript has it, but for selectors and names of attributes,
 * which cost more to read than the rest of most elements; a property that is `undefined` is absent.
 */
export function h(tagName: string, properties: Properties, ...children: readonly Child[]): Element {
  const own: Properties = {}
  for (const name in properties) {
    const value = properties[name]
    if (value !== null && value !== undefined) own[name] = Array.isArray(value) ? [...value] : value
  }
  const element: Element = { type: 'element', tagName, properties: own, children: [] }
  for (const child of children) add(child, element.children)
  return element
}

function add(child: Child, children: ElementContent[]): void {
  if (child === null || child === undefined) return
  if (typeof child === 'string' || typeof child === 'number') children.push({ type: 'text', value: String(child) })
  else if (!('type' in child)) for (const inner of child) add(inner, children)
  else if (child.type !== 'root') children.push(child)
  // A root among elements holds none but their kind.
  else for (const inner of child.children) children.push(inner as ElementContent)
}

/** Makes a link that leads nowhere on a page: its words stay, and what it named is told where they are pointed at. */
export function unlink(link: Element): void {
  const href = String(link.properties['href'] ?? '')
  link.tagName = 'span'
  link.properties = { className: ['nolink'], ...(href === '' ? {} : { title: href }) }
}

/**
 * Calls `enter` for each element of a tree, parents first; `false` from it leaves out what lies below that element. It may
 * change the children of the element that it is given.
 */
export function eachElement(tree: Nodes, enter: (element: Element) => unknown): void {
  if ((tree.type === 'element' && enter(tree) === false) || !('children' in tree)) return
  for (const child of tree.children) if (child.type === 'element') eachElement(child, enter)
}
