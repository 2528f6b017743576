/**
 * Measures how sessions read in a Chromium: heights, first prompts, tab stops, weight; and what scrolling a long page costs.
 *
 *     npm run build && npm run bench:reading -- --codex-home DIR [--site DIR]
 *
 * Builds a site of the sessions in a Codex home into `--site`, where it is kept. The table has a row for each session; the
 * height of a view is that of all pages that show it. Sessions with 20 commands or more show how much shorter the story is
 * than everything, with heads and feet of pages (`page`) and without (`text`).
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { findBrowser } from '../helpers/browser-setup.ts'
import { launchChromium, layOutAll, steady } from '../helpers/chromium.ts'
import { requireBuild, runProcess } from '../helpers/cli.ts'

const { values } = parseArgs({ options: { 'codex-home': { type: 'string' }, site: { type: 'string' } } })
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const screens = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
]

/** What one page shows. */
interface Look {
  prompt: number
  page: number
  text: number
  commands: number
  items: number
  stops: number
}

/** A session on one screen. */
interface Reading {
  session: string
  /** Pixels from the top of the first page to the first prompt. */
  prompt: number
  story: Pick<Look, 'page' | 'text'>
  all: Pick<Look, 'page' | 'text'>
  /** Places where Tab stops in the first page of the story. */
  stops: number
  commands: number
  /** Bytes of the largest page, gzip. */
  weight: number
}

const lookScript = `(() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility())
  const stops = shown('a[href], button, summary, select, textarea, input:not([type=radio]), input[type=radio]:checked, [tabindex="0"]')
  return {
    prompt: Math.round((shown('.flow .prompt')[0]?.getBoundingClientRect().top ?? NaN) + scrollY),
    page: document.documentElement.scrollHeight,
    text: Math.round(document.querySelector('.flow').getBoundingClientRect().height),
    commands: document.querySelectorAll('.item.command').length,
    items: document.querySelectorAll('.item').length,
    stops: stops.filter((element) => element.tabIndex >= 0 && !element.inert).length,
  }
})()`

async function look(page: Page, file: string, view: string): Promise<Look> {
  await page.goto(`${pathToFileURL(file).href}?view=${view}`)
  await layOutAll(page)
  return await page.evaluate<Look>(lookScript)
}

function summed(looks: readonly Look[]): Pick<Look, 'page' | 'text' | 'commands'> {
  const sum = (key: keyof Look): number => looks.reduce((total, each) => total + each[key], 0)
  return { page: sum('page'), text: sum('text'), commands: sum('commands') }
}

async function read(page: Page, folder: string, session: string): Promise<Reading> {
  const files = readdirSync(folder).filter((name) => /^(?:index|story-\d+|\d+)\.html$/.test(name))
  const own = files.filter((name) => /^\d/.test(name))
  const work = own.length === 0 ? ['index.html'] : own
  const [stories, all]: [Look[], Look[]] = [[], []]
  const order = files.filter((name) => !own.includes(name)).sort()
  for (const name of order) stories.push(await look(page, join(folder, name), 'story'))
  for (const name of work) all.push(await look(page, join(folder, name), 'all'))
  const { prompt = Number.NaN, stops = 0 } = stories[0] ?? {}
  const weights = files.map((name) => gzipSync(readFileSync(join(folder, name))).length)
  const { commands, ...heights } = summed(all)
  return { session, prompt, story: summed(stories), all: heights, stops, commands, weight: Math.max(...weights) }
}

/** Milliseconds of each long task while a page is scrolled to its end by half screens, with a CPU four times slower. */
async function scrollTasks(browser: Browser, file: string): Promise<number[]> {
  const context = await browser.newContext({ ...steady, viewport: screens[0] ?? null, bypassCSP: true })
  const page = await context.newPage()
  await page.goto(`${pathToFileURL(file).href}?view=all`)
  await page.evaluate(`globalThis.tasks = []
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })`)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const tasks = await page.evaluate<number[]>(`(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
      scrollTo(0, y)
      await frame()
    }
    await frame()
    return tasks
  })()`)
  await context.close()
  return tasks
}

