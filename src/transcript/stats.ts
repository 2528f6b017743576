/** Adds a slice's nodes to the thread's statistics and receipt; inherited nodes count in no statistic. */

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
      // What was taken back is no part of the conversation, but it was worked at and paid for.
      walk(node, (undone) => countNode(undone, slice))
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
 * A carried line is `shown` where it begins a node, `folded` where it only joins one; a line that
 * no node took is `skipped` under its kind, or as `omitted` where its node was left out, so that the sum always holds.
 */
function countLines(tree: Session, { carried, lines, omitted }: SliceData): void {
  const taken: TakenLines = { shown: new Set(), all: new Set() }
  walk(tree, takeLines, taken)
  for (const [line, kind] of carried) {
    if (taken.shown.has(line)) lines.shown++
    else if (taken.all.has(line)) lines.folded++
    else countOwn(lines.skipped, omitted?.has(line) ? 'omitted' : kind)
  }
  carried.clear()
}

/** Lines that nodes took, by `lineKey`. */
interface TakenLines {
  /** Those that begin one. */
  shown: Set<number>
  all: Set<number>
}

function takeLines({ data }: TrastNode, { shown, all }: TakenLines): void {
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

/** Counts turns and what was said in them; the part that begins a turn stands for the whole. */
function countMessages(node: TrastNode, { stats }: SliceData): void {
  if (node.type === 'turn' && !node.data?.continued) stats.turns++
  if (isSaid(node)) stats.messages++
}

/** Adds a node, without those below it. */
function countNode(node: TrastNode, slice: SliceData): void {
  // The table's key is the node's type, so that the counter takes it.
  counters[node.type]?.(node as never, slice)
}

type Counter = (node: never, slice: SliceData) => void

const counters: Readonly<Record<string, Counter>> = {
  turn: ({ data, durationMs = 0 }: Turn, { stats }) => {
    // The part that begins a turn tells of the whole.
    if (data?.continued) return
    // An inferred duration hangs on where pages end.
    if (!data?.inferred?.includes('durationMs')) stats.durations.turns += durationMs
  },
  command: ({ status, data, durationMs = 0 }: Command, { stats }) => {
    // A later look at a command that runs on is no command of its own.
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
    // Codex tells that an agent finished; nobody called for it.
    if (node.action !== 'finish') countTool(node.tool ?? agentTools[node.action], node, slice)
  },
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

/** Tools by what they do, where only a record of what came of the call is left. */
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

/** What is left out in place of calls: their kinds, and single items. */
const kindsOfCalls = ['commands', 'edits', 'tools', 'searches', 'agents', 'items']

/** Whether calls were left out of a session on purpose: what its turns took is then not the model's time alone. */
export function lacksCalls({ omitted }: Stats): boolean {
  return kindsOfCalls.some((kind) => (ownValue(omitted, kind) ?? 0) > 0)
}

/** The same of whole turns: time between the others is then no pause alone. */
export function lacksTurns({ omitted }: Stats): boolean {
  return (ownValue(omitted, 'turns') ?? 0) > 0
}

/** What failed: a command, an edit, or the call of another tool. All counts of failures go by this. */
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

/** A file counts once, also under the name that it was moved to. */
function countChange({ movedTo, path, added, removed }: FileChange, { stats, distinct }: SliceData): void {
  if (movedTo !== undefined) distinct.files.delete(pathKey(path))
  distinct.files.add(pathKey(movedTo ?? path))
  stats.edits.added += added
  stats.edits.removed += removed
}
