import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { PublishResult } from '../../src/features/publish/plan.ts'
import { type ProcessOptions, type Run, requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { readFolder, writeFolder } from '../helpers/folder.ts'
import { bareRepository, filesAt, git } from '../helpers/git.ts'
import { startObjectStore } from '../helpers/s3-server.ts'
import { missedByReaders } from '../helpers/small-site.ts'
import { shareTempDir, useTempDir } from '../helpers/temp.ts'

beforeAll(requireBuild)

const sharedFolder = shareTempDir()

const ids = { cart: '019cebe6-48a0-7000-8000-00000000c0de', tide: '019cebe6-48a0-7000-8000-00000000c0df' }

/** A separate working folder, with its sessions in `logs`. */
interface Bench {
  cwd: string
  run: (...args: string[]) => Promise<Run>
  publish: (...args: string[]) => Promise<Run>
  asProcess: (args: string[], onStderr?: NonNullable<ProcessOptions['onStderr']>) => Promise<Run>
}

function makeBench(env: Record<string, string> = {}, cwd = useTempDir()): Bench {
  const options = { cwd, env: { HOME: cwd, XDG_CACHE_HOME: join(cwd, 'cache'), GIT_CONFIG_NOSYSTEM: '1', ...env } }
  const run = (...args: string[]) => runCli(args, options)
  return {
    cwd,
    run,
    publish: (...args) => run('publish', ...args),
    asProcess: (args, onStderr = () => {}) => runProcess(args, { ...options, onStderr }),
  }
}

function addSession({ cwd }: Bench, id: string, prompt: string): void {
  const lines = [
    { type: 'session_meta', payload: { id, timestamp: '2026-03-14T09:26:10.000Z', cwd: '/srv/shop' } },
    {
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] },
    },
  ].map((line) => JSON.stringify({ timestamp: '2026-03-14T09:26:10.000Z', ...line }))
  writeFolder(cwd, { [`logs/rollout-2026-03-14T09-26-10-${id}.jsonl`]: `${lines.join('\n')}\n` })
}

async function builtBench(...flags: string[]): Promise<Bench> {
  const bench = makeBench()
  addSession(bench, ids.cart, 'Keep the cart over a reload')
  await build(bench, ...flags)
  return bench
}

async function build(bench: Bench, ...flags: string[]): Promise<void> {
  const { status, stderr } = await bench.run('build', '--codex-home', 'logs', '--no-search', ...flags)
  expect(status, stderr).toBe(0)
}

function sitePath({ cwd }: Bench): string {
  return join(cwd, 'site')
}

test.each(['s3://bucket/logs', 'git@git.example.org:team/logs.git', 'https://example.org/logs'])(
  'an address is refused as a folder, and no folder is made of it: %s',
  async (to) => {
    const bench = await builtBench()
    const before = readdirSync(bench.cwd)
    const run = await bench.publish('dir', '--to', to)
    expect(run.stderr).toContain(`\`publish dir\` needs a folder, and \`${to}\` is an address: \`publish s3\``)
    expect(run.status).toBe(2)
    expect(readdirSync(bench.cwd)).toEqual(before)
  },
)

test('a folder gets the site, and each publish says which sessions became public', async () => {
  const bench = await builtBench()
  const first = await bench.publish('dir', '--to', 'public', '--site-url', 'https://example.org/logs/')
  expect(first, first.stderr).toMatchObject({ status: 0, stdout: '' })
  expect(first.stderr).toMatch(
    /^Published to .*public: [\d,]+ files added, 0 changed, 0 removed, 0 unchanged; .* sent\.$/m,
  )
  expect(first.stderr).toContain(
    `Keep the cart over a reload · shop · 2026-03-14 09:26 (https://example.org/logs/sessions/${ids.cart}/index.html)`,
  )
  expect(first.stderr).toContain('Address: https://example.org/logs/\n')
  expect(readFolder(join(bench.cwd, 'public'))).toEqual(readFolder(sitePath(bench)))
  addSession(bench, ids.tide, 'Show the tide')
  await build(bench)
  const second = await bench.publish('dir', '--to', 'public')
  expect(second.stderr).toContain('Became public: 1 session\n  Show the tide')
  expect(second.stderr).not.toContain('  Keep the cart')
  expect(second.stderr).toContain('The site holds 2 sessions')
  expect(readFolder(join(bench.cwd, 'public'))).toEqual(readFolder(sitePath(bench)))
  expect((await bench.publish('dir', '--to', 'public')).stderr).toContain('Nothing to publish: ')
})

