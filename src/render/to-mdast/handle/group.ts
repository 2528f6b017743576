/** Items that belong together. */
import type { Group } from '../../../model/trast.ts'
import { formatAmount } from '../../../util/time.ts'
import { type Inline, paragraph, strong } from '../build.ts'
import { threadLink } from '../link-thread.ts'
import type { Handle, State } from '../state.ts'

/** A label, then the children. Inherited history is one line with link and count, unless it is open. */
export const group: Handle<Group> = (node, state) => {
  if (node.kind === 'inherited' && node.data?.visibility !== 'open') {
    return [paragraph(strong(node.label), ` · ${count(node)}`, ...origin(state))]
  }
  const marks: Partial<Record<Group['kind'], string>> = { inherited: 'inherited', rolledBack: 'rolled back' }
  const mark = marks[node.kind] ?? state.mark
  return [paragraph(strong(node.label)), ...state.at({ mark }).all(node.children)]
}

function count(node: Group): string {
  const turns = node.children.filter((child) => child.type === 'turn').length
  return turns === 0 ? formatAmount(node.children.length, 'item') : formatAmount(turns, 'turn')
}

function origin({ session, context }: State): Inline[] {
  const from = session.lineage.forkedFromId ?? session.lineage.parentId
  return from === undefined ? [] : [' · ', ...threadLink(from, context)]
}
