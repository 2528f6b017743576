/** Prose as people mean it: Markdown, its formulas, and no mark that was set off by accident. */

import type { Nodes, Parents, PhrasingContent, Root } from 'mdast'
import { type Engine, parseMarkdown } from './engine.ts'
import { parseWithFormulas } from './math.ts'

/** Parses a body for readers. Never throws; see `parseMarkdown` for what cannot be read. */
export function readProse(value: string, engine: Engine): Root {
  const root = parseWithFormulas(value, (body) => parseMarkdown(body, engine))
  if (value.includes('~')) keepTildes(root, value)
  return root
}

/** Whether a node is struck out by single tildes: `19~23 and 5~6`, `~/x and ~/y` are no deletions. */
export function isSingleTilde(node: Nodes, value: string): boolean {
  const start = node.type === 'delete' ? node.position?.start.offset : undefined
  return start !== undefined && !value.startsWith('~~', start)
}

function keepTildes(parent: Parents, value: string): void {
  const children = parent.children as PhrasingContent[] // deletions stand among phrasing only
  for (let at = 0; at < children.length; at++) {
    const child = children[at]
    if (child === undefined || !('children' in child)) continue
    keepTildes(child, value)
    if (child.type !== 'delete' || !isSingleTilde(child, value)) continue
    const tilde: PhrasingContent = { type: 'text', value: '~' }
    children.splice(at, 1, tilde, ...child.children, { ...tilde })
    at += child.children.length + 1
  }
}
