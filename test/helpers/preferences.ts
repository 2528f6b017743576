/** Checks a page as seen by people who want no motion, or who set all colours themselves. */
import type { ElementHandle, Page } from 'playwright-core'

/**
 * Declarations of the active style sheets that move something for longer than 0.01 s; the page must be emulated with
 * reduced motion.
 */
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

/** Selects what is current, chosen or pressed. */
const states = '[aria-current], [aria-selected="true"], [aria-pressed="true"], [data-chosen], :checked:not(option)'
const takeOut = `(element) => {
  const { checked } = element
  const held = ['aria-current', 'aria-selected', 'aria-pressed', 'data-chosen'].filter((name) => element.hasAttribute(name))
  const values = held.map((name) => [name, element.getAttribute(name)])
  element.checked = false
  for (const name of held) element.removeAttribute(name)
  globalThis.putBack = () => {
    element.checked = checked
    for (const [name, value] of values) element.setAttribute(name, value)
  }
}`

/**
 * Elements that look the same without their state if all colours are the reader's. It leaves the page wide and with
 * forced colours.
 */
export async function forcedColourFaults(page: Page): Promise<string[]> {
  // On a narrow screen some are covered by a bar.
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
  const all = await page.evaluate<number>(`(globalThis.stated = [...document.querySelectorAll('${states}')]).length`)
  const faults: string[] = []
  for (let at = 0; at < all; at++) {
    // The state of a box may be shown by its label, and an outline is outside the element that it marks.
    const around = await page.evaluateHandle(`stated[${at}].closest('label, ul, ol, nav, div')`)
    const element = around.asElement() as ElementHandle | null
    if (element === null || !(await element.isVisible())) continue
    const before = await look(element)
    await page.evaluate(`(${takeOut})(stated[${at}])`)
    const isSame = before.equals(await look(element))
    await page.evaluate('putBack()')
    const tag = await page.evaluate(`stated[${at}].cloneNode().outerHTML`)
    if (isSame) faults.push(`current or chosen by colour alone: ${tag}`)
  }
  return faults
}

function look(element: ElementHandle): Promise<Buffer> {
  return element.screenshot({ animations: 'disabled', caret: 'hide' })
}
