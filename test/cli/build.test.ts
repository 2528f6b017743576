import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { readFolder } from '../helpers/folder.ts'
import { useTempDir } from '../helpers/temp.ts'

const sample = fileURLToPath(new URL('../../fixtures/home', import.meta.url))

beforeAll(requireBuild)

/** A working folder with a folder of one rollout, to which `rest` is appended. */
function folderWithRollout(rest = ''): { cwd: string; env: Record<string, string> } {
  const cwd = useTempDir()
  mkdirSync(join(cwd, 'logs'))
  const id = '019cebe6-48a0-7000-8000-00000000c0de'
  const lines = [
    { type: 'session_meta', payload: { id, timestamp: '2026-03-14T09:26:10.000Z', cwd: '/home/sam/shop' } },
    {
      type: 'response_item',
      payload: {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'Keep the cart over a reload' }],
      },
    },
  ]
  const text = lines.map((line) => JSON.stringify({ timestamp: '2026-03-14T09:26:10.000Z', ...line })).join('\n')
  writeFileSync(join(cwd, 'logs', `rollout-2026-03-14T09-26-10-${id}.jsonl`), `${text}\n${rest}`)
  return { cwd, env: { XDG_CACHE_HOME: join(cwd, 'cache') } }
}

const fromLogs = ['build', '--codex-home', 'logs', '--no-search']

test('a build says what to open, and a second one writes nothing', async () => {
  const options = folderWithRollout()
  const first = await runCli(fromLogs, options)
  expect(first).toMatchObject({ status: 0, stdout: '' })
  expect(first.stderr).toContain('Built 1 session on ')
  expect(first.stderr).toContain('Open site/index.html\n')
  expect(existsSync(join(options.cwd, 'site/index.html'))).toBe(true)
  const second = await runCli(fromLogs, options)
  expect(second.stderr).toMatch(/: 0 files written, [\d,]+ unchanged, 0 removed\.\n/)
})

test('--json prints one document and nothing else', async () => {
  const options = folderWithRollout()
  const run = await runCli([...fromLogs, '--json', '--out', 'elsewhere'], options)
  expect(run.status).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({
    schema: 'codex-export/build-result',
    version: 1,
    out: join(options.cwd, 'elsewhere'),
    sessions: 1,
    failed: 0,
    warnings: 0,
  })
})

test('--dry-run writes nothing', async () => {
  const options = folderWithRollout()
  const run = await runCli([...fromLogs, '--dry-run'], options)
  expect(run.status).toBe(0)
  expect(run.stderr).toContain('Would build 1 session: ')
  expect(readdirSync(options.cwd)).toEqual(['logs'])
})

test('a damaged line is a warning with file and line, and fails the build only with --strict', async () => {
  const options = folderWithRollout('{"torn\n{}\n')
  const run = await runCli(fromLogs, options)
  expect(run.status).toBe(0)
  expect(run.stderr).toMatch(/^rollout-2026-03-14T09-26-10-[\w-]+\.jsonl:3 damaged-line A line is not JSON/m)
  const strict = await runCli([...fromLogs, '--strict'], options)
  expect(strict.status).toBe(1)
  const report = JSON.parse(readFileSync(join(options.cwd, 'site/build-report.json'), 'utf8')) as object
  expect(report).toMatchObject({ schema: 'codex-export/build-report', counts: { 'damaged-line': 1 } })
})

test('an output folder with other content is refused and not changed', async () => {
  const options = folderWithRollout()
  mkdirSync(join(options.cwd, 'site'))
  writeFileSync(join(options.cwd, 'site/thesis.txt'), 'mine')
  const run = await runCli(fromLogs, options)
  expect(run).toMatchObject({ status: 2, stdout: '' })
  expect(run.stderr.trimEnd().split('\n').at(-1)).toMatch(/^codex-export: .*thesis\.txt/)
  expect(readdirSync(join(options.cwd, 'site'))).toEqual(['thesis.txt'])
})

test('a folder in which Codex keeps sessions is refused for site and cache', async () => {
  const { cwd } = folderWithRollout()
  const home = join(cwd, 'home')
  cpSync(sample, home, { recursive: true })
  for (const read of [home, sample])
    for (const out of ['sessions', 'sessions/2026/site', 'archived_sessions/site']) {
      const run = await runCli(['build', '--codex-home', read, '--out', join(home, out)], { cwd })
      expect(run.status).toBe(2)
      expect(run.stderr).toContain('where Codex keeps its sessions: choose another `--out`.')
      expect(existsSync(join(home, 'sessions/2026/site'))).toBe(false)
    }
  for (const [cache, message] of [
    [join(home, 'sessions/cache'), 'where Codex keeps its sessions: choose another `--cache`.'],
    [home, 'but no cache of codex-export. Choose another `--cache`, or empty the folder.'],
  ] as const) {
    const run = await runCli(['build', '--codex-home', home, '--out', join(cwd, 'site'), '--cache', cache], { cwd })
    expect(run.status).toBe(2)
    expect(run.stderr).toContain(message)
  }
  expect(readdirSync(home).sort()).toEqual(readdirSync(sample).sort())
  expect(existsSync(join(cwd, 'site'))).toBe(false)
})

test.skipIf(process.platform === 'win32')(
  'control characters in the name of a folder do not reach the terminal',
  async () => {
    const { cwd } = folderWithRollout()
    const run = await runCli(['build', '-H', 'logs', '--out', 'a\x1b[31m\u202eb', '--cache', 'cache', '--no-search'], {
      cwd,
    })
    expect(run.stderr).toContain('a\\x1b[31m\\u{202e}b/index.html')
    expect(run.stderr).not.toMatch(/[\x1b\u202e]/)
  },
)

test('a home without sessions gives an empty site, names the places and ends with exit code 0', async () => {
  const cwd = useTempDir()
  const run = await runCli(['build', '--no-search'], { cwd, env: { HOME: cwd, XDG_CACHE_HOME: join(cwd, 'cache') } })
  expect(run.status).toBe(0)
  expect(run.stderr).toContain('No sessions were found. Looked in:\n')
  expect(run.stderr).toContain('--codex-home DIR')
  expect(existsSync(join(cwd, 'site/index.html'))).toBe(true)
})

test("homes of a configuration file are used, and the output says how to read one's own", async () => {
  const options = folderWithRollout()
  writeFileSync(
    join(options.cwd, 'site.config.ts'),
    "import { defineConfig } from 'codex-export'\nexport default defineConfig({ homes: [{ path: 'logs' }], search: false })",
  )
  const run = await runCli(['build'], options)
  expect(run.status).toBe(0)
  expect(run.stderr).toContain('The sessions came from `homes` in site.config.ts.')
  expect(run.stderr).toContain('codex-export build --codex-home ~/.codex')
})

test.each(['Looking', 'Reading', 'Rendering', 'Indexing'])(
  'Ctrl-C while %s ends with 130 and leaves the old site byte for byte',
  async (stage) => {
    const options = folderWithRollout()
    await runCli(fromLogs, options)
    const site = join(options.cwd, 'site')
    const before = readFolder(site)
    let asked = false
    const run = await runProcess(['build', '--codex-home', sample], {
      ...options,
      onStderr: (text, kill) => {
        if (!asked && text.includes(stage)) {
          asked = true
          kill('SIGINT')
        }
      },
    })
    expect(run.status, run.stderr).toBe(130)
    expect(run.stderr).toMatch(/codex-export: Interrupted\.\n$/)
    expect(readFolder(site)).toEqual(before)
  },
)
