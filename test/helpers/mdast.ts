/** Trees of Markdown without what two parsers may do differently, for comparison. */
import type { Nodes, Root } from 'mdast'

const fields = ['depth', 'ordered', 'start', 'spread', 'checked', 'url', 'title', 'alt', 'lang', 'meta', 'align']
const labels = ['identifier', 'label', 'referenceType', 'value']

type Plain = { type: string; children?: Plain[]; value?: unknown; [field: string]: unknown }

/** A node as plain data: no positions, absent for `null`, neighbouring text nodes joined. */
export function plainTree(node: Nodes): Plain {
  const plain: Plain = { type: node.type }
  for (const field of [...fields, ...labels]) {
    const value: unknown = Reflect.get(node, field)
    if (value !== undefined && value !== null) plain[field] = value
  }
  if (!('children' in node)) return plain
  const children: Plain[] = []
  for (const child of node.children.map(plainTree)) {
    const before = children.at(-1)
    if (child.type === 'text' && before?.type === 'text') before.value = `${before.value}${child.value}`
    else children.push(child)
  }
  return { ...plain, children }
}

/** Type and source text of every node that has a position, in order. */
export function sourceRanges(root: Root, source: string): [type: string, text: string][] {
  const found: [string, string][] = []
  const visit = (node: Nodes): void => {
    const start = node.position?.start.offset
    if (start !== undefined) found.push([node.type, source.slice(start, node.position?.end.offset)])
    if ('children' in node) for (const child of node.children) visit(child)
  }
  visit(root)
  return found
}
