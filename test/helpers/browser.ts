/** Finds a Chromium and opens pages that may not leave their origin. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'

/** A browser on this machine. */
interface BrowserPlace {
  executable: string
  args: string[]
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  '/snap/bin/chromium',
]

/** Quiet, local, and blind to every host but this machine. */
const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

function fromSystem(): BrowserPlace | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = [
    process.env['CHROME_PATH'] ?? '',
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    ...usualPlaces,
  ]
  const executable = candidates.find((path) => path !== '' && existsSync(path))
  return executable === undefined ? undefined : { executable, args: [] }
}

/** The Chromium that a development dependency unpacks; it runs on Linux x64 only. */
async function fromPackage(): Promise<BrowserPlace | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const { default: packaged } = await import('@sparticuz/chromium')
  return { executable: await packaged.executablePath(), args: packaged.args }
}

/** A browser by `CODEX_EXPORT_BROWSER` (`system`, `package`, `none`; default: the first that there is). */
async function findBrowser(): Promise<BrowserPlace | undefined> {
  const wish = process.env['CODEX_EXPORT_BROWSER'] ?? 'any'
  if (wish === 'none') return undefined
  if (wish === 'package') return fromPackage()
  return fromSystem() ?? (wish === 'system' ? undefined : fromPackage())
}

const place = await findBrowser()

/** How a page is opened. */
export interface View {
  width?: 390 | 1280
  scheme?: 'light' | 'dark'
  javaScript?: boolean
}

/** A page, and what went wrong on it so far: requests that left the origin, console errors, failed loads. */
export interface Visit {
  page: Page
  problems: string[]
}

/** Opens `url` in a fresh context. Every problem that is left in `problems` at the end fails the test. */
export type Open = (url: string, view?: View) => Promise<Visit>

async function visit(browser: Browser, url: string, view: View): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: view.width ?? 1280, height: 900 },
    colorScheme: view.scheme ?? 'light',
    javaScriptEnabled: view.javaScript ?? true,
    // Reduced motion and one locale: the same page looks the same on every machine.
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  onTestFinished(() => context.close())
  const problems: string[] = []
  const { origin } = new URL(url)
  await context.route('**/*', async (route) => {
    const target = route.request().url()
    if (target.startsWith(`${origin}/`) || /^(?:data|blob):/.test(target)) return route.continue()
    problems.push(`request left the origin: ${target}`)
    return route.abort()
  })
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(url, { waitUntil: 'load' })
  return { page, problems }
}

/** `describe` that needs a browser. Without one it is skipped, and one line says so. */
export function describeInBrowser(title: string, body: (open: Open) => void): void {
  if (place === undefined) process.stderr.write('browser tests skipped: no Chromium found; set CHROME_PATH to one\n')
  describe.skipIf(place === undefined)(title, () => {
    let browser: Browser
    beforeAll(async () => {
      // Skipped above where there is no place.
      const { executable = '', args = [] } = place ?? {}
      browser = await chromium.launch({ executablePath: executable, args: [...args, ...quietly] })
    })
    afterAll(() => browser?.close())
    body((url, view = {}) => visit(browser, url, view))
  })
}
