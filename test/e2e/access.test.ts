/** No page type keeps anyone out: axe-core finds nothing, wide and narrow, light and dark. */
import { expect, it } from 'vitest'
import { accessibilityFaults } from '../helpers/axe.ts'
import { describeInBrowser } from '../helpers/browser.ts'
import { useDemoServer } from './demo.ts'
import { looks } from './page-types.ts'

describeInBrowser('axe-core', (open) => {
  const address = useDemoServer()

  it.each(looks)('finds no fault: $name, $width px, $scheme', async ({ path, prepare, ...view }) => {
    const { page } = await open(address(path()), view)
    await prepare?.(page)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('finds the faults that there are', async () => {
    const { page } = await open(address('404.html'))
    await page.evaluate('document.querySelector("h1").insertAdjacentHTML("afterend", "<img src=\'favicon.svg\'>")')
    const faults = await accessibilityFaults(page)
    expect(faults).toEqual([expect.stringMatching(/^image-alt \(critical\): img: .*alt attribute/)])
  })
})
