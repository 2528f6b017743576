/** Markdown bodies: verbatim where they can be made portable, fenced where not. */
import type { RootContent } from 'mdast'
import type { Markdown } from '../../model/trast.ts'
import { stripControls } from '../../util/ansi-strip.ts'
import { omissionLine } from '../labels.ts'
import { portableBody } from '../prose/portable.ts'
import { fence, paragraph } from './build.ts'
import { piecesOf, wholeText } from './cut.ts'
import type { State } from './state.ts'

/** Blocks of a body. */
export function proseBlocks(node: Markdown, state: State): RootContent[] {
  const { head, tail, omitted } = piecesOf(node)
  if (omitted === undefined) return piece(head, node.id, state)
  return [
    ...piece(head, node.id, state),
    paragraph(omissionLine(omitted)),
    // Labels of both pieces must not meet: each is a text of its own.
    ...piece(tail, `${node.id}.tail`, state),
    ...wholeText(node, state),
  ]
}

function piece(value: string, id: string, state: State): RootContent[] {
  if (value.trim() === '') return []
  const { quoted, breaks, context } = state
  const body = portableBody(value, { id, engine: context.engine, breaks, quoted })
  if (body === undefined) return fence(stripControls(value))
  return body === '' ? [] : [{ type: 'verbatim', value: body }]
}
