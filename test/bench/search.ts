/**
 * Measures the search over an archive.
 *
 *     npm run bench:search -- --codex-home DIR [--site DIR]
 *     npm run bench:search -- --pages 20000 [--words 1500] [--months 48] [--site DIR]
 *
 * Builds a site of the sessions in a Codex home, or the index of generated pages, into `--site`, where it is kept.
 * Reports the time for the index and the memory of Pagefind's processes; the size of the text and of the index; and the
 * costs of first and later searches in a Chromium over a server on this machine: time, bytes, requests.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { startServer } from '../../src/cli/serve/server-fs.ts'
import { templatesFolder } from '../../src/config/package-fs.ts'
import { features } from '../../src/program.ts'
import { build } from '../../src/site/build.ts'
import { silent } from '../../src/site/types.ts'
import { findBrowser } from '../helpers/browser-setup.ts'
import { askSearch } from '../helpers/search.ts'
import { plainBuild, quietHost } from '../helpers/surroundings.ts'
import { indexMadeUp, wordOf } from './made-up.ts'

// The loader that runs this file cannot resolve the package's own entry.
const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core')
const { itemsOf } = await import(`${templatesFolder}assets/search/places.js`)

/** An item of a page, as it is shown in the results. */
interface Item {
  text: string
}

const { values } = parseArgs({
  options: {
    'codex-home': { type: 'string' },
    pages: { type: 'string' },
    words: { type: 'string', default: '1500' },
    months: { type: 'string', default: '48' },
    site: { type: 'string' },
  },
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const seconds = (begin: number, end: number): string => `${((end - begin) / 1000).toFixed(1)} s`

/** Highest memory of each process that this one has started, in bytes by process id; known only on Linux. */
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
      // The process has ended in the meantime, or this is another system.
    }
  }
  const timer = setInterval(look, 100)
  return { peaks, stop: () => clearInterval(timer) }
}

/** Total length of all pruned pages, from the cache's list: the indexed text with its headings and hidden words. */
function textOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if ('day' in value && 'size' in value && typeof value.size === 'number') return value.size
  return Object.values(value).reduce((sum: number, part) => sum + textOf(part), 0)
}

/** Builds a site of real sessions; returns the length of its text. */
async function buildHome(home: string, site: string, cache: string): Promise<number> {
  const stages: [string, number][] = []
  const result = await build(
    {
      ...plainBuild(),
      homes: [{ path: resolve(home) }],
      title: 'Benchmark',
      ...{ out: site, cache, formats: ['html'], search: true, dryRun: false },
    },
    quietHost({
      progress: { ...silent, stage: (name) => void stages.push([name, Date.now()]) },
      now: Date.now,
      homeDir: site,
    }),
    features,
  )
  const end = Date.now()
  for (const [index, [name, begin]] of stages.entries())
    say(`${name}: ${seconds(begin, stages[index + 1]?.[1] ?? end)}`)
  say(`${result.sessions} sessions, ${result.searched} pages in the index`)
  return textOf(JSON.parse(readFileSync(join(cache, 'index.json'), 'utf8')))
}

/** Builds what was asked for and reports the cost; returns queries that it can answer. */
async function buildAny(site: string, cache: string): Promise<string[]> {
  const { 'codex-home': home, pages, words, months } = values
  const children = watchChildren()
  const begin = Date.now()
  let text: number
  if (home !== undefined) text = await buildHome(home, site, cache)
  else if (pages === undefined) throw new Error('Say `--codex-home DIR` or `--pages N`.')
  else text = await indexMadeUp(site, cache, { pages: +pages, wordsOfPage: +words, months: +months })
  children.stop()
  say(`built in ${seconds(begin, Date.now())}`)
  const peaks = [...children.peaks.values()].map(megabytes)
  say(`peak memory: Node ${megabytes(process.resourceUsage().maxRSS * 1024)}, Pagefind ${peaks.join(', ')}`)
  say(`text: ${megabytes(text)}`)
  return home === undefined ? madeUpQueries : queriesOf(site)
}

/** Frequent and rare words, alone and together. */
const madeUpQueries = [[900], [40, 700], [3000], [12, 9000], [300, 310], [25_000], [5, 6], [1500, 30]].map((ranks) =>
  ranks.map(wordOf).join(' '),
)

