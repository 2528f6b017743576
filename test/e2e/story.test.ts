/** The story of a long session opens its work in place, from a server and from a folder on disk. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { answerItem, command, customCall, customOutput, userItem } from '../helpers/records.ts'
import { threadId } from '../helpers/rollout.ts'
import { buildSite, writeSession } from '../helpers/site-build.ts'
import { useTempDir } from '../helpers/temp.ts'
import { sessionPath, useDemoServer } from './demo.ts'

describeInBrowser('work that a story links to', (open) => {
  const address = useDemoServer()
  const long = (): string => sessionPath('Inventory of all hosts')

  it.each(['http', 'file'])('opens in place: %s', async (protocol) => {
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
    // What a run links to is in it, or on its own page.
    const places = await run
      .locator('a[href^="#"]')
      .evaluateAll((links) => links.map((each) => each.getAttribute('href')))
    for (const place of places) expect(await run.locator(`[id="${place?.slice(1)}"]`).count()).toBe(1)
    expect(file).toMatch(/^\d+\.html$/)
    expect(problems).toEqual([])
  })

  it.each([
    ['index.html?view=work', '1.html?view=work', 'work'],
    ['index.html?view=all#t2', '1.html?view=all#l9-work', 'all'],
    ['index.html?view=work&find=host', '1.html?view=work&find=host', 'work'],
    ['2.html?view=story', 'index.html?view=story', 'story'],
    ['2.html?view=nothing', '2.html?view=nothing', 'work'],
  ])('is shown if the address asks for it: %s', async (asked, shown, view) => {
    const folder = long().replace('index.html', '')
    const { page, problems } = await open(address(folder + asked))
    await expect.poll(() => page.url()).toContain(folder + shown)
    expect(await page.evaluate('document.documentElement.dataset.view')).toBe(view)
    expect(problems).toEqual([])
  })

  it('keeps the item in the address when the view changes to work or to story', async () => {
    const folder = long().replace('index.html', '')
    const { page } = await open(address(long()))
    const run = (await page.locator('a.did').last().getAttribute('href')) ?? ''
    const [file, id] = run.split('#')
    const work = await open(address(`${folder}index.html?view=work#${id}`))
    await work.page.waitForURL(address(`${folder}${file}?view=work#${id}`))
    const prompt = (await page.locator('.item.prompt').last().getAttribute('id')) ?? ''
    const story = await open(address(`${folder}${file}?view=story#${prompt}`))
    await story.page.waitForURL(address(`${folder}index.html?view=story#${prompt}`))
    expect(await story.page.locator(`[id="${prompt}"]`).isVisible()).toBe(true)
  })

  it('is a link to its page without a script, or if the work cannot be loaded', async () => {
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

describeInBrowser('the files that a turn changed', (open) => {
  const address = useDemoServer()

  it.each(['Tide curves on every harbour page', 'Inventory of all hosts'])(
    'open their diffs below their rows and link to the work: %s',
    async (title) => {
      const { page, problems } = await open(address(sessionPath(title)))
      const list = page.locator('.changed').first()
      await list.locator('summary').click()
      const link = list.locator('li:not(.change) > a').first()
      const href = (await link.getAttribute('href')) ?? ''
      await link.press('Enter')
      await list.locator('.change .diff').waitFor()
      expect(await link.getAttribute('aria-expanded')).toBe('true')
      expect(await list.locator('.change').getByRole('link').getAttribute('href')).toBe(href)
      expect(page.url()).not.toContain('#')
      await link.click()
      await expect.poll(() => list.locator('.change').count()).toBe(0)
      expect(await link.getAttribute('aria-expanded')).toBe('false')
      await link.click()
      await list.locator('.change').getByRole('link').click()
      await expect.poll(() => page.url()).toContain(href)
      expect(await page.locator(`[id="${href.split('#')[1]}"]`).isVisible()).toBe(true)
      expect(problems).toEqual([])
    },
  )

  it('are links to the work without a script', async () => {
    const { page } = await open(address(sessionPath('Tide curves on every harbour page')), { javaScript: false })
    await page.locator('.changed summary').first().click()
    const link = page.locator('.changed .files a').first()
    await link.click()
    expect(page.url()).toContain((await link.getAttribute('href')) ?? 'nothing')
  })
})

describeInBrowser('the row of a page that was opened', (open) => {
  const address = useDemoServer()

  it('has a link that a finger can hit, and is no taller for it', async () => {
    const { page } = await open(address(sessionPath('Conversion drops in week 7')), { width: 390 })
    for (const run of await page.locator('.did > summary').all()) await run.click()
    const row = page.locator('.rows .search > .single', { has: page.locator('a') }).first()
    const link = row.locator('a')
    await link.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const { x, y } = (await link.boundingBox()) ?? { x: 0, y: 0 }
    const hits = await page.evaluate<number>(`Array.from({ length: 50 }, (_, at) => ${y - 10} + at)
      .filter((at) => document.elementFromPoint(${x + 4}, at).closest('.single a') !== null).length`)
    expect(hits).toBeGreaterThanOrEqual(24)
    expect((await row.boundingBox())?.height).toBeLessThan(25)
  })
})

describeInBrowser('the work of a script on a narrow screen', (open) => {
  it('shades each block that continues, ends its lines at the edge, and sets no time over them', async () => {
    const folder = useTempDir()
    const patch = `*** Begin Patch\n*** Update File: a.ts\n@@\n-const a = 1\n+const a = ${'2 + '.repeat(40)}2\n*** End Patch`
    const script = (name: string) => `const patch = ${JSON.stringify(patch)}\ntext(await tools.${name}(patch))`
    const done = [{ type: 'input_text', text: 'Script completed\nWall time 0.1 seconds\nOutput:\n' }]
    const failed = 'apply_patch verification failed: Failed to find expected lines in a.ts'
    writeSession(folder, threadId(1), [
      userItem('Count on'),
      ...Array.from({ length: 58 }, (_, at) => answerItem(`Step ${at}`, { phase: 'commentary' })),
      customCall('c1', 'apply_patch', patch),
      customOutput('c1', failed),
      ...command('c2', 'make count'),
      customCall('c3', 'exec', script('apply_patch')),
      customOutput('c3', done),
      answerItem('Counted.'),
    ])
    await buildSite(folder, { formats: ['html'] })
    const site = `${pathToFileURL(join(folder, 'site')).href}/`
    const { page } = await open(`${site}sessions/${threadId(1)}/index.html`, { within: site, width: 390 })
    await page.evaluate("for (const fold of document.querySelectorAll('main details')) fold.open = true")
    const wide = page
      .locator('.flow pre')
      .evaluateAll((blocks) =>
        blocks
          .filter((block) => block.scrollWidth > block.clientWidth)
          .map((block) => getComputedStyle(block).backgroundImage),
      )
    expect((await wide).map((image) => image.startsWith('linear-gradient'))).toEqual([true, true, true, true])
    const gap = await page.evaluate<number>(`(() => {
      const line = document.querySelector('.rows .item:has(> .at.same).command summary')
      return line.getBoundingClientRect().right - line.querySelector('.mark').getBoundingClientRect().right
    })()`)
    expect(Math.round(gap)).toBe(0)
    const line = page.locator('.rows .item:has(> .at.same).command')
    await line.hover()
    const [mark, hovered] = [await line.locator('.mark').boundingBox(), await line.locator('.at').boundingBox()]
    expect((mark?.x ?? 0) + (mark?.width ?? 0)).toBeLessThanOrEqual(hovered?.x ?? 0)
    const [time, verdict] = await page.evaluate<[number, number]>(`(() => {
      const item = document.querySelector('.patch:has(.verdict):has(> .at:not(.same))')
      const range = new Range()
      range.selectNodeContents(item.querySelector('.verdict'))
      return [item.querySelector('.at').getBoundingClientRect().left, range.getBoundingClientRect().right]
    })()`)
    expect(verdict).toBeLessThanOrEqual(time)
  })
})

describeInBrowser('keys in the story of a long session', (open) => {
  /** Where a key stops until it stops no more: targets of rows, or ids of items. */
  async function stopsOf(page: Page, key: string): Promise<string[]> {
    const stops: string[] = []
    for (;;) {
      await page.keyboard.press(key)
      const stop = await page.evaluate<string>(
        'document.activeElement.getAttribute("href") ?? document.activeElement.id',
      )
      if (stop === stops.at(-1)) return stops
      stops.push(stop)
    }
  }

  it('stop at the failures and changed files that it names, though these are on other pages', async () => {
    const folder = useTempDir()
    const filler = 'a line of the output of this command\n'.repeat(200)
    const patch = '*** Begin Patch\n*** Add File: part.txt\n+tested\n*** End Patch'
    const turn = (number: number): ReturnType<typeof userItem>[] => [
      userItem(`Test part ${number}`),
      ...Array.from({ length: 20 }, (_, at) => command(`c${number}-${at}`, `make part${at}`, 0, filler)).flat(),
      ...[1, 2, 3, 4, 5].flatMap((at) => command(`f${number}-${at}`, `cargo bench bench${number}${at}`, 2, 'no\n')),
      customCall(`e${number}`, 'apply_patch', patch),
      customOutput(`e${number}`, 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.'),
      answerItem(`Part ${number} is tested.`),
    ]
    writeSession(folder, threadId(1), [1, 2, 3].flatMap(turn))
    await buildSite(folder, { formats: ['html'] })
    const site = `${pathToFileURL(join(folder, 'site')).href}/`
    const { page, problems } = await open(`${site}sessions/${threadId(1)}/index.html`, { within: site })
    const rows = page.locator('.flow .still > a')
    const failures = await rows.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(failures).toHaveLength(12)
    for (const href of failures) expect(href).toMatch(/^\d+\.html#l\d+$/)
    expect(await stopsOf(page, 'e')).toEqual(failures)
    expect(await page.getByRole('status').first().textContent()).toBe('No more errors on this page')
    expect(await stopsOf(page, 'E')).toEqual(failures.slice(0, -1).reverse())
    const lists = await page.locator('.flow .changed').evaluateAll((items) => items.map(({ id }) => id))
    expect(lists).toHaveLength(3)
    await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)')
    expect(await stopsOf(page, 'd')).toEqual(lists)
    // Opened in place, the failures themselves are the stops, and their rows are hidden.
    await page.locator('a.did').first().click()
    await page.locator('details.did .item.failed').first().waitFor()
    await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)')
    const shown = await page.locator('.flow .item.failed').evaluateAll((items) => items.map(({ id }) => id))
    expect(await stopsOf(page, 'e')).toEqual([...shown, ...failures.slice(4)])
    expect(problems).toEqual([])
  })

  it('go on to the next page of the work and back, and say so where there is nothing', async () => {
    const folder = useTempDir()
    const filler = 'a line of the output of this command\n'.repeat(200)
    const turn = (number: number): ReturnType<typeof userItem>[] => [
      userItem(`Test part ${number}`),
      ...Array.from({ length: 90 }, (_, at) => command(`c${number}-${at}`, `make part${at}`, 0, filler)).flat(),
      ...(number === 2 ? [] : command(`f${number}`, `cargo bench part${number}`, 2, 'no\n')),
      answerItem(`Part ${number} is tested.`),
    ]
    writeSession(folder, threadId(1), [1, 2, 3].flatMap(turn))
    await buildSite(folder, { formats: ['html'] })
    const site = `${pathToFileURL(join(folder, 'site')).href}/`
    const work = `${site}sessions/${threadId(1)}`
    const { page, problems } = await open(`${work}/1.html`, { within: site })
    const failed = page.locator('.flow .item.failed')
    const turns = async (key: string, to: string): Promise<void> => {
      await page.keyboard.press(key)
      await page.waitForURL(`${work}/${to}`)
    }
    const focused = (): Promise<string> => page.evaluate('document.activeElement.className')
    const status = page.getByRole('status').first()
    const pages: number[] = []
    const names = readdirSync(join(folder, 'site/sessions', threadId(1))).filter((name) => /^\d+\.html$/.test(name))
    for (let number = 1; number <= names.length; number++) {
      await page.goto(`${work}/${number}.html`)
      pages.push(await failed.count())
    }
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.reduce((sum, count) => sum + count, 0)).toBe(2)
    const [first, last] = [pages.findIndex((count) => count > 0) + 1, pages.findLastIndex((count) => count > 0) + 1]
    expect(last - first).toBeGreaterThan(1)

    await page.goto(`${work}/${first}.html`)
    await page.keyboard.press('e')
    await expect.poll(focused).toContain('failed')
    for (let number = first + 1; number <= last; number++) {
      await turns('e', `${number}.html`)
      if (number === last) break
      await expect.poll(() => status.textContent()).toBe('No errors on this page')
    }
    await expect.poll(focused).toContain('failed')
    expect(await failed.isVisible()).toBe(true)
    for (let number = last - 1; number >= first; number--) await turns('E', `${number}.html`)
    await expect.poll(focused).toContain('failed')
    await page.goto(`${work}/${pages.length}.html`)
    await page.keyboard.press('d')
    await expect.poll(() => status.textContent()).toBe('No more edits on this page')
    expect(problems).toEqual([])
  })
})
