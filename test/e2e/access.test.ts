/**
 * Every page type is accessible: axe-core finds nothing and fields have visible borders, wide and narrow, light and dark;
 * nothing moves for readers who want reduced motion, and what is current or chosen is visible with forced colours.
 */
import { expect, it } from 'vitest'
import { accessibilityFaults } from '../helpers/axe.ts'
import { describeInBrowser } from '../helpers/browser.ts'
import { fieldFaults } from '../helpers/fields.ts'
import { forcedColourFaults, motionFaults } from '../helpers/preferences.ts'
import { useDemoServer } from './demo.ts'
import { pageTypes } from './page-types.ts'

/** The two widths and two schemes in which each type is checked; the dark one differs only by its colours. */
const views = [
  { width: 1280, scheme: 'light', colours: false },
  { width: 1280, scheme: 'dark', colours: true },
  { width: 390, scheme: 'light', colours: false },
  { width: 390, scheme: 'dark', colours: true },
] as const

describeInBrowser('axe-core', (open) => {
  const address = useDemoServer()

  it.each(pageTypes)('finds no fault: $name', async ({ path, prepare }) => {
    const { page } = await open(address(path()))
    await prepare?.(page)
    const faults: string[] = []
    for (const { width, scheme, colours } of views) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: scheme })
      const found = [...(await accessibilityFaults(page, { colours })), ...(await fieldFaults(page))]
      faults.push(...found.map((fault) => `${width} px, ${scheme}: ${fault}`))
    }
    faults.push(...(await motionFaults(page)), ...(await forcedColourFaults(page)))
    expect(faults).toEqual([])
  })

  it('finds existing faults', async () => {
    const { page } = await open(address('404.html'))
    await page.evaluate('document.querySelector("h1").insertAdjacentHTML("afterend", "<img src=\'favicon.svg\'>")')
    const faults = await accessibilityFaults(page)
    expect(faults).toEqual([expect.stringMatching(/^image-alt \(critical\): img: .*alt attribute/)])
    expect(await motionFaults(page)).toEqual([])
    expect(await fieldFaults(page)).toEqual([])
    await page.evaluate(`
      document.querySelector('h1').insertAdjacentHTML('afterend', '<input aria-label="Name">')
      document.querySelector('h1 + input').style.border = '1px solid silver'
    `)
    expect(await fieldFaults(page)).toEqual([expect.stringMatching(/^border with a contrast of 1\.\d+: <input /)])
    await page.evaluate(`
      for (const rule of ['p { transition: opacity 20ms }', 'h1 { animation: none 2s }']) document.styleSheets[0].insertRule(rule)
    `)
    expect(await motionFaults(page)).toHaveLength(2)
    await page.evaluate(`
      document.querySelector('h1').insertAdjacentHTML('afterend', '<div>One <i aria-current="page">two</i></div>')
      document.styleSheets[0].insertRule('i[aria-current] { background: gold }')
    `)
    expect(await forcedColourFaults(page)).toEqual(['current or chosen by colour alone: <i aria-current="page"></i>'])
  })
})
