/** Adds a slice's nodes to the thread's statistics and receipt; inherited nodes count in no statistic. */

import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type { TokensFact } from '../rollout/parse/facts.ts'
import { countOwn, ownValue, setOwn } from '../util/own.ts'
import { pathKey } from '../util/paths.ts'
import { type Builder, containerFor, type DraftTurn } from './container.ts'
import type { Fragment } from './fragment.ts'
import { type Carry, lineKey, type SliceData, sliceOf } from './slice.ts'
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
  Usage,
} from './trast.ts'
import { isRequest, walk } from './view.ts'

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
    countTalk(node, slice)
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
function countTalk(node: TrastNode, { stats }: SliceData): void {
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
    if (!isApplied(node.status)) return
    for (const child of node.children) if (child.type === 'fileChange') countChange(child, slice)
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

/** A patch that failed or was declined changed no file (rollout-format 8.3). */
function isApplied(status: Status): boolean {
  return status === 'completed' || status === 'unknown'
}

/** A file counts once, also under the name that it was moved to. */
function countChange({ movedTo, path, added, removed }: FileChange, { stats, distinct }: SliceData): void {
  if (movedTo !== undefined) distinct.files.delete(pathKey(path))
  distinct.files.add(pathKey(movedTo ?? path))
  stats.edits.added += added
  stats.edits.removed += removed
}

// Tokens: what each response cost, counted once (rollout-format 7).

type TokensFragment = Fragment & { fact: TokensFact }

/**
 * Adds a token record to its turn and to the thread's usage by model. A `token_count` repeats what the
 * `token_usage_record`s before it said: only what its total holds beyond them counts.
 */
export function addUsage(node: TokensFragment, builder: Builder): void {
  const { fact } = node
  const { slice, session, inherited } = builder
  const used = newUsage(fact, slice.carry, inherited)
  if (inherited) return
  const turn = turnOf(node, builder)
  if (fact.contextWindow !== undefined) session.contextWindow = fact.contextWindow
  const isOpen = builder.turns.open !== undefined
  if (turn !== undefined && fact.last !== undefined && (used !== undefined || (isOpen && isEstimate(fact.last)))) {
    turn.contextTokens = fact.last.total
    if (session.contextWindow !== undefined) turn.contextWindow = session.contextWindow
  }
  if (used === undefined) return
  const model = turn?.model ?? slice.carry.settings.model ?? 'unknown'
  setOwn(slice.usage, model, sumUsage(ownValue(slice.usage, model), used))
  if (turn !== undefined) turn.usage = sumUsage(turn.usage, used)
}

/**
 * After a compaction or an overflow the last usage holds no more than a guess of what the window holds. Between turns
 * it is what a rollback left in there: that says nothing of the turn before.
 */
function isEstimate({ input, output, total }: Usage): boolean {
  return input + output !== total
}

/** The turn that the record names, else the open one, also where it began on the page before. */
function turnOf(node: TokensFragment, builder: Builder): DraftTurn | undefined {
  const { turnId } = node.fact
  const named = turnId === undefined ? undefined : builder.byId.get(turnId)
  if (named !== undefined || builder.turn !== undefined) return named ?? builder.turn
  if (builder.slice.carry.open === undefined || builder.container !== undefined) return undefined
  const container = containerFor(node, builder)
  return container.type === 'turn' ? container : undefined
}

/** The totals of a thread after its last token record. */
export type TokenTotals = Pick<Carry, 'tokensTotal' | 'tokensRecorded' | 'responses'>

/** What a record adds to all records before it; the copied history of a fork only sets the totals to start from. */
export function newUsage(
  { from, responseId, last, total }: TokensFact,
  carry: TokenTotals,
  inherited: boolean,
): Usage | undefined {
  if (from === 'token_usage_record') {
    if (isRepeated(responseId, carry)) return undefined
    if (last !== undefined && !inherited) carry.tokensRecorded = sumUsage(carry.tokensRecorded, last)
    return last
  }
  const before = carry.tokensTotal
  if (total === undefined || (before !== undefined && before.total === total.total)) return undefined
  const grown = growth(before, total, last)
  const fresh = grown === undefined ? undefined : beyond(grown, carry.tokensRecorded)
  carry.tokensTotal = total
  if (carry.tokensRecorded !== undefined) delete carry.tokensRecorded
  return fresh
}

/** Whether a record of this response was there before: each response was paid for once. */
function isRepeated(responseId: string | undefined, carry: TokenTotals): boolean {
  if (responseId === undefined) return false
  carry.responses ??= new Set()
  if (carry.responses.has(responseId)) return true
  carry.responses.add(responseId)
  return false
}

/**
 * How much a total grew. It starts again at a resume up to 0.77, and goes on from the parent's in a fork that has no
 * copy: then only the last response tells. It may grow by several responses where a migration dropped records.
 */
function growth(before: Usage | undefined, total: Usage, last: Usage | undefined): Usage | undefined {
  if (before === undefined) return last
  const grown = joinUsages(total, before, (now, then) => now - then)
  return covers(grown, last ?? nothing) ? grown : last
}

/** Whether each part of a usage is at least that of another. */
function covers(usage: Usage, other: Usage): boolean {
  return (
    usage.input >= other.input &&
    usage.cached >= other.cached &&
    (usage.cacheWrite ?? 0) >= (other.cacheWrite ?? 0) &&
    usage.output >= other.output &&
    usage.reasoning >= other.reasoning
  )
}

/** What a usage holds beyond another; `undefined` for nothing. */
function beyond(usage: Usage, known: Usage | undefined): Usage | undefined {
  const rest = joinUsages(usage, known ?? nothing, (all, part) => Math.max(0, all - part))
  return rest.total > 0 ? rest : undefined
}

const nothing: Usage = { input: 0, cached: 0, output: 0, reasoning: 0, total: 0 }

/** Sum of two usages. */
export function sumUsage(left: Usage | undefined, right: Usage): Usage {
  return joinUsages(left ?? nothing, right, (one, other) => one + other)
}

/** A usage of two, part by part; `total` is input plus output, since estimates and overflows raise the recorded one. */
function joinUsages(left: Usage, right: Usage, join: (left: number, right: number) => number): Usage {
  const input = join(left.input, right.input)
  const cached = join(left.cached, right.cached)
  const cacheWrite = join(left.cacheWrite ?? 0, right.cacheWrite ?? 0)
  const output = join(left.output, right.output)
  const reasoning = join(left.reasoning, right.reasoning)
  const total = input + output
  return cacheWrite === 0
    ? { input, cached, output, reasoning, total }
    : { input, cached, cacheWrite, output, reasoning, total }
}
