/** Finds a Chromium once before the browser tests run. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of a Chromium; `null` if there is none. */
    browser: string | null
  }
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const usualPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  '/snap/bin/chromium',
]

function fromSystem(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = [
    process.env['CHROME_PATH'] ?? '',
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    ...usualPaths,
  ]
  return candidates.find((path) => path !== '' && existsSync(path)) ?? null
}

/** The Chromium that a development dependency unpacks; it runs on Linux x64 only. */
async function fromPackage(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  // The package unpacks the libraries it needs only if it believes that it runs in this runtime.
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs20.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  // Its own flags are for a single short-lived page: with one process, closing a context ends the browser.
  return packaged.executablePath()
}

/**
 * The browser chosen by `CODEX_EXPORT_BROWSER` (`system`, `package`, `none`) or by `CHROME_PATH`, otherwise the first
 * one found. The package's comes first: it is a headless shell, which draws the same pages at a fifth of the cost of
 * a full browser.
 */
export async function findBrowser(): Promise<string | null> {
  const wish = process.env['CODEX_EXPORT_BROWSER'] ?? (process.env['CHROME_PATH'] ? 'system' : 'any')
  if (wish === 'none') return null
  if (wish === 'package') return fromPackage()
  if (wish === 'system') return fromSystem()
  return (await fromPackage()) ?? fromSystem()
}

/** Passes the browser to the test files, or reports in one line that there is none. */
export async function setup(project: TestProject): Promise<void> {
  const browser = await findBrowser()
  project.provide('browser', browser)
  if (browser === null) process.stderr.write('browser tests skipped: no Chromium found; set CHROME_PATH to one\n')
}
