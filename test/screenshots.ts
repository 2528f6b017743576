/**
 * Makes the pictures in `docs/screenshots` from the demo site: `npm run build && npm run screenshots`.
 *
 * Look at every one before you commit it. They differ by machine in fonts only.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { startServer } from '../src/cli/serve/server-fs.ts'
import { findBrowser } from './helpers/browser-setup.ts'
import { launchChromium, steady } from './helpers/chromium.ts'
import { requireBuild, runProcess } from './helpers/cli.ts'

// The browser of the package has only one font, which would be used for code too.
process.env['CODEX_EXPORT_BROWSER'] ??= 'system'

const target = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))

/** A picture: of which page, and how. */
interface Shot {
  name: string
  path: string
  narrow?: boolean
  dark?: boolean
  /** Opened from the folder on disk, without a server. */
  fromDisk?: boolean
  /** Of the locked site, opened from its folder. */
  locked?: boolean
  /** What a reader does before the picture is taken. */
  prepare?: (page: Page) => Promise<void>
}

const session = 'sessions/01a1de43-fcc0-7a45-b12f-ce8678893fdf/index.html'

/** A session that was compacted. */
const context = 'sessions/019dae68-d880-799e-a836-47b6e766914c/context.html'

/** Scrolls the first match of a selector below the bar. */
const scrollTo =
  (selector: string) =>
  async (page: Page): Promise<void> => {
    await page
      .locator(selector)
      .first()
      .evaluate((node) => node.scrollIntoView({ block: 'start' }))
  }

/** Opens the search and types. */
const search =
  (text: string) =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: /^Search/ }).fill(text)
    await answered(page)
  }

async function answered(page: Page): Promise<void> {
  await page
    .getByRole('status')
    .filter({ hasText: /found|kinds/ })
    .waitFor()
}

/** Types a wrong password. */
async function failToUnlock(page: Page): Promise<void> {
  await page.getByLabel('Password').fill('open, sesame')
  await page.keyboard.press('Enter')
  await page.getByText('not the password').waitFor()
}

const shots: readonly Shot[] = [
  { name: 'home', path: 'index.html' },
  { name: 'home-dark', path: 'index.html', dark: true },
  { name: 'home-narrow', path: 'index.html', narrow: true },
  { name: 'session', path: session },
  { name: 'session-dark', path: session, dark: true },
  { name: 'session-narrow', path: session, narrow: true },
  { name: 'session-edits', path: `${session}?view=all`, prepare: scrollTo('.patch') },
  { name: 'session-commands', path: session, prepare: scrollTo('.item.failed') },
  { name: 'session-answer', path: session, prepare: scrollTo('.item.answer') },
  { name: 'project', path: 'projects/shop-289e49/index.html' },
  { name: 'projects', path: 'projects/index.html' },
  { name: 'files', path: 'files/shop-289e49/index.html' },
  { name: 'failures', path: 'failures/index.html' },
  { name: 'stats', path: 'stats/index.html' },
  { name: 'files-of-all', path: 'files/index.html' },
  { name: 'session-later-page', path: 'sessions/019dae68-d880-799e-a836-47b6e766914c/3.html' },
  { name: 'day', path: 'months/2026-06/11.html' },
  { name: 'month', path: 'months/2026-06/index.html' },
  { name: 'context', path: context },
  { name: 'context-narrow', path: context, narrow: true, dark: true },
  { name: 'search', path: 'index.html', prepare: search('tide') },
  { name: 'search-nothing', path: 'index.html', prepare: search('qzxvkjwpy') },
  { name: 'search-from-disk', path: session, fromDisk: true, prepare: search('harbour') },
  { name: 'search-page', path: 'search/index.html?q=test&project=shop&kind=command', prepare: answered },
  {
    name: 'search-page-narrow',
    path: 'search/index.html?q=test&errors=yes',
    narrow: true,
    dark: true,
    prepare: answered,
  },
  { name: 'single-file', path: 'single.html', fromDisk: true, prepare: scrollTo('.item.command') },
  { name: 'not-found', path: '404.html' },
  { name: 'locked', path: 'index.html', locked: true },
  { name: 'locked-narrow', path: 'index.html', locked: true, narrow: true, dark: true, prepare: failToUnlock },
]

async function take(browser: Browser, url: string, { name, narrow, dark, prepare }: Shot): Promise<void> {
  const viewport = narrow ? { width: 390, height: 844 } : { width: 1280, height: 800 }
  const context = await browser.newContext({ viewport, colorScheme: dark ? 'dark' : 'light', ...steady })
  const page = await context.newPage()
  await page.goto(url)
  await prepare?.(page)
  writeFileSync(join(target, `${name}.png`), await page.screenshot({ type: 'png' }))
  await context.close()
}

/** Builds the demo site in a separate folder, and takes every picture of it. */
async function main(): Promise<void> {
  requireBuild()
  const executable = await findBrowser()
  if (executable === null) throw new Error('There is no Chromium to take pictures with: set CHROME_PATH to one.')
  const folder = mkdtempSync(join(tmpdir(), 'codex-export-pictures-'))
  const site = join(folder, 'site')
  const run = await runProcess(['build', '--out', site, '--cache', join(folder, 'cache'), '--format', 'html,md,json'])
  if (run.status !== 0) throw new Error(run.stderr)
  const locked = join(folder, 'locked')
  writeFileSync(join(folder, 'password'), 'tin drum, blue lantern\n', { mode: 0o600 })
  const lock = ['--password-file', join(folder, 'password'), '--cache', join(folder, 'locked-cache')]
  const lockRun = await runProcess(['build', '--out', locked, ...lock])
  if (lockRun.status !== 0) throw new Error(lockRun.stderr)
  const thread = session.split('/')[1] ?? ''
  const single = await runProcess(['show', thread, '--format', 'html', '--output', join(site, 'single.html')])
  if (single.status !== 0) throw new Error(single.stderr)
  const server = await startServer(site, { port: 0 })
  const browser = await launchChromium(executable)
  mkdirSync(target, { recursive: true })
  for (const shot of shots) {
    const root = shot.fromDisk || shot.locked ? pathToFileURL(join(shot.locked ? locked : site, '/')) : server.url
    await take(browser, new URL(shot.path, root).href, shot)
  }
  await browser.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}

await main()
