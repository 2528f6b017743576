/** A locked site in the browser: over http and from a folder on disk, with and without the password. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../src/cli/serve/server-fs.ts'
import { accessibilityFaults } from '../helpers/axe.ts'
import { describeInBrowser, type View, type Visit } from '../helpers/browser.ts'
import { runCli } from '../helpers/cli.ts'
import { openSite } from '../helpers/locked-site.ts'
import { motionFaults } from '../helpers/preferences.ts'
import { envelopes, instant, item, meta, userItem } from '../helpers/records.ts'
import { threadId } from '../helpers/rollout.ts'
import { demoFiles, sessionPath } from './demo.ts'
import { password, useLockedSite } from './locked.ts'

const locked = useLockedSite()
const { folder, site, roots } = locked
const pathIn = (path: string): string => locked.at(path)

/** Types the password and waits for the page. */
async function unlock(page: Page): Promise<void> {
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await ready(page)
}

/** Waits until an expression is true in the page, whatever page is shown meanwhile. */
async function becomes(page: Page, what: string): Promise<void> {
  await expect.poll(() => page.evaluate(what).catch(() => undefined), { timeout: 10_000, message: what }).toBe(true)
}

/** Waits until a page of the site is shown and its scripts have run. */
async function ready(page: Page): Promise<void> {
  await page.locator('html[data-js] header.top').waitFor()
  await becomes(page, 'getComputedStyle(document.body).opacity === "1"')
}