test('--dry-run lists what would change, with sizes, and changes nothing', async () => {
  const bench = await builtBench()
  const run = await bench.publish('dir', '--to', 'public', '--dry-run')
  expect(run.status, run.stderr).toBe(0)
  expect(run.stderr).toMatch(/^Would publish to /m)
  expect(run.stderr).toMatch(/^ {2}\+ _headers \(\d+ bytes\)$/m)
  expect(run.stderr).toContain('Would become public: 1 session\n')
  expect(existsSync(join(bench.cwd, 'public'))).toBe(false)
})

test('the configuration file can give all options, and flags override it', async () => {
  const bench = await builtBench()
  writeFileSync(join(bench.cwd, 'site.config.ts'), "export default { publish: { target: 'dir', to: 'public' } }")
  const run = await bench.publish('--json')
  expect(run.status, run.stderr).toBe(0)
  const result = JSON.parse(run.stdout) as PublishResult & { schema: string }
  expect(result).toMatchObject({ schema: 'codex-export/publish-result', version: 1, target: 'dir', refused: false })
  expect(result.files?.added.map(({ path }) => path)).toContain('index.html')
  expect(result.sessions).toMatchObject({ total: 1, added: [{ path: `sessions/${ids.cart}/index.html` }] })
  expect((await bench.publish('--to', 'elsewhere')).status).toBe(0)
  expect(existsSync(join(bench.cwd, 'elsewhere/index.html'))).toBe(true)
  writeFileSync(join(bench.cwd, 'site.config.ts'), "export default { publish: { target: 'netlify' } }")
  const wrong = await bench.publish()
  expect(wrong).toMatchObject({ status: 2, stdout: '' })
  expect(wrong.stderr).toContain('`publish` in `site.config.ts` is ')
  expect(wrong.stderr).toContain('; targets are dir, git, github-pages, s3; ')
})

/** With a built site that no test changes. */
const shared = makeBench({}, sharedFolder)

beforeAll(async () => {
  addSession(shared, ids.cart, 'Keep the cart over a reload')
  await build(shared)
})

test.each([
  [['publish'], '`publish` needs a target'],
  [['publish', 'ftp'], '`ftp` is not a known target'],
  [['publish', 'dir'], 'name it with `--to DIR`'],
  [['publish', 's3', '--to', 'bucket'], '--to s3://bucket'],
  [['publish', 'git'], '`publish git` needs a repository'],
  [['publish', 'netlify'], '`netlify` is not a known target; expected one of `dir`, `git`, `github-pages`, `s3`.'],
  [['publish', 'dir', '--to', 'site/public'], 'overlap'],
  [['publish', 'git', '--to-branch=--force'], '`--to-branch` is `--force`'],
  [['publish', 'dir', '--out', 'absent', '--to', 'public'], 'contains no site. Build one first'],
])('wrong use is refused: %j', async (args, words) => {
  const run = await shared.run(...args)
  expect(run).toMatchObject({ status: 2, stdout: '' })
  expect(run.stderr).toContain(words)
})

