import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { ListRow } from '../../src/cli/list-rows.ts'
import { main } from '../../src/cli/main.ts'
import * as program from '../../src/program.ts'
import type { Session } from '../../src/transcript/trast.ts'
import { runCli } from '../helpers/cli.ts'
import { useTempDir } from '../helpers/temp.ts'
import { fakeWorld } from '../helpers/world.ts'

const sample = fileURLToPath(new URL('../../fixtures/home', import.meta.url))

async function rows(args: string[], cwd = useTempDir()): Promise<ListRow[]> {
  const run = await runCli(['list', '--json', ...args], { cwd })
  expect(run.status, run.stderr).toBe(0)
  return JSON.parse(run.stdout) as ListRow[]
}

/** A home with one thread of two turns. */
function homeWithThread(): string {
  const home = useTempDir()
  const day = join(home, 'sessions/2026/03/14')
  mkdirSync(day, { recursive: true })
  const id = '019cebe6-48a0-7000-8000-00000000c0de'
  const line = (second: number, type: string, payload: object): string =>
    JSON.stringify({ timestamp: `2026-03-14T09:26:${second}.000Z`, type, payload })
  const prompt = (second: number, text: string): string[] => [
    line(second, 'response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    line(second, 'event_msg', { type: 'user_message', message: text, kind: 'plain' }),
  ]
  const lines = [
    line(10, 'session_meta', {
      id,
      timestamp: '2026-03-14T09:26:10.000Z',
      cwd: '/home/sam/code/shop',
      originator: 'codex_cli_rs',
      cli_version: '0.98.0',
      source: 'cli',
      git: { branch: 'cart', repository_url: 'https://sam:word@example.com/acme/shop.git' },
    }),
    ...prompt(11, 'Keep the cart over a reload.\nIt is empty now.'),
    ...prompt(12, 'Thanks, now commit it'),
  ]
  writeFileSync(join(day, `rollout-2026-03-14T09-26-10-${id}.jsonl`), `${lines.join('\n')}\n`)
  return home
}

test('a row has all data of a thread', async () => {
  const [row, ...others] = await rows(['--codex-home', homeWithThread()])
  expect(others).toEqual([])
  expect(row).toEqual({
    id: '019cebe6-48a0-7000-8000-00000000c0de',
    startedAt: '2026-03-14T09:26:10.000Z',
    lastAt: '2026-03-14T09:26:12.000Z',
    archived: false,
    project: 'shop',
    cwds: ['~/code/shop'],
    remote: 'https://example.com/acme/shop.git',
    branch: 'cart',
    title: expect.stringMatching(/^Keep the cart over a reload/),
    firstPrompt: expect.stringMatching(/^Keep the cart over a reload/),
    lastPrompt: 'Thanks, now commit it',
    source: 'cli',
    version: '0.98.0',
    state: 'completed',
    turns: 2,
    lines: 5,
    bytes: expect.any(Number),
    files: ['sessions/2026/03/14/rollout-2026-03-14T09-26-10-019cebe6-48a0-7000-8000-00000000c0de.jsonl'],
  })
})

test('a row has the same tokens and end as the tree of its session', async () => {
  const all = await rows(['--codex-home', sample])
  const unfinished = all.filter(({ tokens, state }) => tokens !== undefined && state !== 'completed').slice(0, 2)
  const agents = all.filter(({ parent, tokens }) => parent !== undefined && tokens !== undefined).slice(0, 2)
  expect([unfinished.length, agents.length]).toEqual([2, 2])
  for (const row of [...unfinished, ...agents]) {
    const run = await runCli(['show', row.id, '--format', 'json', '--codex-home', sample], { cwd: useTempDir() })
    const { session } = JSON.parse(run.stdout) as { session: Session }
    const usage = Object.values(session.stats.usage)
    expect(row.tokens).toBe(usage.reduce((sum, { total }) => sum + total, 0))
    const last = session.children.findLast((child) => child.type === 'turn')
    expect([row.state, row.model]).toEqual([last?.status, last?.model])
    expect(all.map(({ id }) => id)).toContain(row.parent ?? row.id)
  }
})

test('the sample home lists its threads in order, each once', async () => {
  const all = await rows(['--codex-home', sample])
  expect(all.length).toBeGreaterThan(10)
  const starts = all.flatMap((row) => row.startedAt ?? [])
  expect(starts).toEqual(starts.toSorted())
  expect(new Set(all.map((row) => row.id)).size).toBe(all.length)
})

test('filters choose threads, from flags and from the environment', async () => {
  const all = await rows(['--codex-home', sample])
  const archived = await rows(['--codex-home', sample, '--archived'])
  const live = await rows(['--codex-home', sample, '--no-archived'])
  expect(archived.length).toBeGreaterThan(0)
  expect(archived.length + live.length).toBe(all.length)
  const [first] = all
  expect(await rows(['--codex-home', sample, '--id', first?.id.slice(0, 13) ?? ''])).toEqual([first])
  const project = all.at(-1)?.project ?? ''
  const run = await runCli(['list', '--json', '--project', project.toUpperCase()], {
    cwd: useTempDir(),
    env: { CODEX_EXPORT_CODEX_HOME: sample },
  })
  const some = JSON.parse(run.stdout) as ListRow[]
  expect(some.length).toBeGreaterThan(0)
  expect(some.length).toBeLessThan(all.length)
})

test('the table has a line per thread, and messages are on standard error', async () => {
  const run = await runCli(['list', '--codex-home', homeWithThread()], { cwd: useTempDir() })
  expect(run.status).toBe(0)
  const [head, row, ...others] = run.stdout.trimEnd().split('\n')
  expect(others).toEqual([])
  expect(head).toMatch(/^ID +Start +Last activity +Project +Branch +Title +First prompt +Last prompt +Turns/)
  expect(row).toMatch(/^019cebe6 +2026-03-14 09:26 +2026-03-14 09:26 +shop +cart +Keep the cart over a reload/)
  expect(run.stderr).toContain('1 session\n')
})

test('a terminal that does not know its width gets the table for 80 columns', async () => {
  const cwd = useTempDir()
  const listAt = async (columns: number): Promise<string> => {
    const world = fakeWorld(['list', '--codex-home', sample], { cwd }, { columns })
    await main(world, async () => program)
    return world.out()
  }
  expect(await listAt(0)).toBe(await listAt(80))
})

test('without sessions the places are named and the exit code is 0', async () => {
  const empty = useTempDir()
  const run = await runCli(['list', '--codex-home', empty], { cwd: empty })
  expect(run).toMatchObject({ status: 0, stdout: '' })
  expect(run.stderr).toContain(`No sessions were found. Looked in:\n  ${empty}\n`)
  expect(await rows(['--codex-home', empty])).toEqual([])
  const filtered = await runCli(['list', '--codex-home', homeWithThread(), '--project', 'nowhere'], { cwd: empty })
  expect(filtered).toMatchObject({ status: 0, stdout: '' })
  expect(filtered.stderr).toContain('No session passes the filters; 1 session found in:\n')
})

test('a second list reads only what changed', async () => {
  const [home, cache] = [homeWithThread(), useTempDir()]
  const listed = async (...more: string[]): Promise<ListRow[]> => {
    const options = { cwd: useTempDir(), env: { XDG_CACHE_HOME: cache } }
    const run = await runCli(['list', '--json', '--codex-home', home, ...more], options)
    return JSON.parse(run.stdout) as ListRow[]
  }
  const folder = join(home, 'sessions/2026/03/14')
  const file = join(folder, readdirSync(folder)[0] ?? '')
  // A session with a secret would be read every time.
  const text = readFileSync(file, 'utf8').replace('sam:word@', '')
  const write = (content: string): void => {
    writeFileSync(file, content)
    utimesSync(file, 1_700_000_000, 1_700_000_000)
  }
  write(text)
  const first = await listed()
  // Other words with the same size and time: only a reader of the file would notice.
  const other = text.replaceAll('Keep the cart', 'Lose the cart')
  write(other)
  expect(await listed()).toEqual(first)
  expect(await listed('--branch', 'cart')).toEqual(first)
  expect(await listed('--branch', 'other')).toEqual([])
  const id = '019cebe6-48a0-7000-8000-00000000beef'
  const added = join(folder, `rollout-2026-03-14T10-00-00-${id}.jsonl`)
  writeFileSync(added, text.replaceAll('019cebe6-48a0-7000-8000-00000000c0de', id))
  expect((await listed()).find((row) => row.id !== id)?.title).toMatch(/^Keep the cart/)
  rmSync(added)
  write(`${other}\n`)
  expect((await listed())[0]?.title).toMatch(/^Lose the cart/)
})

test('every list reports what is wrong with a rollout', async () => {
  const [home, cache] = [homeWithThread(), useTempDir()]
  writeFileSync(
    join(home, 'sessions/2026/03/14/rollout-2026-03-14T10-00-00-019cebe6-48a0-7000-8000-00000000beef.jsonl'),
    '',
  )
  const options = { cwd: useTempDir(), env: { XDG_CACHE_HOME: cache } }
  const first = await runCli(['list', '--codex-home', home], options)
  expect(first.stderr).toContain('00000000beef')
  expect(await runCli(['list', '--codex-home', home], options)).toEqual(first)
})

test('a list keeps no secret, and nothing if the user has no cache folder', async () => {
  const [home, cache] = [homeWithThread(), useTempDir()]
  const folder = join(home, 'sessions/2026/03/14')
  const file = join(folder, readdirSync(folder)[0] ?? '')
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('Keep the cart', `Keep ${secret} and the cart`))
  const options = (path: string) => ({ cwd: useTempDir(), env: { XDG_CACHE_HOME: path } })
  const args = ['list', '--json', '--codex-home', home]
  const run = await runCli(args, options(cache))
  expect(run.stdout).toContain('[redacted:github-token]')
  const kept = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(kept.length).toBeGreaterThan(0)
  for (const { parentPath, name } of kept) expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain(secret)
  await runCli(args, options(join(cache, 'none')))
  expect(readdirSync(cache)).not.toContain('none')
})

