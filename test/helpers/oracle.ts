/**
 * Compares Codex's own reading of threads with ours: messages in order, file changes, MCP calls. Each difference is
 * explained by a row of the description of the format (rollout-format 12); if none explains it, one side is wrong.
 */
import type { Message, Patch, Session, ToolCall, TrastNode } from '../../src/transcript/trast.ts'

/** The parts of Codex's answer that matter here. */
export interface OracleThread {
  id: string
  historyMode: string
  turns: { items: OracleItem[] }[]
}
interface OracleItem {
  type: string
  status?: string
  text?: string
  content?: { type: string; text?: string }[]
  changes?: { path: string; kind: { type: string; move_path?: string | null } }[]
  server?: string
  tool?: string
}

/** The answers for a home. */
export interface OracleAnswers {
  /** Version of the Codex that read it. */
  codex: string
  threads: OracleThread[]
  failed: { id: string; error: string }[]
}

export const subjects = ['messages', 'file changes', 'MCP calls'] as const
type Subject = (typeof subjects)[number]

/** Something that only one side has. */
export interface Difference {
  thread: string
  subject: Subject
  side: 'ours' | 'codex'
  /** What it is: role and text, operations and paths, server and tool. */
  what: string
  why?: Reason
}

/**
 * Why two readings differ: `ours` and `codex` say whose reading is better, `equal` that both say the same in two
 * ways.
 */
interface Reason {
  row: number
  better: 'ours' | 'codex' | 'equal'
  because: string
}

/** Both readings of a thread, compared. */
export interface Comparison {
  counts: Record<Subject, { ours: number; codex: number }>
  differences: Difference[]
}

/** Something that one side lists; `why` explains it if the other side does not. */
interface Entry {
  what: string
  why?: Reason | undefined
}

type Side = Record<Subject, Entry[]>

/** Compares a thread. */
export function compareThread(answer: OracleThread, session: Session): Comparison {
  const theirs = codexSide(answer)
  const ours = ourSide(session, {
    legacy: answer.historyMode === 'legacy',
    hidden: theirs.messages.length === 0 && isDelegate(session),
  })
  const comparison: Comparison = { counts: {} as Comparison['counts'], differences: [] } // filled by the loop
  for (const subject of subjects) {
    comparison.counts[subject] = { ours: ours[subject].length, codex: theirs[subject].length }
    const alone = unmatched(ours[subject], theirs[subject], subject === 'messages')
    if (subject === 'messages') explainReviews(alone.codex, session)
    for (const side of ['ours', 'codex'] as const) {
      for (const { what, why } of alone[side])
        comparison.differences.push({ thread: answer.id, subject, side, what, ...(why === undefined ? {} : { why }) })
    }
  }
  return comparison
}

const reasons = {
  eventless: { row: 1, better: 'ours', because: 'Codex reads the events of legacy files only, and this has none' },
  notice: { row: 1, better: 'equal', because: 'we tell the end of a compaction by its marker' },
  base: {
    row: 3,
    better: 'equal',
    because: 'Codex does not list what a thread inherits by reference; we show it folded',
  },
  delegate: { row: 5, better: 'ours', because: 'Codex shows migrated sub-agents and reviews empty' },
  empty: { row: 6, better: 'equal', because: 'an empty text says nothing' },
  review: { row: 7, better: 'equal', because: 'we tell a review as one entry with its prompt and findings' },
  callOnly: {
    row: 9,
    better: 'ours',
    because: 'Codex shows what has an event or item; only its call reports this',
  },
  picture: { row: 13, better: 'equal', because: 'the picture of a look is part of that call' },
  rollback: { row: 19, better: 'equal', because: 'Codex does not list what was rolled back; we show it folded' },
} as const satisfies Record<string, Reason>

// Codex's side.

function codexSide(answer: OracleThread): Side {
  const side: Side = { messages: [], 'file changes': [], 'MCP calls': [] }
  for (const item of answer.turns.flatMap(({ items }) => items)) {
    const { type, status, server, tool } = item
    if (type === 'agentMessage' || type === 'userMessage') side.messages.push(codexMessage(item))
    else if (type === 'fileChange') side['file changes'].push({ what: `${status} ${codexChanges(item)}` })
    else if (type === 'mcpToolCall') side['MCP calls'].push({ what: `${status} ${server}/${tool}` })
  }
  return side
}

