/** Cuts a slice into preamble and turns; copied history and rolled-back turns become groups. */
import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type { FlowContent, Group, Session, TopContent, Turn } from '../../model/trast.ts'
import { type Draft, drafts, isFragment, setDrafts } from '../fragment.ts'
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
  if (copied.length > 0) top.push(inheritedGroup(build(copied, turnBuilder(tree, slice, true)), slice, copied[0]))
  const builder = turnBuilder(tree, slice, false)
  top.push(...rolledBack(build(own, builder), slice.rolledBack))
  keepOpen(builder)
  sortSources(tree)
  setDrafts(tree, top)
}

/** The head of the file comes first, also where the copied part was furnished before the own one. */
function sortSources({ data }: Session): void {
  data?.sources?.sort((left, right) => (left.file ?? 0) - (right.file ?? 0) || left.line - right.line)
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
      calls: 0,
      ...(open.turnId === undefined ? {} : { turnId: open.turnId }),
    }
  }
}

/** One group a slice; its id is that of its first record's line. */
function inheritedGroup(rooms: Draft[], slice: SliceData, first: Draft | undefined): Group {
  const count = rooms.filter((room) => room.type === 'turn').length
  const shown = rolledBack(rooms, slice.inherited?.rolledBack ?? [])
  const children = shown.flatMap((room) => (room.type === 'preamble' ? room.children : [room as FlowContent | Turn]))
  markInherited(children)
  const group: Group = {
    type: 'group',
    id: `inherited-${first?.position?.start.line ?? 0}`,
    kind: 'inherited',
    label: `${count} ${count === 1 ? 'turn' : 'turns'} inherited`,
    data: { visibility: 'collapsed', inherited: true, sources: [] },
    children,
  }
  return group
}

function markInherited(nodes: (FlowContent | Turn)[]): void {
  for (const node of nodes) node.data = { ...node.data, inherited: true }
}

/** Wraps runs of turns that a rollback removed. */
function rolledBack(rooms: Draft[], numbers: readonly number[]): Draft[] {
  if (numbers.length === 0) return rooms
  const gone = new Set(numbers)
  const top: Draft[] = []
  for (const room of rooms) {
    const last = top.at(-1)
    if (room.type !== 'turn' || !gone.has(room.number)) top.push(room)
    else if (last?.type === 'group' && last.kind === 'rolledBack') addTurn(last, room)
    else top.push(addTurn(emptyGroup(room), room))
  }
  return top
}

function emptyGroup(turn: Turn): Group & TopContent {
  return {
    type: 'group',
    id: `back-${turn.id}`,
    kind: 'rolledBack',
    label: '',
    data: { visibility: 'collapsed', sources: [] },
    children: [],
  }
}

function addTurn(group: Group, turn: Turn): Group & TopContent {
  group.children.push(turn)
  const count = group.children.length
  group.label = `${count} ${count === 1 ? 'turn' : 'turns'} rolled back`
  return group
}
