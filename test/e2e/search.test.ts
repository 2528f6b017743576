/** Search as a reader does it: type a word, walk the results, land on the turn. */
import { expect, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { sessionPath, useDemoServer } from './demo.ts'

describeInBrowser('the search box', (open) => {
  const address = useDemoServer()

  it('finds the session by a word of its prompt, and the link lands on the turn', async () => {
    const { page, problems } = await open(address('index.html'))
    await page.getByRole('searchbox').fill('idempotency')
    const results = page.getByRole('region', { name: 'Search results' })
    const place = results.getByRole('link', { name: /idempotency/i }).last()
    await place.click()
    await page.waitForURL(/sessions\/.*#/)
    expect(new URL(page.url()).pathname).toBe(`/${sessionPath('Conversion drops in week 7')}`)
    const id = decodeURIComponent(new URL(page.url()).hash.slice(1))
    const target = page.locator(`[id="${id}"]`)
    await target.waitFor()
    expect((await target.textContent())?.toLowerCase()).toContain('idempotency')
    const box = await target.boundingBox()
    expect(box?.y).toBeLessThan(900)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(0)
    expect(problems).toEqual([])
  })

  it('finds text that is not Latin', async () => {
    const { page, problems } = await open(address('index.html'))
    await page.getByRole('searchbox').fill('Begrüßung')
    await page.getByRole('region', { name: 'Search results' }).getByRole('link').first().waitFor()
    expect(problems).toEqual([])
  })

  it('stands on every page, also on a session page', async () => {
    const { page, problems } = await open(address(sessionPath('On-call guide, short version')))
    await page.getByRole('searchbox').fill('linkcheck')
    await page.getByRole('searchbox').fill('unsafe')
    const link = page.getByRole('region', { name: 'Search results' }).getByRole('link').first()
    await link.click()
    await page.waitForURL(/sessions\//)
    expect(problems).toEqual([])
  })

  it('says so when nothing is found', async () => {
    const { page, problems } = await open(address('index.html'))
    await page.getByRole('searchbox').fill('qzxvkjwpy')
    await page.getByRole('status').filter({ hasText: 'Nothing was found' }).waitFor()
    expect(problems).toEqual([])
  })

  it('is reached and left by keyboard: `/`, arrows, Enter, Escape', async () => {
    const { page, problems } = await open(address('index.html'))
    const focused = () => page.evaluate('document.activeElement?.tagName')
    await page.keyboard.press('/')
    expect(await focused()).toBe('INPUT')
    await page.keyboard.type('certificates')
    const results = page.getByRole('region', { name: 'Search results' })
    await results.getByRole('link').first().waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('A')
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toBe('INPUT')
    await page.keyboard.press('Escape')
    expect(await results.isVisible()).toBe(false)
    await page.getByRole('searchbox').selectText()
    await page.keyboard.type('certificates')
    await page.keyboard.press('Enter')
    await results.locator('a:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/sessions\//)
    expect(problems).toEqual([])
  })
})
