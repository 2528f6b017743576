/** A transcript, or a slice of one, as mdast. */
import type { Root, RootContent } from 'mdast'
import type { Session, TrastNode, Unknown } from '../../model/trast.ts'
import type { RenderContext } from '../context.ts'
import { footBlocks } from './foot.ts'
import { type Handlers, handlers } from './handle/index.ts'
import { headBlocks } from './head.ts'
import { createState, type Handle } from './state.ts'

/** Handlers that replace built-in ones, or serve node types that a plugin added. */
export type HandlerMap = Partial<Handlers> & Record<string, unknown>

/** Blocks of the items of a slice: everything but title, facts and receipt. */
export function sliceBlocks(slice: Session, context: RenderContext, own: HandlerMap = {}): RootContent[] {
  const table: Record<string, unknown> = { ...handlers, ...own }
  const one: Handle<TrastNode> = (node, state) => {
    const handle = Object.hasOwn(table, node.type) ? table[node.type] : undefined
    // The table is total by type: the entry of a node's own type takes that node.
    if (typeof handle === 'function') return (handle as Handle<TrastNode>)(node, state)
    return handlers.unknown(unregistered(node), state)
  }
  return createState(slice, context, one).all(slice.children)
}

/** A node type that nobody handles is shown as it is. */
function unregistered(node: TrastNode): Unknown {
  const { type, id, ...payload } = node
  return { type: 'unknown', id, recordType: type, payload }
}

/** The whole transcript: title and facts, items, receipt. */
export function toMdast(session: Session, context: RenderContext, own: HandlerMap = {}): Root {
  const children = [
    ...headBlocks(session, context),
    ...sliceBlocks(session, context, own),
    ...footBlocks(session, context.prices),
  ]
  return { type: 'root', children }
}
