/**
 * Measures the search over an archive: `npm run bench:search -- --codex-home DIR [--site DIR]`.
 *
 * Builds a site of the sessions in DIR, in DIR of `--site` where it stays, and tells how long the index took and how
 * much memory Pagefind's processes; how large the text and the index are; and what the first and later searches cost
 * in a Chromium over a server on this machine: time, bytes, requests. `CHROME_PATH` names the browser.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { build } from '../../src/app/build.ts'
import { startServer } from '../../src/serve/server-fs.ts'
import { findBrowser } from '../helpers/browser-setup.ts'

// The loader that runs this file cannot take the package's own entry.
const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core')

const { values } = parseArgs({ options: { 'codex-home': { type: 'string' }, site: { type: 'string' } } })
const home = values['codex-home']
if (home === undefined) throw new Error('Say where the sessions are: `--codex-home DIR`.')

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** Highest memory of each process that this one has started, in bytes by process id; Linux alone tells. */
function watchChildren(): { peaks: Map<number, number>; stop: () => void } {
  const peaks = new Map<number, number>()
  const look = (): void => {
    try {
      const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
      for (const child of children.map(Number)) {
        const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1]
        if (peak !== undefined) peaks.set(child, Number(peak) * 1024)
      }
    } catch {
      // The process has ended meanwhile, or this is another system.
    }
  }
  const timer = setInterval(look, 100)
  return { peaks, stop: () => clearInterval(timer) }
}

/** Words to look for: two of every n-th title of the archive, so that different shards answer. */
function queriesOf(site: string): string[] {
  const page = readFileSync(join(site, 'llms.txt'), 'utf8')
  const titles = [...page.matchAll(/^- \[([^\]]+)\]/gm)].flatMap(([, title]) => title ?? [])
  const chosen = titles.filter((_, index) => index % Math.ceil(titles.length / 12) === 0)
  return chosen.map((title) => (title.match(/\p{L}{4,}/gu) ?? []).slice(0, 2).join(' ')).filter((query) => query !== '')
}

interface Answer {
  hits: number
  milliseconds: number
}

/** Types into the search of an open page, as far as its interface does: until the first twelve hits can be shown. */
function search(page: Page, query: string): Promise<Answer> {
  return page.evaluate(`(async () => {
    const begin = performance.now()
    if (globalThis.codexSearch === undefined) {
      const script = document.createElement('script')
      script.src = (document.documentElement.dataset.root ?? '') + 'pagefind/search.js'
      await new Promise((done) => { script.onload = done; document.head.append(script) })
    }
    const { results } = await (await codexSearch.open()).search(${JSON.stringify(query)})
    await Promise.all(results.slice(0, 12).map((result) => result.data()))
    return { hits: results.length, milliseconds: Math.round(performance.now() - begin) }
  })()`)
}

function sizesOf(folder: string): { index: number; forFiles: number; files: number } {
  const sizes = { index: 0, forFiles: 0, files: 0 }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const { size } = statSync(join(entry.parentPath, entry.name))
    sizes.files++
    if (/\.(?:pf_\w+|pagefind)\.js$/.test(entry.name)) sizes.forFiles += size
    else sizes.index += size
  }
  return sizes
}

/** Length of all pruned pages together: the text that is indexed, with its headings and hidden words. */
function textOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if ('day' in value && 'size' in value && typeof value.size === 'number') return value.size
  return Object.values(value).reduce((sum: number, part) => sum + textOf(part), 0)
}

/** Builds, and says how long each stage took. */
async function buildSite(site: string, cache: string): Promise<void> {
  const stages: [string, number][] = []
  const children = watchChildren()
  const result = await build(
    {
      sources: { homes: [{ path: resolve(home ?? '') }] },
      filters: { projects: [], since: undefined, until: undefined, ids: [], archived: undefined, timeZone: 'UTC' },
      look: {
        ...{ title: 'Benchmark', description: undefined, siteUrl: undefined, timeZone: 'UTC', language: 'en' },
        ...{ generator: 'codex-export bench', templatesDir: undefined, prices: undefined, plugins: [] },
      },
      ...{ out: site, cache, formats: ['html'], search: true, dryRun: false },
    },
    {
      signal: new AbortController().signal,
      progress: { stage: (name) => void stages.push([name, Date.now()]), tick: () => {}, done: () => {} },
      ...{ report: () => {}, now: Date.now, env: {}, homeDir: site },
    },
  )
  const end = Date.now()
  children.stop()
  for (const [index, [name, begin]] of stages.entries()) {
    say(`${name}: ${(((stages[index + 1]?.[1] ?? end) - begin) / 1000).toFixed(1)} s`)
  }
  say(`${result.sessions} sessions, ${result.searched} pages in the index`)
  const peaks = [...children.peaks.values()].map(megabytes)
  say(`peak memory: Node ${megabytes(process.resourceUsage().maxRSS * 1024)}, Pagefind ${peaks.join(', ')}`)
}

/** Opens a page for the first time and searches. */
async function visit(site: string): Promise<void> {
  const executablePath = await findBrowser()
  if (executablePath === null) throw new Error('There is no browser: set `CHROME_PATH` to one.')
  const server = await startServer(site, { port: 0 })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    const loaded = { bytes: 0, requests: 0 }
    page.on('response', async (response) => {
      loaded.requests++
      loaded.bytes += Number(response.headers()['content-length'] ?? 0)
    })
    await page.goto(new URL('404.html', server.url).href)
    for (const [index, query] of queriesOf(site).entries()) {
      Object.assign(loaded, { bytes: 0, requests: 0 })
      const { hits, milliseconds } = await search(page, query)
      const name = index === 0 ? 'first search' : 'later search'
      say(
        `${name}: ${milliseconds} ms, ${megabytes(loaded.bytes)} in ${loaded.requests} requests, ${hits} hits for \`${query}\``,
      )
      const again = await search(page, query)
      say(`  again: ${again.milliseconds} ms`)
    }
  } finally {
    await browser.close()
    await server.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'codex-export-bench-'))
const site = values.site === undefined ? join(folder, 'site') : resolve(values.site)
try {
  mkdirSync(folder, { recursive: true })
  await buildSite(site, join(folder, 'cache'))
  const { index, forFiles, files } = sizesOf(join(site, 'pagefind'))
  const text = textOf(JSON.parse(readFileSync(join(folder, 'cache', 'index.json'), 'utf8')))
  say(`text: ${megabytes(text)}`)
  say(`index: ${megabytes(index)}, ${megabytes(forFiles)} more to read it from files; ${files} files`)
  await visit(site)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
