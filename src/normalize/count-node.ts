/** What each node adds to the statistics of its thread. */
import type {
  Agent,
  Approval,
  Command,
  FileChange,
  Image,
  Message,
  Patch,
  Plan,
  Reference,
  Search,
  Status,
  ToolCall,
  TrastNode,
  Turn,
} from '../model/trast.ts'
import { ownValue, setOwn } from '../util/own.ts'
import type { SliceData } from './slice.ts'

/** Adds a node, without those below it. */
export function countNode(node: TrastNode, slice: SliceData): void {
  // The table's key is the node's type, so that the counter takes it.
  counters[node.type]?.(node as never, slice)
}

type Counter = (node: never, slice: SliceData) => void

const counters: Readonly<Record<string, Counter>> = {
  turn: ({ data, durationMs = 0 }: Turn, { stats }) => {
    // The part that begins a turn tells of the whole.
    if (data?.continued) return
    stats.turns++
    // An inferred duration hangs on where pages end.
    if (!data?.inferred?.includes('durationMs')) stats.durations.turns += durationMs
  },
  message: ({ origin }: Message, { stats }) => {
    if (origin === 'typed' || origin === 'generated') stats.messages++
  },
  command: ({ status, durationMs = 0 }: Command, { stats }) => {
    stats.commands.total++
    if (status === 'failed') stats.commands.failed++
    stats.durations.commands += durationMs
  },
  toolCall: (node: ToolCall, slice) => {
    countTool(node.server === undefined ? node.tool : `${node.server}/${node.tool}`, node, slice)
  },
  patch: (node: Patch, slice) => {
    countTool('apply_patch', node, slice)
    if (!isApplied(node.status)) return
    for (const child of node.children) if (child.type === 'fileChange') countChange(child, slice)
  },
  search: (node: Search, slice) => countTool('web_search', node, slice),
  agent: (node: Agent, slice) => countTool(agentTools[node.action], node, slice),
  image: ({ origin, data }: Image, slice) => {
    // A call may give several pictures; its records are those of the first.
    const tool = data?.sources === undefined ? undefined : imageTools[origin]
    if (tool !== undefined) countTool(tool, { status: 'completed' }, slice)
  },
  plan: ({ children }: Plan, slice) => {
    // A plan without steps is what the assistant said in plan mode.
    if (children.some(({ type }) => type === 'planStep')) countTool('update_plan', { status: 'completed' }, slice)
  },
  approval: ({ callId, subject, status }: Approval, slice) => {
    const tool = callId === undefined ? undefined : approvalTools[subject]
    if (tool !== undefined) countTool(tool, { status }, slice)
  },
  reference: ({ kind, target }: Reference, { distinct }) => {
    if (kind === 'commit') distinct.commits.add(target)
    if (kind === 'pullRequest') distinct.pullRequests.add(target)
  },
}

const agentTools: Readonly<Record<Agent['action'], string>> = {
  spawn: 'spawn_agent',
  send: 'send_input',
  wait: 'wait_agent',
  resume: 'resume_agent',
  close: 'close_agent',
  list: 'list_agents',
}
const imageTools: Readonly<Partial<Record<Image['origin'], string>>> = {
  viewed: 'view_image',
  generated: 'image_generation',
}
const approvalTools: Readonly<Partial<Record<Approval['subject'], string>>> = {
  question: 'request_user_input',
  permission: 'request_permissions',
}

function countTool(
  name: string,
  { status, durationMs = 0 }: { status: Status; durationMs?: number },
  { stats }: SliceData,
): void {
  const tool = ownValue(stats.tools, name) ?? { calls: 0, failed: 0 }
  tool.calls++
  if (status === 'failed') tool.failed++
  setOwn(stats.tools, name, tool)
  stats.durations.tools += durationMs
}

/** A patch that failed or was declined changed no file (rollout-format 8.3). */
function isApplied(status: Status): boolean {
  return status === 'completed' || status === 'unknown'
}

/** A file counts once, also under the name that it was moved to. */
function countChange({ movedTo, path, added, removed }: FileChange, { stats, distinct }: SliceData): void {
  if (movedTo !== undefined) distinct.files.delete(fileKey(path))
  distinct.files.add(fileKey(movedTo ?? path))
  stats.edits.added += added
  stats.edits.removed += removed
}

/** On Windows case tells no names apart. */
function fileKey(path: string): string {
  return /^(?:[a-z]:|\\\\)/i.test(path) ? path.toLowerCase() : path
}
