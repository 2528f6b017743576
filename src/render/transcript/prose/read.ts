/** Prose as people mean it: Markdown, its formulas, and no mark that was set off by accident. */

import type { Parents, PhrasingContent, Root } from 'mdast'
import { cjkEngine, type Engine, parseMarkdown } from './engine.ts'
import { hasCjkEmphasis, isSingleTilde } from './marks.ts'
import { parseWithFormulas } from './math.ts'

/** Parses a body: Markdown, formulas, and emphasis as it is meant between letters that no blank parts. Never throws. */
export function readMarkdown(value: string, engine: Engine): Root {
  return parseWithFormulas(value, (body) => parseMarkdown(body, hasCjkEmphasis(body) ? cjkEngine : engine))
}

/** Parses a body for readers. Never throws; see `parseMarkdown` for what cannot be read. */
export function readProse(value: string, engine: Engine): Root {
  const root = readMarkdown(value, engine)
  if (value.includes('~')) keepTildes(root, value)
  return root
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
