/** Starts a Chromium for tests and screenshots. */
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'

// The loader that runs scripts of the tests cannot resolve the package's own entry.
const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core')

/** Quiet, local, and unable to resolve any host but this machine. */
const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Pages of one context share a process: starting one costs as much as showing a page.
  '--renderer-process-limit=1',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/** The same page looks the same on every machine: no motion, one locale, one zone. */
export const steady = { reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' } as const

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: quietly })
}

/**
 * Lays out elements that are out of sight too, instead of using their estimated size: otherwise their boxes are
 * measured as 0 or not, depending on whether the browser had time for a frame.
 */
export async function layOutAll(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('.turn, .item, .diff { content-visibility: visible !important }')
    document.adoptedStyleSheets.push(sheet)
  })()`)
}
