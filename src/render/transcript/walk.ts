/** How a tree is converted to a format: a handler for every type of node, and the state that handlers pass on. */

import type { Session, TrastNode, Unknown } from '../../transcript/trast.ts'
import { ownValue } from '../../util/own.ts'
import { type RenderContext, renderItem } from './context.ts'

/** Turns one node into blocks of a format; an empty list shows nothing. */
type Handler<N, State, Block> = (node: N, state: State) => Block[]

type Shown = Exclude<TrastNode, Session>

/** A handler for each type of node below the session, so that a new type does not compile until it has one. */
export type HandlerTable<State, Block> = {
  readonly [Type in Shown['type']]: Handler<Extract<Shown, { type: Type }>, State, Block>
}

/** How a format converts nodes. */
export interface Format<State, Block> {
  handlers: HandlerTable<State, Block>
  /** Handles a node whose type a plugin invented (default: as an unknown record). */
  other?: Handler<TrastNode, State, Block>
  /** Changes a list of blocks that follow each other (default: leaves it unchanged). */
  arrange?: (blocks: Block[]) => Block[]
}

/** Facts of the slice, and how to render children; `Scope` is what changes from one part of a slice to the next. */
export interface Walk<Block, Scope> {
  readonly context: RenderContext
  readonly session: Session
  /** Blocks of nodes in order, without those that are hidden. */
  all(nodes: readonly TrastNode[]): Block[]
  /** The same state with a changed scope. */
  at(change: Partial<Scope>): this
}

/** The state at the first node of a slice, from what is the same in the whole slice and the first scope. */
export function beginWalk<State extends Walk<Block, Scope> & Scope, Block, Scope extends object>(
  {
    handlers,
    arrange = (blocks) => blocks,
    other = (node, state) => handlers.unknown(unregistered(node), state),
  }: Format<State, Block>,
  shared: Pick<State, 'context' | 'session'> & Omit<State, keyof Walk<Block, Scope> | keyof Scope>,
  scope: Scope,
): State {
  const stateAt = (scope: Scope): State => {
    const render = (node: TrastNode): Block[] => {
      if (node.data?.visibility === 'hidden') return []
      // The types of the table guarantee that the entry for a node's type accepts that node.
      const handle = ownValue(handlers as Readonly<Record<string, unknown>>, node.type)
      return typeof handle === 'function' ? (handle as typeof other)(node, state) : other(node, state)
    }
    const methods: Pick<Walk<Block, Scope>, 'all' | 'at'> = {
      all: (nodes) => arrange(nodes.flatMap((node) => renderItem(node, shared.context, render))),
      at: (change) => stateAt({ ...scope, ...change }),
    }
    const state = { ...shared, ...scope, ...methods } as State // whose fields are these
    return state
  }
  return stateAt(scope)
}

/** A node of a type without a handler, as an unknown record. */
function unregistered(node: TrastNode): Unknown {
  const { type, id, ...payload } = node
  return { type: 'unknown', id, recordType: type, payload }
}
