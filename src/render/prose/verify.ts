/** Proves by parsing that a changed body is safe to stand in another document. */
import type { Nodes } from 'mdast'
import { headingFloor } from './collect.ts'
import { type Engine, parseMarkdown } from './engine.ts'
import { labelPrefix } from './labels.ts'
import { isSafeUrl } from './schemes.ts'
import { walk } from './walk.ts'

const probe = 'end of the body'

/** Where the body will stand. */
export interface Target {
  /** Id of the item that holds it. */
  id: string
  engine: Engine
  /** Inside a blockquote. */
  quoted: boolean
}

/**
 * Whether a body holds no HTML, picture, unsafe link, foreign label or heading of the frame's levels, and leaves
 * nothing open: a heading behind it is read as one.
 */
export function isPortable(body: string, { id, engine, quoted }: Target): boolean {
  const text = `${body}\n\n# ${probe}`
  const root = parseMarkdown(quoted ? text.replace(/^/gm, '> ') : text, engine)
  const outer = root.children.at(-1)
  const last = quoted && outer?.type === 'blockquote' ? outer.children.at(-1) : outer
  if (last?.type !== 'heading' || last.depth !== 1) return false
  let fine = true
  walk(root, (node) => {
    if (node !== last && !isAllowed(node, labelPrefix(id))) fine = false
  })
  return fine
}

function isAllowed(node: Nodes, prefix: string): boolean {
  switch (node.type) {
    case 'html':
    case 'image':
    case 'imageReference':
      return false
    case 'heading':
      return node.depth > headingFloor
    case 'link':
      return isSafeUrl(node.url)
    case 'definition':
      return isSafeUrl(node.url) && (node.label ?? '').startsWith(prefix)
    case 'footnoteDefinition':
    case 'footnoteReference':
    case 'linkReference':
      return (node.label ?? '').startsWith(prefix)
    default:
      return true
  }
}
