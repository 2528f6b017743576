/** What handlers share while a slice becomes plain text. */

import type { Session, TrastNode } from '../../../transcript/trast.ts'
import type { RenderContext } from '../context.ts'
import { renderItem } from '../failed-item.ts'

/** Facts of the slice, where we are in it, and the way to render children. */
export interface State {
  readonly context: RenderContext
  readonly session: Session
  /** Word behind the titles of turns, for example `rolled back`; empty for ordinary ones. */
  readonly mark: string
  /** Blocks of nodes in order, without those that are hidden. */
  all(nodes: readonly TrastNode[]): string[]
  /** The same state with another word behind turns. */
  marked(mark: string): State
}

/** Turns one node into blocks of text, which stand apart by a blank line. */
export type Handle<N> = (node: N, state: State) => string[]

/** A state for one slice; `one` renders a node by the handler table. */
export function createState(session: Session, context: RenderContext, one: Handle<TrastNode>): State {
  const stateWith = (mark: string): State => {
    const render: (node: TrastNode) => string[] = (node) => (node.data?.visibility === 'hidden' ? [] : one(node, state))
    const state: State = {
      context,
      session,
      mark,
      all: (nodes) => nodes.flatMap((node) => renderItem(node, context, render)),
      marked: stateWith,
    }
    return state
  }
  return stateWith('')
}
