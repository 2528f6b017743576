/** Groups of turns that are no longer part of the conversation (rollout-format 6.3). */
import type { Group, TopContent, Turn } from '../model/trast.ts'
import { formatAmount } from '../util/time.ts'
import type { Draft } from './fragment.ts'

/** What took a turn out of the conversation. */
export type Removal = 'rolled back' | 'undone by a revert'

/** Wraps runs of removed turns; `removal` tells of each turn whether and how it was removed. */
export function wrapRemoved(rooms: Draft[], removal: (turn: Turn) => Removal | undefined): Draft[] {
  const top: Draft[] = []
  let run: Removal | undefined
  for (const room of rooms) {
    const before = run
    run = room.type === 'turn' ? removal(room) : undefined
    const last = top.at(-1)
    if (room.type !== 'turn' || run === undefined) top.push(room)
    else if (run === before && last?.type === 'group') addTurn(last, room, run)
    else top.push(addTurn(emptyGroup(room), room, run))
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

function addTurn(group: Group, turn: Turn, removal: Removal): Group & TopContent {
  group.children.push(turn)
  group.label = `${formatAmount(group.children.length, 'turn')} ${removal}`
  return group
}
