/** What handlers share while a slice is converted to mdast. */

import type { RootContent } from 'mdast'
import type { Repair } from '../../../transcript/fixes.ts'
import type { Literal, Session } from '../../../transcript/trast.ts'
import { outputText, relativeLink, sessionMarkdown } from '../../../transcript/urls.ts'
import { joinTexts } from '../../../util/text.ts'
import { hasWholeFile, omissionLine, piecesOf } from '../../omissions.ts'
import type { RenderContext } from '../context.ts'
import { beginWalk, type HandlerTable, type Walk } from '../walk.ts'
import { fence, link, paragraph } from './build.ts'

/** What changes from one part of a slice to the next. */
interface RenderScope {
  /** Word after the headings of turns, for example `rolled back`; empty for ordinary ones. */
  readonly mark: string
  /** Working folder of the turn; commands name theirs only if it differs. */
  readonly cwd: string | undefined
  /** What fixed the turn's failed commands and patches, by their ids. */
  readonly fixes: ReadonlyMap<string, Repair>
  /** The nodes will be inside a blockquote. */
  readonly quoted: boolean
  /** Whether changes of files were made: not for a failed patch, `undefined` for an interrupted one. */
  readonly applied: boolean | undefined
  /** A person typed the nodes. */
  readonly typed: boolean
  /** The whole text of an output that a page cuts is a file of the site; it is not for copied history. */
  readonly files: boolean
}

/** Facts of the slice, the current scope, and how to render children. */
export interface State extends RenderScope, Walk<RootContent, RenderScope> {}

/** A handler for every type of node. */
export type Handlers = HandlerTable<State, RootContent>

/** Creates the state for one slice. */
export function createState(session: Session, context: RenderContext, handlers: Handlers): State {
  return beginWalk<State, RootContent, RenderScope>(
    { handlers, arrange: keepApart },
    { context, session },
    {
      mark: '',
      cwd: session.cwd,
      fixes: new Map(),
      quoted: false,
      applied: true,
      typed: false,
      files: context.outputFiles === true,
    },
  )
}

/** A body that begins like this is read the same after any other body. */
const calm = /^(?:\*{0,2}\p{L}|#{1,6} |`)/u

/**
 * Puts a thematic break between bodies with no frame between them: a list or footnote at the end of one would absorb an
 * indented line at the beginning of the next, and indented code would keep a list from beginning.
 */
function keepApart(blocks: RootContent[]): RootContent[] {
  return blocks.flatMap((node, index): RootContent[] => {
    const before = blocks[index - 1]?.type
    const risky = node.type === 'verbatim' && !calm.test(node.value)
    return risky && (before === 'verbatim' || before === 'list') ? [{ type: 'thematicBreak' }, node] : [node]
  })
}

/** A literal as fenced text; a cut one says how much is missing and links to the whole text if that is in a file. */
export function fencedLiteral(node: Literal, state: State, lang?: string): RootContent[] {
  const { head, tail, omitted } = piecesOf(node)
  if (omitted === undefined) return fence(head, lang)
  const text = joinTexts([head.trimEnd(), omissionLine(omitted), tail], '\n')
  return [...fence(text, lang), ...wholeText(node, state)]
}

/** A line that links to the file with the whole text; an empty list if there is none. */
function wholeText(node: Literal, { context, files }: State): RootContent[] {
  if (!files || !hasWholeFile(node)) return []
  const target = outputText(context.threadId, node.id)
  return [paragraph(link(relativeLink(sessionMarkdown(context.threadId), target), 'Whole text'))]
}
