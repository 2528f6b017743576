/** Copied history of a fork whose origin is at hand: one line, and no pages. */

import type { PagePlan, ScanFacts } from '../transcript/summary.ts'

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
