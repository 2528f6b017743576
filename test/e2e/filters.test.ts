/** The filters of the start page: over all sessions of the archive, from a server and from a folder on disk. */
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../src/cli/serve/server-fs.ts'
import { loadAssets } from '../../src/render/assets-fs.ts'
import { renderSite } from '../../src/render/pages/site.ts'
import { loadTemplates } from '../../src/render/templates-fs.ts'
import type { SessionSummary } from '../../src/transcript/summary.ts'
import { sha256 } from '../../src/util/hash.ts'
import { encoded } from '../../src/util/pieces.ts'
import { accessibilityFaults } from '../helpers/axe.ts'
import { describeInBrowser, type Open } from '../helpers/browser.ts'
import { writeFolder } from '../helpers/folder.ts'
import { siteInfo } from '../helpers/render.ts'
import { summary, threadNumber } from '../helpers/summary.ts'
import { shareTempDir } from '../helpers/temp.ts'

const names = ['garden', 'harbour', 'ledger']
const total = 9000

/** Session `index`, an hour earlier than the one before it; every filtered property has its own period. */
function session(index: number): SessionSummary {
  const startedAt = new Date(Date.UTC(2026, 10, 12, 14) - index * 3_600_000).toISOString()
  const name = names[index % names.length] ?? ''
  return summary({
    threadId: threadNumber(index),
    title: index === 4321 ? '<img src=x onerror=alert(1)> & "more"' : `Session ${index}`,
    startedAt,
    firstPrompt: `Work on part ${index}`,
    project: { slug: `${name}-000000`, name },
    branch: `topic/${index % 70}`,
    label: index % 2 === 0 ? 'Ada' : 'Sam',
    activeMs: ((index * 7919) % total) * 1000,
    usage: { input: 0, cached: 0, output: 0, reasoning: 0, total: ((index * 104_729) % total) * 1000 },
    models: [index % 2 === 0 ? 'gpt-5' : 'gpt-5-codex'],
    errors: index % 10 === 0 ? 2 : 0,
    status: index % 11 === 0 ? 'interrupted' : 'completed',
    commands: { total: 9, failed: index % 5 === 0 ? 1 : 0 },
    failuresLeft: index % 5 === 0 ? 1 : 0,
    edits: index % 4 === 0 ? { files: 1, added: 1200, removed: 3 } : { files: 0, added: 0, removed: 0 },
    ...(index % 6 === 0 && { fields: { ticket: [`SHOP-${index % 50}`] } }),
  })
}

const sessions = Array.from({ length: total }, (_, index) => session(index))
const count = (test: (index: number) => boolean): number => sessions.filter((_, index) => test(index)).length

const folder = shareTempDir()

beforeAll(async () => {
  const [templates, assets] = await Promise.all([loadTemplates(), loadAssets()])
  const ticket = { name: 'ticket', label: 'Ticket', plural: 'tickets', column: true, filter: true, search: false }
  const pluginParts = { nav: [], fields: [ticket] }
  const site = siteInfo({ ...assets.page, search: false, pluginParts })
  const pages = Array.from(renderSite(sessions, { templates, site }), ({ path, content }) => ({
    path,
    content: content(),
  }))
  const files = [...pages, ...assets.files]
  const hashes = Object.fromEntries(files.map(({ path, content }) => [path, sha256(encoded(content))]))
  const manifest = { schema: 'codex-export/manifest', version: 1, files: hashes }
  writeFolder(
    folder,
    Object.fromEntries(files.map(({ path, content }) => [path, Buffer.from(encoded(content)).toString()])),
  )
  writeFolder(folder, { 'manifest.json': JSON.stringify(manifest) })
})

const results = (page: Page) => page.locator('.results li > a')
const matches = (page: Page) => page.locator('.matches')
const choose = (page: Page, label: string, option: string) =>
  page.getByLabel(label, { exact: true }).selectOption(option)

/** Waits until the page says how many sessions match. */
const settled = (page: Page, text: string) => matches(page).filter({ hasText: text }).waitFor()