function codexMessage(item: OracleItem): Entry {
  const role = item.type === 'agentMessage' ? 'assistant' : 'user'
  const parts = (item.content ?? []).filter(({ type }) => type === 'text').map(({ text }) => text ?? '')
  const text = tidy(role === 'assistant' ? (item.text ?? '') : parts.join('\n'))
  const what = `${role} ${text}`
  if (text === '') return { what, why: role === 'user' ? reasons.picture : reasons.empty }
  return text === 'Compact task completed' ? { what, why: reasons.notice } : { what }
}

/** Explains messages of reviews: at most two copies of the prompt and one of the result for each. */
function explainReviews(alone: readonly Entry[], session: Session): void {
  const reviews = nodesOf(session).filter((node) => node.type === 'notice' && node.kind === 'review')
  const prompts = new Set(
    reviews.flatMap(childrenOf).map((node) => ('value' in node ? `user ${tidy(node.value)}` : '')),
  )
  const left = { user: 2 * reviews.length, assistant: reviews.length }
  for (const entry of alone) {
    if (entry.why !== undefined) continue
    const role = entry.what.startsWith('assistant ') ? 'assistant' : 'user'
    const isPrompt = entry.what.startsWith('user Review the ') || prompts.has(entry.what)
    if (left[role] === 0 || (role === 'user' && !isPrompt)) continue
    left[role]--
    entry.why = reasons.review
  }
}

function codexChanges({ changes = [] }: OracleItem): string {
  return changes
    .map(({ path, kind }) => change(kind.type, path, kind.move_path ?? undefined))
    .sort()
    .join(', ')
}

function change(operation: string, path: string, movedTo: string | undefined): string {
  return movedTo === undefined ? `${operation} ${path}` : `move ${path} to ${movedTo}`
}

// Our side.

interface ThreadKind {
  legacy: boolean
  /** Whether Codex shows nothing of the thread. */
  hidden: boolean
}

function ourSide(session: Session, kind: ThreadKind): Side {
  const side: Side = { messages: [], 'file changes': [], 'MCP calls': [] }
  const last = session.lineage.segments.length - 1
  let interrupted = false
  let previous: Message | undefined
  const visit = (node: TrastNode, around: Reason | undefined): void => {
    const why = around ?? reasonOf(node, kind, last)
    if (node.type === 'turn') interrupted = node.status === 'interrupted'
    if (node.type === 'message') {
      side.messages.push(...messageEntries(node, { why, interrupted, previous }))
      previous = node
    }
    if (node.type === 'patch') side['file changes'].push(...patchEntries(node, why))
    if (node.type === 'toolCall' && node.family === 'mcp') side['MCP calls'].push(mcpEntry(node, why))
    for (const child of childrenOf(node)) visit(child, why)
  }
  visit(session, kind.hidden ? reasons.delegate : undefined)
  return side
}

/** Why Codex may leave out a node and everything below it. */
function reasonOf(node: TrastNode, { legacy }: ThreadKind, last: number): Reason | undefined {
  if (node.type === 'session' || node.type === 'preamble' || node.type === 'turn') return undefined
  if (node.type === 'group' && node.kind === 'rolledBack') return reasons.rollback
  if (node.type === 'group' && node.kind === 'inherited') return legacy ? undefined : reasons.base
  const [first] = node.data?.sources ?? []
  return first !== undefined && (first.file ?? 0) < last ? reasons.base : undefined
}

interface MessageSurroundings {
  why: Reason | undefined
  interrupted: boolean
  /** The message before it. */
  previous: Message | undefined
}

function messageEntries(node: Message, { why, interrupted, previous }: MessageSurroundings): Entry[] {
  const { role, origin, steering } = node
  if ((role !== 'user' && role !== 'assistant') || (origin !== 'typed' && origin !== 'generated')) return []
  const text = tidy(origin === 'typed' ? wholePrompt(node, previous) : textOf(node))
  if (text === '') return []
  // Its event never came or came too late; any other message without an event would be injected text that we take for
  // typed.
  const mayLack = role === 'user' && (steering === true || interrupted)
  const eventless = mayLack && kindsOf(node).every((kind) => kind === 'response_item/message')
  return [{ what: `${role} ${text}`, why: why ?? (eventless ? reasons.eventless : undefined) }]
}

