/** The rich page of a slice as HTML. */

import type { Element, Root } from 'hast'
import type { Session } from '../../transcript/trast.ts'
import { eachElement } from '../hast.ts'
import { withoutControls } from '../visible-text.ts'
import type { Relink, RenderContext } from './context.ts'
import { toHast } from './hast/table.ts'
import { htmlPieces } from './serialize.ts'

/** HTML of a slice's children: the body of one page. Text of a transcript is always text, never markup. */
export function renderBody(slice: Session, context: RenderContext): string {
  return writeBody(bodyTree(slice, context)).join('')
}

/** The tree of that body before it is serialised. */
export function bodyTree(slice: Session, context: RenderContext): Root {
  const tree = toHast(slice, context)
  if (context.relink !== undefined) relinkTree(tree, context.relink)
  return tree
}

/** HTML of such a tree, in pieces. For elements that are keys of `parts`, their own HTML is stored as the value. */
export function writeBody(tree: Root, parts?: Map<Element, string[]>): string[] {
  return htmlPieces(tree, withoutControls, parts)
}

// For standalone pages.

/** Rewrites all links of a tree in place; a link that leads nowhere becomes plain text. */
export function relinkTree(root: Root, relink: Relink): void {
  eachElement(root, (element) => {
    const { href } = element.properties
    if (element.tagName !== 'a' || typeof href !== 'string') return
    const target = relink(href)
    if (target === undefined) delete element.properties['href']
    else element.properties['href'] = target
  })
}
