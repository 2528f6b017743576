/** Finds a Chromium once before the browser tests run. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** A browser on this machine. */
export interface BrowserPlace {
  executable: string
  args: string[]
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** `null` where there is no browser. */
    browser: BrowserPlace | null
  }
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  '/snap/bin/chromium',
]

function fromSystem(): BrowserPlace | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = [
    process.env['CHROME_PATH'] ?? '',
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    ...usualPlaces,
  ]
  const executable = candidates.find((path) => path !== '' && existsSync(path))
  return executable === undefined ? null : { executable, args: [] }
}

/** The Chromium that a development dependency unpacks; it runs on Linux x64 only. */
async function fromPackage(): Promise<BrowserPlace | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  // The package unpacks the libraries it needs only where it believes to run in this runtime.
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs20.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  return { executable: await packaged.executablePath(), args: packaged.args }
}

/** A browser by `CODEX_EXPORT_BROWSER` (`system`, `package`, `none`; default: the first that there is). */
async function findBrowser(): Promise<BrowserPlace | null> {
  const wish = process.env['CODEX_EXPORT_BROWSER'] ?? 'any'
  if (wish === 'none') return null
  if (wish === 'package') return fromPackage()
  return fromSystem() ?? (wish === 'system' ? null : fromPackage())
}

/** Hands the browser to the test files, or says in one line that there is none. */
export async function setup(project: TestProject): Promise<void> {
  const place = await findBrowser()
  project.provide('browser', place)
  if (place === null) process.stderr.write('browser tests skipped: no Chromium found; set CHROME_PATH to one\n')
}
