/** Looks at a page as people see it who want no motion. */
import type { Page } from 'playwright-core'

/** Declarations of the style sheets in force that move something for longer than 0.01 s; the page must be asked for no motion. */
export async function motionFaults(page: Page): Promise<string[]> {
  return await page.evaluate(`(() => {
    const found = []
    const look = (rules) => {
      for (const rule of rules) {
        if (rule instanceof CSSMediaRule && !matchMedia(rule.media.mediaText).matches) continue
        if (rule.cssRules) look(rule.cssRules)
        const { transitionDuration = '', animationDuration = '', scrollBehavior } = rule.style ?? {}
        const longest = Math.max(0, ...[transitionDuration, animationDuration].flatMap((text) =>
          text.split(',').map((part) => (Number.parseFloat(part) || 0) / (part.trim().endsWith('ms') ? 1000 : 1))))
        if (longest > 0.01 || scrollBehavior === 'smooth') found.push(rule.cssText)
      }
    }
    for (const sheet of document.styleSheets) look(sheet.cssRules)
    return found
  })()`)
}
