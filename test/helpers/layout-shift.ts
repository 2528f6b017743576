/** Measures how much a page shifts, as browsers count it. */
import type { Page } from 'playwright-core'

/** Runs before the page's own scripts: records every shift that no input of the reader caused. */
export const watchShifts = `
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue
      const nodes = entry.sources.map(({ node }) => (node?.outerHTML ?? '').slice(0, 120))
      window.shifts.push({ value: entry.value, nodes })
    }
  }).observe({ type: 'layout-shift', buffered: true })
`

/** A shift: its score (share of the window times distance), and the elements that moved. */
export interface Shift {
  value: number
  nodes: string[]
}

/** The shifts until the page is stable: loaded, and two idle moments later. */
export function shiftsOf(page: Page): Promise<Shift[]> {
  return page.evaluate<Shift[]>(`new Promise((resolve) => {
    const rest = () => requestAnimationFrame(() => requestIdleCallback(() => resolve(window.shifts)))
    requestAnimationFrame(() => requestIdleCallback(rest))
  })`)
}
