/** Prose: Markdown source to sanitised hast. */
import type { ElementContent, Root } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { h } from 'hastscript'
import type { Nodes as MdastNodes, Root as MdastRoot } from 'mdast'
import { toHast } from 'mdast-util-to-hast'
import { literal } from '../literal.ts'
import { parseMarkdown } from '../prose/engine.ts'
import { isProse } from '../prose/prose.ts'
import { block, copied } from './parts.ts'
import { colourFences } from './prose-code.ts'
import { breakLines, handlers } from './prose-mdast.ts'
import { plainParagraphs } from './prose-plain.ts'
import { schema } from './prose-schema.ts'
import { tidy } from './prose-tidy.ts'
import type { State } from './state.ts'

/** Deeper nesting than any writing; a hostile body would overflow the stack of recursive walks. */
const deepest = 64

/** How a body is shown. */
export interface ProseOptions {
  /** Prefix of ids inside the body, such as footnotes; the item's anchor. */
  id: string
  /** Line ends are kept, as a prompt needs. */
  breaks?: boolean
}

/** Hast of a body. What is not prose, or cannot be read as Markdown, is shown literally in a `pre`. */
export function prose(value: string, options: ProseOptions, state: State): ElementContent[] {
  if (value.trim() === '') return []
  const plain = plainParagraphs(value, options.breaks === true)
  if (plain !== undefined) return plain
  if (!isProse(value)) return [block('text', literal(value))]
  const tree = parseMarkdown(value, state.context.engine)
  if (tree.data?.unparsed === true || isDeeper(tree, deepest)) return [block('text', literal(value))]
  if (options.breaks === true) breakLines(tree)
  return sanitized(tree, options.id, state)
}

function sanitized(tree: MdastRoot, id: string, state: State): ElementContent[] {
  const hast = toHast(tree, { clobberPrefix: `${id}-`, footnoteLabelTagName: 'p', handlers }) as Root // of a root
  tidy(hast, { id, level: state.level, ids: state.ids })
  const clean = sanitize(hast, schema) as Root // sanitize keeps the type of a root
  const children = clean.children.filter((child): child is ElementContent => child.type !== 'doctype')
  colourFences(children, state)
  return children
}

/** Whether a tree has more levels than that; the walk goes no deeper than it must. */
function isDeeper(node: MdastNodes, levels: number): boolean {
  if (levels === 0) return true
  return 'children' in node && node.children.some((child) => isDeeper(child, levels - 1))
}

/** A body in its own block, so that a page can space and align it. */
export function body(children: ElementContent[]): ElementContent {
  return h('div', { className: ['prose'], ...copied('text') }, children)
}
