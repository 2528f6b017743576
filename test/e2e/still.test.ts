/** Nothing jumps while a page loads. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, inject, it, onTestFinished } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { type Shift, shiftsOf, watchShifts } from '../helpers/layout-shift.ts'
import { readDemo, sessionPath, useDemoServer } from './demo.ts'
import { pageTypes } from './page-types.ts'

/** A tenth of the web's threshold for good: allows a line to move by a hair, but nothing visible. */
const still = 0.01
const sum = (shifts: readonly Shift[]): number => shifts.reduce((total, { value }) => total + value, 0)
const quiet = pageTypes.filter(({ prepare }) => prepare === undefined)
const looks = quiet.flatMap((type) => ([1280, 390] as const).map((width) => ({ ...type, width })))

/** The head of a page and the start of its content, then twelve pieces that show how it grows. */
function piecesOf(html: string): string[] {
  const start = html.indexOf('<h1')
  const size = Math.ceil((html.length - start) / 12)
  const rest = Array.from({ length: 12 }, (_, index) => html.slice(start + index * size, start + (index + 1) * size))
  return [html.slice(0, start), ...rest]
}

/**
 * Opens a page that arrives in pieces, each displayed before the next one is sent; other files come from the demo
 * site.
 */
async function openInPieces(page: Page, path: string, html: string): Promise<void> {
  const server = createServer(async ({ url = '' }, response) => {
    response.setHeader('content-type', url.endsWith('.css') ? 'text/css' : 'text/html; charset=utf-8')
    if (url !== `/${path}`) return response.end(url.endsWith('.css') ? readDemo(url.slice(1)) : '')
    for (const piece of piecesOf(html)) {
      response.write(piece)
      await page.locator('main').waitFor({ state: 'attached' })
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    }
    return response.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of a server that listens
  await page.goto(`http://127.0.0.1:${port}/${path}`)
}

describeInBrowser('a page that loads', (open) => {
  const address = useDemoServer()

  it.each(looks)('does not jump: $name, $width px', async ({ path, width }) => {
    const { page } = await open(address(path()), { width, before: watchShifts })
    const shifts = await shiftsOf(page)
    expect(sum(shifts), JSON.stringify(shifts)).toBeLessThan(still)
  })

  it.each(['', '?q=idempotency', '?q=%22'])('does not jump if its index arrives late: search/%s', async (asked) => {
    const { page } = await open(address('index.html'), { before: watchShifts })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/pagefind/**', (route) => released.then(() => route.continue()))
    await page.goto(address(`search/index.html${asked}`), { waitUntil: 'commit' })
    await page.getByRole('searchbox').or(page.getByRole('combobox')).first().waitFor()
    await shiftsOf(page)
    release()
    await page.getByText('Any project').waitFor()
    const shifts = await shiftsOf(page)
    expect(sum(shifts), JSON.stringify(shifts)).toBeLessThan(still)
  })

  // Scripts delay the first paint of a page until all of it has arrived, but not in every browser.
  it.each([
    { name: 'a thread as one file', path: () => 'single.html', read: () => readFileSync(inject('single'), 'utf8') },
    { name: 'a session', path: () => sessionPath('Inventory of all hosts'), read: readDemo },
  ])('does not jump if it arrives in pieces: $name', async ({ path, read }) => {
    const { page, problems } = await open('about:blank', { before: watchShifts, within: 'http://127.0.0.1' })
    const html = read(path())
    expect(html).toContain('<nav class="outline"')
    await openInPieces(page, path(), html.replace(/<script src=[^>]*><\/script>/, ''))
    const shifts = await shiftsOf(page)
    expect(sum(shifts), JSON.stringify(shifts)).toBeLessThan(still)
    expect(problems).toEqual([])
  })

  it('is measured as jumping if it does', async () => {
    const { page } = await open(address('index.html'), { before: watchShifts })
    await shiftsOf(page)
    await page.evaluate('document.body.insertAdjacentHTML("afterbegin", "<hr width=500 size=300>")')
    await expect.poll(async () => sum(await shiftsOf(page))).toBeGreaterThan(still)
  })
})
