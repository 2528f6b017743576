/** A curated site in the browser: the public preset, a note, a title, omitted parts, a session without its source. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer } from '../../src/cli/serve/server-fs.ts'
import { accessibilityFaults } from '../helpers/axe.ts'
import { describeInBrowser, type View } from '../helpers/browser.ts'
import { runCli } from '../helpers/cli.ts'
import { everyKindId, writeEveryKind } from '../helpers/every-kind.ts'
import { htmlFaults } from '../helpers/html-faults.ts'
import { threadId } from '../helpers/rollout.ts'
import { turnOf, writeSession } from '../helpers/site-build.ts'
import { shareTempDir } from '../helpers/temp.ts'

const folder = shareTempDir()
const site = join(folder, 'site')
const [cut, orphaned] = [threadId(81), threadId(82)]
const pageOf = (id: string) => `sessions/${id}/index.html`
let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  writeEveryKind(folder)
  writeSession(folder, cut, ['quokka', 'numbat', 'wombat'].flatMap(turnOf))
  const rollout = writeSession(folder, orphaned, turnOf('bilby'))
  const note = 'Read **this** first, then [the rest](https://example.org/rest).\n\n- one\n- two'
  const sessions = { [cut]: { title: 'How the gate closed', note, exclude: ['turn:2', 'l4'] } }
  writeFileSync(join(folder, 'curation.json'), JSON.stringify({ sessions }))
  const options = { cwd: folder, env: { XDG_CACHE_HOME: join(folder, 'cache') } }
  const args = [
    'build',
    '--codex-home',
    'home',
    '--preset',
    'public',
    '--missing',
    'keep',
    '--curation',
    'curation.json',
  ]
  for (const step of ['whole', 'without source']) {
    if (step === 'without source') rmSync(rollout)
    const run = await runCli(args, options)
    if (run.status !== 0) throw new Error(`the site was not built:\n${run.stderr}`)
  }
  server = await startServer(site, { port: 0 })
})

afterAll(() => server?.close())

const views: readonly View[] = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
]

describeInBrowser('a curated site', (open) => {
  const visit = (path: string, view: View = {}) => open(new URL(path, server.url).href, view)

  it.each(views)('shows note, title and lines for omitted parts at $width px', async (view) => {
    const { page, problems } = await visit(pageOf(cut), view)
    expect(await page.locator('h1').textContent()).toBe('How the gate closed')
    expect(await page.locator('#note strong').textContent()).toBe('this')
    expect(await page.getByText('1 turn was left out').isVisible()).toBe(true)
    expect(await page.getByText('1 item was left out').isVisible()).toBe(true)
    expect(await page.locator('.turn:not(.before) h2').allTextContents()).toEqual(['Turn 1', 'Turn 3'])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('offers no command that resumes the session', async () => {
    const { page } = await visit(pageOf(everyKindId))
    expect(await page.locator('.actions button:visible').allTextContents()).not.toContain('Copy resume command')
  })

  it.each(views)('says on a kept page that its source is gone at $width px', async (view) => {
    const { page, problems } = await visit(pageOf(orphaned), view)
    expect(await page.getByText('Source gone.').isVisible()).toBe(true)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('lists the kept session with a badge', async () => {
    const { page } = await visit('index.html')
    expect(await page.locator('.list li', { hasText: 'bilby prompt' }).textContent()).toContain('source gone')
  })

  it('finds what is shown and nothing that is omitted', async () => {
    const { page } = await visit('index.html')
    await page.getByRole('link', { name: 'Search all sessions' }).click()
    const results = page.getByRole('list', { name: 'Results' })
    await page.getByRole('combobox', { name: /^Search/ }).fill('wombatscript')
    await results.getByRole('link').first().waitFor()
    await page.getByRole('combobox', { name: /^Search/ }).fill('numbatscript')
    // Another word of the site is shown instead.
    await expect.poll(() => page.locator('.told').textContent()).toContain('Nothing was found')
    expect((await results.textContent()) ?? '').not.toContain('numbatscript')
  })

  it('is valid HTML on every page', async () => {
    for (const file of readdirSync(join(site, 'sessions'), { recursive: true }).map(String)) {
      if (!file.endsWith('.html')) continue
      expect(await htmlFaults(readFileSync(join(site, 'sessions', file), 'utf8')), file).toEqual([])
    }
  })
})
