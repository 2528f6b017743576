/** What handlers share while a slice becomes mdast. */

import './to-markdown.ts'
import type { RootContent } from 'mdast'
import type { Session, TrastNode } from '../../../transcript/trast.ts'
import type { RenderContext } from '../context.ts'
import { renderItem } from '../failed-item.ts'

/** What changes from one part of a slice to the next. */
export interface RenderScope {
  /** Word behind the headings of turns, for example `rolled back`; empty for ordinary ones. */
  readonly mark: string
  /** Working folder of the turn; commands name theirs only where it differs. */
  readonly cwd: string | undefined
  /** The nodes will stand in a blockquote. */
  readonly quoted: boolean
  /** A person typed the nodes. */
  readonly typed: boolean
}

/** Facts of the slice, where we are in it, and the way to render children. */
export interface State extends RenderScope {
  readonly context: RenderContext
  readonly session: Session
  /** Mdast of nodes in order, without those that are hidden. */
  all(nodes: readonly TrastNode[]): RootContent[]
  /** The same state at another place. */
  at(place: Partial<RenderScope>): State
}

/** Turns one node into mdast; an empty list shows nothing. */
export type Handle<N> = (node: N, state: State) => RootContent[]

/** A state for one slice; `one` renders a node by the handler table. */
export function createState(session: Session, context: RenderContext, one: Handle<TrastNode>): State {
  const stateAt = (place: RenderScope): State => {
    const render: (node: TrastNode) => RootContent[] = (node) =>
      node.data?.visibility === 'hidden' ? [] : one(node, state)
    const state: State = {
      context,
      session,
      ...place,
      all: (nodes) => keepApart(nodes.flatMap((node) => renderItem(node, context, render))),
      at: (change) => stateAt({ ...place, ...change }),
    }
    return state
  }
  return stateAt({ mark: '', cwd: session.cwd, quoted: false, typed: false })
}

/** A body that begins like this is read the same behind every other one. */
const calm = /^(?:\*{0,2}\p{L}|#{1,6} |`)/u

/**
 * A list or footnote that ends one body would take in an indented line that begins the next, indented code would
 * keep a list from beginning: a thematic break keeps bodies apart that have no frame between them.
 */
function keepApart(blocks: RootContent[]): RootContent[] {
  return blocks.flatMap((node, index): RootContent[] => {
    const before = blocks[index - 1]?.type
    const risky = node.type === 'verbatim' && !calm.test(node.value)
    return risky && (before === 'verbatim' || before === 'list') ? [{ type: 'thematicBreak' }, node] : [node]
  })
}
