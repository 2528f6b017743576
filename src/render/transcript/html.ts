/** The rich page of a slice as HTML. */

import type { Root } from 'hast'
import type { Session } from '../../transcript/trast.ts'
import { nameWith, relinkTree } from '../pages/standalone.ts'
import { withoutControls } from '../visible-text.ts'
import type { RenderContext } from './context.ts'
import { toHast } from './hast/table.ts'
import { serialize } from './serialize.ts'

/**
 * HTML of a slice's children: the body of one page. The text of a transcript is text in it, never markup. `onTree` is
 * given the tree that is written down.
 */
export function renderBody(slice: Session, context: RenderContext, onTree?: (tree: Root) => void): string {
  const tree = toHast(slice, context)
  if (context.relink !== undefined) relinkTree(tree, context.relink)
  if (context.titleId !== undefined) nameWith(tree, context.titleId)
  onTree?.(tree)
  return withoutControls(serialize(tree))
}
