/** Turns at the borders of segments and of what a revert undid (rollout-format 6.3). */
import { type Fragment, holds } from './fragment.ts'
import { type Builder, openRoom } from './room.ts'
import { isUndone } from './segment-border.ts'
import { turnBreaks } from './turn-state.ts'

/** Ends the open turn where a border stands before a record; what was undone of it becomes a turn that goes on. */
export function crossBorder(node: Fragment, builder: Builder): void {
  const { slice, turns, turn } = builder
  const undone = isUndone(slice.undone ?? [], node.segment, node.position?.start.line ?? 0)
  const before = slice.carry.place
  slice.carry.place = `${node.segment} ${undone}`
  if (before === undefined || before === slice.carry.place) return
  const cut = undone && turns.open !== undefined
  const number = turn?.number ?? slice.carry.open?.number ?? builder.number
  turnBreaks(turns)
  delete slice.carry.open
  if (cut && !holds(node, 'turnStart')) openRoom(node, builder, { number, continued: true })
}
