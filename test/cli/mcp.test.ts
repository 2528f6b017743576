/** `mcp`: what an agent may ask, with the client of the official SDK. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { names } from '../../templates/assets/search/grammar.js'
import { requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { writeFolder } from '../helpers/folder.ts'
import { answerEvent, answerItem, command, envelopes, meta, userEvent, userItem } from '../helpers/records.ts'
import { shareTempDir, useTempDir } from '../helpers/temp.ts'

const bin = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const [shop, garden] = ['019c0001-0000-7000-8000-000000000001', '019c0002-0000-7000-8000-000000000002'] as const
// Joined here, so that no scanner takes this file for a leak.
const token = ['ghp', 'J7dK2mQ9xW4vB8nR5tY1pL6sF3hG0aZcE7uT'].join('_')

beforeAll(requireBuild)

function rollout(id: string, cwd: string, prompt: string, output: string): string {
  const said = [userItem(prompt), userEvent(prompt), ...command('c1', 'cat out.txt', 0, output)]
  const again = [
    userItem('And then?'),
    userEvent('And then?'),
    answerItem('Nothing more.'),
    answerEvent('Nothing more.'),
  ]
  return envelopes([meta({ id, cwd, cli_version: '0.98.0' }), ...said, ...again])
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

function home(folder = useTempDir()): string {
  const day = 'sessions/2026/03/14/rollout-2026-03-14T09-00-0'
  writeFolder(folder, {
    [`${day}0-${shop}.jsonl`]: rollout(shop, '/srv/shop', `Use ${token} for the ferry`, 'ferry left\n'.repeat(4000)),
    [`${day}1-${garden}.jsonl`]: rollout(garden, '/srv/garden', 'Water the ferry', 'wet'),
  })
  return folder
}

const open: Client[] = []
afterEach(() => Promise.all(open.splice(0).map((client) => client.close())))

/** Starts a server with a home directory for its user. */
async function start(args: string[], user: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const env = { PATH: process.env['PATH'] ?? '', HOME: user, CODEX_EXPORT_REDACT: 'false' }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp', ...args], env, stderr: 'ignore' }),
  )
  return client
}

async function connect(args: string[]): Promise<Client> {
  const client = await start(args, useTempDir())
  open.push(client)
  return client
}

/** The server of all tests that only ask: a process loads the whole program, which takes longer than its answers. */
let client: Client
const folders = { home: shareTempDir(), user: shareTempDir() }
beforeAll(async () => {
  client = await start(['--codex-home', home(folders.home)], folders.user)
})
afterAll(() => client?.close())

/** The result of a call, or its error. */
async function ask(client: Client, name: string, args: object): Promise<Record<string, unknown> | string> {
  const { content, isError } = await client.callTool({ name, arguments: { ...args } })
  const texts = (content as { text: string }[]).map(({ text }) => text)
  expect(texts.join('').length).toBeLessThan(60_000)
  if (isError) return texts.join('')
  expect(texts).toHaveLength(2)
  expect(texts[0]).toContain('not instructions')
  return JSON.parse(texts[1] ?? '') as Record<string, unknown>
}

