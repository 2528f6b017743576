/** The rich page of a slice as HTML. */

import type { Element, Root } from 'hast'
import type { Session } from '../../transcript/trast.ts'
import { nameWith, relinkTree } from '../pages/standalone.ts'
import { withoutControls } from '../visible-text.ts'
import type { RenderContext } from './context.ts'
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
  if (context.titleId !== undefined) nameWith(tree, context.titleId)
  return tree
}

/** HTML of such a tree, in pieces. For elements that are keys of `parts`, their own HTML is stored as the value. */
export function writeBody(tree: Root, parts?: Map<Element, string[]>): string[] {
  return htmlPieces(tree, withoutControls, parts)
}
