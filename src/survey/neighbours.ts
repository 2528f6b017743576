/** Links between threads: parents, forks, sub-agents (rollout-format 1.4). */

import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type { AgentSource } from '../rollout/discover/rollout.ts'
import type { ScanFacts, ScannedThread } from '../transcript/summary.ts'
import type { NamedThread, Neighbours, PageAnchor, ThreadLink } from '../transcript/view.ts'
import { defined } from '../util/own.ts'
import { edges } from './family.ts'
import { findAgentCalls } from './handovers.ts'

/** Links of threads by id; none for ids that no file holds. */
export function threadLinks(scanned: readonly ScannedThread[]): Map<string, ThreadLink> {
  return new Map(scanned.map(({ thread, facts }) => [thread.id, { title: facts.title, built: true }]))
}

/** The neighbours of every thread, by thread id, and a diagnostic for each parent that no file holds. */
export function findNeighbours(
  scanned: readonly ScannedThread[],
  known: ReadonlySet<string>,
): { neighbours: Map<string, Neighbours>; diagnostics: Diagnostic[] } {
  const byId = new Map(scanned.map((item) => [item.thread.id, item]))
  const neighbours = new Map<string, Neighbours>(scanned.map(({ thread }) => [thread.id, { forks: [], agents: [] }]))
  const diagnostics: Diagnostic[] = []
  const calls = findAgentCalls(scanned)
  const unselected = (id: string): Pick<NamedThread, 'unselected'> =>
    known.has(id) && !byId.has(id) ? { unselected: true } : {}
  for (const { thread, facts } of scanned) {
    const { parentId, forkedFromId } = edges(thread, facts)
    const own = neighbours.get(thread.id)
    if (own === undefined) continue
    const call = calls.get(thread.id)
    if (parentId !== undefined) {
      own.parent = { ...named(parentId, byId.get(parentId), call), ...unselected(parentId) }
      Object.assign(own, ancestorsOf(thread.id, parentId, byId))
      const role = agentWord(thread.segments[0]?.head.agent)
      const child = { threadId: thread.id, title: facts.title, ...defined({ role, callId: call?.callId }) }
      neighbours.get(parentId)?.agents.push(child)
    }
    if (forkedFromId !== undefined && forkedFromId !== parentId) {
      const origin = byId.get(forkedFromId)
      own.forkedFrom = { ...named(forkedFromId, origin, basePlace(facts, origin)), ...unselected(forkedFromId) }
      neighbours.get(forkedFromId)?.forks.push({ threadId: thread.id, title: facts.title })
    }
    const missing = [...new Set([parentId, forkedFromId])].filter((id) => id !== undefined && !known.has(id))
    const file = thread.segments[0]?.file.name
    for (const id of missing) diagnostics.push(diagnostic('missing-parent', defined({ file }), `Its id is \`${id}\`.`))
    if (missing.length === 0 && facts.base !== undefined && facts.base.turns === undefined) {
      diagnostics.push(diagnostic('missing-parent', defined({ file }), 'A file of its older history was not found.'))
    }
  }
  return { neighbours, diagnostics }
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

/** What kind of thread it is, for lists: `review`, `sub-agent`, a role, the name of a worker; nothing for ordinary ones. */
export function agentWord(agent: AgentSource | undefined): string | undefined {
  if (agent === undefined) return undefined
  if (agent.kind === 'review') return 'review'
  if (agent.kind === 'compact') return 'compaction'
  if (agent.kind === 'spawn') return agent.role === undefined || agent.role === 'default' ? 'sub-agent' : agent.role
  // `agent_job:<id>` names a job of its own each time.
  return agent.name?.split(':')[0]?.replaceAll('_', ' ') ?? 'worker'
}
