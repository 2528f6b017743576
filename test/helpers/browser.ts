/** Opens pages in a Chromium that may not leave their origin. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { describe, inject, onTestFinished } from 'vitest'
import type {} from './browser-setup.ts'
import { launchChromium, steady } from './chromium.ts'

/** How a page is opened. */
export interface View {
  width?: 320 | 360 | 390 | 1280
  scheme?: 'light' | 'dark'
  javaScript?: boolean
  /** IANA zone of the reader; default UTC. */
  timeZone?: string
  /** Runs in the page before its own scripts do. */
  before?: string
  /** What addresses begin with that the page may load; default: its origin, and for a file that file alone. */
  within?: string
}

/** A page, and what went wrong on it so far: requests that left the origin, console messages, failed loads. */
export interface Visit {
  page: Page
  problems: string[]
}

/** Opens `url` in a fresh context. Every problem that is left in `problems` at the end fails the test. */
export type Open = (url: string, view?: View) => Promise<Visit>

/** A context that no visit uses, and the way to take back what a visit left in it. */
interface PooledContext {
  context: BrowserContext
  tidy: () => Promise<void>
}

/** Contexts by their settings: a new one starts a process of the browser, which costs as much as a visit. */
let pools = new Map<string, PooledContext[]>()

/** A context without a trace of another visit, for the test that runs; handed on when the test ends. */
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
  // Its process serves all pages of the context as long as one is open.
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
  // Every file is an origin of its own.
  const home = view.within ?? (protocol === 'file:' ? url.replace(/[?#].*/, '') : `${origin}/`)
  // Heard, not held up: to let each request pass takes a fifth of a visit. Chromium finds no other host (`launchChromium`).
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

/** One browser for all files of a process; it ends with the process. */
let running: Promise<Browser> | undefined

function browserAt(executablePath: string): Promise<Browser> {
  running ??= launchChromium(executablePath).then((browser) => {
    // One that a test brings down does not bring down those after it.
    browser.once('disconnected', () => {
      running = undefined
      pools = new Map()
    })
    return browser
  })
  return running
}

/** `describe` that needs a browser; skipped without one, which the set-up of the project says in one line. */
export function describeInBrowser(title: string, body: (open: Open) => void): void {
  const executablePath = inject('browser')
  describe.skipIf(executablePath === null)(title, () => {
    body(async (url, view = {}) => visit(await browserAt(executablePath ?? ''), url, view))
  })
}
