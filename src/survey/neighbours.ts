/** Links between threads: parents, forks, sub-agents (rollout-format 1.4). */

import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { type AgentSource, firstFile, type Thread } from '../rollout/discover/rollout.ts'
import { asWords } from '../rollout/parse/decode.ts'
import type { Fact } from '../rollout/parse/facts.ts'
import { startedId } from '../rollout/parse/result.ts'
import type { BaseHistory, SliceData } from '../transcript/slice.ts'
import type { AgentCall, PagePlan, ScanFacts, ScannedThread } from '../transcript/summary.ts'
import type { PageAnchor } from '../transcript/urls.ts'
import { append } from '../util/groups.ts'
import { defined, ownValue } from '../util/own.ts'
import type { ThreadIndex } from './lineage.ts'

/** A thread that other pages may link to. */
export interface ThreadLink {
  title: string
  /** The thread has a page in this site. */
  built: boolean
}

/** Links around one thread. */
export interface Neighbours {
  /** Who started this thread; its place is the call that did. */
  parent?: NamedThread
  /** Who started the parent, and so on upwards, nearest first; at most three. */
  above?: NamedThread[]
  /** Whose history this thread goes on from; its place is the last inherited turn. */
  forkedFrom?: NamedThread
  forks: { threadId: string; title: string }[]
  /** Threads that this one started; `callId` is that of the call where one names it. */
  agents: { threadId: string; title: string; role?: string; callId?: string }[]
}

/** A thread that another one names. */
export interface NamedThread {
  threadId: string
  title?: string
  built: boolean
  /** Its files are at hand, but it is not in the output. */
  unselected?: true
  place?: PageAnchor
}

/** Links of threads by id; none for ids that no file holds. */
export function threadLinks(scanned: readonly ScannedThread[]): Map<string, ThreadLink> {
  return new Map(scanned.map(({ thread, facts }) => [thread.id, { title: facts.title, built: true }]))
}

/** The neighbours of every thread that has any, by thread id, and a diagnostic for each parent that no file holds. */
export function findNeighbours(
  scanned: readonly ScannedThread[],
  known: ReadonlySet<string>,
): { neighbours: Map<string, Neighbours>; diagnostics: Diagnostic[] } {
  const byId = new Map(scanned.map((item) => [item.thread.id, item]))
  const neighbours = new Map<string, Neighbours>()
  const ownOf = (id: string): Neighbours => {
    const own = neighbours.get(id) ?? { forks: [], agents: [] }
    neighbours.set(id, own)
    return own
  }
  const diagnostics: Diagnostic[] = []
  const calls = findAgentCalls(scanned)
  const unselected = (id: string): Pick<NamedThread, 'unselected'> =>
    known.has(id) && !byId.has(id) ? { unselected: true } : {}
  for (const { thread, facts } of scanned) {
    const { parentId, forkedFromId } = edges(thread, facts)
    const call = calls.get(thread.id)
    if (parentId !== undefined) {
      const own = ownOf(thread.id)
      own.parent = { ...named(parentId, byId.get(parentId), call), ...unselected(parentId) }
      Object.assign(own, ancestorsOf(thread.id, parentId, byId))
      const role = agentWord(thread.segments[0]?.head.agent)
      const child = { threadId: thread.id, title: facts.title, ...defined({ role, callId: call?.callId }) }
      if (byId.has(parentId)) ownOf(parentId).agents.push(child)
    }
    if (forkedFromId !== undefined && forkedFromId !== parentId) {
      const own = ownOf(thread.id)
      const origin = byId.get(forkedFromId)
      own.forkedFrom = { ...named(forkedFromId, origin, basePlace(facts, origin)), ...unselected(forkedFromId) }
      if (origin !== undefined) ownOf(forkedFromId).forks.push({ threadId: thread.id, title: facts.title })
    }
    append(diagnostics, missingParents({ thread, facts }, known))
  }
  return { neighbours, diagnostics }
}

/** A diagnostic for each parent of a thread that no file holds, else for a file of its history that was not found. */
function missingParents({ thread, facts }: ScannedThread, known: ReadonlySet<string>): Diagnostic[] {
  const { parentId, forkedFromId } = edges(thread, facts)
  const missing = [...new Set([parentId, forkedFromId])].filter((id) => id !== undefined && !known.has(id))
  const place = firstFile(thread)
  if (missing.length === 0 && facts.base !== undefined && facts.base.turns === undefined)
    return [diagnostic('missing-parent', place, 'A file of its older history was not found.')]
  return missing.map((id) => diagnostic('missing-parent', place, `Its id is \`${id}\`.`))
}

/** Threads above a parent that a page names. */
const maxAbove = 3

