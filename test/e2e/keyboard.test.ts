/** Every control can be reached by Tab alone, in page order, and the focus is visible. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { useDemoServer } from './demo.ts'
import { pageTypes } from './page-types.ts'

/** Everything that can be operated: links, buttons, fields, folds. */
const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'

/** Collects the visible controls in page order; returns their number. */
const collect = `
  window.controls = [...document.querySelectorAll('${controls}')]
    .filter((node) => !node.disabled && node.tabIndex >= 0)
    .filter((node) => node.checkVisibility({ contentVisibilityAuto: false, visibilityProperty: true }))
    // Of a group of radio buttons, Tab reaches one.
    .filter((node) => node.type !== 'radio' || node.checked)
  window.last = window.controls[0]
  // Where a field has the focus from the start: begin at the top all the same.
  window.last.focus()
  window.controls.length`

/** The focused element: its number among the controls or -1, and its faults. */
const focused = `(() => {
  const node = document.activeElement
  const faults = []
  // The ring may be drawn by what stands in the control or by what is around it.
  const drawn = [node, ...node.querySelectorAll('rect, span'), node.parentElement]
  const styles = drawn.map((part) => getComputedStyle(part))
  const seen = styles.some(({ outlineStyle, outlineWidth, boxShadow, stroke }) => {
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none' || stroke !== 'none'
  })
  const scrolls = node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight
  // A part that is clipped to nothing shows none.
  for (let part = node; part; part = part.parentElement)
    if (getComputedStyle(part).clipPath === 'inset(50%)') faults.push('the focus is hidden with')
  if (!seen) faults.push('no focus is seen on')
  // What scrolls inside itself is a stop of its own.
  if (!node.matches('${controls}') && !scrolls) faults.push('Tab stops at what is no control:')
  if (!(window.last.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING)) faults.push('Tab goes back to')
  window.last = node
  return { index: window.controls.indexOf(node), faults, tag: node.outerHTML.slice(0, 160) }
})()`

interface Focus {
  index: number
  faults: string[]
  tag: string
}

/** Presses Tab until every control was reached; returns the faults on the way. */
async function walk(page: Page): Promise<{ count: number; faults: string[] }> {
  const count = await page.evaluate<number>(collect)
  const faults: string[] = []
  let next = 1
  for (let steps = 0; next < count && steps < count * 3; steps++) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate<Focus>(focused)
    faults.push(...focus.faults.map((fault) => `${fault} ${focus.tag}`))
    // Buttons that only appear at the focus are not among the controls.
    if (focus.index === -1) continue
    if (focus.index !== next) faults.push(`expected control ${next}, found ${focus.index}: ${focus.tag}`)
    next = focus.index + 1
  }
  if (next < count) faults.push(`Tab ended at control ${next} of ${count}`)
  return { count, faults }
}

const walked = /^(?:the index|the list of projects|a session with (?:a picture|coloured)|a session that|a review)/

describeInBrowser('the Tab key', (open) => {
  const address = useDemoServer()
  const types = pageTypes.filter(({ name, prepare }) => walked.test(name) && prepare === undefined)

  it.each(types)('reaches every control in order, with visible focus: $name', async ({ path }) => {
    const { page } = await open(address(path()))
    const { count, faults } = await walk(page)
    expect(count).toBeGreaterThan(5)
    expect(faults).toEqual([])
  })

  it('can skip the header with the first control of a page', async () => {
    const { page } = await open(address('index.html'))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).hash).not.toBe('')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
  })
})