test('findings of the audit end it with exit code 1, unless they are allowed', async () => {
  const bench = await builtBench()
  writeFolder(sitePath(bench), { 'notes.txt': 'left here by hand' })
  const refused = await bench.publish('dir', '--to', 'public')
  expect(refused.status).toBe(1)
  expect(refused.stderr).toMatch(/^notes\.txt unlisted-file /m)
  expect(refused.stderr).toContain('Nothing was published: the audit has 1 finding.')
  expect(existsSync(join(bench.cwd, 'public'))).toBe(false)
  const planned = await bench.publish('dir', '--to', 'public', '--dry-run')
  expect(planned.status).toBe(1)
  expect(planned.stderr).toContain('Without `--allow-findings` nothing would be published.')
  expect(planned.stderr).toContain('+ index.html')
  const allowed = await bench.publish('dir', '--to', 'public', '--allow-findings')
  expect(allowed.status, allowed.stderr).toBe(0)
  expect(readdirSync(join(bench.cwd, 'public'))).not.toContain('notes.txt')
})

test('a site without redaction is refused unless that is allowed', async () => {
  const bench = await builtBench('--no-redact')
  const refused = await bench.publish('dir', '--to', 'public')
  expect(refused.status).toBe(2)
  expect(refused.stderr).toContain('--allow-unredacted')
  expect(existsSync(join(bench.cwd, 'public'))).toBe(false)
  expect((await bench.publish('dir', '--to', 'public', '--allow-unredacted')).status).toBe(0)
})

test('a locked site is published although its redaction is unknown, and its titles are not shown', async () => {
  const bench = makeBench()
  addSession(bench, ids.cart, 'Keep the cart over a reload')
  writeFileSync(join(bench.cwd, 'password'), 'a long and quiet password\n', { mode: 0o600 })
  await build(bench, '--password-file', 'password')
  const run = await bench.publish('dir', '--to', 'public')
  expect(run.status, run.stderr).toBe(0)
  expect(run.stderr).toContain('Published to ')
  expect(run.stderr).not.toContain('cart')
  expect(readFolder(join(bench.cwd, 'public'))).toEqual(readFolder(sitePath(bench)))
})

test('a public site is replaced by a locked one without a further question', async () => {
  const bench = await builtBench()
  writeFileSync(join(bench.cwd, 'password'), 'a long and quiet password\n', { mode: 0o600 })
  await bench.publish('dir', '--to', 'public')
  await build(bench, '--password-file', 'password')
  const run = await bench.publish('dir', '--to', 'public')
  expect(run.status, run.stderr).toBe(0)
  expect(run.stderr).toContain('no longer there')
  expect(readFolder(join(bench.cwd, 'public'))).toEqual(readFolder(sitePath(bench)))
})

test('an interrupted build is not published', async () => {
  const bench = await builtBench()
  mkdirSync(join(sitePath(bench), '.staging-1-0-000000000000'))
  const run = await bench.publish('dir', '--to', 'public')
  expect(run.status).toBe(2)
  expect(run.stderr).toContain('is running or was interrupted')
})

test.each([
  ['SIGINT', { status: 130, signal: null }],
  ['SIGKILL', { status: null, signal: 'SIGKILL' }],
] as const)(
  '%s during a publish leaves readers a complete site, and the next publish completes it',
  async (signal, end) => {
    const bench = await builtBench()
    // A publish may end before the signal arrives; one of these will not.
    const folders = Array.from({ length: 8 }, (_, index) => `public-${index}`)
    for (const to of folders) await bench.publish('dir', '--to', to)
    addSession(bench, ids.tide, 'Show the tide')
    await build(bench)
    for (const to of folders) {
      let asked = false
      const run = await bench.asProcess(['publish', 'dir', '--to', to], (text, kill) => {
        if (asked || !text.includes('Publishing files (')) return
        asked = true
        kill(signal)
      })
      expect(asked).toBe(true)
      const folder = join(bench.cwd, to)
      expect(missedByReaders(readFolder(folder))).toEqual([])
      if (run.status === 0) continue
      expect(run, run.stderr).toMatchObject(end)
      expect((await bench.publish('dir', '--to', to)).status).toBe(0)
      expect(readFolder(folder)).toEqual(readFolder(sitePath(bench)))
      return
    }
    expect.fail('no publish was interrupted')
  },
)

