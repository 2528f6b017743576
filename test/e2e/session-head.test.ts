/** The head of a session page links everything in the session. */
import { expect, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { demoFiles, readDemo, sessionPath, useDemoServer } from './demo.ts'

describeInBrowser('the head of a session', (open) => {
  const address = useDemoServer()
  const long = (): string => sessionPath('Inventory of all hosts')

  it('leads from a mark of the timeline to its place, also on another page', async () => {
    const { page, problems } = await open(address(long()))
    const mark = page.locator('.band a[href^="2.html#"]:has(.failed)').first()
    const hash = (await mark.getAttribute('href'))?.split('#')[1] ?? ''
    await mark.locator('path').first().click({ force: true })
    await page.waitForURL((url) => url.pathname.endsWith('/2.html') && url.hash === `#${hash}`)
    const item = page.locator(`[id="${hash}"]`)
    expect(await item.isVisible()).toBe(true)
    expect(await item.textContent()).toContain('failed')
    expect(problems).toEqual([])
  })

  it('counts the turns that were rolled back, as its twin and the totals of all sessions do', async () => {
    const heads = demoFiles()
      .filter((path) => /^sessions\/[^/]+\/index\.html$/.test(path))
      .map((path) => Number(/>(\d+) turns?\b/.exec(readDemo(path))?.[1]))
    const path = sessionPath('Conversion drops in week 7')
    const { page } = await open(address(path))
    const [text = '', count] =
      /(\d+) turns, 1 rolled back/.exec((await page.locator('.head').textContent()) ?? '') ?? []
    expect(text).not.toBe('')
    expect(readDemo(path.replace('.html', '.md'))).toContain(`- Turns: ${count}, 1 rolled back\n`)
    await page.goto(address('stats/index.html'))
    const total = await page.locator('dt:text-is("Turns") + dd').textContent()
    expect(Number(total)).toBe(heads.reduce((sum, turns) => sum + turns, 0))
  })

  it('has no tab stop in the drawing, whose content is also given in words', async () => {
    const { page } = await open(address(long()))
    expect(await page.locator('.band a:not([tabindex="-1"])').count()).toBe(0)
    const words = await page.locator('.timeline figcaption').textContent()
    expect(words).toMatch(/Model .*Commands and tools .*failed commands/s)
  })

  it('lists the prompts as chapters with their outcome, each with a link into the story', async () => {
    const { page, problems } = await open(address(long()))
    const chapters = page.locator('.outline li a')
    const hrefs = await chapters.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(hrefs.length).toBeGreaterThan(2)
    for (const href of hrefs) expect(await page.locator(`[id="${href?.slice(1)}"]`).count()).toBe(1)
    const outcomes = await page.locator('.outline .outcome').allTextContents()
    expect(outcomes.some((text) => /\d (?:s|min)/.test(text))).toBe(true)
    expect(await page.locator('.outline i').count()).toBeGreaterThan(0)
    expect(problems).toEqual([])
  })

  it('separates the parts of an outcome by points, none at the beginning or end of a line', async () => {
    const { page } = await open(address(long()))
    const seen = await page.evaluate(`(() => {
      const outcome = document.querySelector('.outline .outcome')
      outcome.replaceChildren(...['20.5 s', '+654 −35', '2 failed commands not fixed', 'interrupted'].map((text) =>
        Object.assign(document.createElement('span'), { textContent: text })))
      const { clipPath } = getComputedStyle(outcome)
      const clip = parseFloat(clipPath.split(' ').at(-1))
      const left = outcome.getBoundingClientRect().left
      const edge = outcome.closest('a').firstElementChild.getBoundingClientRect().left
      return [...outcome.children].map((part) => {
        const { content, width } = getComputedStyle(part, '::before')
        const at = part.getBoundingClientRect().left
        const isShown = at + parseFloat(width) > left + clip + 0.5
        const text = at + parseFloat(width)
        return [content, getComputedStyle(part, '::after').content, isShown, Math.abs(text - edge) < 1]
      })
    })()`)
    const [point, first] = [
      ['"·"', 'none', true, false],
      ['"·"', 'none', false, true],
    ]
    expect(seen).toEqual([first, point, first, first])
  })

  it("shows the times below the timeline in the reader's time zone", async () => {
    const { page } = await open(address(long()), { timeZone: 'Asia/Tokyo' })
    const shown = page.locator('.band text[data-at]').first()
    const at = (await shown.getAttribute('data-at')) ?? ''
    const hour = (Number(at.slice(11, 13)) + 9) % 24
    await expect.poll(() => shown.textContent()).toBe(`${String(hour).padStart(2, '0')}:${at.slice(14, 16)}`)
  })

  it('shows the prompts next to the text, and folds them if there is no space', async () => {
    const { page } = await open(address(long()))
    const prompt = page.locator('.outline a').first()
    expect(await prompt.isVisible()).toBe(true)
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await prompt.isVisible()).toBe(false)
    await page.locator('.outline summary').click()
    expect(await prompt.isVisible()).toBe(true)
  })

  it('hides the buttons until a script activates them', async () => {
    expect(readDemo(long())).toMatch(/<button type="button" hidden data-copy-link>/)
    const { page } = await open(address(long()))
    expect(await page.locator('.actions button').evaluateAll((all) => all.map((one) => one.textContent))).toEqual([
      'Copy link',
      'Copy resume command',
    ])
    expect(await page.locator('.actions button[hidden]').count()).toBe(0)
  })
})
