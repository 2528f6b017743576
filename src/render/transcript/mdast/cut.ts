/** Literals that were cut: head, a line that says what is missing, tail, the way to the whole. */

import type { RootContent } from 'mdast'
import type { Literal, Omission } from '../../../transcript/trast.ts'
import { outputText, relativeLink, sessionMarkdown } from '../../../transcript/urls.ts'
import { omissionLine } from '../../labels.ts'
import { fence, link, paragraph } from './build.ts'
import type { State } from './state.ts'

/** A literal in pieces; `tail` is empty where the cut lies at the end. */
export interface Pieces {
  head: string
  tail: string
  omitted?: Omission
}

/** The pieces of a literal. */
export function piecesOf(node: Literal): Pieces {
  const { value, omitted } = node
  if (omitted === undefined) return { head: value, tail: '' }
  const at = omitted.at ?? value.length
  return { head: value.slice(0, at), tail: value.slice(at), omitted }
}

/** A literal as fenced text; a cut one says how much is missing, and links to the whole where a file holds it. */
export function fencedLiteral(node: Literal, state: State, lang?: string): RootContent[] {
  const { head, tail, omitted } = piecesOf(node)
  if (omitted === undefined) return fence(head, lang)
  const text = [head.trimEnd(), omissionLine(omitted), tail].filter((part) => part !== '').join('\n')
  return [...fence(text, lang), ...wholeText(node, state)]
}

/** A line that links to the file with the whole text; nothing where no file holds it. */
export function wholeText(node: Literal, { context }: State): RootContent[] {
  if (node.omitted?.by !== 'limit') return []
  const target = outputText(context.threadId, node.id)
  return [paragraph(link(relativeLink(sessionMarkdown(context.threadId), target), 'Whole text'))]
}
