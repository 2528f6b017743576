/** What handlers share while a slice is converted to hast. */

import type { ElementContent } from 'hast'
import type { Repair } from '../../../transcript/fixes.ts'
import type { PlanStep, Session } from '../../../transcript/trast.ts'
import { sessionPage } from '../../../transcript/urls.ts'
import type { RenderContext } from '../context.ts'
import type { Token } from '../highlight.ts'
import { beginWalk, type Format, type Walk } from '../walk.ts'

/** UTF-16 units of one piece of code, and of all code on a page, that are coloured; more is not worth its time and size. */
const maxCodeLength = 20_000
const codeOfPage = 80_000

/** What changes from one part of a slice to the next. */
interface RenderScope {
  /** Level of the first heading that prose may use (2 to 6). */
  readonly level: number
  /** Working folder of the turn; commands name theirs only if it differs. */
  readonly cwd: string | undefined
  /** Id of the message that answers the turn, if no record says which one does. */
  readonly answer: string | undefined
  /** What fixed failed commands and patches of the turn, by their ids. */
  readonly fixes: ReadonlyMap<string, Repair>
  /** Whether changes of files were made: not for a failed patch, `undefined` for an interrupted one. */
  readonly applied: boolean | undefined
  /** The whole text of an output that a page cuts is a file of the site; it is not for copied history. */
  readonly files: boolean
}

/** What handlers remember from one item to the next. */
interface Memory {
  /** The checklist shown last. */
  plan?: readonly PlanStep[]
  /** The time shown last, to the minute. */
  minute?: string | undefined
  /** The time of the previous prompt, answer or picture, to the minute. */
  storyMinute?: string | undefined
}

/** Facts of the slice, the current scope, and how to render children. */
export interface State extends RenderScope, Walk<ElementContent, RenderScope> {
  /** Path of the page below the output folder. */
  readonly path: string
  /** Ids used on this page by things inside prose, such as footnotes. */
  readonly ids: Set<string>
  readonly memory: Memory
  /** Tokens of a piece of code; `undefined` if the language is not known or the page has enough colours. */
  colour(code: string, language: string | undefined): Token[] | undefined
  /** Link to an item of the slice by its id; it leads to the work page if this is the story of several pages. */
  link(id: string): string
}

/** Creates the state for one slice. */
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
  const files = context.outputFiles === true
  const scope = { level: 2, cwd: session.cwd, answer: undefined, fixes: new Map(), applied: true, files }
  return beginWalk<State, ElementContent, RenderScope>(format, shared, scope)
}

/** Colours code until the page has enough colours. */
function painter({ highlight }: RenderContext): State['colour'] {
  let remaining = codeOfPage
  return (code, language) => {
    if (highlight === undefined || language === undefined || code.length > Math.min(maxCodeLength, remaining))
      return undefined
    remaining -= code.length
    return highlight(code, language)
  }
}
