/** Cuts a slice into preamble and turns; copied history and rolled-back turns become groups. */
import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type { FlowContent, Group, Session, Turn } from '../../model/trast.ts'
import { formatAmount } from '../../util/time.ts'
import { type Draft, drafts, isFragment, setDrafts } from '../fragment.ts'
import { wrapRemoved } from '../gone-turns.ts'
import { type Builder, turnBuilder } from '../room.ts'
import { type SliceData, sliceOf } from '../slice.ts'
import { takeDraft } from '../turn-builder.ts'
import { finishTurn } from '../turn-end.ts'

/** Makes the turns of a raw slice (rollout-format 6.1). */
export const turns: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const nodes = drafts(tree)
  if (!nodes.some(isFragment)) return
  const slice = sliceOf(file)
  const copied = nodes.filter((node) => node.data?.inherited === true)
  const own = copied.length === 0 ? nodes : nodes.filter((node) => node.data?.inherited !== true)
  const top: Draft[] = []
  const builder = turnBuilder(tree, slice, false)
  if (copied.length > 0) top.push(copiedHistory(copied, tree, slice))
  // A migrated file ends the last copied turn behind the first own prompt (rollout-format 2.4).
  if (slice.carry.copiedOpen !== undefined) builder.turns.closed.add(slice.carry.copiedOpen)
  const rolledBack = new Set(slice.rolledBack)
  const rooms = build(own, builder)
  top.push(
    ...wrapRemoved(rooms, (turn) => {
      if (builder.undone.has(turn)) return 'undone by a revert'
      return rolledBack.has(turn.number) ? 'rolled back' : undefined
    }),
  )
  keepOpen(builder)
  setDrafts(tree, top)
}

function copiedHistory(copied: Draft[], tree: Session, slice: SliceData): Group {
  const builder = turnBuilder(tree, slice, true)
  const rooms = build(copied, builder)
  const { open } = builder.turns
  if (open?.turnId === undefined) delete slice.carry.copiedOpen
  else slice.carry.copiedOpen = open.turnId
  return inheritedGroup(rooms, slice, copied[0])
}

function build(nodes: Draft[], builder: Builder): Draft[] {
  for (const node of nodes) takeDraft(node, builder)
  for (const [index, room] of builder.rooms.entries()) {
    if (room.type === 'turn')
      finishTurn(
        room,
        builder,
        builder.rooms.slice(index + 1).some((next) => next.type === 'turn'),
      )
  }
  if (builder.pending.length > 0) {
    builder.session.data = {
      ...builder.session.data,
      sources: [...(builder.session.data?.sources ?? []), ...builder.pending],
    }
  }
  // Rooms hold fragments until `classify` has run.
  return builder.rooms as Draft[]
}

/** Tells the next slice of the turn that the border cuts. */
function keepOpen({ slice, turns: state, turn }: Builder): void {
  const { open } = state
  if (open === undefined || slice.last) delete slice.carry.open
  else {
    const number = turn?.number ?? slice.carry.open?.number ?? slice.carry.turns
    slice.carry.open = {
      explicit: open.explicit,
      number,
      review: state.review,
      ...(open.turnId === undefined ? {} : { turnId: open.turnId }),
    }
  }
}

/** One group a slice; its id is that of its first record's line. Where its origin is missing, it is all there is of it. */
function inheritedGroup(rooms: Draft[], slice: SliceData, first: Draft | undefined): Group {
  const { inherited, parentMissing = false } = slice
  const count = rooms.filter((room) => room.type === 'turn').length
  const rolledBack = new Set(inherited?.rolledBack)
  const shown = wrapRemoved(rooms, (turn) => (rolledBack.has(turn.number) ? 'rolled back' : undefined))
  const children = shown.flatMap((room) => (room.type === 'preamble' ? room.children : [room as FlowContent | Turn]))
  markInherited(children)
  const origin = parentMissing ? ' from a session that was not found' : ''
  const doubt = inherited?.guessed ? '; where the copy ends is a guess' : ''
  return {
    type: 'group',
    id: `inherited-${first?.position?.start.line ?? 0}`,
    kind: 'inherited',
    label: `${formatAmount(count, 'turn')} inherited${origin}${doubt}`,
    data: { visibility: parentMissing ? 'open' : 'collapsed', inherited: true, sources: [] },
    children,
  }
}

function markInherited(nodes: (FlowContent | Turn)[]): void {
  for (const node of nodes) node.data = { ...node.data, inherited: true }
}
