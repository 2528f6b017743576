/** Visits trees of Markdown. A general visitor costs more than the parser that made the tree. */
import type { Nodes, Parents } from 'mdast'

/** Calls `visit` for a node and everything in it, in order of the text. */
export function walk(node: Nodes, visit: (node: Nodes, parent?: Parents) => void, parent?: Parents): void {
  visit(node, parent)
  if (!('children' in node)) return
  for (const child of node.children) walk(child, visit, node)
}
