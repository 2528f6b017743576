/** Folded runs of items: exploring, inherited or rolled-back history. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Group } from '../../../model/trast.ts'
import { placeLink, relativeLink } from '../../../model/urls.ts'
import { literal } from '../../literal.ts'
import { itemKinds } from '../kinds.ts'
import { fold, item } from '../parts.ts'
import type { State } from '../state.ts'

/** A group closed under its label; inherited history is one line unless a plugin opened it. */
export function group(node: Group, state: State): ElementContent[] {
  if (node.kind === 'inherited' && node.data?.visibility !== 'open') {
    return [item(node, { kind: 'notice' }, state, [h('p', {}, literal(node.label), lineageLink(state))])]
  }
  if (node.kind === 'omitted' && node.children.length === 0) return [gap(node, state)]
  const open = node.data?.visibility === 'open'
  const inner = node.kind === 'inherited' ? state.at({ files: false }) : state
  const link = node.kind === 'inherited' ? lineageLink(state) : []
  const before = link.length === 0 ? [] : [h('p', { className: ['where'] }, link)]
  const inside = h('div', { className: ['nested'] }, before, inner.all(node.children))
  // A plugin may make up kinds of its own.
  const kind = Object.hasOwn(itemKinds, node.kind) ? node.kind : 'omitted'
  return [item(node, { kind }, state, [fold({ what: node.label, quiet: true, open }, [inside])])]
}

/** Where something was left out. */
function gap(node: Group, state: State): ElementContent {
  return item(node, { kind: 'notice' }, state, [h('p', {}, literal(node.label))])
}

/** ` · <title>` with a link to the thread that this one continues; nothing where none is known. */
export function lineageLink(state: State): ElementContent[] {
  const { forkedFromId, parentId } = state.session.lineage
  const id = forkedFromId ?? parentId
  return id === undefined ? [] : originLink(id, state)
}

/** The same for a thread that a node names. */
export function originLink(id: string, state: State, label?: string): ElementContent[] {
  const { threads, origin } = state.context
  const thread = threads(id)
  const title = literal(label ?? thread?.title ?? id)
  const href = relativeLink(state.path, placeLink(id, origin))
  return [{ type: 'text', value: ' · ' }, ...(thread?.built ? [h('a', { href }, title)] : title)]
}