/** The quantile of some numbers, interpolated between the two nearest ones. */
function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.filter((each) => !Number.isNaN(each)).toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const [low = Number.NaN, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return low + (high - low) * (place - Math.floor(place))
}

function sayRows(readings: readonly Reading[]): void {
  say('session        prompt    story      all  story/all  stops  commands  kB gzip')
  for (const { session, prompt, story, all, stops, commands, weight } of readings) {
    const cells = [
      ...[String(prompt).padStart(6), String(story.page).padStart(7), String(all.page).padStart(7)],
      ...[(story.page / all.page).toFixed(2).padStart(9), String(stops).padStart(5), String(commands).padStart(8)],
    ]
    say(`${session.slice(0, 13)}  ${cells.join('  ')}  ${(weight / 1000).toFixed(1).padStart(7)}`)
  }
}

function saySums(readings: readonly Reading[]): void {
  const spread = (name: string, of: (reading: Reading) => number): void => {
    const numbers = readings.map(of)
    const [median, most, top] = [0.5, 0.95, 1].map((share) => Math.round(quantile(numbers, share) * 100) / 100)
    say(`${name}: median ${median}, p95 ${most}, most ${top}`)
  }
  spread('y of the first prompt', ({ prompt }) => prompt)
  spread('tab stops in the story', ({ stops }) => stops)
  spread('largest page, kB gzip', ({ weight }) => weight / 1000)
  const busy = readings.filter(({ commands }) => commands >= 20)
  const ratio = (key: 'page' | 'text') =>
    quantile(
      busy.map(({ story, all }) => story[key] / all[key]),
      0.5,
    ).toFixed(3)
  say(
    `${busy.length} sessions with 20 commands: story of everything, median: page ${ratio('page')}, text ${ratio('text')}`,
  )
}

/** The page of a site with the most items. */
function longestPage(sessions: string): string {
  const files = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\/(?:index|\d+)\.html$/.test(name),
  )
  const counted = files.map((name) => {
    const file = join(sessions, name)
    return { file, items: readFileSync(file, 'utf8').match(/class="item /g)?.length ?? 0 }
  })
  const [longest = { file: '', items: 0 }] = counted.sort((a, b) => b.items - a.items)
  say(`\nthe page with the most items (${longest.items}), scrolled at a CPU four times slower:`)
  return longest.file
}

const home = values['codex-home']
const executable = await findBrowser()
if (home === undefined) throw new Error('Say `--codex-home DIR`.')
if (executable === null) throw new Error('There is no Chromium.')
const scratch = mkdtempSync(join(tmpdir(), 'codex-export-reading-'))
const site = resolve(values.site ?? join(scratch, 'site'))
requireBuild()
const places = ['--codex-home', resolve(home), '--out', site, '--cache', join(scratch, 'cache')]
const { status, stderr } = await runProcess(['build', ...places, '--no-search', '--no-config'], { cwd: scratch })
if (status !== 0) throw new Error(stderr)
const browser = await launchChromium(executable)
const sessions = join(site, 'sessions')
for (const viewport of screens) {
  const page = await (await browser.newContext({ ...steady, viewport, bypassCSP: true })).newPage()
  const readings: Reading[] = []
  for (const session of readdirSync(sessions)) readings.push(await read(page, join(sessions, session), session))
  say(`\n${viewport.width} x ${viewport.height}`)
  sayRows(readings)
  saySums(readings)
  await page.context().close()
}
const tasks = await scrollTasks(browser, longestPage(sessions))
const longest = Math.round(quantile(tasks, 1))
say(tasks.length === 0 ? 'no task over 50 ms' : `${tasks.length} tasks over 50 ms, the longest ${longest} ms`)
await browser.close()
rmSync(scratch, { recursive: true, force: true })
