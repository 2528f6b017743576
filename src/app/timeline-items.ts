/** What items of a transcript mean on a timeline. */
import type { MarkKind } from '../model/overview.ts'
import type { Agent, Command, Patch, Search, ToolCall, TrastNode, Turn } from '../model/trast.ts'
import { firstLine } from '../render/words.ts'

/** Items that take time by themselves. */
export type Work = Command | ToolCall | Patch | Search | Agent

const workTypes: ReadonlySet<string> = new Set<Work['type']>(['command', 'toolCall', 'patch', 'search', 'agent'])

/** Whether an item is a command or a tool's call. */
export function isWork(node: TrastNode): node is Work {
  return workTypes.has(node.type)
}

/** The kind of moment that an item is; `undefined` for those that a timeline does not mark. */
export function markOfItem(node: TrastNode): MarkKind | undefined {
  if (node.type === 'error') return 'error'
  if (node.type === 'notice') {
    if (node.kind === 'compaction') return 'compaction'
    return node.kind === 'abort' ? 'interrupted' : undefined
  }
  return isWork(node) && node.status === 'failed' ? 'failed' : undefined
}

/** The same for the end of a turn. */
export function markOfEnd({ status }: Turn): MarkKind | undefined {
  if (status === 'failed') return 'error'
  return status === 'interrupted' ? 'interrupted' : undefined
}

/** Characters of a script or message in a label. */
const labelLength = 80

/** What an item is, in few words; empty where its kind says all. */
export function itemLabel(node: TrastNode): string {
  switch (node.type) {
    case 'command':
      return firstLine(node.script === '' ? node.argv.join(' ') : node.script, labelLength)
    case 'toolCall':
      return firstLine(node.server === undefined ? node.tool : `${node.server}/${node.tool}`, labelLength)
    case 'patch':
      return 'Edit'
    case 'search':
      return 'Web search'
    case 'agent':
      return 'Sub-agent'
    case 'error':
      return firstLine(node.message, labelLength)
    default:
      return ''
  }
}