test('a list neither shows nor keeps a password given to the agent, but shows other answers', async () => {
  const [home, cache] = [homeWithThread(), useTempDir()]
  const folder = join(home, 'sessions/2026/03/14')
  const file = join(folder, readdirSync(folder)[0] ?? '')
  const [head = '', ...prompts] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const asked = (text: string): string =>
    JSON.stringify({
      timestamp: '2026-03-14T09:26:11.500Z',
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
    })
  const written = (question: string, answer: string): void => {
    const lines = [head, ...prompts.slice(0, 2), asked(question), ...prompts.slice(2)]
    writeFileSync(file, lines.join('\n').replaceAll('Thanks, now commit it', answer))
  }
  const options = { cwd: useTempDir(), env: { XDG_CACHE_HOME: cache } }
  const args = ['list', '--json', '--codex-home', home]
  const secret = 'vK8#mQ2x!Lw7'
  written('Please tell me the database password.', `it is ${secret}`)
  for (const _ of ['first', 'kept']) {
    const run = await runCli(args, options)
    expect(run.stdout).toContain('it is [redacted:named-secret]')
    expect(run.stdout).not.toContain(secret)
  }
  const kept = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(kept.length).toBeGreaterThan(0)
  for (const { parentPath, name } of kept) expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain(secret)
  written('Which page shall I open?', 'open Checkout2024')
  expect((await runCli(args, options)).stdout).toContain('open Checkout2024')
})

test('a list without redaction is not kept', async () => {
  const cache = useTempDir()
  const args = ['list', '--json', '--no-redact', '--codex-home', homeWithThread()]
  const run = await runCli(args, { cwd: useTempDir(), env: { XDG_CACHE_HOME: cache } })
  expect(run.status, run.stderr).toBe(0)
  expect(readdirSync(cache, { recursive: true })).toEqual([])
})
