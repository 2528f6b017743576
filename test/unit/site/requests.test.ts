/**
 * Sessions that readers request while a build is running: the queue, and that the site is the same with and without
 * them.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { features } from '../../../src/program.ts'
import { build } from '../../../src/site/build.ts'
import { type Requested, type SessionSource, sessionRequests } from '../../../src/site/requests.ts'
import type { BuildRunOptions } from '../../../src/site/stages-fs.ts'
import type { BuildOptions } from '../../../src/site/types.ts'
import { readFolder, writeFolder } from '../../helpers/folder.ts'
import * as r from '../../helpers/records.ts'
import { turnOf } from '../../helpers/site-build.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { plainBuild, quietHost } from '../../helpers/surroundings.ts'
import { parseTags } from '../../helpers/tags.ts'
import { useTempDir } from '../../helpers/temp.ts'

/** A source whose sessions finish when the test says so, in the order in which they were begun. */
function manualSource() {
  const begun: string[] = []
  const ends: ((answer: Requested) => void)[] = []
  const source: SessionSource = {
    async render(folder, free) {
      await free([folder])
      begun.push(folder)
      return new Promise((resolve) => ends.push(resolve))
    },
    staged: '/nowhere',
    hashOf: () => undefined,
    listPage: () => '',
    noticePage: () => '',
  }
  const end = async (answer: Requested = 'made'): Promise<void> => {
    ends.shift()?.(answer)
    await turn()
  }
  return { source, begun, end }
}

/** By then, everything has happened that waits only for promises. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('the last build is released at the end, with all that it knew', async () => {
  const requests = sessionRequests()
  requests.open(manualSource().source)
  requests.titles.set('one', 'One')
  await requests.close()
  expect(requests.source).toBeDefined()
  requests.end()
  expect([requests.source, requests.titles.size]).toEqual([undefined, 0])
})

describe('requests', () => {
  test('wait for a build, and are answered one after the other, the newest first', async () => {
    const requests = sessionRequests()
    const { source, begun, end } = manualSource()
    const answers = ['a', 'b', 'c'].map((folder) => requests.ask(folder))
    requests.open(source)
    await turn()
    expect(begun).toEqual(['c'])
    await end()
    await end({ failure: 'broken' })
    await end('unknown')
    expect(begun).toEqual(['c', 'b', 'a'])
    expect(await Promise.all(answers)).toEqual(['unknown', { failure: 'broken' }, 'made'])
  })

  test('for one session are one, and a repeated request becomes the newest', async () => {
    const requests = sessionRequests()
    const { source, begun, end } = manualSource()
    requests.open(source)
    const first = requests.ask('a')
    await turn()
    expect(requests.ask('a')).toBe(first)
    const again = requests.ask('b')
    requests.ask('c')
    expect(requests.ask('b')).toBe(again)
    for (let count = 0; count < 3; count++) await end()
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  test('are limited: the oldest one is told to come again', async () => {
    const requests = sessionRequests()
    const { source, begun } = manualSource()
    const answers = Array.from({ length: 33 }, (_, index) => requests.ask(`s${index}`))
    expect(await answers[0]).toBe('later')
    requests.open(source)
    await turn()
    expect(begun).toEqual(['s32'])
  })

  test('pause the build between two sessions, and wait only for a session in progress', async () => {
    const requests = sessionRequests()
    const { source, begun, end } = manualSource()
    requests.open(source)
    const done: string[] = []
    let endOther = (): void => {}
    const other = requests.workAt('a', () => new Promise<void>((resolve) => (endOther = resolve)))
    await turn()
    requests.ask('a')
    const next = requests.workAt('b', async () => done.push('b'))
    await turn()
    expect([begun, done]).toEqual([[], []])
    endOther()
    await other
    await turn()
    expect([begun, done]).toEqual([['a'], []])
    await end()
    await next
    expect(done).toEqual(['b'])
  })

  test('do not begin once the build is closed, and go to the next one', async () => {
    const requests = sessionRequests()
    const { source, begun, end } = manualSource()
    requests.open(source)
    requests.ask('a')
    const waiting = requests.ask('b')
    await turn()
    let isClosed = false
    const closing = requests.close().then(() => {
      isClosed = true
    })
    await turn()
    expect(isClosed).toBe(false)
    await end()
    await closing
    expect(begun).toEqual(['a'])
    const next = manualSource()
    requests.open(next.source)
    await turn()
    expect(next.begun).toEqual(['b'])
    await next.end()
    expect(await waiting).toBe('made')
  })
})

// A build with requests.

const secret = 'wGq7Zt2Kp9Lx4QbV6Nf3'

/**
 * Nine sessions: 2 is a fork of 1; 3 started 4, which repeats a password that 3 reveals; 5 and 6 are in two folders
 * of one name; the file of 8 is cut off in its head; 9 is from another year.
 */