describeInBrowser('a locked site', (open) => {
  describe.each(Object.entries(roots))('%s', (_, root) => {
    /** Opens the sealed page that contains a page of the site; `rest` follows its address. */
    const visit = (path: string, rest = '', view: View = {}): Promise<Visit> =>
      open(root() + pathIn(path) + rest, { within: root(), ...view })
    const unlocked = async (path: string, rest = '', view: View = {}): Promise<Visit> => {
      const visited = await visit(path, rest, view)
      await unlock(visited.page)
      return visited
    }

    it('asks for the password, says when it is wrong, and opens with the right one', async () => {
      const { page, problems } = await visit('index.html')
      expect(await page.title()).toBe('Locked site')
      const field = page.getByLabel('Password')
      await field.fill('tin drum, blue Lantern')
      await page.getByRole('button', { name: 'Unlock' }).click()
      await page.getByText('This is not the password of this site').waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
      await unlock(page)
      expect(await page.title()).toBe('Sample sessions')
      expect(await page.locator('.newest a').count()).toBeGreaterThan(40)
      expect(await page.getByLabel('Password').count()).toBe(0)
      expect(problems).toEqual([])
    })

    it('leads from page to page, back and forward, without asking again', async () => {
      const { page, problems } = await unlocked('index.html')
      const link = page.locator('.newest a').nth(3)
      const title = await link.locator('.t').evaluate((shown) => shown.firstChild?.textContent?.trim())
      await link.click()
      await ready(page)
      expect(await page.locator('h1').textContent()).toContain(title)
      await page.getByRole('link', { name: 'Projects' }).click()
      await ready(page)
      expect(await page.title()).toMatch(/^Projects/)
      await page.goBack()
      await ready(page)
      expect(await page.locator('h1').textContent()).toContain(title)
      await page.goForward()
      await ready(page)
      expect(await page.title()).toMatch(/^Projects/)
      await page.reload()
      await ready(page)
      expect(await page.title()).toMatch(/^Projects/)
      expect(problems).toEqual([])
    })

    it('restores the scroll position of a page', async () => {
      const { page } = await unlocked('index.html', '', { width: 390 })
      await page.evaluate('scrollTo(0, 1500)')
      await becomes(page, 'history.state?.lockScroll === 1500')
      // A click by the mouse would scroll to the link first.
      await page.evaluate('document.querySelectorAll(".newest a")[30].click()')
      await page.waitForURL(/pages/)
      await ready(page)
      await page.goBack()
      await ready(page)
      expect(await page.evaluate('scrollY')).toBe(1500)
    })

    it('opens a deep link at its place, even if that is on another page', async () => {
      const path = sessionPath('On-call guide, short version')
      const first = await visit(path)
      await unlock(first.page)
      const id = await first.page.locator('.flow .item.answer[id]').last().getAttribute('id')
      const { page, problems } = await unlocked(path, `#${id}`)
      expect(await page.locator(':target').getAttribute('id')).toBe(id)
      await expect
        .poll(() => page.locator(`[id="${id}"]`).evaluate((item) => item.getBoundingClientRect().top))
        .toBeLessThan(800)
      expect(problems).toEqual([])

      const last = demoFiles().filter((file) => /^sessions\/019dae68-[^/]+\/3\.html$/.test(file))[0] ?? ''
      const other = await unlocked(last)
      const ids = await other.page.locator('.flow .item[id]').evaluateAll((items) => items.map(({ id }) => id))
      const story = `${root()}${pathIn(last.replace('3.html', 'index.html'))}`
      await other.page.goto(story)
      await ready(other.page)
      const shown = new Set(await other.page.locator('.flow [id]').evaluateAll((all) => all.map(({ id }) => id)))
      const far = ids.findLast((name) => !shown.has(name))
      await other.page.goto(`${story}#${far}`)
      await other.page.waitForURL((url) => url.href.includes(pathIn(last)))
      await ready(other.page)
      expect(await other.page.locator(':target').getAttribute('id')).toBe(far)
    })

    it('searches, opens a hit with its marks, and sends no host what was searched for', async () => {
      const { page, problems } = await unlocked('index.html')
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.keyboard.press('/')
      await page.getByRole('combobox', { name: /^Search/ }).fill('harbour')
      await page.getByRole('status').filter({ hasText: /found/ }).waitFor()
      expect(await page.locator('.hits a mark').first().textContent()).toMatch(/harbour/i)
      await page.locator('.hits ol a').first().click()
      await page.waitForURL(/#.+\?mark=harbour$/)
      await ready(page)
      await becomes(page, 'CSS.highlights.get("sought")?.size > 0')
      expect(await page.locator(':target').count()).toBe(1)
      await page.reload()
      await ready(page)
      await becomes(page, 'CSS.highlights.get("sought")?.size > 0')
      expect(asked.filter((url) => /\?|harbour/.test(url.replace(/#.*/, '')))).toEqual([])
      expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain('harbour')
      expect(problems).toEqual([])
    })

    it('finds words in all pages of a session, and sends no host what was searched for', async () => {
      const { page, problems } = await unlocked(sessionPath('Inventory of all hosts'))
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.keyboard.press('f')
      await page.getByRole('searchbox', { name: 'Find in this session' }).fill('cat /etc/proxy/main.conf')
      await page.locator('.finder [role="status"]').filter({ hasText: 'on other pages' }).waitFor()
      await page.keyboard.press('Enter')
      await page
        .locator('.finder [role="status"]')
        .filter({ hasText: /^1 of \d+, page \d/ })
        .waitFor()
      const marked = `[...CSS.highlights.get('found')].join() === 'cat /etc/proxy/main.conf'`
      await becomes(page, marked)
      expect(asked.filter((url) => url.includes('proxy'))).toEqual([])
      expect(problems).toEqual([])
    })

    it('has the search page, with the question in its address', async () => {
      const { page, problems } = await unlocked('search/index.html', '#?q=harbour&sort=date')
      await page.getByRole('status').filter({ hasText: /found/ }).waitFor()
      expect(await page.getByRole('combobox', { name: /^Search/ }).inputValue()).toBe('harbour')
      expect(await page.getByLabel('Order').inputValue()).toBe('date')
      await page.getByRole('combobox', { name: /^Search/ }).fill('tide')
      await page.waitForURL(/#\?q=tide&sort=date$/)
      expect(problems).toEqual([])
    })

    it('filters the sessions of the start page by the sealed catalog, and goes back', async () => {
      const { page, problems } = await unlocked('index.html')
      const before = page.url()
      await page.locator('select[name="project"]').selectOption({ index: 1 })
      await page
        .getByRole('status')
        .filter({ hasText: /sessions? of/ })
        .waitFor()
      expect(page.url()).toMatch(/#\?project=/)
      await page.locator('.results a').first().click()
      await ready(page)
      expect(await page.locator('main .flow').count()).toBe(1)
      await page.goBack()
      await page
        .getByRole('status')
        .filter({ hasText: /sessions? of/ })
        .waitFor()
      await page.goBack()
      await page.waitForURL(before)
      await expect.poll(() => page.locator('.results').isHidden()).toBe(true)
      expect(problems).toEqual([])
    })

    it('has the same keys, folds and themes', async () => {
      const path = sessionPath('On-call guide, short version')
      const { page, problems } = await unlocked(path)
      await page.locator('.theme').click()
      const theme = await page.evaluate('document.documentElement.dataset.theme')
      expect(theme).toBe('dark')
      await page.keyboard.press('j')
      expect(await page.evaluate('document.activeElement?.closest(".item") !== null')).toBe(true)
      const fold = page.locator('.flow details:not([open]) > summary').first()
      await fold.click()
      const openFolds = await page.locator('main details[open]').count()
      await becomes(page, 'localStorage.getItem("codex-export:folds") !== null')
      await page.reload()
      await ready(page)
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
      expect(await page.locator('main details[open]').count()).toBe(openFolds)
      // What remains in the browser names no session.
      expect(await page.evaluate('localStorage.getItem("codex-export:folds")')).not.toContain(path.split('/')[1])
      expect(problems).toEqual([])
    })

    it('shows pictures, also enlarged', async () => {
      const path = demoFiles().find((file) => /^sessions\/019eab64[^/]+\/index\.html$/.test(file)) ?? ''
      const { page, problems } = await unlocked(path)
      const picture = page.locator('a.shot img').first()
      await picture.scrollIntoViewIfNeeded()
      await expect
        .poll(() => picture.evaluate((image) => 'naturalWidth' in image && image.naturalWidth))
        .toBeGreaterThan(0)
      await picture.click()
      const large = page.locator('dialog.shown img')
      expect(await large.evaluate((image) => 'naturalWidth' in image && image.naturalWidth)).toBeGreaterThan(0)
      expect(problems).toEqual([])
    })

    it('shows a file that is not a page, and saves it', async () => {
      const path = sessionPath('On-call guide, short version')
      const { page, problems } = await unlocked(path)
      await page.getByRole('link', { name: 'Markdown' }).first().click()
      await page.getByRole('button', { name: 'Save the file' }).waitFor()
      expect(await page.locator('pre').textContent()).toContain('On-call guide')
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save the file' }).click()
      const download = await saved
      expect(download.suggestedFilename()).toBe('index.md')
      const content = locked.files().get(path.replace('.html', '.md'))?.content
      expect(readFileSync(await download.path()).equals(content ?? Buffer.alloc(0))).toBe(true)
      await page.getByRole('link', { name: 'All sessions' }).click()
      await ready(page)
      expect(await page.title()).toBe('Sample sessions')
      expect(problems).toEqual([])
    })

    it('keeps the key for the tab, and neither the key nor the password for longer', async () => {
      const { page } = await unlocked('index.html')
      const kept = await page.evaluate<{ tab: Record<string, string>; lasting: string }>(`(async () => ({
        tab: { ...sessionStorage },
        lasting: JSON.stringify([
          { ...localStorage },
          document.cookie,
          await indexedDB.databases(),
          await Promise.resolve().then(() => caches.keys()).catch(() => []),
        ]),
      }))()`)
      const keys = Object.entries(kept.tab).filter(([name]) => name.startsWith('codex-export:lock:'))
      expect(keys).toHaveLength(1)
      expect(keys[0]?.[1]).toMatch(/[\w+/-]{20}/)
      expect(JSON.stringify(kept)).not.toContain('lantern')
      expect(kept.lasting).toMatch(/^\[\{[^[\]]*\},"",\[\],\[\]\]$/)
      expect(kept.lasting).not.toContain('codex-export:lock:')
      for (const part of keys[0]?.[1].match(/[\w+/-]{20,}/g) ?? []) expect(kept.lasting).not.toContain(part)
      const other = await page.context().newPage()
      await other.goto(root() + pathIn('projects/index.html'))
      await other.getByLabel('Password').waitFor()
    })

    it('says what is missing if the browser has no encryption', async () => {
      const before = 'Object.defineProperty(crypto, "subtle", { value: undefined })'
      const { page, problems } = await visit('index.html', '', { before })
      await page.getByText('cannot be unlocked').waitFor()
      const text = (await page.locator('main.lock .told').textContent()) ?? ''
      expect(text).toContain('https')
      expect(text.includes('open its index.html from disk')).toBe(root().startsWith('http'))
      expect(await page.getByLabel('Password').isVisible()).toBe(false)
      expect(problems).toEqual([])
    })

    it('says that it needs JavaScript if that is off', async () => {
      const { page } = await visit('index.html', '', { javaScript: false })
      expect(await page.getByRole('heading', { name: 'This site is locked' }).isVisible()).toBe(true)
      expect(await page.locator('noscript p').textContent()).toContain('Allow JavaScript for this site')
      expect(await page.locator('noscript p').isVisible()).toBe(true)
    })

    it.each([
      { width: 1280, scheme: 'light' },
      { width: 390, scheme: 'dark' },
    ] as const)('has an accessible login page: $width px, $scheme', async (view) => {
      const { page } = await visit('index.html', '', view)
      await page.getByLabel('Password').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      // A page from disk may not read its own style sheets.
      if (page.url().startsWith('http')) expect(await motionFaults(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    })
  })

  it('says that a page was damaged, and not that the password is wrong', async () => {
    const at = join(site, pathIn('stats/index.html'))
    const whole = readFileSync(at, 'utf8')
    writeFileSync(
      at,
      whole.replace(/(data-check="\w+">.{400})(.)/, (_, start, letter) => start + (letter === 'A' ? 'B' : 'A')),
    )
    try {
      const { page } = await open(roots['over http']() + pathIn('stats/index.html'))
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByText('The password is right, but this page cannot be opened: it was damaged').waitFor()
    } finally {
      writeFileSync(at, whole)
    }
  })

  it('shows no page in place of another', async () => {
    const [at, other] = [join(site, pathIn('stats/index.html')), join(site, pathIn('files/index.html'))]
    const whole = readFileSync(at, 'utf8')
    writeFileSync(at, readFileSync(other))
    try {
      const { page } = await open(roots['over http']() + pathIn('stats/index.html'))
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByText('cannot be opened: it is another page of the site').waitFor()
    } finally {
      writeFileSync(at, whole)
    }
  })

  it('is shown by `serve`, which sends its policy as a header', async () => {
    const own = await startServer(site, { port: 0 })
    try {
      const { headers } = await fetch(own.url)
      expect(headers.get('content-security-policy')).toContain("script-src 'self' blob: 'wasm-unsafe-eval'")
      const { page, problems } = await open(own.url)
      await unlock(page)
      await page.keyboard.press('/')
      await page.getByRole('combobox', { name: /^Search/ }).fill('harbour')
      await page.getByRole('status').filter({ hasText: /found/ }).waitFor()
      expect(problems).toEqual([])
    } finally {
      await own.close()
    }
  })

  it('shows the beginning of a long text and saves all of its parts', async () => {
    const logs = join(folder, 'logs')
    mkdirSync(logs)
    const outputs = Array.from({ length: 7 }, (_, turn) => `row ${turn} of a long table\n`.repeat(38_000))
    const lines = envelopes([
      meta({ id: threadId(7), timestamp: instant(0), cwd: '/home/sam/shop' }),
      userItem('Print all tables'),
      ...outputs.flatMap((output, turn) => [
        item({ type: 'function_call', call_id: `c${turn}`, name: 'shell', arguments: '{"command":["cat","table"]}' }),
        item({ type: 'function_call_output', call_id: `c${turn}`, output }),
      ]),
    ])
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const rollout = join(logs, `rollout-2026-03-14T09-00-00-${threadId(7)}.jsonl`)
    writeFileSync(rollout, text)
    const out = join(folder, 'long')
    const args = ['--codex-home', logs, '--cache', join(folder, 'long-cache'), '--format', 'html,json', '--no-search']
    const run = await runCli(['build', '--out', out, '--password-file', join(folder, 'password'), ...args])
    expect(run.stderr).toContain('Built 1 session ')
    const tree = (await openSite(out, password)).get(`sessions/${threadId(7)}/index.json`)
    expect(tree?.sealed.length).toBeGreaterThan(1)
    const root = pathToFileURL(join(out, '/')).href
    const { page, problems } = await open(`${root}${tree?.sealed[0]}`, { within: root })
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('Only the beginning is shown').waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save the file' }).click()
    const bytes = readFileSync(await (await saved).path())
    expect(bytes.equals(tree?.content ?? Buffer.alloc(0))).toBe(true)
    expect(problems).toEqual([])

    // A part from an older build, as a host may mix them.
    const later = join(out, tree?.sealed[1] ?? '')
    const older = readFileSync(later)
    writeFileSync(rollout, text.replaceAll('long table', 'wide table'))
    await runCli(['build', '--out', out, '--password-file', join(folder, 'password'), ...args])
    writeFileSync(later, older)
    await page.reload()
    await page.getByRole('button', { name: 'Save the file' }).click()
    await page.getByText('The file could not be saved: parts of a file come from different builds.').waitFor()
  })

  it('prints the page and nothing of the login page', async () => {
    const { page } = await open(roots['over http']() + pathIn(sessionPath('On-call guide, short version')))
    await unlock(page)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('main .flow').isVisible()).toBe(true)
    expect(await page.getByText('This site is locked').count()).toBe(0)
    expect(await page.locator('header.top').isVisible()).toBe(false)
  })
})
