/** Adds a slice's nodes to the thread's statistics and receipt. Inherited nodes count in no statistic. */

import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import { countOwn, ownValue, setOwn } from '../util/own.ts'
import { pathKey } from '../util/paths.ts'
import { lineKey, type SliceData, sliceOf } from './slice.ts'
import type {
  Agent,
  Approval,
  Command,
  FileChange,
  Image,
  Patch,
  Plan,
  Reference,
  Search,
  Session,
  Stats,
  Status,
  ToolCall,
  TrastNode,
  Turn,
} from './trast.ts'
import { changesOf, isApplied, isRequest, walk } from './view.ts'

/** Fills `session.stats`: the sums of all slices so far. */
export const stats: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const slice = sliceOf(file)
  if (slice.counted) return
  slice.counted = true
  walk(tree, (node) => {
    if (node.data?.inherited) return false
    if (node.type === 'group' && node.kind === 'rolledBack') {
      // Rolled-back turns are not part of the conversation, but work was done and paid for in them.
      walk(node, (undone) => {
        countNode(undone, slice)
        if (beginsTurn(undone)) slice.stats.rolledBack = (slice.stats.rolledBack ?? 0) + 1
      })
      return false
    }
    countNode(node, slice)
    countMessages(node, slice)
    return undefined
  })
  countLines(tree, slice)
  tree.stats = statsOf(slice)
}

function statsOf({ stats, usage, lines, distinct }: SliceData): Stats {
  const { files, commits, pullRequests } = distinct
  return {
    ...stats,
    durations: { ...stats.durations },
    edits: { ...stats.edits, files: files.size },
    usage,
    lines,
    ...(commits.size === 0 ? {} : { commits: [...commits] }),
    ...(pullRequests.size === 0 ? {} : { pullRequests: [...pullRequests] }),
  }
}

/**
 * Counts each carried line: as `shown` if it begins a node, as `folded` if it only joins one, as `omitted` if its node
 * was omitted, else as `skipped` under its kind. So the sum always holds.
 */
function countLines(tree: Session, { carried, lines, omitted }: SliceData): void {
  const taken: ClaimedLines = { shown: new Set(), all: new Set() }
  walk(tree, claimLines, taken)
  for (const [line, kind] of carried) {
    if (taken.shown.has(line)) lines.shown++
    else if (taken.all.has(line)) lines.folded++
    else countOwn(lines.skipped, omitted?.has(line) ? 'omitted' : kind)
  }
  carried.clear()
}

/** Lines that nodes took, by `lineKey`. */
interface ClaimedLines {
  /** Lines that begin a node. */
  shown: Set<number>
  all: Set<number>
}

function claimLines({ data }: TrastNode, { shown, all }: ClaimedLines): void {
  const sources = data?.sources
  if (sources === undefined || sources.length === 0) return
  for (const source of sources) all.add(lineKey(source))
  const [first] = sources
  if (first !== undefined) shown.add(lineKey(first))
}

// What each node adds to the statistics of its thread.

function isSaid(node: TrastNode): boolean {
  return isRequest(node) || (node.type === 'message' && (node.origin === 'typed' || node.origin === 'generated'))
}

/** Whether a node is a turn, or the first part of one. */
function beginsTurn(node: TrastNode): boolean {
  return node.type === 'turn' && !node.data?.continued
}

/** Counts turns and messages. */
function countMessages(node: TrastNode, { stats }: SliceData): void {
  if (beginsTurn(node)) stats.turns++
  if (isSaid(node)) stats.messages++
}

/** Counts a node, without its children. */
function countNode(node: TrastNode, slice: SliceData): void {
  // The counter was looked up by the node's own type, so it accepts the node.
  counters[node.type]?.(node as never, slice)
}

type Counter = (node: never, slice: SliceData) => void

const counters: Readonly<Record<string, Counter>> = {
  turn: ({ data, durationMs = 0 }: Turn, { stats }) => {
    // The first part of a turn has the whole duration.
    if (data?.continued) return
    // An inferred duration depends on where pages end.
    if (!data?.inferred?.includes('durationMs')) stats.durations.turns += durationMs
  },
  command: ({ status, data, durationMs = 0 }: Command, { stats }) => {
    // A later poll of a command that is still running is not a command of its own.
    if (!data?.continued) stats.commands.total++
    if (status === 'failed') stats.commands.failed++
    stats.durations.commands += durationMs
  },
  toolCall: (node: ToolCall, slice) => {
    countTool(node.server === undefined ? node.tool : `${node.server}/${node.tool}`, node, slice)
  },
  patch: (node: Patch, slice) => {
    countTool('apply_patch', node, slice)
    if (!isApplied(node)) return
    for (const change of changesOf(node)) countChange(change, slice)
  },
  search: (node: Search, slice) => {
    if (!node.data?.sameCall) countTool('web_search', node, slice)
  },
  agent: (node: Agent, slice) => {
    // This is Codex's report that an agent finished, not a call.
    if (node.action !== 'finish') countTool(node.tool ?? agentTools[node.action], node, slice)
  },
  image: ({ origin, data }: Image, slice) => {
    // A call may return several pictures; only the first has the call's sources.
    const tool = data?.sources === undefined ? undefined : imageTools[origin]
    if (tool !== undefined) countTool(tool, { status: 'completed' }, slice)
  },
  plan: ({ children }: Plan, slice) => {
    // A plan without steps is something that the assistant said in plan mode.
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

/** Tools by what they do, used if only the record of a call's result is left. */
const agentTools: Readonly<Record<Exclude<Agent['action'], 'finish'>, string>> = {
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

/** Counters of `omitted` that include calls: the kinds of calls, and single items. */
const kindsOfCalls = ['commands', 'edits', 'tools', 'searches', 'agents', 'items']

/** Whether calls were omitted from a session on purpose; then the rest of a turn's time is not only the model's. */
export function lacksCalls({ omitted }: Stats): boolean {
  return kindsOfCalls.some((kind) => (ownValue(omitted, kind) ?? 0) > 0)
}

/** Whether turns were omitted on purpose; then time between the others is not only a pause. */
export function lacksTurns({ omitted }: Stats): boolean {
  return (ownValue(omitted, 'turns') ?? 0) > 0
}

/** All turns, also those that were rolled back: time, changes and tokens are of all of them too. */
export function allTurns({ turns, rolledBack = 0 }: Pick<Stats, 'turns' | 'rolledBack'>): number {
  return turns + rolledBack
}

/** What failed, if anything: a command, an edit, or the call of another tool. All counts of failures use this. */
export function failureOf(node: TrastNode): 'command' | 'edit' | 'tool' | undefined {
  if (!('status' in node) || node.status !== 'failed') return undefined
  if (node.type === 'command') return 'command'
  if (node.type === 'approval') return isToolApproval(node) ? 'tool' : undefined
  if (node.type === 'patch') return 'edit'
  if (node.data?.sameCall) return undefined
  return /^(?:toolCall|search|agent)$/.test(node.type) ? 'tool' : undefined
}

function isToolApproval({ callId, subject }: Approval): boolean {
  return callId !== undefined && approvalTools[subject] !== undefined
}

/** Counts a change. A file counts once, even if it is moved. */
function countChange({ movedTo, path, added, removed }: FileChange, { stats, distinct }: SliceData): void {
  if (movedTo !== undefined) distinct.files.delete(pathKey(path))
  distinct.files.add(pathKey(movedTo ?? path))
  stats.edits.added += added
  stats.edits.removed += removed
}