/** Who started a thread, and so on upwards, nearest first; nothing for a thread that nobody started. */
function ancestorsOf(
  threadId: string,
  parent: string,
  byId: ReadonlyMap<string, ScannedThread>,
): Pick<Neighbours, 'above'> {
  const above: NamedThread[] = []
  const seen = new Set([threadId, parent])
  for (let next = byId.get(parent); next !== undefined && above.length < maxAbove; ) {
    const { parentId } = edges(next.thread, next.facts)
    if (parentId === undefined || seen.has(parentId)) break
    seen.add(parentId)
    next = byId.get(parentId)
    above.push(named(parentId, next, undefined))
  }
  return above.length === 0 ? {} : { above }
}

function named(threadId: string, found: ScannedThread | undefined, at: PageAnchor | undefined): NamedThread {
  const pages = found === undefined || found.facts.pages.length < 2 ? undefined : found.facts.pages.length
  const place =
    at === undefined || found === undefined ? undefined : { page: at.page, anchor: at.anchor, ...defined({ pages }) }
  return { threadId, built: found !== undefined, ...defined({ title: found?.facts.title, place }) }
}

/** Where the origin of a history by reference shows the last inherited prompt. */
function basePlace({ base }: ScanFacts, origin: ScannedThread | undefined): PageAnchor | undefined {
  return origin?.facts.outline.find(({ anchor }) => anchor === base?.anchor)
}

// Words for threads that a machine started.

/** Threads that Codex starts for itself (rollout-format 1.4), as Codex or their work calls them. */
const machines: Readonly<Record<string, string>> = {
  guardian: 'Approval review',
  memory_consolidation: 'Memory consolidation',
}

/** What a thread is called that Codex starts for its own work; nothing for others. */
export function machineName(agent: AgentSource | undefined): string | undefined {
  return agent?.kind === 'other' ? ownValue(machines, agent.name ?? '') : undefined
}

/**
 * What kind of thread it is, for lists: `review`, `sub-agent`, a role, the name of a worker, `by Codex` where the title names the
 * work; nothing for ordinary ones.
 */
export function agentWord(agent: AgentSource | undefined): string | undefined {
  if (agent === undefined) return undefined
  if (agent.kind === 'review') return 'review'
  if (agent.kind === 'compact') return 'compaction'
  if (agent.kind === 'spawn') return agent.role === undefined || agent.role === 'default' ? 'sub-agent' : agent.role
  if (machineName(agent) !== undefined) return 'by Codex'
  // `agent_job:<id>` names a job of its own each time.
  return asWords(agent.name?.split(':')[0] ?? 'worker')
}

// What a thread's place among others means for its tree (rollout-format 1.4).

/**
 * Parent and fork origin of a thread. 0.136 names the parent of every sub-agent as a fork's origin, though nothing was
 * copied; forks of 2025 have only the copied head of their origin.
 */
export function edges({ id, segments }: Thread, facts: ScanFacts): { parentId?: string; forkedFromId?: string } {
  const head = segments[0]?.head
  const own = facts.inherited !== undefined || facts.base !== undefined
  const origin = head?.forkedFromId ?? facts.inherited?.threadId ?? facts.base?.threadId
  const delegated = head?.agent !== undefined && !own
  const parentId = head?.parentId ?? (delegated ? origin : undefined)
  const forkedFromId = origin === id || (delegated && origin === parentId) ? undefined : origin
  return defined({ parentId, forkedFromId })
}

/** The history before the first record. Turns are known only where every file of it was found. */
export function baseOf({ base }: ScanFacts, neighbours: Neighbours | undefined): BaseHistory | undefined {
  if (base === undefined) return undefined
  const { threadId, turns } = base
  const title = (neighbours?.forkedFrom ?? neighbours?.parent)?.title
  return { threadId, missing: turns === undefined, ...defined({ title, turns }) }
}

/** What the slices of a thread are told of its neighbours. */
export function familyData(
  facts: ScanFacts,
  neighbours: Neighbours | undefined,
): Pick<SliceData, 'parentMissing' | 'agents'> {
  if (neighbours === undefined) return {}
  const origin = neighbours.forkedFrom ?? neighbours.parent
  const agents = neighbours.agents.flatMap(({ callId, threadId }) =>
    callId === undefined ? [] : [[callId, threadId] as const],
  )
  return {
    ...(facts.inherited === undefined || origin?.built
      ? {}
      : { parentMissing: origin?.unselected ? 'unselected' : 'lost' }),
    ...(agents.length === 0 ? {} : { agents: new Map(agents) }),
  }
}

/** Neighbours of a thread that is shown alone: whether files of its ancestors are at hand, nothing else. */
export function loneNeighbours(thread: Thread, facts: ScanFacts, { byId }: ThreadIndex): Neighbours {
  const { parentId, forkedFromId } = edges(thread, facts)
  const named = (threadId: string | undefined): NamedThread | undefined =>
    threadId === undefined ? undefined : { threadId, built: byId.has(threadId) }
  return { ...defined({ parent: named(parentId), forkedFrom: named(forkedFromId) }), forks: [], agents: [] }
}

/** The slices of pages, those without a page of their own too, in order. */
export function slicePlans(pages: readonly PagePlan[]): PagePlan[] {
  return pages.flatMap((page) => [...(page.folded ?? []), page])
}

