/** How often a build does what costs most, by the engine's own counts, which are the same on every machine. */
import { appendFileSync, cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { requireBuild, runProcess } from '../helpers/cli.ts'
import { answerItem, envelopes, type Json, userItem } from '../helpers/records.ts'
import { writeSession } from '../helpers/site-build.ts'
import { threadNumber } from '../helpers/summary.ts'
import { shareTempDir } from '../helpers/temp.ts'

const sample = fileURLToPath(new URL('../../fixtures/home', import.meta.url))
const folder = shareTempDir()
const first = new Map<string, number>()
const grown = new Map<string, number>()
const paged = new Map<string, number>()

interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[]
}

beforeAll(async () => {
  requireBuild()
  const home = join(folder, 'home')
  cpSync(sample, home, { recursive: true })
  await countCalls('first', home, first)
  const rollout = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && name.includes('rollout-'))
    .sort()[0]
  const payload = { type: 'user_message', message: 'And once more.' }
  const record = { timestamp: '2026-01-02T03:04:05.000Z', type: 'event_msg', payload }
  appendFileSync(join(home, rollout ?? ''), `${JSON.stringify(record)}\n`)
  await countCalls('grown', home, grown)
  // A session of several pages: built, continued, built again.
  const long = writeSession(join(folder, 'long'), threadNumber(1), turns(25))
  const pages = join(folder, 'long/home')
  await countCalls('paged-first', pages, new Map())
  const more = envelopes(turns(1)).map((record) => `${JSON.stringify(record)}\n`)
  appendFileSync(long, more.join(''))
  await countCalls('paged', pages, paged)
})

const turns = (count: number): Json[] =>
  Array.from({ length: count }, (_, number) => [
    userItem(`${number} ${'some words '.repeat(900)}`),
    answerItem('Done'),
  ]).flat()

/** Builds the same site once more, and adds up how often each function was called. */
async function countCalls(name: string, home: string, calls: Map<string, number>): Promise<void> {
  const [coverage, site, cache] = [join(folder, name), `${home}-site`, `${home}-cache`]
  const args = ['build', '--codex-home', home, '--out', site, '--cache', cache, '--no-search', '--jobs', '1']
  const run = await runProcess(args, { cwd: folder, env: { NODE_V8_COVERAGE: coverage } })
  expect(run.status, run.stderr).toBe(0)
  for (const name of readdirSync(coverage)) {
    const { result }: Coverage = JSON.parse(readFileSync(join(coverage, name), 'utf8'))
    for (const { functions } of result.filter(({ url }) => url.includes('/dist/chunks/'))) {
      for (const { functionName, ranges } of functions) {
        // A bundle numbers functions with the same name.
        const own = functionName.replace(/\$\d+$/, '')
        calls.set(own, (calls.get(own) ?? 0) + (ranges[0]?.count ?? 0))
      }
    }
  }
}

const callsOf = (name: string): number => first.get(name) ?? 0

// Raise a bound only with the reason in the commit; lower it when a change does less.
test.each([
  { what: 'looks at the beginning of a line', name: 'sniff', per: 'scanLine', most: 1 },
  { what: 'parses a line', name: 'parseLine', per: 'scanLine', most: 1.54 },
  { what: 'opens a rollout', name: 'openRollout', per: 'readSlices', most: 2.1 },
  { what: 'redacts the tree of a slice', name: 'redactStrings', per: 'renderSlice', most: 3 },
  { what: 'searches a text for secrets', name: 'observe', per: 'scanLine', most: 4.8 },
  { what: 'searches a string of a tree by its rules', name: 'findIn', per: 'redactField', most: 0.5 },
  { what: 'tries the form of a token on a text', name: 'secretAt', per: 'findIn', most: 0.24 },
  { what: 'parses Markdown', name: 'parseMarkdown', per: 'renderSlice', most: 3.9 },
  { what: 'reads a command line', name: 'posixSteps', per: 'bareSteps', most: 0.22 },
  { what: 'reads what a person typed', name: 'blocksOf', per: 'renderSlice', most: 1.3 },
  { what: 'has packages make a page of Markdown', name: 'sanitizedProse', per: 'renderSlice', most: 0.1 },
  { what: 'visits a node of a slice', name: 'walk', per: 'takeRecord', most: 12.6 },
])('a build $what at most as often as before', ({ name, per, most }) => {
  expect(callsOf(per), per).toBeGreaterThan(0)
  expect(callsOf(name), name).toBeGreaterThan(0)
  expect(callsOf(name) / callsOf(per)).toBeLessThanOrEqual(most)
})

test.each(['scanThread', 'privateThread', 'renderSlice', 'WaitingThread'])(
  'if one session grew, %s is called only for it',
  (name) => {
    expect(first.get('curatedOnce')).toBeGreaterThan(80)
    expect(grown.get('curatedOnce')).toBe(first.get('curatedOnce'))
    expect(first.get(name)).toBeGreaterThan(80)
    expect(grown.get(name)).toBe(1)
  },
)

test('if one session grew, pages are made only of its project, month and day', () => {
  for (const name of ['renderProject', 'projectView', 'listView']) expect(first.get(name), name).toBeGreaterThan(5)
  expect(grown.get('renderProject')).toBe(1)
  expect(grown.get('projectView')).toBe(1)
  expect(grown.get('listView')).toBe(2)
})

test('if one session grew, each file is examined once, and little of the index is made again', () => {
  const [looks, files] = [grown.get('lookAt') ?? 0, grown.get('keepUnchanged') ?? 0]
  const [lines, allLines] = [grown.get('lineOf') ?? 0, grown.get('valueOffset') ?? 0]
  expect(files).toBeGreaterThan(100)
  // Folders are counted too.
  expect(looks / files).toBeLessThan(2)
  expect(allLines).toBeGreaterThan(200)
  expect(lines).toBeLessThan(40)
})

test('if one session grew, both folders of sessions are walked once', () => {
  expect(grown.get('walkTree')).toBe(2)
})

test('if a session of several pages grew, the closed ones are not rendered again', () => {
  expect(paged.get('renderSlice')).toBeGreaterThan(2)
  expect(paged.get('renderParts')).toBe(1)
})
