/** Items that belong together. */
import type { Group } from '../../../model/trast.ts'
import { type Inline, paragraph, strong } from '../build.ts'
import { threadLink } from '../link-thread.ts'
import type { Handle, State } from '../state.ts'

/** A label, then the children. Inherited history is one line, whose label counts, with a link, unless it is open. */
export const group: Handle<Group> = (node, state) => {
  if (node.kind === 'inherited' && node.data?.visibility !== 'open') {
    return [paragraph(strong(node.label), ...origin(state))]
  }
  const marks: Partial<Record<Group['kind'], string>> = { inherited: 'inherited', rolledBack: 'rolled back' }
  const mark = marks[node.kind] ?? state.mark
  return [paragraph(strong(node.label)), ...state.at({ mark }).all(node.children)]
}

function origin({ session, context }: State): Inline[] {
  const from = session.lineage.forkedFromId ?? session.lineage.parentId
  return from === undefined ? [] : [' · ', ...threadLink(from, context)]
}