function writeHome(folder: string): void {
  const heads: Record<number, r.Json> = {
    2: { forked_from_id: threadNumber(1) },
    4: {
      parent_thread_id: threadNumber(3),
      source: { subagent: { thread_spawn: { parent_thread_id: threadNumber(3), depth: 1 } } },
    },
    5: { cwd: '/play/app' },
    6: { cwd: '/work/app' },
  }
  for (let number = 1; number <= 9; number++) {
    const id = threadNumber(number)
    const day = number === 9 ? '2025-12-19' : `2026-01-1${number}`
    const revealing = number === 3 ? r.command('tell', 'cat .env', 0, `DB_PASSWORD=${secret}\n`) : []
    const said = number === 4 ? [r.answerItem(`It answers to ${secret}.`)] : []
    const head = { id, timestamp: `${day}T09:00:00.000Z`, cwd: '/work/shop', ...heads[number] }
    const lines = r.envelopes([r.meta(head), ...turnOf(`word${number}`), ...said, ...revealing])
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const path = `home/sessions/${day.replaceAll('-', '/')}/rollout-${day}T09-00-00-${id}.jsonl`
    writeFolder(folder, { [path]: number === 8 ? '\n' : text })
  }
}

/** Builds, and calls `at` when a stage begins, and after each step of it with the number of the step. */
async function run(
  folder: string,
  name: string,
  { at = () => {}, runOptions = {}, change = {} }: RunOptions = {},
): Promise<Record<string, string>> {
  let now = ''
  let ticks = 0
  const progress = {
    stage(stage: string) {
      now = stage
      ticks = 0
      at(now)
    },
    tick(count = 1) {
      ticks += count
      if (count > 0) at(`${now} ${ticks}`)
    },
    done() {},
  }
  const options = plainBuild({
    ...{ homes: [{ path: join(folder, 'home') }], out: join(folder, name), cache: join(folder, `${name}-cache`) },
    ...{ search: false, formats: ['html', 'md'], ...change },
  })
  await build(options, quietHost({ progress }), features, runOptions)
  return readFolder(options.out)
}

interface RunOptions {
  at?: (stage: string) => void
  runOptions?: BuildRunOptions
  change?: Partial<BuildOptions>
}

/** Requests sessions when a stage begins, and returns the answers and the pages that existed by then. */
async function runAsked(folder: string, stage: string, numbers: readonly number[], options: RunOptions = {}) {
  const requests = sessionRequests()
  const answers: Promise<[number, Requested, string | undefined]>[] = []
  let list = ''
  const at = (now: string): void => {
    if (now === stage) options.at?.(now)
    if (now !== stage || answers.length > 0) return
    list = requests.source?.listPage('index.html') ?? ''
    for (const number of numbers) {
      const path = `sessions/${threadNumber(number)}/index.html`
      const seen = requests.ask(threadNumber(number)).then((answer): [number, Requested, string | undefined] => {
        const { staged = '', hashOf } = requests.source ?? {}
        return [number, answer, hashOf?.(path) === undefined ? undefined : readFolder(staged)[path]]
      })
      answers.push(seen)
    }
  }
  const site = await run(folder, 'asked', { ...options, at, runOptions: { ...options.runOptions, requests } })
  return { site, list, answers: await Promise.all(answers) }
}

