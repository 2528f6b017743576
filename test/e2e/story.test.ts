/** The story of a long session opens its work in place, from a server and from a folder on disk. */
import { pathToFileURL } from 'node:url'
import { expect, inject, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { sessionPath, useDemoServer } from './demo.ts'

describeInBrowser('work that a story leads to', (open) => {
  const address = useDemoServer()
  const long = (): string => sessionPath('Inventory of all hosts')

  it.each(['http', 'file'])('opens in its place: %s', async (protocol) => {
    const within = protocol === 'http' ? address('') : `${pathToFileURL(inject('demo')).href}/`
    const { page, problems } = await open(within + long(), { within })
    const link = page.locator('a.did').first()
    const href = (await link.getAttribute('href')) ?? ''
    const [file, id] = href.split('#')
    await link.focus()
    await page.keyboard.press('Enter')
    const run = page.locator(`details.did[id="${id}"]`)
    await expect.poll(() => run.locator('.item').first().isVisible()).toBe(true)
    expect(await page.locator(`a.did[href="${href}"]`).count()).toBe(0)
    expect(await page.evaluate('document.activeElement.parentElement.id')).toBe(id)
    // What a run leads to is in it, or on its own page.
    const places = await run
      .locator('a[href^="#"]')
      .evaluateAll((links) => links.map((each) => each.getAttribute('href')))
    for (const place of places) expect(await run.locator(`[id="${place?.slice(1)}"]`).count()).toBe(1)
    expect(file).toMatch(/^\d+\.html$/)
    expect(problems).toEqual([])
  })

  it('is a link to its page where there is no script, or where the work cannot be loaded', async () => {
    const plain = await open(address(long()), { javaScript: false })
    const href = (await plain.page.locator('a.did').first().getAttribute('href')) ?? ''
    await plain.page.locator('a.did').first().click()
    expect(plain.page.url()).toContain(href)
    const { page } = await open(address(long()))
    await page.route('**/work-*.js', (route) => route.abort())
    await page.locator('a.did').first().click()
    await page.waitForURL((found) => found.href.endsWith(href))
    expect(await page.locator(`[id="${href.split('#')[1]}"]`).isVisible()).toBe(true)
  })
})
