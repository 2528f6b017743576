/** Without JavaScript everything can be read and reached, tested like a reader. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { sessionPath, useDemoServer } from './demo.ts'

const longThread = 'Inventory of all hosts'

/** Follows the first link of `main` whose address ends like this. */
async function follow(page: Page, end: string): Promise<void> {
  await page.locator(`main a[href$="${end}"]`).first().click()
}

describeInBrowser('without JavaScript', (open) => {
  const address = useDemoServer()

  it('a reader gets from the index to a session, to its page 3 and to an anchor there', async () => {
    const path = sessionPath(longThread)
    const { page, problems } = await open(address('index.html'), { javaScript: false })
    await page.locator(`main a[href$="${path}"]`).first().click()
    expect(new URL(page.url()).pathname).toBe(`/${path}`)
    expect(await page.textContent('h1')).toContain(longThread)
    await follow(page, '3.html')
    expect(new URL(page.url()).pathname).toBe(`/${path.replace('index.html', '3.html')}`)
    const item = page.locator('main .item a[href^="#"]').last()
    const anchor = (await item.getAttribute('href')) ?? ''
    await item.click()
    expect(new URL(page.url()).hash).toBe(anchor)
    const box = await page.locator(`[id="${anchor.slice(1)}"]`).boundingBox()
    expect(box?.y).toBeGreaterThanOrEqual(0)
    expect(box?.y).toBeLessThan(900)
    expect(problems).toEqual([])
  })

  it('a fold opens by a click and shows its content', async () => {
    const { page } = await open(address(sessionPath(longThread)), { javaScript: false })
    const fold = await page.locator('main .turn details:not([open])').first().elementHandle()
    const inside = await fold?.$(':scope > :last-child')
    expect(await inside?.isVisible()).toBe(false)
    await (await fold?.$('summary'))?.click()
    expect(await inside?.isVisible()).toBe(true)
  })

  it.each(['index.html', 'projects/index.html'])('no control is shown that only a script can use: %s', async (path) => {
    const { page } = await open(address(path), { javaScript: false })
    const dead = page.locator('button:visible, input:visible, select:visible')
    expect(await dead.evaluateAll((nodes) => nodes.map((node) => node.outerHTML))).toEqual([])
  })
})