/** A prompt with what we separate from it: words that an editor put before it, a transcript that it is taken from. */
function wholePrompt(node: Message, previous: Message | undefined): string {
  if (previous?.label === 'Reviewed transcript' || previous?.label === 'Voice transcript') return textOf(previous)
  return (previous?.label === 'IDE context' ? textOf(previous) : '') + textOf(node)
}

function textOf({ children }: Message): string {
  return children.map((child) => ('value' in child ? child.value : '')).join('\n')
}

function patchEntries(node: Patch, why: Reason | undefined): Entry[] {
  const changes = node.children.flatMap((child) =>
    child.type === 'fileChange' ? [change(child.operation, child.path, child.movedTo)] : [],
  )
  const recorded = kindsOf(node).some((kind) => /patch_apply_end|FileChange$/.test(kind))
  return [
    { what: `${node.status} ${changes.sort().join(', ')}`, why: why ?? (recorded ? undefined : reasons.callOnly) },
  ]
}

function mcpEntry(node: ToolCall, why: Reason | undefined): Entry {
  const recorded = kindsOf(node).some((kind) => /mcp_tool_call_end|McpToolCall$/.test(kind))
  return { what: `${node.status} ${node.server}/${node.tool}`, why: why ?? (recorded ? undefined : reasons.callOnly) }
}

function isDelegate({ client, lineage }: Session): boolean {
  return lineage.parentId !== undefined || /subagent|review/i.test(client.source ?? '')
}

function kindsOf(node: TrastNode): string[] {
  return (node.data?.sources ?? []).map(({ kind }) => kind)
}

function nodesOf(node: TrastNode): TrastNode[] {
  return [node, ...childrenOf(node).flatMap(nodesOf)]
}

function childrenOf(node: TrastNode): readonly TrastNode[] {
  return 'children' in node ? node.children : []
}

function tidy(text: string): string {
  return text.replace(/\r\n/g, '\n').trim()
}

// Entries without a counterpart.

/** What only one side has; ordered lists are aligned, others are matched item by item. */
function unmatched(
  ours: readonly Entry[],
  codex: readonly Entry[],
  ordered: boolean,
): Record<'ours' | 'codex', Entry[]> {
  const pairs = ordered ? aligned(ours, codex) : matched(ours, codex)
  return {
    ours: ours.filter((_, index) => !pairs.some(([left]) => left === index)),
    codex: codex.filter((_, index) => !pairs.some(([, right]) => right === index)),
  }
}

function matched(ours: readonly Entry[], codex: readonly Entry[]): [number, number][] {
  const free = new Set(codex.keys())
  return ours.flatMap(({ what }, left): [number, number][] => {
    const right = [...free].find((index) => codex[index]?.what === what)
    if (right === undefined) return []
    free.delete(right)
    return [[left, right]]
  })
}

/** A longest common subsequence; among equal ones the one that leaves over what can be explained. */
function aligned(ours: readonly Entry[], codex: readonly Entry[]): [number, number][] {
  const costs = minCosts(ours, codex)
  const pairs: [number, number][] = []
  let [left, right] = [0, 0]
  while (left < ours.length && right < codex.length) {
    if (isSame(ours[left], codex[right]) && costs(left, right) === costs(left + 1, right + 1))
      pairs.push([left++, right++])
    else if (costs(left, right) === costs(left + 1, right) + cost(ours[left])) left++
    else right++
  }
  return pairs
}

type Costs = (left: number, right: number) => number

/** The cost of leaving over everything after two positions, for all pairs of positions. */
function minCosts(ours: readonly Entry[], codex: readonly Entry[]): Costs {
  const width = codex.length + 1
  const table = new Array<number>((ours.length + 1) * width).fill(0)
  const at: Costs = (left, right) => table[left * width + right] ?? 0
  for (let left = ours.length; left >= 0; left--) {
    for (let right = codex.length; right >= 0; right--) {
      const costs = [
        ...(left < ours.length ? [at(left + 1, right) + cost(ours[left])] : []),
        ...(right < codex.length ? [at(left, right + 1) + cost(codex[right])] : []),
        ...(isSame(ours[left], codex[right]) ? [at(left + 1, right + 1)] : []),
      ]
      table[left * width + right] = costs.length === 0 ? 0 : Math.min(...costs)
    }
  }
  return at
}

function cost(entry: Entry | undefined): number {
  return entry?.why === undefined ? 1000 : 1
}

function isSame(left: Entry | undefined, right: Entry | undefined): boolean {
  return left !== undefined && left.what === right?.what
}
