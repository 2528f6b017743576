/** What the model thought, where it can be read. */
import type { Reasoning } from '../../../model/trast.ts'
import { paragraph, quote, strong } from '../build.ts'
import type { Handle } from '../state.ts'

/** A blockquote with a label. */
export const reasoning: Handle<Reasoning> = (node, state) => {
  const body = state.at({ quoted: true }).all(node.children)
  const note = body.length === 0 ? ` (${node.encrypted ? 'encrypted' : 'empty'})` : ''
  const label = node.form === 'raw' ? 'Reasoning, in full' : 'Reasoning'
  return [quote([paragraph(strong(label), note), ...body])]
}
