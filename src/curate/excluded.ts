/** Whether single turns and items of a session are left out. */

import { type Place, type Selection, selects } from '../model/selection.ts'
import type { Source, TrastNode } from '../model/trast.ts'

/** Whether a selection holds a turn, or an item by its anchor or any record that it was made from. */
export function isExcluded(node: TrastNode, exclude: readonly Selection[], rollouts: readonly string[]): boolean {
  if (exclude.length === 0) return false
  if (node.type === 'turn') return node.data?.inherited !== true && isExcludedTurn(node.number, exclude)
  // What frames items is no item; its records tell of settings and of the turn.
  if (node.type === 'preamble' || node.type === 'group' || node.type === 'session') return false
  if (isExcludedAnchor(node.id, exclude)) return true
  // Two records of one prompt count by the first, as in the outline, which knows no other.
  if (node.type === 'message' && node.origin === 'typed') return false
  return (node.data?.sources ?? []).some((source) => anySelects(exclude, placeOf(source, rollouts)))
}

/** The same for an anchor such as `l12`, `l12.1` or `0a1b2c3d-l12`. */
export function isExcludedAnchor(anchor: string, exclude: readonly Selection[]): boolean {
  const [, segment, line] = /^(?:([\da-f]{8})-)?l(\d+)(?:[.-]|$)/.exec(anchor) ?? []
  if (line === undefined) return false
  return anySelects(exclude, { line: Number(line), ...(segment === undefined ? {} : { segment }) })
}

/** The same for the number of an own turn. */
export function isExcludedTurn(turn: number, exclude: readonly Selection[]): boolean {
  return anySelects(exclude, { turn })
}

/** Anchors of later segments begin with eight digits of the rollout id. */
function placeOf({ file, line }: Source, rollouts: readonly string[]): Place {
  const segment = file === undefined ? undefined : rollouts[file]?.replaceAll('-', '').slice(-8)
  return { line, ...(segment === undefined ? {} : { segment }) }
}

function anySelects(exclude: readonly Selection[], place: Place): boolean {
  return exclude.some((selection) => selects(selection, place))
}
