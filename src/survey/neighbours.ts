/** Links between threads: parents, forks, sub-agents (rollout-format 1.4). */

import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { firstFile, type Thread } from '../rollout/discover/rollout.ts'
import type { BaseHistory, SliceData } from '../transcript/slice.ts'
import type { AgentCall, ScanFacts, ScannedThread } from '../transcript/summary.ts'
import type { PageAnchor } from '../transcript/urls.ts'
import { append } from '../util/groups.ts'
import { defined } from '../util/own.ts'
import { agentName, agentWord } from './agents.ts'
import type { ThreadIndex } from './lineage.ts'

/** A thread that other pages may link to. */
export interface ThreadLink {
  title: string
  /** Whether the thread has a page in this site. */
  built: boolean
}

/** The links of one thread to others. */
export interface Neighbours {
  /** The thread that started this one; its place is the call that did. */
  parent?: NamedThread
  /** The thread that started the parent, and so on upwards, nearest first; at most three. */
  above?: NamedThread[]
  /** The thread whose history this one continues; its place is the last inherited turn. */
  forkedFrom?: NamedThread
  forks: { threadId: string; title: string }[]
  /** Threads that this one started; `callId` is that of the call, if a call is known. */
  agents: { threadId: string; title: string; role?: string; callId?: string }[]
}

/** A thread as another one refers to it. */
export interface NamedThread {
  threadId: string
  title?: string
  built: boolean
  /** Its files were found, but it is not in the output. */
  unselected?: true
  place?: PageAnchor
}

/** Links to threads by id; ids without a file have none. */
export function threadLinks(scanned: readonly ScannedThread[]): Map<string, ThreadLink> {
  return new Map(scanned.map(({ thread, facts }) => [thread.id, { title: facts.title, built: true }]))
}

/** The neighbours of every thread that has any, by thread id, and a diagnostic for each parent that no file contains. */
export function findNeighbours(
  scanned: readonly ScannedThread[],
  knownIds: ReadonlySet<string>,
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
    knownIds.has(id) && !byId.has(id) ? { unselected: true } : {}
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
      own.forkedFrom = { ...named(forkedFromId, origin, baseAnchor(facts, origin)), ...unselected(forkedFromId) }
      if (origin !== undefined) ownOf(forkedFromId).forks.push({ threadId: thread.id, title: facts.title })
    }
    append(diagnostics, missingParents({ thread, facts }, knownIds))
  }
  return { neighbours, diagnostics }
}

/** A diagnostic for each parent of a thread that no file contains; if there is none, one for a missing file of its history. */
function missingParents({ thread, facts }: ScannedThread, knownIds: ReadonlySet<string>): Diagnostic[] {
  const { parentId, forkedFromId } = edges(thread, facts)
  const missing = [...new Set([parentId, forkedFromId])].filter((id) => id !== undefined && !knownIds.has(id))
  const file = firstFile(thread)
  if (missing.length === 0 && facts.base !== undefined && facts.base.turns === undefined)
    return [diagnostic('missing-parent', file, 'A file of its older history was not found.')]
  return missing.map((id) => diagnostic('missing-parent', file, `Its id is \`${id}\`.`))
}

/** How many threads above a parent a page names. */
const maxAbove = 3

/** The threads above a thread's parent, nearest first; nothing if nobody started the parent. */
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
function baseAnchor({ base }: ScanFacts, origin: ScannedThread | undefined): PageAnchor | undefined {
  return origin?.facts.outline.find(({ anchor }) => anchor === base?.anchor)
}

// What a thread's relations mean for its tree (rollout-format 1.4).

/**
 * Parent and fork origin of a thread. Builds of 0.136 name the parent of every sub-agent as the origin of a fork, although
 * nothing was copied; forks of 2025 contain only the copied head of their origin.
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

/** The history before the first record. The number of turns is known only if every file of the history was found. */
export function baseOf({ base }: ScanFacts, neighbours: Neighbours | undefined): BaseHistory | undefined {
  if (base === undefined) return undefined
  const { threadId, turns } = base
  const title = (neighbours?.forkedFrom ?? neighbours?.parent)?.title
  return { threadId, missing: turns === undefined, ...defined({ title, turns }) }
}

/** What the slices of a thread need to know of its neighbours. */
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

/** Neighbours of a thread that is shown on its own: only whether the files of its ancestors are available. */
export function loneNeighbours(thread: Thread, facts: ScanFacts, { byId }: ThreadIndex): Neighbours {
  const { parentId, forkedFromId } = edges(thread, facts)
  const named = (threadId: string | undefined): NamedThread | undefined =>
    threadId === undefined ? undefined : { threadId, built: byId.has(threadId) }
  return { ...defined({ parent: named(parentId), forkedFrom: named(forkedFromId) }), forks: [], agents: [] }
}

// Which call started which sub-agent.

/** For each sub-agent, the call in the parent's records that started it, by the sub-agent's thread id. */
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

/** Only the sub-agent names its parent: the name of the task is the last part of the agent's path. */
const byName: Match = ({ threadId, name }, { thread }) =>
  threadId === undefined && name !== undefined && name === agentName(thread.segments[0]?.head.agent)

/** Reviews have no name: calls and threads are matched in order, calls as in the parent, threads by their start. */
const byOrder: Match = ({ kind, threadId }, { thread }) =>
  threadId === undefined && kind === 'review' && thread.segments[0]?.head.agent?.kind === 'review'
