/** Output goes where it was asked to, and never replaces what Codex wrote. */
import { spawnSync } from 'node:child_process'
import { closeSync, cpSync, existsSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { requireBuild, runCli } from '../helpers/cli.ts'
import { writeFolder } from '../helpers/folder.ts'
import { useTempDir } from '../helpers/temp.ts'

const sample = fileURLToPath(new URL('../../fixtures/home', import.meta.url))
const bin = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

beforeAll(requireBuild)

/** A copy of the sample home, with the path of one of its rollouts and a file of Codex outside of its sessions. */
function ownHome(): { home: string; rollout: string; rolloutId: string; config: string } {
  const home = join(useTempDir(), 'home')
  cpSync(sample, home, { recursive: true })
  const names = readdirSync(join(home, 'sessions'), { recursive: true }) as string[]
  const name = names.filter((path) => path.endsWith('.jsonl')).sort()[0] ?? ''
  const config = join(home, 'config.toml')
  writeFileSync(config, 'model = "gpt"\n')
  return { home, rollout: join(home, 'sessions', name), rolloutId: name.slice(-42, -6), config }
}

describe('what Codex wrote is never overwritten', () => {
  test.each(['show', 'share', 'scrub'])(
    '%s refuses the rollout that it reads, also through a link',
    async (command) => {
      const cwd = useTempDir()
      const { rollout } = ownHome()
      cpSync(rollout, join(cwd, 'session.jsonl'))
      symlinkSync('session.jsonl', join(cwd, 'link.md'))
      const before = readFileSync(rollout)
      for (const output of ['session.jsonl', './link.md']) {
        const run = await runCli([command, 'session.jsonl', '--output', output], { cwd })
        expect(run).toMatchObject({ status: 2, stdout: '' })
        expect(run.stderr).toContain('is not overwritten')
        expect(readFileSync(join(cwd, 'session.jsonl')).equals(before)).toBe(true)
      }
      expect(readdirSync(cwd).sort()).toEqual(['link.md', 'session.jsonl'])
    },
  )

  test.each([
    ['show', (id: string) => ['show', id]],
    ['check', () => ['check']],
    ['check --unknown', () => ['check', '--unknown']],
    ['share', (id: string) => ['share', id]],
  ] as const)('%s refuses every file of a home', async (_, args) => {
    const { home, rollout, rolloutId, config } = ownHome()
    for (const output of [rollout, config]) {
      const before = readFileSync(output)
      const run = await runCli([...args(rolloutId), '--codex-home', home, '--output', output], {
        cwd: useTempDir(),
      })
      expect(run.status).toBe(2)
      expect(run.stderr).toContain('is not overwritten')
      expect(readFileSync(output).equals(before)).toBe(true)
    }
  })

  test.each([
    ['show', (path: string) => ['show', path]],
    ['check', () => ['check']],
    ['share', (path: string) => ['share', path]],
    ['scrub', (path: string) => ['scrub', path]],
    ['prune', (path: string) => ['prune', path, '--exclude', '1']],
  ] as const)('%s makes no new file among the sessions of a home', async (name, args) => {
    const { home, rollout } = ownHome()
    const inHome = name === 'scrub' ? [] : ['--codex-home', home]
    const before = readdirSync(home, { recursive: true })
    for (const output of ['sessions/copy.jsonl', 'archived_sessions/copy.jsonl']) {
      const run = await runCli([...args(rollout), ...inHome, '--output', join(home, output)], { cwd: useTempDir() })
      expect([run.status, run.stderr]).toEqual([2, expect.stringContaining('where Codex keeps its sessions')])
    }
    expect(readdirSync(home, { recursive: true })).toEqual(before)
  })

  test('files of other homes and of the default home are refused', async () => {
    const { rollout, config } = ownHome()
    const homeDir = useTempDir()
    writeFolder(homeDir, { '.codex/auth.json': '{}' })
    for (const output of [rollout, config, join(homeDir, '.codex/auth.json')]) {
      const before = readFileSync(output)
      for (const args of [
        ['show', '0199a434', '-H', sample],
        ['check', '-H', sample],
        ['scrub', rollout],
      ]) {
        const run = await runCli([...args, '--output', output], { cwd: homeDir, env: { HOME: homeDir } })
        expect([run.status, run.stderr]).toEqual([2, expect.stringContaining('is not overwritten')])
        expect(readFileSync(output).equals(before)).toBe(true)
      }
    }
  })

  test('a home with linked sessions is recognised, and in other folders the rollouts', async () => {
    const cwd = useTempDir()
    const { rollout, rolloutId } = ownHome()
    cpSync(rollout, join(cwd, 'far/rollout.jsonl'))
    cpSync(rollout, join(cwd, 'home/config.toml'))
    symlinkSync('../far', join(cwd, 'home/sessions'))
    const linked = await runCli(['show', rolloutId, '-H', 'home', '--output', 'far/rollout.jsonl'], { cwd })
    expect(linked.stderr).toContain('is not overwritten')
    const bare = await runCli(['show', rolloutId, '-H', 'far', '--output', 'far/rollout.jsonl'], { cwd })
    expect(bare.stderr).toContain('is not overwritten')
    for (let time = 0; time < 2; time++)
      expect(await runCli(['show', rolloutId, '-H', 'far', '--output', 'far/page.md'], { cwd })).toMatchObject({
        status: 0,
      })
    expect(readFileSync(join(cwd, 'far/rollout.jsonl')).equals(readFileSync(rollout))).toBe(true)
  })
})

describe('a disk that refuses', () => {
  test.skipIf(process.platform === 'win32')('does not change an existing file', () => {
    const cwd = useTempDir()
    const { rollout } = ownHome()
    writeFileSync(join(cwd, 'kept.md'), 'mine')
    const run = spawnSync(
      'sh',
      ['-c', 'ulimit -f 1; exec "$@"', 'sh', process.execPath, bin, 'show', rollout, '--output', 'kept.md'],
      {
        cwd,
        encoding: 'utf8',
      },
    )
    expect(run.status).toBe(2)
    expect(run.stderr).toMatch(/Cannot write `\S*kept\.md`: it would be too large\.$/m)
    expect(readdirSync(cwd)).toEqual(['kept.md'])
    expect(readFileSync(join(cwd, 'kept.md'), 'utf8')).toBe('mine')
  })

  test.skipIf(!existsSync('/dev/full'))('is reported without a stack if standard output is written to it', () => {
    const full = openSync('/dev/full', 'w')
    const run = spawnSync(process.execPath, [bin, 'list', '--codex-home', sample], {
      cwd: useTempDir(),
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    })
    closeSync(full)
    expect(run.status).toBe(2)
    expect(run.stderr).toContain('codex-export: Cannot write to standard output: the disk is full.')
    expect(run.stderr).not.toContain('    at ')
  })
})

test.skipIf(!existsSync('/dev/null'))(
  'an unwritable cache is reported, with the option that chooses another',
  async () => {
    const cwd = useTempDir()
    const build = ['build', '--codex-home', sample, '--no-search', '--out', 'site']
    const run = await runCli(build, { cwd, env: { XDG_CACHE_HOME: '/dev/null/cache' } })
    expect(run.status).toBe(2)
    expect(run.stderr).toMatch(
      /Cannot write the cache folder `\/dev\/null\/cache\S*`: `\/dev\/null` is not a folder\. Choose another `--cache`\.$/m,
    )
    expect(existsSync(join(cwd, 'site'))).toBe(false)
  },
)

test.skipIf(process.platform === 'win32')(
  'a cache that cannot be reached is reported, and not the output',
  async () => {
    const cwd = useTempDir()
    symlinkSync('loop', join(cwd, 'loop'))
    const build = ['build', '--codex-home', sample, '--no-search', '--out', 'site', '--cache', 'loop/cache']
    const run = await runCli(build, { cwd })
    expect(run.status).toBe(2)
    expect(run.stderr).toMatch(
      /Cannot write the cache folder `.*loop\/cache`: its links form a circle\. Choose another `--cache`\.$/m,
    )
    expect(existsSync(join(cwd, 'site'))).toBe(false)
  },
)

test.skipIf(process.platform === 'win32')('a link stays a link, and a device is written to', async () => {
  const cwd = useTempDir()
  const { rollout } = ownHome()
  writeFileSync(join(cwd, 'page.md'), '', { mode: 0o640 })
  symlinkSync('page.md', join(cwd, 'link.md'))
  expect(await runCli(['show', rollout, '--output', 'link.md'], { cwd })).toMatchObject({ status: 0 })
  expect(readFileSync(join(cwd, 'page.md'), 'utf8')).toMatch(/^# /)
  expect(readdirSync(cwd, { withFileTypes: true }).map((entry) => entry.isSymbolicLink())).toEqual([true, false])
  expect(await runCli(['show', rollout, '--output', '/dev/null'], { cwd })).toMatchObject({ status: 0 })
  expect(existsSync('/dev/null')).toBe(true)
})

test.each([
  ['build', ['--out', 'file/site']],
  ['build', ['--cache', 'file/cache']],
  ['build', ['--shard', '1/2', '--shards', 'file/shards']],
  ['merge', ['--shards', 'file']],
  ['serve', ['--out', 'file/site', '--port', '0']],
])('%s %j says in one line that a file is in the way', async (command, flags) => {
  const cwd = useTempDir()
  writeFileSync(join(cwd, 'file'), '')
  const run = await runCli([command, '--codex-home', sample, ...flags, '--quiet'], { cwd })
  expect(run.stderr).toMatch(
    /^codex-export: Cannot .+: (?:`.*file` is not a folder|a part of its path is not a folder)\..*\n$/,
  )
  expect(run.status).toBe(2)
})

test.each(['show', 'share', 'scrub'])('%s says so for its output file', async (command) => {
  const cwd = useTempDir()
  writeFileSync(join(cwd, 'file'), '')
  const { rollout } = ownHome()
  const run = await runCli([command, rollout, '--output', 'file/page', '--quiet'], { cwd })
  expect(run).toMatchObject({ status: 2, stdout: '' })
  expect(run.stderr).toMatch(/^codex-export: Cannot .+: `.*file` is not a folder\. Choose another `--output`\.\n$/)
})
