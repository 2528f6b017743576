/** Turns fragments into the nodes of the tree; afterwards a slice holds none. */
import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type { Command, FlowContent, Session } from '../../model/trast.ts'
import { drafts, type Fragment, holds, isFragment } from '../fragment.ts'
import { callNodes } from '../nodes/call.ts'
import type { NodeContext } from '../nodes/context.ts'
import {
  compactionNode,
  errorNode,
  noticeNode,
  planTextNode,
  reviewNode,
  rollbackNode,
  turnEndNode,
  unknownNode,
} from '../nodes/marker.ts'
import { agentMessageNode, hookNode, messageNodes } from '../nodes/message.ts'
import { sliceOf } from '../slice.ts'

/** Classifies every fragment of a slice. */
export const classify: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const slice = sliceOf(file)
  const context: NodeContext = { slice, turn: undefined, processes: new Map(), cells: new Map(), nodes }
  for (const child of drafts(tree)) {
    if (!isFragment(child) && 'children' in child) classifyChildren(child as Room, context)
  }
  for (const [id, command] of context.processes) slice.carry.processes[id] = command.script
}

interface Room {
  type: string
  status?: NonNullable<NodeContext['turn']>['status']
  cwd?: string
  children: (Fragment | FlowContent | Room)[]
}

function classifyChildren(room: Room, context: NodeContext): void {
  if (!room.children.some((child) => isFragment(child) || 'children' in child)) return
  const turn =
    room.type === 'turn' && room.status !== undefined
      ? { status: room.status, ...(room.cwd === undefined ? {} : { cwd: room.cwd }) }
      : context.turn
  const inner = { ...context, turn }
  const children: Room['children'] = []
  for (const child of room.children) {
    if (isFragment(child)) children.push(...nodes(child, inner))
    else {
      if (child.type === 'turn' || child.type === 'group') classifyChildren(child as Room, inner)
      children.push(child)
    }
  }
  room.children = joinUserCommands(children)
}

function nodes(fragment: Fragment, context: NodeContext): FlowContent[] {
  const made = nodesOf(fragment, context)
  // Copies of an ancestor's records stay marked.
  if (fragment.data.inherited) for (const node of made) node.data = { ...node.data, inherited: true }
  return made
}

function nodesOf(fragment: Fragment, context: NodeContext): FlowContent[] {
  if (holds(fragment, 'message')) return messageNodes(fragment, context)
  if (holds(fragment, 'callGroup')) return callNodes(fragment, context)
  if (holds(fragment, 'reasoning')) return reasoningNodes(fragment)
  if (holds(fragment, 'agentMessage')) return [agentMessageNode(fragment)]
  if (holds(fragment, 'hook')) return [hookNode(fragment)]
  if (holds(fragment, 'compaction')) return [compactionNode(fragment)]
  if (holds(fragment, 'rollback')) return [rollbackNode(fragment)]
  if (holds(fragment, 'turnEnd')) return [turnEndNode(fragment)]
  if (holds(fragment, 'review')) return [reviewNode(fragment)]
  if (holds(fragment, 'planText')) return [planTextNode(fragment)]
  if (holds(fragment, 'notice')) return [noticeNode(fragment)]
  if (holds(fragment, 'error')) return [errorNode(fragment)]
  // Everything else was used up by `turns`; its line is counted under its kind.
  return holds(fragment, 'unknown') ? [unknownNode(fragment)] : []
}

function reasoningNodes(fragment: Fragment & { fact: { summary: string[]; raw: string[] } }): FlowContent[] {
  const { id, at, position, data } = fragment
  const { summary, raw } = fragment.fact
  const texts = summary.length > 0 ? summary : raw
  if (texts.every((text) => text.trim() === '')) return []
  return [
    {
      type: 'reasoning',
      id,
      ...(at === undefined ? {} : { at }),
      ...(position === undefined ? {} : { position }),
      data: { ...data, visibility: 'collapsed' },
      encrypted: false,
      form: summary.length > 0 ? 'summary' : 'raw',
      children: texts.map((value, index) => ({ type: 'markdown', id: `${id}.${index + 1}`, value })),
    },
  ]
}

/** The user's `!command` is told by an item and by a message to the model: one node (rollout-format 4.3, rule 8). */
function joinUserCommands(children: Room['children']): Room['children'] {
  const items = children.filter(
    (child): child is Command => child.type === 'command' && (child as Command).actor === 'user',
  )
  if (items.length < 2) return children
  const dropped = new Set<Command>()
  for (const item of items) {
    if (item.callId === undefined) continue
    const told = items.find(
      (other) => other.callId === undefined && !dropped.has(other) && other.script.trim() === item.script.trim(),
    )
    if (told === undefined) continue
    dropped.add(told)
    item.data = { ...item.data, sources: [...(item.data?.sources ?? []), ...(told.data?.sources ?? [])] }
  }
  return children.filter((child) => !dropped.has(child as Command))
}
