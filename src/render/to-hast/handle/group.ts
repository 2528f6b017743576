/** Folded runs of items: exploring, inherited or rolled-back history. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Group } from '../../../model/trast.ts'
import { relativeLink, sessionPage } from '../../../model/urls.ts'
import { literal } from '../../literal.ts'
import { fold, item } from '../parts.ts'
import type { State } from '../state.ts'

/** A group closed under its label; inherited history is one line unless a plugin opened it. */
export function group(node: Group, state: State): ElementContent[] {
  if (node.kind === 'inherited' && node.data?.visibility !== 'open') {
    return [item(node, 'note', state, [h('p', {}, literal(node.label), lineageLink(state))])]
  }
  const open = node.data?.visibility === 'open'
  const inner = node.kind === 'inherited' ? state.at({ files: false }) : state
  const link = node.kind === 'inherited' ? lineageLink(state) : []
  const before = link.length === 0 ? [] : [h('p', { className: ['where'] }, link)]
  const inside = h('div', { className: ['nested'] }, before, inner.all(node.children))
  return [
    item(node, `group ${node.kind.toLowerCase()}`, state, [fold({ what: node.label, quiet: true, open }, [inside])]),
  ]
}

/** ` · <title>` with a link to the thread that this one continues; nothing where none is known. */
export function lineageLink(state: State): ElementContent[] {
  const { forkedFromId, parentId } = state.session.lineage
  const id = forkedFromId ?? parentId
  if (id === undefined) return []
  const thread = state.context.threads(id)
  const title = literal(thread?.title ?? id)
  const name = thread?.built ? [h('a', { href: relativeLink(state.path, sessionPage(id)) }, title)] : title
  return [{ type: 'text', value: ' · ' }, ...name]
}