describe('mcp', () => {
  it('reports messages that it could not read, and answers the others', () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const run = spawnSync(process.execPath, [bin, 'mcp', '--codex-home', home()], {
      input: `garbage\n{"id":1}\n${ping}\n`,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', HOME: useTempDir() },
    })
    expect(run).toMatchObject({ status: 0, stdout: '{"result":{},"jsonrpc":"2.0","id":1}\n' })
    const [first, second] = run.stderr.split('\n')
    expect(first).toMatch(/^codex-export: A message could not be read: Unexpected token .*garbage/)
    expect(second).toBe('codex-export: A message could not be read: it is not a JSON-RPC 2.0 message.')
  })

  it('lists its tools before it loads the code that reads sessions, so that a turn need not wait', () => {
    const chunksFor = (method: string, params: object): string => {
      const coverage = useTempDir()
      const run = spawnSync(process.execPath, [bin, 'mcp', '--codex-home', home()], {
        input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] ?? '', HOME: useTempDir(), NODE_V8_COVERAGE: coverage },
      })
      expect(run.stdout).toContain('"result"')
      return readdirSync(coverage)
        .map((name) => readFileSync(join(coverage, name), 'utf8'))
        .join('')
    }
    expect(chunksFor('tools/list', {})).not.toContain('/chunks/redactor-')
    expect(chunksFor('tools/call', { name: 'sessions', arguments: {} })).toContain('/chunks/redactor-')
  })

  it('answers everything on its input before it ends', () => {
    const call = (id: number, name: string, args: object): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`
    const run = spawnSync(process.execPath, [bin, 'mcp', '--codex-home', home()], {
      input: `${call(1, 'search', { query: 'ferry' })}${call(2, 'read', { thread: shop, turn: 1 })}${call(3, 'none', {})}`,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', HOME: useTempDir() },
    })
    const answers = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result: { content: { text: string }[] } })
      .sort((a, b) => a.id - b.id)
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(answers.map(({ result }) => result.content.at(-1)?.text)).toEqual([
      expect.stringContaining(shop),
      expect.stringContaining('ferry left'),
      'There is no tool `none`.',
    ])
    expect(run.status).toBe(0)
  })

  it('offers three tools that only read', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['search', true],
      ['read', true],
      ['sessions', true],
    ])
    expect(JSON.stringify(tools)).not.toMatch(/redact|path/)
    for (const operator of names) expect(tools[0]?.description).toContain(` ${operator}:`)
  })

  it('omits the session that asks from a search, and marks it in the list', async () => {
    const idsOf = ({ sessions }: Record<string, unknown>) =>
      (sessions as { thread: string; isCurrent?: true; mayBeCurrent?: true }[]).map(
        ({ thread, isCurrent, mayBeCurrent }) =>
          [thread, ...(isCurrent ? ['current'] : []), ...(mayBeCurrent ? ['maybe'] : [])].join(' '),
      )
    const answer = async (name: string, args: object, _meta: object) => {
      const { content } = await client.callTool({ name, arguments: { ...args }, _meta: { ..._meta } })
      return idsOf(JSON.parse((content as { text: string }[])[1]?.text ?? ''))
    }
    for (const meta of [{ threadId: garden }, { 'x-codex-turn-metadata': { thread_id: garden } }]) {
      expect(await answer('search', { query: 'ferry' }, meta)).toEqual([shop])
      expect(await answer('sessions', {}, meta)).toEqual([`${garden} current`, shop])
    }
    expect(await answer('search', { query: 'ferry' }, { threadId: '..' })).toEqual([garden, shop])
  })

  it('marks recently written sessions if the client does not say which one asks', async () => {
    const folder = home()
    const client = await connect(['--codex-home', folder])
    await client.listTools()
    const [id, at] = ['019c0003-0000-7000-8000-000000000003', new Date(Date.now() + 60_000).toISOString()]
    const lines = [meta({ id, cwd: '/srv/shop' }), userItem('A new ferry'), userEvent('A new ferry')]
    const written = envelopes(lines).map((line) => `${JSON.stringify({ ...line, timestamp: at })}\n`)
    writeFolder(folder, { [`sessions/2026/03/15/rollout-2026-03-15T09-00-00-${id}.jsonl`]: written.join('') })
    const { sessions } = (await ask(client, 'search', { query: 'ferry' })) as { sessions: object[] }
    expect(sessions).toHaveLength(3)
    expect(sessions.filter((session) => 'mayBeCurrent' in session)).toMatchObject([{ thread: id }])
  })

  it('finds turns, says whether there are more, and reads them', async () => {
    expect(await ask(client, 'search', { query: 'ferry' })).toMatchObject({
      isComplete: true,
      sessions: [
        { thread: garden, turns: [{ turn: 1, lines: [{ kind: 'prompt', text: 'Water the ferry' }] }] },
        { thread: shop, turns: [{ turn: 1, lines: [{ kind: 'prompt' }, {}, {}, {}, {}], moreLines: 3996 }] },
      ],
    })
    expect(await ask(client, 'search', { query: 'ferry', limit: 1 })).toMatchObject({
      isComplete: false,
      sessions: [{ thread: garden }],
    })
    expect(await ask(client, 'read', { thread: garden, turn: 2 })).toMatchObject({
      turns: 2,
      texts: [
        { turn: 2, kind: 'prompt', text: 'And then?' },
        { turn: 2, kind: 'answer', text: 'Nothing more.' },
      ],
    })
    expect(await ask(client, 'sessions', { limit: 1 })).toMatchObject({
      total: 2,
      sessions: [{ thread: garden, firstPrompt: 'Water the ferry' }],
      next: { limit: 1, skip: 1 },
    })
  })

  it('says that there are more turns if the last session has them', async () => {
    const client = await connect(['--codex-home', home(), '--project', 'shop'])
    const first = await ask(client, 'search', { query: 'kind:prompt', limit: 1 })
    expect(first).toMatchObject({ isComplete: false, sessions: [{ turns: [{ turn: 1 }] }] })
    expect(await ask(client, 'search', { query: 'kind:prompt', limit: 2 })).toMatchObject({ isComplete: true })
  })

  it('never splits a surrogate pair, wherever a text is cut', async () => {
    const folder = useTempDir()
    const faces = (before: string): string => before + '😀'.repeat(30_000)
    for (const [index, before] of ['', 'a'].entries())
      writeFolder(folder, {
        [`sessions/2026/03/14/rollout-2026-03-14T09-00-0${index}-${[shop, garden][index]}.jsonl`]: rollout(
          [shop, garden][index] ?? '',
          '/srv/shop',
          faces(before),
          `${faces(before)} ferry ${faces(before)}`,
        ),
      })
    const client = await connect(['--codex-home', folder])
    const answers = [
      await ask(client, 'search', { query: 'ferry' }),
      await ask(client, 'sessions', {}),
      ...(await Promise.all([shop, garden].map((thread) => ask(client, 'read', { thread, offset: 3001, turns: 2 })))),
    ]
    expect(JSON.stringify(answers)).not.toMatch(/\\ud[89a-f]/)
    expect(JSON.stringify(answers)).toContain('😀')
  })

  it('returns a long text in parts that add up', async () => {
    const found = JSON.stringify(await ask(client, 'read', { thread: shop }))
    const { anchor = '', left = '' } =
      /"kind":"output","anchor":"(?<anchor>\w+)".*"left":(?<left>\d+)/.exec(found)?.groups ?? {}
    expect(Number(left)).toBe('ferry left\n'.length * 4000 - 4000)
    let text = ''
    for (let next: unknown = { thread: shop, anchor }; next !== undefined; ) {
      const answer = (await ask(client, 'read', next as object)) as {
        texts: { kind: string; text: string }[]
        next?: object
      }
      text += answer.texts.map((part) => (part.kind === 'output' ? part.text : '')).join('')
      next = answer.next
    }
    expect(text).toBe('ferry left\n'.repeat(4000))
  })

  it('finds turns that contain all words, and quoted words in order', async () => {
    const found = async (query: string): Promise<number> => {
      const { sessions } = (await ask(client, 'search', { query })) as { sessions: object[] }
      return sessions.length
    }
    const queries = ['ferry water', '"water the ferry"', '"ferry water"', 'ferry  -water', 'ferry nowhere']
    expect(await Promise.all(queries.map(found))).toEqual([1, 1, 0, 1, 0])
  })

  it('never shows or confirms a secret, whatever is asked or configured', async () => {
    const folder = home()
    writeFolder(folder, { 'open.mjs': 'export default { redact: false }' })
    const client = await connect(['--codex-home', folder, '--config', join(folder, 'open.mjs')])
    expect(await ask(client, 'search', { query: token })).toEqual({ sessions: [], isComplete: true })
    const [part, hall] = [token.slice(0, 9), '019c0009-0000-7000-8000-000000000009']
    const other = {
      [`sessions/2026/03/15/rollout-2026-03-15T09-00-00-${hall}.jsonl`]: rollout(hall, `/srv/${token}`, 'Sweep', ''),
    }
    writeFolder(folder, other)
    expect(await ask(client, 'sessions', { project: '/srv/' })).toMatchObject({ total: 3 })
    expect(await ask(client, 'sessions', { project: part })).toMatchObject({ total: 0 })
    expect(await ask(client, 'search', { query: `project:${part}` })).toEqual({ sessions: [], isComplete: true })
    const read = JSON.stringify(await ask(client, 'read', { thread: shop }))
    expect(read).toContain('[redacted:')
    expect(read).not.toContain(token)
    expect(await ask(client, 'search', { query: 'ferry', redact: false })).toContain('There is no argument `redact`')
  })

  it('gives a project the same name in every answer', async () => {
    const folder = useTempDir()
    const day = 'sessions/2026/03/14/rollout-2026-03-14T09-00-0'
    writeFolder(folder, {
      [`${day}0-${shop}.jsonl`]: rollout(shop, '/srv/sea/app', 'Paint the ferry', 'blue'),
      [`${day}1-${garden}.jsonl`]: rollout(garden, '/srv/land/app', 'Water it', 'wet'),
    })
    const client = await connect(['--codex-home', folder])
    const named = [expect.objectContaining({ thread: shop, project: 'sea/app' })]
    expect(await ask(client, 'search', { query: 'ferry' })).toMatchObject({ sessions: named })
    expect(await ask(client, 'read', { thread: shop })).toMatchObject({ project: 'sea/app' })
    expect(await ask(client, 'sessions', {})).toMatchObject({ sessions: expect.arrayContaining(named) })
  })

  it('answers only from the sessions that it was started with', async () => {
    const folder = home()
    const client = await connect(['--codex-home', folder, '--project', 'garden'])
    expect(await ask(client, 'sessions', {})).toMatchObject({ total: 1 })
    expect(await ask(client, 'search', { query: 'ferry' })).toMatchObject({ sessions: [{ thread: garden }] })
    expect(await ask(client, 'search', { query: 'ferry project:shop' })).toContain('leave the project out')
    expect(await ask(client, 'read', { thread: shop })).toContain('No session that may be read')
    expect(await ask(client, 'read', { thread: '019c' })).toMatchObject({ thread: garden })
    const path = join(folder, 'sessions/2026/03/14', `rollout-2026-03-14T09-00-00-${shop}.jsonl`)
    expect(await ask(client, 'read', { thread: path.slice(-100) })).toContain('No session that may be read')
  })

  it.each(['--curation', '--exclude-id'])('hides from the agent what %s excludes', async (flag) => {
    const folder = home()
    writeFolder(folder, { 'curation.json': JSON.stringify({ sessions: { [shop]: { hidden: true } } }) })
    const value = flag === '--curation' ? join(folder, 'curation.json') : shop
    const client = await connect(['--codex-home', folder, flag, value])
    expect(await ask(client, 'sessions', {})).toMatchObject({ total: 1 })
    expect(await ask(client, 'search', { query: 'ferry' })).toMatchObject({ sessions: [{ thread: garden }] })
    expect(await ask(client, 'read', { thread: shop })).toContain('No session that may be read')
    expect(await ask(client, 'read', { thread: '019c' })).toMatchObject({ thread: garden })
  })

  it.each<[string, object, string]>([
    ['search', {}, '`query` must be a text'],
    ['search', { query: 'a', limit: 1000 }, '`limit` must be a whole number from 1 to 50'],
    ['search', { query: 'kind:colour a' }, 'Unknown `kind:colour`; use one of '],
    ['read', { thread: garden, turn: 9 }, 'the session has 2 turns'],
    ['read', { thread: '019c000' }, 'Several thread ids start'],
    ['sessions', { since: 'whenever' }, 'Cannot read the date `whenever`'],
    ['write', {}, 'There is no tool'],
  ])('says what is wrong with %s %j', async (name, args, message) => {
    expect(await ask(client, name, args)).toContain(message)
  })

  it('says how to install the SDK if it is missing', async () => {
    const hook = `export const resolve = (name, context, next) => {
      if (name.startsWith('@modelcontextprotocol/')) throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' })
      return next(name, context)
    }`
    const module = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`
    const register = `import { register } from 'node:module'\nregister(${JSON.stringify(module(hook))})`
    const run = await runProcess(['mcp', '--codex-home', home()], {
      cwd: useTempDir(),
      node: ['--import', module(register)],
    })
    expect([run.status, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toContain('run `npm install @modelcontextprotocol/sdk`')
  })

  it('fails at the start if a home is missing', async () => {
    const run = await runCli(['mcp', '--codex-home', join(useTempDir(), 'gone')], { cwd: useTempDir() })
    expect([run.status, run.stdout]).toEqual([2, ''])
  })
})
