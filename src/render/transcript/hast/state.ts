/** What handlers share while one slice becomes hast. */

import type { ElementContent } from 'hast'
import type { Repair } from '../../../transcript/fixes.ts'
import type { PlanStep, Session } from '../../../transcript/trast.ts'
import { sessionPage } from '../../../transcript/urls.ts'
import type { RenderContext } from '../context.ts'
import type { Token } from '../highlight.ts'
import { beginWalk, type Format, type Walk } from '../walk.ts'

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
export interface State extends RenderScope, Walk<ElementContent, RenderScope> {
  /** Path of the page below the output folder. */
  readonly path: string
  /** Ids taken in this page by things inside prose, such as footnotes. */
  readonly ids: Set<string>
  readonly memory: Memory
  /** Tokens of a code; `undefined` for a language that is not known, and where the page has colours enough. */
  colour(code: string, language: string | undefined): Token[] | undefined
  /** Link to an item of the slice by its id: on its work page, where this is a story of several pages. */
  link(id: string): string
}

/** A state for one slice. */
export function createState(session: Session, context: RenderContext, format: Format<State, ElementContent>): State {
  const shared = {
    context,
    session,
    path: sessionPage(context.threadId, context.page),
    ids: new Set<string>(),
    memory: {},
    colour: painter(context),
    link: (id: string) => (context.half === 'story' ? `${context.page ?? 1}.html#${id}` : `#${id}`),
  }
  const scope = { level: 2, cwd: session.cwd, answer: undefined, fixes: new Map(), applied: true, files: true }
  return beginWalk<State, ElementContent, RenderScope>(format, shared, scope)
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
