/** Finding in a session: over all its pages, in any fold or view, from http and from disk. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { templatesFolder } from '../../src/config/package-fs.ts'
import { describeInBrowser, type Visit } from '../helpers/browser.ts'
import { buildConversation } from '../helpers/conversation-site.ts'
import { useTempDir } from '../helpers/temp.ts'
import { demoFiles, readDemo, sessionPath, useDemoServer } from './demo.ts'
import { inventTurns } from './invented.ts'

const longThread = (): string => sessionPath('Inventory of all hosts')
const status = (page: Page): Promise<string | null> => page.textContent('.finder [role="status"]')

/** Opens the find by its key and types into it. */
async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('f')
  await page.getByRole('searchbox', { name: 'Find in this session' }).fill(text)
}

/** Waits until the find shows this text, on whatever page that is by then. */
async function says(page: Page, text: string | RegExp): Promise<void> {
  const matching = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text)
  await expect.poll(() => status(page).catch(() => ''), { timeout: 10_000 }).toEqual(matching)
}

/** The text that is marked as the current place. */
const found = `[...(CSS.highlights.get('found') ?? [])].map((range) => range.toString()).join()`
/** Whether that place is in the window and in no closed fold. */
const isSeen = `(() => {
  const [range] = CSS.highlights.get('found')
  const { top, bottom, height } = range.getBoundingClientRect()
  return height > 0 && top >= 0 && bottom <= innerHeight && range.startContainer.parentElement.checkVisibility()
})()`
/** The number of visible items. */
const shown = `[...document.querySelectorAll('.flow .item')].filter((item) => item.checkVisibility()).length`

