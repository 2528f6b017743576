/** Every control can be reached by Tab alone, in the order in which it stands there, and one sees where one is. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { useDemoServer } from './demo.ts'
import { pageTypes } from './page-types.ts'

/** Collects what can be operated, in the order of the page: links, buttons, fields, folds that are not hidden. */
const collect = `
  window.controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((node) => !node.disabled && node.tabIndex >= 0)
    .filter((node) => node.checkVisibility({ contentVisibilityAuto: false, visibilityProperty: true }))
    // Of a group of radio buttons, Tab reaches one.
    .filter((node) => node.type !== 'radio' || node.checked)
  window.controls.length`

/** Number of the focused control, or -1, and whether it is seen to have the focus. */
const focused = `(() => {
  const node = document.activeElement
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(node)
  const seen = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  const scrolls = node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight
  return { index: window.controls.indexOf(node), seen, scrolls, tag: node.outerHTML.slice(0, 160) }
})()`

interface Focus {
  index: number
  seen: boolean
  scrolls: boolean
  tag: string
}

/** Presses Tab until every control had its turn; gives what was wrong on the way. */
async function walk(page: Page): Promise<{ controls: number; faults: string[] }> {
  const controls = await page.evaluate<number>(collect)
  const faults: string[] = []
  await page.evaluate('window.controls[0].focus()')
  let next = 1
  for (let steps = 0; next < controls && steps < controls * 2; steps++) {
    await page.keyboard.press('Tab')
    const { index, seen, scrolls, tag } = await page.evaluate<Focus>(focused)
    if (!seen) faults.push(`no focus is seen on ${tag}`)
    // What scrolls inside itself is a stop of its own.
    if (index === -1 && !scrolls) faults.push(`Tab stops at what is no control: ${tag}`)
    if (index === -1) continue
    if (index !== next) faults.push(`expected control ${next}, found ${index}: ${tag}`)
    next = index + 1
  }
  if (next < controls) faults.push(`Tab ended at control ${next} of ${controls}`)
  return { controls, faults }
}

const walked = /^(?:the index|the list of projects|a session with (?:a picture|coloured)|a session that|a review)/

describeInBrowser('the Tab key', (open) => {
  const address = useDemoServer()
  const types = pageTypes.filter(({ name, prepare }) => walked.test(name) && prepare === undefined)

  it.each(types)('reaches every control in order, and the focus is seen: $name', async ({ path }) => {
    const { page } = await open(address(path()))
    const { controls, faults } = await walk(page)
    expect(controls).toBeGreaterThan(5)
    expect(faults).toEqual([])
  })

  it('is led past the header by the first control of a page', async () => {
    const { page } = await open(address('index.html'))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).hash).not.toBe('')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
  })
})
