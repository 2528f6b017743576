/** Records that this version does not know, and nodes that no handler knows. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Node } from '../../../model/trast.ts'
import { literal } from '../../literal.ts'
import { cutText } from '../../words.ts'
import { block, fold, item } from '../parts.ts'
import type { State } from '../state.ts'

/** UTF-16 units of JSON that are shown. */
const longest = 4096

/** A closed fold with the record as JSON, kept out of the search index. */
export function unknown(node: Node & { recordType?: string; payload?: unknown }, state: State): ElementContent[] {
  const name = node.recordType ?? node.type
  const shown = node.payload === undefined ? node : node.payload
  const json = cutText(JSON.stringify(shown, null, 2) ?? '', longest)
  const inside = h('div', { className: ['term'] }, block('code', literal(json)))
  const frame = item(node, { kind: 'unknown' }, state, [
    fold({ what: 'Unrecognised record', gist: name, quiet: true }, [inside]),
  ])
  frame.properties['dataPagefindIgnore'] = ''
  return [frame]
}
