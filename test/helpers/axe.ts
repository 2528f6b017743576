/** Asks axe-core for what keeps people out of a page. */
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** The rules of axe-core's category `cat.color` that it asks by default. */
const colourRules = ['color-contrast', 'link-in-text-block'] as const

/**
 * A line for each fault of each element: rule, weight, element, what to do. Empty is good. `colours` asks only for what
 * another colour scheme can change.
 */
export async function accessibilityFaults(page: Page, { colours = false } = {}): Promise<string[]> {
  // The debugger evaluates, not the page: its policy forbids foreign scripts and stays as it is.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  const options: RunOptions = {
    resultTypes: ['violations'],
    // Off by itself: its measure is one of WCAG 2.2.
    rules: { 'target-size': { enabled: true } },
    ...(colours && { runOnly: [...colourRules] }),
  }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => {
      const advice = failureSummary?.split('\n').slice(1).join(' ').replace(/\s+/g, ' ').trim()
      return `${id} (${impact}): ${target.join(' ')}: ${advice}`
    }),
  )
}
