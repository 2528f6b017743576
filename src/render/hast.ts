/** Builds and walks hast: `h` makes an element in one call, `eachElement` visits all elements of a tree. */

import type { Element, ElementContent, Nodes, Properties, Root } from 'hast'

/** A child passed to `h`: a node, a text, a number, a list of these, or nothing. */
export type Child = ElementContent | Root | string | number | null | undefined | readonly Child[]

/**
 * An element from its name, hast properties and children. Like hastscript, but without selectors and attribute names,
 * because parsing those costs more than the rest of most elements. A property that is `null` or `undefined` is omitted.
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
  // A root among elements contains only what elements may contain.
  else for (const inner of child.children) children.push(inner as ElementContent)
}

/** Turns a link that leads nowhere into plain text, with its target as a tooltip. */
export function unlink(link: Element): void {
  const href = String(link.properties['href'] ?? '')
  link.tagName = 'span'
  link.properties = { className: ['nolink'], ...(href === '' ? {} : { title: href }) }
}

/**
 * Calls `enter` for each element of a tree, parents first; if it returns `false`, the descendants of that element are
 * skipped. `enter` may change the children of the element that it is given.
 */
export function eachElement(tree: Nodes, enter: (element: Element) => unknown): void {
  if ((tree.type === 'element' && enter(tree) === false) || !('children' in tree)) return
  for (const child of tree.children) if (child.type === 'element') eachElement(child, enter)
}

/** A node of hast or mdast. */
interface TreeNode {
  type: string
  children?: readonly TreeNode[]
}

/** Whether a tree has more than `levels` levels; walks no deeper than necessary. */
export function isDeeper({ children }: TreeNode, levels: number): boolean {
  if (levels === 0) return true
  if (children !== undefined) for (const child of children) if (isDeeper(child, levels - 1)) return true
  return false
}
