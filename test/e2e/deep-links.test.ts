/** Links into a session lead to the place they name, whatever page and fold it is in. */
import { expect, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { demoFiles, readDemo, sessionPath, useDemoServer } from './demo.ts'

/** The id of a folded call on a page of the long session, and of a prompt. */
function idsOn(path: string): { folded: string; prompt: string } {
  const html = readDemo(path)
  const folded =
    /<div id="(l\d+)" class="item[^>]*>(?:<a[^>]*>)?<time[^>]*>[^<]*<\/time>(?:<\/a>)?<details(?:(?! open)[^>])*>/.exec(
      html,
    )?.[1]
  const prompt = /href="#(l\d+)"/.exec(html)?.[1]
  if (folded === undefined || prompt === undefined) throw new Error(`\`${path}\` has no folded item or no prompt`)
  return { folded, prompt }
}

describeInBrowser('a link into a session', (open) => {
  const address = useDemoServer()
  const long = (): string => sessionPath('Inventory of all hosts')
  const third = (): string => long().replace('index.html', '3.html')

  it('opens the fold of an item on page 3 and brings it into view', async () => {
    const { folded } = idsOn(third())
    const { page, problems } = await open(address(`${third()}#${folded}`))
    const item = page.locator(`[id="${folded}"]`)
    await expect.poll(() => item.locator('details').first().getAttribute('open')).not.toBeNull()
    const box = await item.boundingBox()
    expect(box?.y).toBeGreaterThanOrEqual(0)
    expect(box?.y).toBeLessThan(900)
    expect(problems).toEqual([])
  })

  it('stays at the last item of a page whose other items are open and not laid out yet', async () => {
    const first = long().replace('index.html', '1.html')
    const last = [...readDemo(first).matchAll(/<(?:div|article) id="(l\d+)" class="item/g)].at(-1)?.[1]
    const { page, problems } = await open(address(`${first}?view=all#${last}`))
    await expect.poll(async () => (await page.locator(`[id="${last}"]`).boundingBox())?.y).toBeLessThan(900)
    expect((await page.locator(`[id="${last}"]`).boundingBox())?.y).toBeGreaterThan(0)
    expect(await page.evaluate('document.querySelectorAll(".rows > .item > details[open]").length')).toBeGreaterThan(20)
    expect(problems).toEqual([])
  })

  it('finds a prompt of page 3 in the story, and from there a call on page 3', async () => {
    const { prompt, folded } = idsOn(third())
    const { page, problems } = await open(address(`${long()}#${prompt}`))
    await expect.poll(() => page.locator(`[id="${prompt}"]`).isVisible()).toBe(true)
    expect(new URL(page.url()).pathname).toBe(`/${long()}`)
    await page.goto(address(`${long()}?mark=the#${folded}`))
    await page.waitForURL((url) => url.pathname.endsWith('/3.html') && url.hash === `#${folded}`)
    expect(new URL(page.url()).search).toBe('?mark=the')
    await expect.poll(() => page.locator(`[id="${folded}"]`).isVisible()).toBe(true)
    expect(problems).toEqual([])
  })

  it('leads from a line of the story to its work, and back to the same turn', async () => {
    const { page, problems } = await open(address(long()))
    // A click opens the work in place; in another tab, or without a script, the line is a link.
    const href = (await page.locator('a.did').first().getAttribute('href')) ?? ''
    await page.goto(new URL(href, page.url()).href)
    const work = page.locator(`[id="${href.split('#')[1]}"]`)
    await expect.poll(() => work.getAttribute('open')).not.toBeNull()
    const turn = await work.evaluate((fold) => fold.closest('.turn')?.id)
    await page.getByRole('radio', { name: 'Story' }).check()
    await page.waitForURL((url) => url.pathname === `/${long()}` && url.hash === `#${turn}`)
    expect(problems).toEqual([])
  })

  it('opens folds when the address changes within the page', async () => {
    const { folded } = idsOn(third())
    const { page } = await open(address(third()))
    await page.evaluate(`location.hash = ${JSON.stringify(folded)}`)
    await expect.poll(() => page.locator(`[id="${folded}"] details`).first().getAttribute('open')).not.toBeNull()
  })

  it('tolerates an invalid address', async () => {
    const { page, problems } = await open(address(`${third()}#%E0%A4%A`))
    expect(await page.locator('h1').isVisible()).toBe(true)
    expect(await page.locator('.flow .item').count()).toBeGreaterThan(20)
    expect(await page.evaluate('scrollY')).toBe(0)
    await page.keyboard.press('?')
    expect(await page.locator('dialog[open]').count()).toBe(1)
    expect(problems).toEqual([])
  })

  it('marks words if the fragment is malformed', async () => {
    const { page, problems } = await open(
      address(`${sessionPath('Tide curves on every harbour page')}?mark=tide#%E0%A4%A`),
    )
    await page.getByRole('group', { name: 'Marks' }).waitFor()
    expect(problems).toEqual([])
  })

  it('marks one entry of the outline as current', async () => {
    const { page } = await open(address(third()))
    const current = page.locator('.outline [aria-current="true"]')
    const prompts = await page
      .locator('.outline a[href^="#l"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(prompts.length).toBeGreaterThan(1)
    for (const prompt of prompts.slice(0, 2)) {
      await page.goto(address(`${third()}${prompt}`))
      await expect
        .poll(() => current.evaluateAll((links) => links.map((link) => link.getAttribute('href'))))
        .toEqual([prompt])
    }
  })

  it('watches what is in the page now, after parts of it were replaced', async () => {
    const { page } = await open(address(third()), {
      before: `{
        const Own = IntersectionObserver
        window.watched = new Set()
        window.IntersectionObserver = class extends Own {
          observe(element) { watched.add(element); super.observe(element) }
          unobserve(element) { watched.delete(element); super.unobserve(element) }
          disconnect() { watched.clear(); super.disconnect() }
        }
      }`,
    })
    const fresh = await page.evaluate(`(async () => {
      const turn = [...watched].find((element) => element.matches('.turn'))
      const copy = turn.cloneNode(true)
      turn.replaceWith(copy)
      copy.dispatchEvent(new Event('codex-fresh', { bubbles: true }))
      await new Promise(requestAnimationFrame)
      return [watched.has(copy), [...watched].every((element) => element.isConnected)]
    })()`)
    expect(fresh).toEqual([true, true])
  })

  it('names the page file of every prompt in the outline, so that it needs no JavaScript', () => {
    const pages = demoFiles().filter(
      (path) => path.startsWith(long().replace('index.html', '')) && path.endsWith('.html'),
    )
    expect(pages.length).toBeGreaterThan(2)
    const links = [...readDemo(long()).matchAll(/<li><a href="([^"#]*)#(l\d+)"/g)]
    expect(links.length).toBeGreaterThan(3)
    for (const [, file = '', id = ''] of links) {
      const path = file === '' ? long() : long().replace('index.html', file)
      expect(readDemo(path)).toContain(`id="${id}"`)
    }
  })
})
