/** What a thread's place among others means for its tree (rollout-format 1.4). */

import type { Thread } from '../rollout/discover/rollout.ts'
import type { BaseHistory, SliceData } from '../transcript/slice.ts'
import type { PagePlan, ScanFacts } from '../transcript/summary.ts'
import type { NamedThread, Neighbours } from '../transcript/view.ts'
import { defined } from '../util/own.ts'
import type { ThreadIndex } from './lineage.ts'

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
