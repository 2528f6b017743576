/** Opens pages in a Chromium that must not leave their origin. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { describe, inject, onTestFinished } from 'vitest'
import type {} from './browser-setup.ts'
import { launchChromium, steady } from './chromium.ts'

/** How a page is opened. */
export interface View {
  width?: 320 | 360 | 390 | 1280
  scheme?: 'light' | 'dark'
  javaScript?: boolean
  /** IANA time zone of the reader; default UTC. */
  timeZone?: string
  /** Runs in the page before its own scripts do. */
  before?: string
  /** Prefix of the addresses that the page may load; by default its origin, and for a file only that file. */
  within?: string
}

/** A page, and its problems so far: requests that left the origin, console messages, failed loads. */
export interface Visit {
  page: Page
  problems: string[]
}

/** Opens `url` in a fresh context. The test fails if `problems` still contains any at the end. */
export type Open = (url: string, view?: View) => Promise<Visit>

/** A context that no visit uses now, and a function that removes the traces of a visit. */
interface PooledContext {
  context: BrowserContext
  tidy: () => Promise<void>
}

/** Contexts by their settings: a new one starts a browser process, which costs as much as a visit. */
let pools = new Map<string, PooledContext[]>()

/** A context without traces of earlier visits, for the running test; returned to the pool when the test ends. */
async function borrow(browser: Browser, view: View): Promise<BrowserContext> {
  const settings = {
    viewport: { width: view.width ?? 1280, height: 900 },
    colorScheme: view.scheme ?? 'light',
    javaScriptEnabled: view.javaScript ?? true,
    ...steady,
    ...(view.timeZone === undefined ? {} : { timezoneId: view.timeZone }),
  } as const
  const key = JSON.stringify(settings)
  const free = pools.get(key) ?? []
  pools.set(key, free)
  const pooled = free.pop() ?? (await furnish(await browser.newContext(settings)))
  onTestFinished(async () => {
    await pooled.tidy()
    free.push(pooled)
  })
  return pooled.context
}

async function furnish(context: BrowserContext): Promise<PooledContext> {
  // The process of this page serves all pages of the context as long as one is open.
  const keeper = await context.newPage()
  const session = await context.newCDPSession(keeper)
  return {
    context,
    async tidy() {
      context.removeAllListeners('request')
      await Promise.all(context.pages().map((page) => (page === keeper ? undefined : page.close())))
      await session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' })
      await session.send('Network.clearBrowserCache')
      await context.clearCookies()
      await context.clearPermissions()
    },
  }
}

async function visit(browser: Browser, url: string, view: View): Promise<Visit> {
  const context = await borrow(browser, view)
  const problems: string[] = []
  const { origin, protocol } = new URL(url)
  // Every file is a separate origin.
  const home = view.within ?? (protocol === 'file:' ? url.replace(/[?#].*/, '') : `${origin}/`)
  // Observed, not intercepted: intercepting each request costs a fifth of a visit. Chromium resolves no other host
  // (`launchChromium`).
  context.on('request', (request) => {
    const target = request.url()
    if (!target.startsWith(home) && !/^(?:data|blob):/.test(target)) problems.push(`request left the origin: ${target}`)
  })
  const page = await context.newPage()
  if (view.before !== undefined) await page.addInitScript(view.before)
  page.on('console', (message) => {
    if (/^(?:error|warning)$/.test(message.type())) problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(url, { waitUntil: 'load' })
  return { page, problems }
}

/** One browser for all test files of a process; it ends with the process. */
let running: Promise<Browser> | undefined

function browserAt(executablePath: string): Promise<Browser> {
  running ??= launchChromium(executablePath).then((browser) => {
    // If a test crashes the browser, later tests get a new one.
    browser.once('disconnected', () => {
      running = undefined
      pools = new Map()
    })
    return browser
  })
  return running
}

/** `describe` that needs a browser; skipped if there is none, which the set-up of the project reports in one line. */
export function describeInBrowser(title: string, body: (open: Open) => void): void {
  const executablePath = inject('browser')
  describe.skipIf(executablePath === null)(title, () => {
    body(async (url, view = {}) => visit(await browserAt(executablePath ?? ''), url, view))
  })
}