/**
 * Words of every n-th title of the archive, so that different shards answer: alternately the first two of a title,
 * which are on most pages of a generated archive, and the one that is in the fewest titles.
 */
function queriesOf(site: string): string[] {
  const titles = [...readFileSync(join(site, 'llms.txt'), 'utf8').matchAll(/^- \[([^\]]+)\]/gm)].flatMap(
    ([, title]) => title ?? [],
  )
  const wordsOf = (title: string): string[] => title.match(/\p{L}{4,}/gu) ?? []
  const counts = new Map<string, number>()
  for (const word of titles.flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const rarity = (word: string): number => counts.get(word) ?? 0
  const chosen = titles.filter((_, index) => index % Math.ceil(titles.length / 20) === 0)
  return chosen
    .map((title, index) => (index % 2 === 0 ? wordsOf(title) : wordsOf(title).sort((a, b) => rarity(a) - rarity(b))))
    .map((words, index) => words.slice(0, 2 - (index % 2)).join(' '))
    .filter((query) => query !== '')
}

/** Bytes of the text that results show, for the pages in a file of texts. */
function shownBytes(packed: Uint8Array): number {
  const texts = JSON.parse(gunzipSync(packed).subarray('pagefind_dcd'.length).toString())
  const pages = typeof texts.content === 'string' ? [texts] : Object.values(texts)
  const items: Item[] = pages.flatMap((page) => itemsOf(page))
  return items.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
}

/**
 * Everything in the folder of the search counts as the index, including the programs that read it and its list of
 * words; the copies for pages opened from disk are counted separately.
 */
function saySizes(folder: string): void {
  const sizes = { index: 0, forFiles: 0, files: 0, shown: 0 }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const { size } = statSync(path)
    sizes.files++
    if (entry.name.endsWith('.pf_fragment')) sizes.shown += shownBytes(readFileSync(path))
    if (/\.(?:pf_\w+|pagefind)\.js$/.test(entry.name)) sizes.forFiles += size
    else sizes.index += size
  }
  const shards = readdirSync(folder, { recursive: true }).filter((name) =>
    /pagefind\.[^/]*\.pf_meta$/.test(String(name)),
  ).length
  const times = (size: number): string =>
    `${megabytes(size)}, ${(size / sizes.shown).toFixed(2)} times the text that it shows`
  say(`index: ${times(sizes.index)}; ${times(sizes.forFiles)}, more for pages from files`)
  say(`${sizes.files} files in ${shards} shards`)
}

/** Opens a page for the first time and searches, each query twice. */
async function visit(site: string, queries: readonly string[]): Promise<void> {
  const executablePath = await findBrowser()
  if (executablePath === null) throw new Error('There is no browser: set `CHROME_PATH` to one.')
  const server = await startServer(site, { port: 0 })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    // The 404 page, which any site has, forbids scripts.
    const page = await browser.newPage({ bypassCSP: true })
    const loaded = { bytes: 0, requests: 0 }
    page.on('response', (response) => {
      loaded.requests++
      loaded.bytes += Number(response.headers()['content-length'] ?? 0)
    })
    const later: number[] = []
    await page.goto(new URL('404.html', server.url).href)
    for (const [index, query] of queries.entries()) {
      Object.assign(loaded, { bytes: 0, requests: 0 })
      // As many results as the interface shows at once.
      const { total, milliseconds } = await askSearch(page, query, {}, 10)
      const again = await askSearch(page, query, {}, 10)
      if (index > 0) later.push(milliseconds)
      const costs = `${milliseconds} ms, ${megabytes(loaded.bytes)} in ${loaded.requests} requests; again ${again.milliseconds} ms`
      say(`${index === 0 ? 'first' : 'later'} search: ${costs}; ${total} hits for \`${query}\``)
    }
    later.sort((a, b) => a - b)
    say(`later searches: median ${later[later.length >> 1]} ms of ${later.length}`)
  } finally {
    await browser.close()
    await server.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'codex-export-bench-'))
const site = values.site === undefined ? join(folder, 'site') : resolve(values.site)
try {
  const queries = await buildAny(site, join(folder, 'cache'))
  saySizes(join(site, 'pagefind'))
  await visit(site, queries)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
