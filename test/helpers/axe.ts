/** Asks axe-core for what keeps people out of a page. */
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** A line for each fault of each element: rule, weight, element, what to do. Empty is good. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // The debugger evaluates, not the page: its policy forbids foreign scripts and stays as it is.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => {
      const advice = failureSummary?.split('\n').slice(1).join(' ').replace(/\s+/g, ' ').trim()
      return `${id} (${impact}): ${target.join(' ')}: ${advice}`
    }),
  )
}
