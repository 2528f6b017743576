/**
 * Stars, tags and notes of the reader: stored in the browser, shown on sessions and rows, saved as a file that a
 * build reads.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { readCuration } from '../../src/config/curation.ts'
import { accessibilityFaults } from '../helpers/axe.ts'
import { describeInBrowser } from '../helpers/browser.ts'
import { useTempDir } from '../helpers/temp.ts'
import { sessionPath, useDemoServer } from './demo.ts'

/** A file that was chosen for publication, with decisions that the page does not know. */
const others = { sessions: { '0199b6f0': { hidden: true } } }

async function openPanel(page: Page): Promise<void> {
  await page.locator('.star').click()
  await page.getByRole('dialog').waitFor()
}

/** The curation that a button saves. */
async function saved(page: Page, press: () => Promise<void>): Promise<unknown> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return JSON.parse(readFileSync(await download.path(), 'utf8'))
}

describeInBrowser('stars, tags and notes of the reader', (open) => {
  const address = useDemoServer()
  const path = (): string => sessionPath('Tide curves on every harbour page')
  const id = (): string => path().split('/')[1] ?? ''

  it('are on the session, on its row and among the filters, also on the next visit', async () => {
    const { page, problems } = await open(address(path()))
    await page.keyboard.press('s')
    await page.getByLabel('★ Star').check()
    await page.getByLabel(/^Tags/).fill('tides, <b>to show</b>, tides,')
    await page.getByLabel(/^Note/).fill('The **best** of them')
    expect(await page.getByRole('dialog').getByRole('status').textContent()).toBe('Kept in this browser alone.')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('star')
    await page.reload()
    await expect.poll(() => page.locator('.star').textContent()).toBe('★ tides, <b>to show</b>')
    expect(await page.locator('.own').textContent()).toBe('The **best** of them')

    await page.goto(address('index.html'))
    const tags = page.locator(`.newest a.row[href*="${id()}"] .tag`)
    await expect.poll(() => tags.allTextContents()).toEqual(['★', 'tides', '<b>to show</b>'])
    await page.getByLabel('Tag', { exact: true }).selectOption('tides')
    await expect.poll(() => page.locator('.results li').count()).toBe(1)
    expect(await page.locator('.results .row .tag').allTextContents()).toEqual(['★', 'tides', '<b>to show</b>'])
    await page.goto(address('index.html?tag=★'))
    await expect.poll(() => page.locator('.results li').count()).toBe(1)

    await page.goto(address('search/index.html?q=the'))
    await page.locator('.facet > summary').filter({ hasText: 'Any tag' }).click()
    await page.getByRole('checkbox', { name: 'tides 1' }).check()
    const found = page.getByRole('list', { name: 'Results' }).locator('.t')
    await expect.poll(() => found.allTextContents()).toEqual(['Tide curves on every harbour page'])
    await page.goto(address('search/index.html?tag=★'))
    await expect.poll(() => found.allTextContents()).toEqual(['Tide curves on every harbour page'])
    await page.goto(address('search/index.html'))
    await page.getByRole('combobox', { name: /^Search/ }).pressSequentially('the tag:ti')
    await page.getByRole('option', { name: 'tides 1' }).click()
    await expect.poll(() => found.allTextContents()).toEqual(['Tide curves on every harbour page'])
    expect(problems).toEqual([])
  })

  it.each([
    ['comes back as it was left', 'dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))'],
    [
      'stays open in another tab',
      'dispatchEvent(new StorageEvent("storage", { key: "codex-export:curation", newValue: "" }))',
    ],
  ])('are current in the lists of a page that %s', async (_, event) => {
    const { page, problems } = await open(address('index.html'))
    const tags = page.locator(`.newest a.row[href*="${id()}"] .tag`)
    const decide = (decisions: unknown): Promise<unknown> =>
      page.evaluate(`{
        localStorage.setItem('codex-export:curation', ${JSON.stringify(JSON.stringify(decisions))})
        ${event}
      }`)
    // The first decision of this browser: the page has loaded nothing for it.
    await decide({ [id()]: { star: true, tags: ['tides'] } })
    await expect.poll(() => tags.allTextContents()).toEqual(['★', 'tides'])
    await page.getByLabel('Tag', { exact: true }).selectOption('tides')
    const found = page.locator('.results li')
    await expect.poll(() => found.count()).toBe(1)

    await decide({ [id()]: { tags: ['harbour'] } })
    await expect.poll(() => tags.allTextContents()).toEqual(['harbour'])
    await expect.poll(() => found.count()).toBe(0)
    await page.getByLabel('Tag', { exact: true }).selectOption('harbour')
    await expect.poll(() => found.locator('.tag').allTextContents()).toEqual(['harbour'])
    expect(problems).toEqual([])
  })

  it.each([
    ['before anything is asked', '', ['tides 1', '★ Starred 1'], ['harbour 1']],
    ['next to results', '?q=harbour', ['tides 1', '★ Starred 1'], ['harbour 1']],
  ])('are current in the search page that comes back as it was left, %s', async (_, query, first, later) => {
    const { page, problems } = await open(address(`search/index.html${query}`))
    await page.locator('.narrow:not([data-waits])').waitFor()
    if (query !== '') await page.locator('.hits a').nth(1).focus()
    const at = (): Promise<unknown> => page.evaluate('document.activeElement.href')
    const focused = await at()
    const tags = page.locator('.facet [aria-label="Tag"] label')
    const texts = async (): Promise<string[]> => (await tags.allTextContents()).map((text) => text.trim())
    const decide = (decisions: unknown): Promise<unknown> =>
      page.evaluate(`{
        localStorage.setItem('codex-export:curation', ${JSON.stringify(JSON.stringify(decisions))})
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
      }`)
    await decide({ [id()]: { star: true, tags: ['tides'] } })
    await expect.poll(texts).toEqual(first)
    await decide({ [id()]: { tags: ['harbour'] } })
    await expect.poll(texts).toEqual(later)
    await expect.poll(at).toBe(focused)
    expect(problems).toEqual([])
  })

  it('are current in the head of a session that comes back as it was left', async () => {
    const { page } = await open(address(path()))
    const decisions = JSON.stringify({ [id()]: { star: true, note: 'The best' } })
    await page.evaluate(`{
      localStorage.setItem('codex-export:curation', ${JSON.stringify(decisions)})
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    }`)
    await expect.poll(() => page.locator('.star').textContent()).toBe('★')
    expect(await page.locator('.own').textContent()).toBe('The best')
  })

  it('are saved as a curation that a build reads, alone or merged into an existing file', async () => {
    const { page } = await open(address(path()))
    await openPanel(page)
    await page.getByLabel('★ Star').check()
    await page.getByLabel(/^Tags/).fill('tides')
    const own = { star: true, tags: ['tides'] }
    const whole = await saved(page, () => page.getByRole('button', { name: 'Save curation.json' }).click())
    expect(whole).toEqual({ sessions: { [id()]: own } })
    expect(readCuration(whole, 'the file')).toEqual({ [id()]: { exclude: [], ...own } })

    const file = join(useTempDir(), 'mine.json')
    const start = id().slice(0, 8)
    const mine = { sessions: { ...others.sessions, [start]: { title: 'Tides', exclude: ['turn:2'], tags: ['old'] } } }
    writeFileSync(file, JSON.stringify(mine))
    const both = await saved(page, () => page.getByLabel('Curation file').setInputFiles(file))
    expect(both).toEqual({
      sessions: { ...others.sessions, [start]: { title: 'Tides', exclude: ['turn:2'], ...own } },
    })
    writeFileSync(file, '[1, 2]')
    await page.getByLabel('Curation file').setInputFiles(file)
    await page.getByText('no curation file; nothing was saved').waitFor()
  })

  it('say if the browser stores nothing, and can still be saved', async () => {
    const before = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('off') } })"
    const { page, problems } = await open(address(path()), { before })
    await openPanel(page)
    const status = page.getByRole('dialog').getByRole('status')
    expect(await status.textContent()).toContain('keeps nothing')
    await page.getByLabel('★ Star').check()
    expect(await status.textContent()).toContain('keeps nothing')
    expect(await page.locator('.star').textContent()).toBe('★')
    const whole = await saved(page, () => page.getByRole('button', { name: 'Save curation.json' }).click())
    expect(whole).toEqual({ sessions: { [id()]: { star: true } } })
    expect(problems).toEqual([])
  })

  it('are stored next to unknown data, and removed ones stay removed', async () => {
    const kept = JSON.stringify({ other: { star: true }, third: { star: true }, odd: null })
    const { page } = await open(address(path()))
    await page.evaluate(`localStorage.setItem('codex-export:curation', ${JSON.stringify(kept)})`)
    await page.reload()
    await openPanel(page)
    // Another tab removes one meanwhile.
    const without = JSON.stringify({ third: { star: true }, odd: null })
    await page.evaluate(`localStorage.setItem('codex-export:curation', ${JSON.stringify(without)})`)
    await page.getByLabel('★ Star').check()
    const stored = await page.evaluate<string>(`localStorage.getItem('codex-export:curation')`)
    expect(JSON.parse(stored)).toMatchObject({ third: { star: true }, [id()]: { star: true } })
    expect(JSON.parse(stored)).not.toHaveProperty('other')
    await page.getByLabel('★ Star').uncheck()
    await page.evaluate(`localStorage.removeItem('codex-export:curation')`)
    await page.getByLabel('★ Star').check()
    expect(await page.evaluate(`localStorage.getItem('codex-export:curation')`)).not.toContain('third')
  })

  it.each(['{"a":', '[null]', '{"a":{"tags":"x","star":"yes"}}', '"★"'])(
    'ignore invalid stored data: %s',
    async (text) => {
      const before = `localStorage.setItem('codex-export:curation', ${JSON.stringify(text)})`
      const { page, problems } = await open(address('index.html'), { before })
      await page.waitForFunction('globalThis.codexCuration !== undefined')
      expect(await page.locator('.newest .row .tag').count()).toBe(0)
      await page.getByLabel('Project', { exact: true }).selectOption({ index: 1 })
      await expect.poll(() => page.locator('.results li').count()).toBeGreaterThan(0)
      expect(problems).toEqual([])
    },
  )
})