/**
 * Facts of a fork whose origin is at hand: copied history is one line, so slices of nothing else take no page, and the
 * fork opens where its own words begin.
 */
export function withFoldedCopies(facts: ScanFacts): ScanFacts {
  const { pages, inherited } = facts
  if (inherited === undefined) return facts
  // A slice ends where the next one begins.
  const own = pages.findIndex(({ ranges: [range] }) => range && (range.segment > 0 || range.firstLine > inherited.to))
  const count = (own < 0 ? pages.length : own) - 1
  const [first, ...others] = pages.slice(count)
  if (count <= 0 || first === undefined) return facts
  const moved = <T extends { page: number }>(item: T): T => ({ ...item, page: Math.max(1, item.page - count) })
  return {
    ...facts,
    pages: [{ ...first, folded: pages.slice(0, count) }, ...others].map((page, index) => ({
      ...page,
      number: index + 1,
    })),
    outline: facts.outline.map(moved),
    ...(facts.agents === undefined ? {} : { agents: facts.agents.map(moved) }),
  }
}

// Calls that hand work to other threads, and reviews (rollout-format 3.7, 4.1): as a scan meets them, and whom they started.

/** A call whose place on a page is not decided yet. */
export type Handover = Omit<AgentCall, 'page' | 'anchor' | 'turn'>

/** Takes facts in order. */
export interface AgentCalls {
  /** Takes a fact; gives the handover that begins with it. Later facts about the same call complete it. */
  take: (fact: Fact) => Handover | undefined
  /** Whether the output of a call may name the thread that it started. */
  awaits: (callId: string) => boolean
}

/** Tracks handovers from the first line on. */
export function agentCalls(): AgentCalls {
  const byCall = new Map<string, Handover>()
  return {
    take: (fact) => take(fact, byCall),
    awaits: (callId) => byCall.get(callId)?.threadId === undefined && byCall.has(callId),
  }
}

function take(fact: Fact, byCall: Map<string, Handover>): Handover | undefined {
  if (fact.kind === 'review') return fact.step === 'entered' ? { kind: 'review' } : undefined
  if (fact.kind === 'output') {
    complete(byCall.get(fact.callId ?? ''), { threadId: startedId(fact.outcome.body) })
    return undefined
  }
  if (fact.kind === 'result') {
    const { result } = fact
    if (result.type !== 'agent' || result.action !== 'spawn') return undefined
    complete(byCall.get(fact.callId ?? ''), { threadId: result.threadIds[0], name: result.name })
    return undefined
  }
  if (fact.kind !== 'call' || fact.action.type !== 'agent' || fact.action.action !== 'spawn') return undefined
  const call: Handover = { kind: 'spawn', ...defined({ callId: fact.callId, name: fact.action.name }) }
  if (fact.callId !== undefined) byCall.set(fact.callId, call)
  return call
}

function complete(
  call: Handover | undefined,
  reported: { threadId?: string | undefined; name?: string | undefined },
): void {
  if (call !== undefined) Object.assign(call, defined({ ...reported, ...defined({ threadId: call.threadId }) }))
}

// Which call started which sub-agent.

/** The call in the parent's records that started each sub-agent, by the sub-agent's thread id. */
function findAgentCalls(scanned: readonly ScannedThread[]): Map<string, AgentCall> {
  const byParent = new Map(scanned.map(({ thread, facts }) => [thread.id, [...(facts.agents ?? [])]]))
  const found = new Map<string, AgentCall>()
  const started = scanned.flatMap((child) => {
    const calls = byParent.get(edges(child.thread, child.facts).parentId ?? '')
    return calls === undefined ? [] : [{ child, calls }]
  })
  for (const find of [byThread, byName, byOrder]) {
    for (const { child, calls } of started) {
      if (found.has(child.thread.id)) continue
      const index = calls.findIndex((call) => find(call, child))
      const [call] = index < 0 ? [] : calls.splice(index, 1)
      if (call !== undefined) found.set(child.thread.id, call)
    }
  }
  return found
}

type Match = (call: AgentCall, child: ScannedThread) => boolean

/** The records of the call name the thread. */
const byThread: Match = ({ threadId }, { thread }) => threadId === thread.id

/** Only the thread names its parent: the task's name is the last part of the agent's path. */
const byName: Match = ({ threadId, name }, { thread }) =>
  threadId === undefined && name !== undefined && name === agentName(thread.segments[0]?.head.agent)

/** Reviews have no name: they are in the parent's order, as the threads are by their start. */
const byOrder: Match = ({ kind, threadId }, { thread }) =>
  threadId === undefined && kind === 'review' && thread.segments[0]?.head.agent?.kind === 'review'

/** Name of an agent: the last part of its path, else its nickname. */
export function agentName(agent: AgentSource | undefined): string | undefined {
  return agent?.path?.split('/').findLast((part) => part !== '') ?? (agent?.kind === 'spawn' ? agent.name : undefined)
}
