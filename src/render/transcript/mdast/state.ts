/** What handlers share while a slice becomes mdast. */

import type { RootContent } from 'mdast'
import type { Literal, Omission, Session, TrastNode } from '../../../transcript/trast.ts'
import { outputText, relativeLink, sessionMarkdown } from '../../../transcript/urls.ts'
import { joinTexts } from '../../../util/join-texts.ts'
import { omissionLine, omissionOf } from '../../labels.ts'
import type { RenderContext } from '../context.ts'
import { beginWalk, type Handler, type HandlerTable, unregistered, type Walk } from '../walk.ts'
import { fence, link, paragraph } from './build.ts'

/** What changes from one part of a slice to the next. */
export interface RenderScope {
  /** Word behind the headings of turns, for example `rolled back`; empty for ordinary ones. */
  readonly mark: string
  /** Working folder of the turn; commands name theirs only where it differs. */
  readonly cwd: string | undefined
  /** The nodes will stand in a blockquote. */
  readonly quoted: boolean
  /** Changes of files were made: those of a failed patch were not, and of an interrupted one nobody knows. */
  readonly applied: boolean | undefined
  /** A person typed the nodes. */
  readonly typed: boolean
}

/** Facts of the slice, where we are in it, and the way to render children. */
export interface State extends RenderScope, Walk<RootContent, RenderScope> {}

/** Turns one node into mdast; an empty list shows nothing. */
export type Handle<N> = Handler<N, State, RootContent>

/** A handler for every type of node. */
export type Handlers = HandlerTable<State, RootContent>

/** A state for one slice. */
export function createState(session: Session, context: RenderContext, handlers: Handlers): State {
  const other: Handle<TrastNode> = (node, state) => handlers.unknown(unregistered(node), state)
  return beginWalk<State, RootContent, RenderScope>(
    { handlers, other, arrange: keepApart },
    { context, session },
    { mark: '', cwd: session.cwd, quoted: false, applied: true, typed: false },
  )
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

/** A literal in pieces; `tail` is empty where the cut lies at the end. */
export interface Pieces {
  head: string
  tail: string
  omitted?: Omission
}

/** The pieces of a literal. */
export function piecesOf(node: Literal): Pieces {
  const { value } = node
  const omitted = omissionOf(node)
  if (omitted === undefined) return { head: value, tail: '' }
  const at = omitted.at ?? value.length
  return { head: value.slice(0, at), tail: value.slice(at), omitted }
}

/** A literal as fenced text; a cut one says how much is missing, and links to the whole where a file holds it. */
export function fencedLiteral(node: Literal, state: State, lang?: string): RootContent[] {
  const { head, tail, omitted } = piecesOf(node)
  if (omitted === undefined) return fence(head, lang)
  const text = joinTexts([head.trimEnd(), omissionLine(omitted), tail], '\n')
  return [...fence(text, lang), ...wholeText(node, state)]
}

/** A line that links to the file with the whole text; nothing where no file holds it. */
export function wholeText(node: Literal, { context }: State): RootContent[] {
  if (node.omitted?.by !== 'limit') return []
  const target = outputText(context.threadId, node.id)
  return [paragraph(link(relativeLink(sessionMarkdown(context.threadId), target), 'Whole text'))]
}
