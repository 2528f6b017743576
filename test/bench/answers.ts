/**
 * Measures which sessions the search of a site finds, and what an answer costs.
 *
 *     npm run bench:answers -- --codex-home DIR [--codex-home DIR] [--seed N] [--count N] [--site DIR] [--misses] [--line MBIT,MS]
 *
 * Draws questions by classes from the trees of the sessions, asks a site of these homes in a Chromium, and compares the
 * answers with a plain scan of the trees. For each class it prints the number of questions, for how many a right
 * session is the first, for how many one is among the first five, how many of the right sessions are among the first
 * twenty (of at most twenty), and how many of the first five are wrong; then bytes and requests. `--misses` names the
 * questions that are answered wrong or load too much. With `--site` the site is kept there and, if it exists already, is
 * used as it is; the program in `dist` builds it. `--line 1.6,150` simulates a line of 1.6 Mbit/s, on which an answer
 * takes 150 ms to begin.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { startServer } from '../../src/cli/serve/server-fs.ts'
import { findBrowser } from '../helpers/browser-setup.ts'
import { askSearch } from '../helpers/search.ts'
import { drawQuestions, type Question, readSamples } from './questions.ts'

// The loader that runs this file cannot resolve the package's own entry.
const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core')

const program = resolve(import.meta.dirname, '../../dist/cli.js')

const { values } = parseArgs({
  options: {
    'codex-home': { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '50' },
    site: { type: 'string' },
    misses: { type: 'boolean', default: false },
    line: { type: 'string' },
  },
})

/** The number of sessions that a reader looks at, and the number that is requested. */
const [seen, asked] = [5, 20]

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`)

interface Sum {
  questions: number
  first: number
  five: number
  found: number
  toFind: number
  shown: number
  wrong: number
}

interface Cost {
  bytes: number
  requests: number
  milliseconds: number
}

/** The limits for loading the first five results: bytes and requests. */
const bounds = { first: [700_000, 25], later: [300_000, 10] } as const

function isAbove(cost: Pick<Cost, 'bytes' | 'requests'>, name: keyof typeof bounds): boolean {
  const [bytes, requests] = bounds[name]
  return cost.bytes > bytes || cost.requests > requests
}

const costs: { first: Cost[]; later: Cost[] } = { first: [], later: [] }
const emptySum = (): Sum => ({ questions: 0, first: 0, five: 0, found: 0, toFind: 0, shown: 0, wrong: 0 })

function add(sum: Sum, { right, fair }: Question, sessions: readonly string[]): void {
  const firstFive = sessions.slice(0, seen)
  sum.questions++
  sum.first += right.has(sessions[0] ?? '') ? 1 : 0
  sum.five += firstFive.some((id) => right.has(id)) ? 1 : 0
  sum.found += sessions.slice(0, asked).filter((id) => right.has(id)).length
  sum.toFind += Math.min(right.size, asked)
  sum.shown += firstFive.length
  sum.wrong += firstFive.filter((id) => !fair.has(id)).length
}

function row(name: string, { questions, first, five, found, toFind, shown, wrong }: Sum): string {
  const cells = [percent(first, questions), percent(five, questions), percent(found, toFind), percent(wrong, shown)]
  return `| ${[name, questions, ...cells].join(' | ')} |`
}

/** Reports a question without a right answer among the first results, or with a wrong one. */
function sayMiss({ text, right, fair }: Question, sessions: readonly string[]): void {
  const marked = sessions.map((id) => (fair.has(id) ? id : `!${id}`))
  if (marked.some((id) => id.startsWith('!')) || !sessions.some((id) => right.has(id)))
    say(`    ${text}: ${marked.join(' ')} of ${[...right].slice(0, seen).join(' ')}`)
}

/** Adds the cost of a question, and reports one that loads too much. */
function addCost(name: keyof typeof bounds, cost: Cost, { text }: Question): void {
  costs[name].push(cost)
  if (values.misses && isAbove(cost, name)) say(`    ${name} ${text}: ${cost.bytes} bytes in ${cost.requests} requests`)
}

/** Limits loading to the line in `--line`: megabits per second, and milliseconds until an answer begins. */
async function narrowLine(page: Page): Promise<void> {
  if (values.line === undefined) return
  const [megabits = Number.NaN, latency = Number.NaN] = values.line.split(',').map(Number)
  if (!(megabits > 0 && latency >= 0)) throw new Error('Say a line as `--line MBIT,MS`: `--line 1.6,150`.')
  const throughput = (megabits * 1_000_000) / 8
  const tools = await page.context().newCDPSession(page)
  const line = { offline: false, latency, downloadThroughput: throughput, uploadThroughput: throughput }
  await tools.send('Network.emulateNetworkConditions', line)
}

/** Asks all questions in one browser. The first of each class is asked by a reader who has nothing of the index yet. */
async function askAll(browser: Browser, address: string, drawn: Map<string, Question[]>): Promise<void> {
  say('| class | n | @1 | @5 | recall@20 | wrong |\n|---|---|---|---|---|---|')
  const total = emptySum()
  for (const [name, questions] of drawn) {
    const context = await browser.newContext()
    const page = await context.newPage()
    const loaded = { bytes: 0, requests: 0 }
    page.on('response', (response) => {
      loaded.requests++
      loaded.bytes += Number(response.headers()['content-length'] ?? 0)
    })
    await page.goto(address)
    await narrowLine(page)
    const sum = emptySum()
    for (const [index, question] of questions.entries()) {
      Object.assign(loaded, { bytes: 0, requests: 0 })
      const { milliseconds } = await askSearch(page, question.text, { minSessions: seen }, seen)
      addCost(index === 0 ? 'first' : 'later', { ...loaded, milliseconds }, question)
      // A session may have several pages, so more than twenty are requested.
      const { hits } = await askSearch(page, question.text, { minSessions: seen }, 3 * asked)
      const sessions = [...new Set(hits.map(({ path }) => path.split('/')[1] ?? ''))]
      for (const one of [sum, total]) add(one, question, sessions)
      if (values.misses) sayMiss(question, sessions.slice(0, seen))
    }
    say(row(name, sum))
    await context.close()
  }
  say(row('all', total))
}

function sayCosts(): void {
  for (const name of ['first', 'later'] as const) {
    const list = costs[name]
    const [bytes, requests] = bounds[name]
    const above = list.filter((cost) => isAbove(cost, name)).length
    const of = (key: keyof Cost, share: number): number =>
      list.map((cost) => cost[key]).sort((a, b) => a - b)[Math.floor(share * (list.length - 1))] ?? 0
    const part = (share: number): string =>
      `${(of('bytes', share) / 1000).toFixed(0)} kB, ${of('requests', share)} requests, ${of('milliseconds', share)} ms`
    say(
      `${name} question: median ${part(0.5)}; of 9 in 10 at most ${part(0.9)}; at most ${part(1)}; ${above} of ${list.length} above ${bytes / 1000} kB or ${requests} requests`,
    )
  }
}

const homes = values['codex-home'].map((home) => resolve(home))
const folder = mkdtempSync(join(tmpdir(), 'codex-export-bench-'))
const site = values.site === undefined ? join(folder, 'site') : resolve(values.site)
try {
  if (homes.length === 0) throw new Error('Say `--codex-home DIR`.')
  if (!existsSync(join(site, 'manifest.json'))) {
    const args = ['build', '--out', site, '--cache', join(folder, 'cache'), '--format', 'html', '--no-config']
    const env = { ...process.env, HOME: '/home/nobody-here' }
    execFileSync(process.execPath, [program, ...args, ...homes.flatMap((home) => ['--codex-home', home])], { env })
  }
  const samples = await readSamples(homes)
  const drawn = drawQuestions(samples, { seed: +values.seed, count: +values.count })
  const executablePath = await findBrowser()
  if (executablePath === null) throw new Error('There is no browser: set `CHROME_PATH` to one.')
  const server = await startServer(site, { port: 0 })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    await askAll(browser, new URL('index.html', server.url).href, drawn)
    sayCosts()
  } finally {
    await browser.close()
    await server.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
