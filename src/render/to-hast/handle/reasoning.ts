/** What the model thought, as far as it is readable. */
import type { ElementContent } from 'hast'
import type { Reasoning } from '../../../model/trast.ts'
import { firstLine } from '../../words.ts'
import { fold, item, single } from '../parts.ts'
import type { State } from '../state.ts'

/** Reasoning in a closed fold under its first line without marks; where only ciphertext is on disk, a quiet note. */
export function reasoning(node: Reasoning, state: State): ElementContent[] {
  if (node.children.length === 0) {
    if (!node.encrypted) return []
    return [item(node, { kind: 'thought' }, state, [single({ what: 'Thought', gist: 'encrypted' })])]
  }
  const gist = firstLine(node.children[0]?.value ?? '', 160)
    .replace(/^\*\*(.+?)\*\*$/, '$1')
    .replace(/`([^`]+)`/g, '$1')
  const what = node.form === 'raw' ? 'Thought (raw)' : 'Thought'
  return [item(node, { kind: 'thought' }, state, [fold({ what, gist, quiet: true }, state.all(node.children))])]
}
