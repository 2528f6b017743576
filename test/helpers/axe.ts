/** Asks axe-core which barriers a page has. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** The same program as the package's own `source` at half its length, which each page has to parse. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules of axe-core's category `cat.color` that are on by default. */
const colourRules = ['color-contrast', 'link-in-text-block'] as const

/**
 * A line for each fault of each element: rule, impact, element, what to do. An empty list is good. `colours` checks
 * only what another colour scheme can change.
 */
export async function accessibilityFaults(page: Page, { colours = false } = {}): Promise<string[]> {
  // Evaluated by the debugger, not by the page: the page's policy forbids foreign scripts and is not changed.
  if (!(await page.evaluate<boolean>('"axe" in window'))) {
    const session = await page.context().newCDPSession(page)
    // Playwright's own call takes longer over a text of this length.
    await session.send('Runtime.evaluate', { expression: source })
    await session.detach()
  }
  const options: RunOptions = {
    resultTypes: ['violations'],
    // Off by default, because it checks a criterion of WCAG 2.2.
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
