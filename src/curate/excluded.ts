/** Whether single turns and items of a session are left out. */

import { type Place, type Selection, selects } from '../model/selection.ts'
import type { Source, TrastNode } from '../model/trast.ts'

/** The selections that hold a turn, or an item by its anchor or any record that it was made from. */
export function excludedBy(
  node: TrastNode,
  exclude: readonly Selection[],
  rollouts: readonly string[],
): readonly Selection[] {
  if (exclude.length === 0) return exclude
  const places = placesOf(node, rollouts)
  return exclude.filter((selection) => places.some((place) => selects(selection, place)))
}

function placesOf(node: TrastNode, rollouts: readonly string[]): Place[] {
  if (node.type === 'turn') return node.data?.inherited ? [] : [{ turn: node.number }]
  // What frames items is no item; its records tell of settings and of the turn.
  if (node.type === 'preamble' || node.type === 'group' || node.type === 'session') return []
  const own = anchorPlace(node.id)
  const anchors = own === undefined ? [] : [own]
  // Two records of one prompt count by the first, as in the outline, which knows no other.
  if (node.type === 'message' && node.origin === 'typed') return anchors
  return [...anchors, ...(node.data?.sources ?? []).map((source) => sourcePlace(source, rollouts))]
}

/** Whether an anchor such as `l12`, `l12.1` or `0a1b2c3d-l12` is left out. */
export function isExcludedAnchor(anchor: string, exclude: readonly Selection[]): boolean {
  const place = anchorPlace(anchor)
  return place !== undefined && exclude.some((selection) => selects(selection, place))
}

/** The same for the number of an own turn. */
export function isExcludedTurn(turn: number, exclude: readonly Selection[]): boolean {
  return exclude.some((selection) => selects(selection, { turn }))
}

function anchorPlace(anchor: string): Place | undefined {
  const [, segment, line] = /^(?:([\da-f]{8})-)?l(\d+)(?:[.-]|$)/.exec(anchor) ?? []
  return line === undefined ? undefined : { line: Number(line), ...(segment === undefined ? {} : { segment }) }
}

/** Anchors of later segments begin with eight digits of the rollout id. */
function sourcePlace({ file, line }: Source, rollouts: readonly string[]): Place {
  const segment = file === undefined ? undefined : rollouts[file]?.replaceAll('-', '').slice(-8)
  return { line, ...(segment === undefined ? {} : { segment }) }
}
