/** What handlers share while one slice becomes hast. */

import type { ElementContent } from 'hast'
import type { Repair } from '../../../transcript/fixes.ts'
import type { PlanStep, Session, TrastNode } from '../../../transcript/trast.ts'
import { sessionPage } from '../../../transcript/urls.ts'
import { type RenderContext, renderItem } from '../context.ts'
import type { Token } from '../highlight.ts'

/** Turns one node into hast; an empty list shows nothing. */
export type Handle<N> = (node: N, state: State) => ElementContent[]

/** UTF-16 units of one code, and of all code in a page, that get colours: beyond, time and size outweigh the comfort. */
const maxCodeLength = 20_000
const codeOfPage = 80_000

/** What changes from one part of a slice to the next. */
export interface RenderScope {
  /** Level of the first heading that prose may use (2 to 6). */
  readonly level: number
  /** Working folder of the turn; commands name theirs only where it differs. */
  readonly cwd: string | undefined
  /** Id of the message that answers the turn, where no record says so. */
  readonly answer: string | undefined
  /** What put failed commands and patches of the turn right, by their ids. */
  readonly fixes: ReadonlyMap<string, Repair>
  /** Changes of files were made: those of a failed patch were not, and of an interrupted one nobody knows. */
  readonly applied: boolean | undefined
  /** The whole text of an output that pages cut is a file of the site; not so for copied history. */
  readonly files: boolean
}

/** What handlers remember from one item to the next. */
export interface Memory {
  /** The checklist that was shown last. */
  plan?: readonly PlanStep[]
  /** The time that was shown last, to the minute. */
  minute?: string | undefined
  /** The time of the prompt, answer or picture before, to the minute. */
  storyMinute?: string | undefined
}

/** Facts of the slice, where we are in it, and the way to render children. */
export interface State extends RenderScope {
  readonly context: RenderContext
  readonly session: Session
  /** Path of the page below the output folder. */
  readonly path: string
  /** Ids taken in this page by things inside prose, such as footnotes. */
  readonly ids: Set<string>
  readonly memory: Memory
  /** Tokens of a code; `undefined` for a language that is not known, and where the page has colours enough. */
  colour(code: string, language: string | undefined): Token[] | undefined
  /** Link to an item of the slice by its id: on its work page, where this is a story of several pages. */
  link(id: string): string
  /** Hast of nodes, in order. */
  all(nodes: readonly TrastNode[]): ElementContent[]
  /** The same state at another place. */
  at(place: Partial<RenderScope>): State
}

/** Renders one node; made by the handler table. */
type One = (node: TrastNode, state: State) => ElementContent[]

/** A state for one slice. */
export function createState(session: Session, context: RenderContext, one: One): State {
  const path = sessionPage(context.threadId, context.page)
  const shared = { context, session, path, ids: new Set<string>(), memory: {}, colour: painter(context) }
  const stateAt = (place: RenderScope): State => {
    const render = (node: TrastNode): ElementContent[] => one(node, state)
    const state: State = {
      ...shared,
      ...place,
      link: (id) => (context.half === 'story' ? `${context.page ?? 1}.html#${id}` : `#${id}`),
      all: (nodes) => nodes.flatMap((node) => renderItem(node, context, render)),
      at: (change) => stateAt({ ...place, ...change }),
    }
    return state
  }
  return stateAt({ level: 2, cwd: session.cwd, answer: undefined, fixes: new Map(), applied: true, files: true })
}

/** Colours code until the page has enough of it. */
function painter({ highlight }: RenderContext): State['colour'] {
  let left = codeOfPage
  return (code, language) => {
    if (highlight === undefined || language === undefined || code.length > Math.min(maxCodeLength, left))
      return undefined
    left -= code.length
    return highlight(code, language)
  }
}