const pageOf = (site: Record<string, string>, number: number): string | undefined =>
  site[`sessions/${threadNumber(number)}/index.html`]

describe('a build with requests for sessions', () => {
  test.each([
    ['Reading sessions', 'while reading'],
    ['Reading sessions 4', 'while reading others of a family'],
    ['Rendering sessions', 'before rendering'],
    ['Rendering sessions 4', 'after the session that reveals a secret of the family'],
    ['Rendering sessions 7', 'after nearly all sessions'],
  ])('at the stage %s makes them %s with their final pages, and the site is the same', async (stage) => {
    const folder = useTempDir()
    writeHome(folder)
    const plain = await run(folder, 'plain')
    const { site, answers } = await runAsked(folder, stage, [9, 5, 4, 2])
    expect(answers).toEqual([9, 5, 4, 2].map((number) => [number, 'made', pageOf(plain, number)]))
    expect(pageOf(plain, 4)).not.toContain(secret)
    expect(pageOf(plain, 5)).toContain('play/app')
    expect(site).toEqual(plain)
  })

  test('of a large archive makes them before the small site too, even if that contains them', async () => {
    const folder = useTempDir()
    writeHome(folder)
    const plain = await run(folder, 'plain')
    const runOptions = { minRestBytes: 1, partBytes: [1] }
    const { site, answers } = await runAsked(folder, 'Reading sessions', [9, 5], { runOptions })
    expect(answers).toEqual([9, 5].map((number) => [number, 'made', pageOf(plain, number)]))
    expect(site).toEqual(plain)
  })

  test('reports as unknown a session that does not exist, is excluded or is empty', async () => {
    const folder = useTempDir()
    writeHome(folder)
    const change = { exclude: [threadNumber(5)] }
    const { answers } = await runAsked(folder, 'Reading sessions', [77, 5, 8, 6], { change })
    expect(answers.map(([number, answer]) => [number, answer])).toEqual([
      [77, 'unknown'],
      [5, 'unknown'],
      [8, 'unknown'],
      [6, 'made'],
    ])
  })

  test('reports why a session cannot be made', async () => {
    const folder = useTempDir()
    writeHome(folder)
    const home = join(folder, 'home/sessions/2026/01/16')
    const vanish = { at: () => rmSync(home, { recursive: true, force: true }) }
    const { answers, site } = await runAsked(folder, 'Reading sessions', [6], vanish)
    expect(answers).toEqual([
      [6, { failure: expect.stringMatching(/^sessions\/2026\/01\/16\/rollout-.+: .+\.$/) }, undefined],
    ])
    expect(pageOf(site, 6)).toBeUndefined()
    expect(pageOf(site, 5)).toBeDefined()
  })

  test('lists sessions by their heads, newest first, without agents and excluded ones', async () => {
    const folder = useTempDir()
    writeHome(folder)
    const change = { exclude: [threadNumber(7)] }
    const { list } = await runAsked(folder, 'Reading sessions', [], { change })
    const links = [...list.matchAll(/class="row" href="sessions\/([^/]+)\/index\.html"/g)].map((match) => match[1])
    expect(links).toEqual([6, 5, 3, 2, 1, 9].map(threadNumber))
    expect(parseTags(list).text).toContain('Friday, 16 January 2026')
    expect(parseTags(list).text).toContain('work/app')
    expect(list).not.toContain('pagefind')
  })

  test('does not answer in a dry run, because its pages could not be used again', async () => {
    const folder = useTempDir()
    writeHome(folder)
    const requests = sessionRequests()
    await run(folder, 'site')
    await run(folder, 'site', { runOptions: { requests }, change: { dryRun: true, title: 'Others' } })
    expect(requests.source).toBeUndefined()
  })
})