test('the branch gh-pages of `origin` gets the site, and the working tree is unchanged', async () => {
  const bench = await builtBench()
  const remote = bareRepository(bench.cwd)
  git(bench.cwd, 'init', '--quiet', '--initial-branch=main')
  git(bench.cwd, 'remote', 'add', 'origin', remote)
  const before = git(bench.cwd, 'status', '--porcelain=v2', '--branch')
  const run = await bench.publish('git', '--json')
  expect(run.status, run.stderr).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({ commit: git(remote, 'rev-parse', 'gh-pages').trim() })
  expect(filesAt(remote, 'gh-pages')).toEqual(readFolder(sitePath(bench)))
  expect(git(bench.cwd, 'status', '--porcelain=v2', '--branch')).toBe(before)
  expect(git(bench.cwd, 'for-each-ref')).toBe('')
})

test('a bucket gets the site below its prefix', async () => {
  const store = await startObjectStore()
  const keys = {
    AWS_ACCESS_KEY_ID: 'key-of-test',
    AWS_SECRET_ACCESS_KEY: 'no-secret',
    AWS_EC2_METADATA_DISABLED: 'true',
  }
  const bench = makeBench(keys)
  addSession(bench, ids.cart, 'Keep the cart over a reload')
  await build(bench)
  const to = ['--to', 's3://sessions/logs', '--endpoint', store.endpoint, '--region', 'us-east-1', '--path-style']
  // The library for buckets takes its keys from the process.
  const run = await bench.asProcess(['publish', 's3', ...to])
  expect(run.status, run.stderr).toBe(0)
  const expected = Object.entries(readFolder(sitePath(bench))).map(([path, text]) => [`logs/${path}`, text])
  expect(store.texts()).toEqual(Object.fromEntries(expected))
  expect(JSON.stringify(run)).not.toContain('no-secret')
})

test('the workflow of GitHub Pages needs a repository', async () => {
  const bench = await builtBench()
  const run = await bench.publish('github-pages')
  expect([run.status, run.stderr]).toEqual([2, expect.stringContaining('needs a repository')])
  expect(existsSync(join(bench.cwd, '.github'))).toBe(false)
})

test('a workflow that cannot be written leaves nothing in the repository', async () => {
  const bench = await builtBench()
  git(bench.cwd, 'init', '--quiet', '--initial-branch=trunk')
  const folder = join(bench.cwd, '.github/workflows')
  mkdirSync(join(folder, 'publish-sessions.yml'), { recursive: true })
  const run = await bench.publish('github-pages', '--replace')
  expect([run.status, run.stderr]).toEqual([2, expect.stringContaining('Cannot write')])
  expect(readdirSync(folder)).toEqual(['publish-sessions.yml'])
})

test('the workflow of GitHub Pages is written, but replaces another one only with --replace', async () => {
  const bench = await builtBench()
  git(bench.cwd, 'init', '--quiet', '--initial-branch=trunk')
  writeFolder(bench.cwd, { '.gitignore': 'site/\n' })
  const file = join(bench.cwd, '.github/workflows/publish-sessions.yml')
  expect((await bench.publish('github-pages', '--dry-run')).stderr).toContain('Would write ')
  expect(existsSync(file)).toBe(false)
  const run = await bench.publish('github-pages')
  expect(run.status, run.stderr).toBe(0)
  expect(run.stderr).toContain('git add --force site && git add .github/workflows/publish-sessions.yml')
  const written = readFileSync(file, 'utf8')
  expect(written).toContain('branches: ["trunk"]')
  expect(written).toContain('path: "site"')
  // Our own workflow is updated to new options.
  expect((await bench.publish('github-pages', '--to-branch', 'live')).status).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('branches: ["live"]')
  writeFileSync(file, `${written}# by hand\n`)
  const refused = await bench.publish('github-pages')
  expect(refused.status).toBe(2)
  expect(refused.stderr).toContain('--replace')
  expect(readFileSync(file, 'utf8')).toContain('# by hand')
  expect((await bench.publish('github-pages', '--replace')).status).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(written)
})
