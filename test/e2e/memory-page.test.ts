/** What the model remembers, as a page: short on a phone, by size as well as in order. */

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, inject, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { sessionPath } from './demo.ts'

const list = '.remembered.all > li'

describeInBrowser('the page of the memory', (open) => {
  const address = (): string =>
    pathToFileURL(join(inject('demo'), sessionPath('Inventory of all hosts').replace('index.html', 'context.html')))
      .href

  it('is at most 6,000 pixels long on a phone, with a list of 309 items folded', async () => {
    const { page, problems } = await open(address(), { width: 390, within: 'file:' })
    expect(await page.locator(list).count()).toBe(309)
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(6000)
    expect(problems).toEqual([])
  })

  it('filters items by words, and sorts them by size and back', async () => {
    const { page, problems } = await open(address(), { within: 'file:' })
    const texts = () => page.locator(`${list}:visible .what`).allTextContents()
    const inOrder = await page.locator(`${list} .what`).allTextContents()
    await page.getByRole('searchbox', { name: 'Filter items' }).fill('LOADAVG')
    const picked = await texts()
    expect(picked).toEqual(inOrder.filter((text) => text.includes('loadavg')))
    expect(picked.length).toBeGreaterThan(5)
    await page.getByText(new RegExp(`^${picked.length} of 309, [\\d,]+ tokens$`)).waitFor()
    await page.getByRole('searchbox', { name: 'Filter items' }).fill('')
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Largest first')
    const sizes = (await page.locator(`${list} .count`).allTextContents()).map((text) => Number(text.replace(/,/g, '')))
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    await page.getByRole('combobox', { name: 'Order' }).selectOption('In order')
    expect(await texts()).toEqual(inOrder)
    expect(problems).toEqual([])
  })
})
