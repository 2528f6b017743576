/**
 * Measures how soon an open page shows what is written, and whether the site is complete after kills.
 *
 *     npm run bench:watch [-- --codex-home DIR] [--turns N] [--kills N]
 *
 * The turns of the longest rollout of a home are appended to a copy of it, line by line, each with an invented answer at its
 * end; a browser waits for that answer. Then `serve --watch` is killed while it writes and started again.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { Finding } from '../../src/diagnostics/finding.ts'
import { findBrowser } from '../helpers/browser-setup.ts'
import { launchChromium } from '../helpers/chromium.ts'
import { readFolder } from '../helpers/folder.ts'

const root = resolve(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    'codex-home': { type: 'string', default: join(root, 'fixtures/home') },
    turns: { type: 'string', default: '200' },
    kills: { type: 'string', default: '20' },
  },
})

const scratch = mkdtempSync(join(tmpdir(), 'codex-export-watch-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
const [home, out, cache] = ['home', 'site', 'cache'].map((name) => join(scratch, name)) as [string, string, string]
const program = join(root, 'dist/cli.js')
const paths = ['--codex-home', home, '--out', out, '--cache', cache]

/** The longest rollout of the copied home, with only its head in place and the rest to be written turn by turn. */
function prepare(): { file: string; turns: string[][] } {
  cpSync(values['codex-home'], home, { recursive: true, preserveTimestamps: true })
  const names = readdirSync(join(home, 'sessions'), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name.endsWith('.jsonl')).map((name) => join(home, 'sessions', name))
  const file = files.toSorted((a, b) => statSync(b).size - statSync(a).size)[0]
  if (file === undefined) throw new Error('This home holds no rollouts.')
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const turns: string[][] = []
  for (const line of lines) {
    if (turns.length === 0 || /"role":"user"/.test(line)) turns.push([])
    turns.at(-1)?.push(line)
  }
  writeFileSync(file, `${head}\n`)
  return { file, turns }
}

const answer = (text: string): string =>
  JSON.stringify({
    timestamp: new Date().toISOString(),
    type: 'response_item',
    payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
  })

async function serve(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [program, 'serve', '--watch', '--port', '0', ...paths], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let text = ''
  for await (const piece of child.stderr.setEncoding('utf8')) {
    text += piece
    if (text.includes('Watching')) break
  }
  child.stderr.resume()
  return { child, url: /http:\S+/.exec(text)?.[0] ?? '' }
}

type Files = Record<string, string>

const ended = (child: ChildProcess): Promise<unknown> => new Promise((done) => child.once('close', done))
const line = (name: string, numbers: readonly number[]): string => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return `${name}: least ${at(0).toFixed(0)} ms, median ${at(0.5).toFixed(0)}, 95 of 100 within ${at(0.95).toFixed(0)}, most ${at(1).toFixed(0)}`
}

const { file, turns } = prepare()
const id = /([0-9a-f-]{36})\.jsonl$/.exec(file)?.[1] ?? ''

/** Milliseconds from the last line of a turn to its answer in the page, turn by turn. */
async function latencies(count: number): Promise<number[]> {
  const { child, url } = await serve()
  const browser = await launchChromium((await findBrowser()) ?? '')
  const page = await browser.newPage()
  await page.goto(`${url}sessions/${id}/`)
  const times: number[] = []
  for (let number = 0; number < count; number++) {
    for (const record of turns[number % turns.length] ?? []) appendFileSync(file, `${record}\n`)
    const text = `Answer ${number} of the watch.`
    const seen = page.getByText(text, { exact: true }).first().waitFor({ state: 'attached' })
    appendFileSync(file, `${answer(text)}\n`)
    const begin = performance.now()
    await seen
    times.push(performance.now() - begin)
  }
  await browser.close()
  child.kill('SIGTERM')
  await ended(child)
  return times
}

/**
 * What `check` reports about the site after each kill, except files of an interrupted update, which the next build
 * removes.
 */
async function kills(count: number): Promise<string[]> {
  const faults: string[] = []
  for (let number = 0; number < count; number++) {
    const { child } = await serve()
    const exited = ended(child)
    for (let added = 0; added < 5; added++) appendFileSync(file, `${answer(`Before kill ${number}, ${added}.`)}\n`)
    // During an update, its swap, or the complete build after it: each kill comes at another time.
    await new Promise((done) => setTimeout(done, (number * 4000) / count))
    child.kill('SIGKILL')
    await exited
    const options = { encoding: 'utf8', maxBuffer: 1 << 28 } as const
    const { stdout } = spawnSync(process.execPath, [program, 'check', out, '--json', '--no-config'], options)
    const { findings } = JSON.parse(stdout) as { findings: Finding[] }
    for (const { level, file: path, message } of findings)
      if (level !== 'info' && !path.startsWith('.staging-')) faults.push(`after kill ${number}: ${path}: ${message}\n`)
  }
  return faults
}

process.stdout.write(`${line(`${values.turns} turns`, await latencies(Number(values.turns)))}\n`)
const faults = await kills(Number(values.kills))
const build = (...flags: string[]) => spawnSync(process.execPath, [program, 'build', '--codex-home', home, ...flags])
build('--out', out, '--cache', cache)
build('--out', join(scratch, 'anew'), '--cache', join(scratch, 'cache-anew'))
const [site, anew] = [out, join(scratch, 'anew')].map((folder) => readFolder(folder)) as [Files, Files]
const others = Object.keys({ ...site, ...anew }).filter((path) => site[path] !== anew[path])
process.stdout.write(`${values.kills} kills: ${faults.length} left a site that is not whole\n${faults.join('')}`)
process.stdout.write(`files that the next build and one from nothing give otherwise: ${others.join(' ') || 'none'}\n`)
process.exitCode = faults.length === 0 && others.length === 0 ? 0 : 1