describeInBrowser('the filters of the start page', (open) => {
  describe.each([
    [
      'by a server',
      async () => {
        const server = await startServer(folder, { port: 0 })
        return { address: server.url, close: () => server.close() }
      },
    ],
    ['from a folder on disk', async () => ({ address: `${pathToFileURL(folder).href}/`, close: async () => {} })],
  ])('%s', (_, start) => {
    let home: { address: string; close: () => Promise<unknown> }
    beforeAll(async () => {
      home = await start()
      return async () => void (await home.close())
    })
    const visit = (query = '', view: Parameters<Open>[1] = {}) =>
      open(`${home.address}index.html${query}`, { within: home.address, ...view })

    it('narrow all sessions and not only those on the page, and say how many remain', async () => {
      const { page, problems } = await visit()
      await choose(page, 'Project', 'harbour-000000')
      await settled(page, `${count((index) => index % 3 === 1).toLocaleString('en')} sessions of 9,000`)
      await page.getByLabel('Something failed').check()
      const both = (index: number) => index % 3 === 1 && index % 5 === 0
      await settled(page, `${count(both)} sessions of 9,000`)
      await page.getByLabel('Files edited').check()
      const fitting = sessions.filter((__, index) => both(index) && index % 4 === 0)
      await settled(page, `${fitting.length} sessions of 9,000`)
      const links = await results(page).evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      expect(links).toEqual(fitting.slice(0, 100).map(({ threadId }) => `sessions/${threadId}/index.html`))
      expect(await page.getByRole('link', { name: /Session 1 / }).count()).toBe(0)
      expect(problems).toEqual([])
    })

    it('narrow by a field of a plugin, whose values are in the rows', async () => {
      const { page, problems } = await visit()
      await choose(page, 'Ticket', 'SHOP-12')
      const text = `${count((index) => index % 6 === 0 && index % 50 === 12)} sessions of 9,000`
      await settled(page, text)
      expect(new URL(page.url()).searchParams.get('x-ticket')).toBe('SHOP-12')
      expect(await results(page).first().locator('i[title="Ticket"]').textContent()).toBe('SHOP-12')
      await page.reload()
      await settled(page, text)
      expect(problems).toEqual([])
    })

    it('are in the address, which opens with the same result and goes back step by step', async () => {
      const { page, problems } = await visit('?model=gpt-5&q=')
      await settled(page, '4,500 sessions of 9,000')
      await choose(page, 'State', 'interrupted')
      const text = `${count((index) => index % 22 === 0)} sessions of 9,000`
      await settled(page, text)
      expect(new URL(page.url()).searchParams.toString()).toBe('q=&model=gpt-5&status=interrupted')
      await page.reload()
      await settled(page, text)
      expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('gpt-5')
      await page.goBack()
      await settled(page, '4,500 sessions of 9,000')
      expect(await page.getByLabel('State', { exact: true }).inputValue()).toBe('')
      expect(problems).toEqual([])
    })

    it('offer values of older sessions once the catalog is loaded', async () => {
      const { page, problems } = await visit()
      const branch = page.getByLabel('Branch', { exact: true })
      expect(await branch.locator('option').count()).toBe(51)
      await branch.focus()
      await branch.locator('option[value="topic/69"]').waitFor({ state: 'attached' })
      expect(await branch.locator('option').count()).toBe(71)
      await branch.selectOption('topic/69')
      await settled(page, `${count((index) => index % 70 === 69)} sessions of 9,000`)
      expect(problems).toEqual([])
    })

    it('show a hundred rows at a time and continue where the list ended', async () => {
      const { page, problems } = await visit('?month=2026-10')
      await settled(page, '744 sessions of 9,000')
      expect(await results(page).count()).toBe(100)
      await page.getByRole('button', { name: 'Show more (644 left)' }).click()
      expect(await results(page).count()).toBe(200)
      // A day that is cut continues under its one heading.
      const headings = await page.locator('.results h2').allTextContents()
      expect(new Set(headings).size).toBe(headings.length)
      const focused = await page.evaluate('document.activeElement.getAttribute("href")')
      expect(focused).toBe(await results(page).nth(100).getAttribute('href'))
      expect(problems).toEqual([])
    })

    it('find words in titles, projects, people and branches, all of them in one row', async () => {
      const { page, problems } = await visit()
      await page.getByLabel('Filter by title, project, person or branch').fill('HARBOUR  sam topic/51')
      const fits = (index: number) => index % 3 === 1 && index % 2 === 1 && index % 70 === 51
      await settled(page, `${count(fits)} sessions of 9,000`)
      expect(new URL(page.url()).searchParams.get('text')).toBe('HARBOUR  sam topic/51')
      await choose(page, 'Person', 'Ada')
      await settled(page, 'No session matches')
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.getByRole('link', { name: /Session 0 / }).waitFor()
      expect(await page.getByLabel('Filter by title, project, person or branch').inputValue()).toBe('')
      expect(problems).toEqual([])
    })

    it.each<[string, string, (index: number) => number, RegExp]>([
      ['active', 'Longest active first', (index) => session(index).activeMs ?? 0, /2 h 30 min/],
      ['tokens', 'Most tokens first', (index) => session(index).usage?.total ?? 0, /9M tokens/],
      ['changes', 'Most changes first', (index) => session(index).edits.added, /\+1,200/],
    ])('sort all sessions by %s, with the day in each row', async (sort, name, size, shown) => {
      const { page, problems } = await visit()
      await page.getByLabel('Sort by').selectOption({ label: name })
      await settled(page, '9,000 sessions of 9,000')
      const largest = sessions.map((_session, index) => index).sort((a, b) => size(b) - size(a))
      const links = await results(page).evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      expect(links).toEqual(largest.slice(0, 100).map((index) => `sessions/${threadNumber(index)}/index.html`))
      expect(await results(page).first().textContent()).toMatch(shown)
      expect(await results(page).first().locator('time').textContent()).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(new URL(page.url()).searchParams.get('sort')).toBe(sort)
      expect(problems).toEqual([])
    })

    it('are cleared at once, and the newest sessions are shown again', async () => {
      const { page, problems } = await visit('?project=ledger-000000&errors=1')
      await settled(page, 'of 9,000')
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.getByRole('link', { name: /Session 0 / }).waitFor()
      expect(await results(page).count()).toBe(0)
      expect(await matches(page).textContent()).toBe('')
      expect(new URL(page.url()).search).toBe('')
      expect(problems).toEqual([])
    })

    it('write the places of sessions as the build does, so that their lines break after slashes and not before the dot', async () => {
      const { page } = await visit()
      const places = () => page.locator('.row:visible .p').evaluateAll((all) => all.slice(0, 3).map((e) => e.innerHTML))
      const built = await places()
      expect(built[0]).toBe('garden&nbsp;· topic/<wbr>0')
      await page.getByLabel('Filter by title, project, person or branch').fill('session')
      await results(page).first().waitFor()
      expect(await places()).toEqual(built)
    })

    it('say so if nothing matches', async () => {
      const { page, problems } = await visit('?branch=no-such-branch')
      await settled(page, 'No session matches all of these filters.')
      expect(await results(page).count()).toBe(0)
      expect(problems).toEqual([])
    })
  })

  const onDisk = (query: string): [string, { within: string }] => {
    const address = `${pathToFileURL(folder).href}/`
    return [`${address}index.html${query}`, { within: address }]
  }

  it('show titles of sessions as text', async () => {
    const [url, view] = onDisk('?branch=topic%2F51&month=2026-05')
    const { page, problems } = await open(url, view)
    const title = page.locator('.results .t', { hasText: '<img src=x onerror=alert(1)> & "more"' })
    await title.waitFor()
    expect(await page.locator('.results img').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('make the same rows as the build', async () => {
    const [url, view] = onDisk('?project=garden-000000')
    const { page } = await open(url, view)
    await settled(page, '3,000 sessions of 9,000')
    const markup = (root: string) =>
      page.locator(`${root} a[href$="${threadNumber(0)}/index.html"]`).evaluate((link) => link.outerHTML)
    expect(await markup('.results')).toBe(await markup('.newest'))
  })

  it.each(['light', 'dark'] as const)('are accessible while they are in use: %s', async (scheme) => {
    const [url, view] = onDisk('?project=garden-000000&edits=1')
    const { page } = await open(url, { ...view, scheme })
    await settled(page, 'of 9,000')
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await matches(page).getAttribute('role')).toBe('status')
  })

  it('let the keys of lists walk through the results', async () => {
    const [url, view] = onDisk('?project=harbour-000000')
    const { page, problems } = await open(url, view)
    await settled(page, '3,000 sessions of 9,000')
    const focused = () => page.evaluate('document.activeElement.getAttribute("href")')
    const [first, second] = [1, 4].map((index) => `sessions/${threadNumber(index)}/index.html`)
    await page.keyboard.press('j')
    expect(await focused()).toBe(first)
    await page.keyboard.press('j')
    expect(await focused()).toBe(second)
    expect(problems).toEqual([])
  })

  it('make one history entry of choices in quick succession', async () => {
    const [url, view] = onDisk('')
    const { page } = await open(url, view)
    const length = await page.evaluate<number>('history.length')
    await page.getByLabel('Project', { exact: true }).evaluate((select: HTMLSelectElement) => {
      for (const option of [...select.options].slice(1)) {
        select.value = option.value
        select.dispatchEvent(new Event('change', { bubbles: true }))
      }
    })
    await settled(page, '3,000 sessions of 9,000')
    expect(await page.evaluate('history.length')).toBe(length + 1)
    expect(new URL(page.url()).search).toBe('?project=ledger-000000')
  })

  it('open a row by the first click after typing', async () => {
    const [url, view] = onDisk('')
    const { page } = await open(url, view)
    await page.locator('form.filters [name="text"]').pressSequentially('part 12')
    await settled(page, 'sessions of 9,000')
    await page.evaluate(`addEventListener('click', (event) => {
      globalThis.clicked = event.target.closest('a')?.getAttribute('href')
      event.preventDefault()
    })`)
    const row = results(page).first()
    const box = await row.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 50, (box?.y ?? 0) + 10)
    await page.mouse.down()
    await page.waitForTimeout(50)
    await page.mouse.up()
    expect(await page.evaluate('globalThis.clicked')).toBe(await row.getAttribute('href'))
  })

  it('are hidden without JavaScript, and the lists remain', async () => {
    const [url, view] = onDisk('')
    const { page } = await open(url, { ...view, javaScript: false })
    expect(await page.getByLabel('Project', { exact: true }).isVisible()).toBe(false)
    expect(await page.getByRole('link', { name: /Session 0 / }).isVisible()).toBe(true)
  })

  it('report that the catalog cannot be loaded, and try again', async () => {
    const [url, view] = onDisk('')
    const { page } = await open(url, view)
    let isBroken = true
    await page.route('**/catalog.*.js', (route) => (isBroken ? route.abort() : route.continue()))
    // Requests of a page from disk can only be intercepted if the route exists before the page.
    await page.reload()
    await page.getByLabel('Files edited').check()
    await settled(page, 'could not be loaded')
    expect(await page.getByRole('link', { name: /Session 0 / }).isVisible()).toBe(true)
    isBroken = false
    await page.getByLabel('Something failed').check()
    await settled(page, `${count((index) => index % 20 === 0)} sessions of 9,000`)
  })

  it('keep rows of lists on one line: title, place, person, changes, failures, time', async () => {
    const [url, view] = onDisk('?sort=changes')
    const { page } = await open(url, view)
    await settled(page, '9,000 sessions of 9,000')
    const heights = await page
      .locator('.list li')
      .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).offsetHeight).filter((height) => height > 0))
    expect(Math.max(...heights)).toBeLessThanOrEqual(48)
    expect(await results(page).first().locator('.w').textContent()).toMatch(/Ada|Sam/)
  })

  it('keep the day next to its rows, in the list of the build and in that of the script', async () => {
    const [url, view] = onDisk('')
    const { page } = await open(url, view)
    const days = () =>
      page.locator('section:has(> .day + .list .row):visible').evaluateAll((sections) =>
        sections.map((section) => ({
          day: (section.firstElementChild as HTMLElement).innerText,
          height: (section as HTMLElement).offsetHeight / section.querySelectorAll('.row').length,
        })),
      )
    const built = await days()
    await page.getByLabel('Files edited').check()
    await settled(page, ' sessions of 9,000')
    for (const shown of [built, await days()]) {
      expect(shown[0]?.day).toBe('Thu, 12 Nov 2026')
      expect(Math.max(...shown.map(({ height }) => height))).toBeLessThanOrEqual(48)
    }
  })

  it('narrow and sort the projects on their page', async () => {
    const within = `${pathToFileURL(folder).href}/`
    const { page, problems } = await open(`${within}projects/index.html`, { within })
    const shown = () => page.locator('.project:visible .t').allTextContents()
    expect(await shown()).toEqual(['garden', 'harbour', 'ledger'])
    await page.getByLabel('Sort by').selectOption('tokens')
    const tokens = (name: string) =>
      sessions.reduce((sum, { project, usage }) => sum + (project.name === name ? (usage?.total ?? 0) : 0), 0)
    expect(await shown()).toEqual([...names].sort((a, b) => tokens(b) - tokens(a)))
    await page.getByLabel('Filter by name').fill('har')
    expect(await shown()).toEqual(['harbour'])
    expect(await matches(page).textContent()).toBe('1 project of 3')
    // However much is shown about a project, its name has one line on a phone.
    await page.setViewportSize({ width: 390, height: 844 })
    const { height = 0 } = (await page.locator('.project:visible .t').boundingBox()) ?? {}
    expect(height).toBeGreaterThan(0)
    expect(height).toBeLessThan(40)
    expect(problems).toEqual([])
  })

  it('leave the days of the calendar to the arrow keys, as one tab stop', async () => {
    const [url, view] = onDisk('')
    const { page, problems } = await open(url, view)
    const stops = await page.locator('.calendar a:not([tabindex="-1"])').count()
    expect(stops).toBe(1)
    await page.locator('.calendar a:not([tabindex="-1"])').focus()
    const focused = () => page.evaluate('document.activeElement.getAttribute("href")')
    expect(await focused()).toBe('months/2026-11/12.html')
    await page.keyboard.press('ArrowLeft')
    expect(await focused()).toBe('months/2026-11/11.html')
    expect(await page.locator('.calendar a:not([tabindex="-1"])').count()).toBe(1)
    // The keys continue from a focused day.
    await page.locator('.calendar a[href="months/2026-11/05.html"]').evaluate((day: HTMLElement) => day.focus())
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('.calendar a:not([tabindex="-1"])').count()).toBe(stops)
    await page.keyboard.press('Home')
    expect(await focused()).toBe('months/2025-11/10.html')
    await page.keyboard.press('Enter')
    await page.waitForURL(/months\/2025-11\/10\.html$/)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Monday, 10 November 2025')
    expect(problems).toEqual([])
  })
})