describeInBrowser('finding in a session', (open) => {
  const http = useDemoServer()
  const roots = {
    'over http': (path: string) => http(path),
    'from a folder on disk': (path: string) => pathToFileURL(join(inject('demo'), path)).href,
  }
  const visit = (path: string, query = ''): Promise<Visit> =>
    open(roots['from a folder on disk'](path) + query, { within: 'file:' })

  it('has in the scripts of a site the same texts as its pages', async () => {
    const source = ['search/signs', 'find/text']
      .map((name) => readFileSync(join(templatesFolder, `assets/${name}.js`), 'utf8'))
      .join('')
      .replace(/^export |^import .*/gm, '')
    const paths = demoFiles().filter((path) => /\/find-\d+\.js$/.test(path))
    expect(paths.length).toBeGreaterThan(3)
    for (const path of paths) {
      const packed = /"([^"]+)"/.exec(readDemo(path))?.[1] ?? ''
      const { page } = await visit(path.replace(/find-(\d+)\.js$/, '$1.html'))
      const items = await page.evaluate(
        `(() => { ${source}; return itemsHere().map((item) => [item.id, kindsOf(item), textOf(item)]) })()`,
      )
      expect(JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()).items).toEqual(items)
    }
  })

  describe.each(Object.entries(roots))('%s', (_, address) => {
    it('goes from place to place over all pages, back and around', async () => {
      const { page, problems } = await open(address(longThread()), { within: address('') })
      await find(page, 'NEXT:  ')
      await says(page, /^1 of 9, page 1: Next: basalt/)
      for (let place = 2; place <= 9; place++) {
        await page.keyboard.press('Enter')
        await says(page, new RegExp(`^${place} of 9, page \\d: .*Next:`))
      }
      await page.keyboard.press('Enter')
      await says(page, /^1 of 9/)
      await page.keyboard.press('Shift+Enter')
      await says(page, /^9 of 9, page [34]/)
      expect(await page.evaluate(found)).toBe('Next:')
      expect(await page.evaluate(isSeen)).toBe(true)
      expect(problems).toEqual([])
    })

    it('opens the work page that alone contains a place, with the place in sight', async () => {
      const { page, problems } = await open(address(longThread()), { within: address('') })
      await find(page, 'cat /etc/proxy/main.conf')
      await says(page, / on other pages/)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/\d\.html\?/)
      await says(page, /^1 of \d+, page \d: /)
      expect(await page.evaluate(found)).toBe('cat /etc/proxy/main.conf')
      expect(await page.evaluate(isSeen)).toBe(true)
      // The same key continues.
      await page.keyboard.press('Enter')
      await says(page, /^2 of /)
      expect(problems).toEqual([])
    })
  })

  it('shows a place that the view hides, and does not change the view', async () => {
    const { page, problems } = await visit(longThread().replace('index', '3'), '?view=work')
    await find(page, 'Looking at hematite')
    await says(page, /^1 of \d+, page 3/)
    expect(await page.evaluate(isSeen)).toBe(true)
    expect(await page.evaluate('document.documentElement.dataset.view')).toBe('work')
    await page.keyboard.press('Escape')
    expect(await page.evaluate(`document.querySelector('.thought').checkVisibility()`)).toBe(false)
    expect(problems).toEqual([])
  })

  it('returns the focus after Escape and removes its marks', async () => {
    const { page, problems } = await visit(sessionPath('Tide curves on every harbour page'))
    const button = page.getByRole('button', { name: 'Find', exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('searchbox', { name: 'Find in this session' }).fill('tide')
    await says(page, /^\d+ of \d+: .*tide/i)
    await page.keyboard.press('Escape')
    expect(await page.locator('.finder').isVisible()).toBe(false)
    expect(await page.evaluate(`[...CSS.highlights.keys()]`)).toEqual([])
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(problems).toEqual([])
  })

  it.each(['story', 'work', 'all'])('shows only items of the chosen kinds in the view %s', async (view) => {
    const { page, problems } = await visit(sessionPath('Tide curves on every harbour page'), `?view=${view}`)
    const before = await page.evaluate<number>(shown)
    await page.keyboard.press('f')
    const chip = page.getByRole('checkbox', { name: /^Commands \d+$/ })
    const count = Number((await page.locator('.chip', { has: chip }).textContent())?.match(/\d+/)?.[0])
    await chip.check({ force: true })
    await says(page, `1 of ${count}`)
    const seen = (selector: string): Promise<number> =>
      page.evaluate(`[...document.querySelectorAll('${selector}')].filter((item) => item.checkVisibility()).length`)
    await expect.poll(() => seen('.flow .item.command')).toBe(count)
    expect(await seen('.flow .item:not(.command, :has(.command))')).toBe(0)
    // Words are then found only in these.
    await page.getByRole('searchbox', { name: 'Find in this session' }).fill('harbour')
    await says(page, /: .*harbour|Nothing found/)
    await page.keyboard.press('Escape')
    expect(await page.evaluate<number>(shown)).toBe(before)
    expect(problems).toEqual([])
  })

  it('goes by Enter to the first place of the words just typed, not of the previous words', async () => {
    const { page, problems } = await open(http(longThread()))
    await find(page, 'Next:')
    await says(page, /^1 of 9/)
    const hit = await page.evaluate<string>(`(() => {
      const field = document.querySelector('.finder input')
      field.value = 'basalt'
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
      return document.querySelector('.finder [role="status"]').textContent
    })()`)
    expect(hit).not.toContain('2 of')
    await says(page, /^\d+ of \d+.*: .*basalt/)
    expect(await page.evaluate(found)).toBe('basalt')
    expect(problems).toEqual([])
  })

  it('keeps its marks if Escape is pressed outside of it, after a search', async () => {
    const { page } = await open(http(sessionPath('Tide curves on every harbour page')))
    await page.keyboard.press('/')
    await page
      .getByRole('dialog', { name: 'Search' })
      .getByRole('status')
      .filter({ hasText: 'Part of a word' })
      .waitFor()
    await page.keyboard.press('Escape')
    await find(page, 'tide')
    await says(page, /^\d+ of /)
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('Escape')
    expect(await page.locator('.finder').isVisible()).toBe(true)
    expect(await page.evaluate<number>(`CSS.highlights.get('sought')?.size ?? 0`)).toBeGreaterThan(0)
  })

  it('gives back the marks of a search when it is closed, and their bar', async () => {
    const { page, problems } = await visit(sessionPath('Tide curves on every harbour page'), '?mark=tide')
    const marks = `[...(CSS.highlights.get('sought') ?? [])].map((range) => range.toString().toLowerCase())`
    await expect.poll(() => page.evaluate<string[]>(marks)).toContain('tide')
    const before = await page.evaluate<string[]>(marks)
    const bar = page.getByRole('group', { name: 'Marks' })
    expect(await bar.isVisible()).toBe(true)
    await find(page, 'harbour')
    await says(page, /^\d+ of \d+/)
    expect(await bar.isVisible()).toBe(false)
    expect(new Set(await page.evaluate<string[]>(marks))).toEqual(new Set(['harbour']))
    await page.keyboard.press('Escape')
    expect(await page.locator('form.finder').isVisible()).toBe(false)
    expect(await page.evaluate<string[]>(marks)).toEqual(before)
    expect(await bar.isVisible()).toBe(true)
    // What the reader takes away stays away, after a reload too.
    await page.keyboard.press('Escape')
    expect(await page.evaluate<string[]>(marks)).toEqual([])
    expect(new URL(page.url()).search).toBe('')
    expect(problems).toEqual([])
  })

  it('keeps an address that asks for matches at those that it shows', async () => {
    const { page, problems } = await visit(longThread().replace('index', '1'), '?find=host&hit=abc')
    await says(page, /^1 of \d+/)
    await expect.poll(() => new URL(page.url()).search).toBe('?find=host&hit=0')
    await page.keyboard.press('Enter')
    await says(page, /^2 of \d+/)
    await expect.poll(() => new URL(page.url()).search).toBe('?find=host&hit=1')
    await page.getByRole('searchbox', { name: 'Find in this session' }).fill('no such words')
    await expect.poll(() => new URL(page.url()).search).toBe('?find=no+such+words')
    await page.keyboard.press('Escape')
    expect(new URL(page.url()).search).toBe('')
    expect(problems).toEqual([])
  })

  it('finds every word of a long log quickly', async () => {
    const { page } = await visit(sessionPath('Tide curves on every harbour page'))
    await page.evaluate(`document.querySelector('.flow .item[id] .prose').append('these words '.repeat(30_000))`)
    const start = Date.now()
    await find(page, 'these words')
    await says(page, /^\d+ of 30,\d{3}/)
    expect(Date.now() - start).toBeLessThan(8000)
  })

  it('says that nothing was found, and where', async () => {
    const { page, problems } = await visit(longThread())
    await find(page, 'no such words')
    await says(page, 'Nothing found in all pages.')
    expect(problems).toEqual([])
  })

  it('searches only the current page of a site without a search, and says so', async () => {
    const site = await buildConversation(useTempDir(), inventTurns(60, 25))
    const { page, problems } = await open(pathToFileURL(join(site.root, site.path)).href, { within: 'file:' })
    await find(page, 'please')
    await says(page, /^1 of \d+ on this page/)
    await page.getByRole('searchbox', { name: 'Find in this session' }).fill('no such words')
    await says(
      page,
      'Nothing found in this page. The other pages are not searched: this site was built without a search.',
    )
    expect(problems).toEqual([])
  })

  it('finds words in a session that is one file', async () => {
    const { page, problems } = await open(pathToFileURL(inject('single')).href)
    await find(page, 'conversion')
    await says(page, /^1 of \d+/)
    expect(await page.evaluate(isSeen)).toBe(true)
    expect(problems).toEqual([])
  })
})
