import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { useTempDir } from '../helpers/temp.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const home = join(project, 'fixtures/home')

beforeAll(requireBuild)

// npm sets the mode when it first links a folder; a fresh clone in the same place is already linked.
test.skipIf(process.platform === 'win32')('the build makes the command executable', () => {
  expect(statSync(join(project, 'dist/cli.js')).mode & 0o111).toBe(0o111)
})

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string }
  expect(await runProcess(['--version'])).toEqual({ status: 0, signal: null, stdout: `${version}\n`, stderr: '' })
})

test.skipIf(process.platform === 'win32')('a deleted working folder is reported without a stack', () => {
  const inDeleted = (args: string) => {
    const script = `rmdir "$PWD" && exec "${process.execPath}" "${join(project, 'dist/cli.js')}" ${args}`
    return spawnSync('sh', ['-c', script], { cwd: useTempDir(), encoding: 'utf8' })
  }
  const stderr =
    'codex-export: The working folder was deleted. Change to a folder that exists and call the command again.\n'
  for (const args of ['list', 'build --out /nowhere', 'nosuch'])
    expect(inDeleted(args)).toMatchObject({ status: 2, stdout: '', stderr })
  expect(inDeleted('--version')).toMatchObject({ status: 0, stderr: '' })
})

test('--help goes to standard output', async () => {
  const run = await runCli(['build', '--help'])
  expect(run).toMatchObject({ status: 0, stderr: '' })
  expect(run.stdout).toContain('--codex-home')
})

test.each([
  [[], 'A command is missing. See `codex-export --help`.'],
  [['--since', '7d'], 'A command is missing. See `codex-export --help`.'],
  [['--versoin'], 'Unknown option `--versoin`; did you mean `--version`? See `codex-export --help`.'],
  [['--since', '7d', '--nope=1'], 'Unknown option `--nope`. See `codex-export --help`.'],
  [['--undefined'], 'Unknown option `--undefined`. See `codex-export --help`.'],
  [['list', '--hlep'], 'Unknown option `--hlep`; did you mean `--help`? See `codex-export list --help`.'],
  [['context'], 'An argument is missing: `context <target>`. See `codex-export context --help`.'],
  [['biuld'], 'Unknown command `biuld`; did you mean `build`? See `codex-export --help`.'],
  [['biuld', '--help'], 'Unknown command `biuld`; did you mean `build`? See `codex-export --help`.'],
  [['list', '--no-config', '--config', 'F'], '`--config` and `--no-config` were both given: leave one of them out.'],
  [['build', '--nope'], 'Unknown option `--nope`. See `codex-export build --help`.'],
  [['build', '--ouput', 'x'], 'Unknown option `--ouput`; did you mean `--out`? See `codex-export build --help`.'],
  [['show', '--fromat=md'], 'Unknown option `--fromat`; did you mean `--format`?'],
  [['serve', '--host', 'x'], 'Unknown option `--host`. See `codex-export serve --help`.'],
  [
    ['list', '--since', '2026-03-02', '--until', '2026-03-01'],
    'The period ends before it begins: `2026-03-02` (since)',
  ],
  [['list', '--no-redcat'], 'Unknown option `--no-redcat`; did you mean `--no-redact`?'],
  [['list', '--id', '--codex-home', home], '`--id` needs a value: one or more texts.'],
  [['build', '--codex-home', home, '--omit'], '`--omit` needs a value: one or more of prompts, answers'],
  [['show', 'x', '-o', '-out.md'], 'A value that begins with a dash follows `=`: `-o=-out.md`. See'],
  [['list', '--since', '-7d'], 'A value that begins with a dash follows `=`: `--since=-7d`. See'],
  [['build', '--title', 'Mine'], 'Unknown option `--title`; set `title` in a configuration file. See'],
  [['serve', '--time-zone=UTC'], 'Unknown option `--time-zone`; set `timeZone` in a configuration file. See'],
  [['list', '--homes', 'x'], 'Unknown option `--homes`; did you mean `--codex-home`? See'],
  [['list', '--title', 'Mine'], 'Unknown option `--title`. See'],
  [['build', '--dry-run=yes'], '`--dry-run` is `yes`; expected true or false.'],
  [['build', '-n=1'], '`-n` is `1`; expected true or false.'],
  [['list', '--archived='], '`--archived` is ``; expected true or false.'],
  [
    ['search', 'gate', '-redis'],
    "Unknown option `-redis`; to exclude turns that contain it, quote it with another word, as in `'timeout -redis'`.",
  ],
  [['search', ''], '`search` needs something to search for'],
  [['list', '-qv'], '`--quiet` and `--verbose` cannot be given together.'],
  [
    ['context', 'x', '--diff', '1..3', '--item', '2'],
    '`--diff` and `--item` cannot be given together: `--at 3` gives an item of that moment.',
  ],
  [['list', '--codex-home', 'no-such-folder'], 'no-such-folder'],
  [['list', '--config', '.'], 'cannot be read: it is a folder.'],
  [['list', '--since', 'yesterday-ish'], 'Cannot read the date `yesterday-ish`: expected a day'],
  [['search', 'gate after:someday'], 'Cannot read the date `someday`: expected a day'],
  [['show', 'zzzz', '--codex-home', home], 'zzzz'],
  ...['show', 'context', 'prune', 'restore'].map((command): [string[], string] => [
    [command, '.', '--codex-home', home],
    '`.` is a folder: name a rollout in it, or look for sessions there with `--codex-home`.',
  ]),
] as [string[], string][])('wrong use is one line and exit code 2: %j', async (args, message) => {
  const run = await runCli(args, { cwd: useTempDir() })
  expect(run).toMatchObject({ status: 2, stdout: '' })
  const last = run.stderr.trimEnd().split('\n').at(-1)
  expect(last).toMatch(/^codex-export: /)
  expect(last).toContain(message)
  expect(run.stderr).not.toMatch(/^ +at /m)
})

test.each([
  [['--json', '--codex-home', home, 'list']],
  [['-q', `-H=${home}`, '--json', 'list', '--no-config']],
  [['--no-config', '--json', 'list', '-H', home]],
  [['--', 'list', '--json', '-H', home]],
])('options may come before the command: %j', async (args) => {
  const [run, usual] = await Promise.all([runCli(args), runCli(['list', '--json', '--codex-home', home])])
  expect(run).toMatchObject({ status: 0, stdout: usual.stdout })
})

test('a hint looks for sessions where the call did', async () => {
  const run = await runCli(['show', 'zzzz', '--codex-home', home, '--no-config'], { cwd: useTempDir() })
  expect(run.stderr).toContain(`list --codex-home ${home} --no-config\` lists the sessions.`)
})

test('a wrong configuration is one line and exit code 2', async () => {
  const cwd = useTempDir()
  writeFileSync(
    join(cwd, 'site.config.ts'),
    "import { defineConfig } from 'codex-export'\nexport default defineConfig({ timeZone: 'Mars' as string })",
  )
  expect(await runCli(['list', '--config', 'site.config.ts'], { cwd })).toEqual({
    status: 2,
    signal: null,
    stdout: '',
    stderr:
      'codex-export: `timeZone` in `site.config.ts` is `Mars`; expected an IANA time zone such as Europe/Berlin.\n',
  })
})

describe('code of a configuration file', () => {
  async function runWith(text: string): ReturnType<typeof runProcess> {
    const cwd = useTempDir()
    writeFileSync(join(cwd, 'site.config.ts'), text)
    return runProcess(['build', '-H', home, '--dry-run', '--json'], {
      cwd,
      env: { XDG_CACHE_HOME: join(cwd, 'cache') },
    })
  }

  const ended = 'codex-export: The program ended before its work was done.'
  const late = 'codex-export: Code of the configuration file or of a plugin failed after it had returned: too late'

  test.each([
    ['ends the program', 'process.exit(0)', ended],
    ['waits for what never comes', 'await new Promise(() => {})\nexport default {}', ended],
    ['holds a plugin that waits', 'export default { plugins: [() => () => new Promise(() => {})] }', ended],
    ['leaves a promise', "Promise.reject(new Error('too late'))\nexport default {}", `${late} (site.config.ts:1)`],
    ['leaves a timer', "setTimeout(() => { throw new Error('too late') })\nexport default {}", late],
  ])('that %s is one line and exit code 2', async (_, text, message) => {
    const { status, stdout, stderr } = await runWith(text)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr.trimEnd().split('\n').at(-1)).toContain(message)
    expect(stderr).not.toMatch(/^ +at /m)
  })

  test('neither holds the program nor writes to its product', async () => {
    const { status, stdout, stderr } = await runWith(
      "setInterval(() => {}, 9)\nconsole.log('noise')\nexport default {}",
    )
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'codex-export/build-result' })
    expect(stderr).toMatch(/^noise$/m)
  })
})

test('a missing part of the program itself is not blamed on code of the user', async () => {
  const folder = useTempDir()
  const dist = join(project, 'dist')
  const chunks = readdirSync(join(dist, 'chunks')).filter((name) => name.startsWith('entry'))
  for (const name of ['../package.json', 'cli.js', ...chunks.map((chunk) => `chunks/${chunk}`)])
    cpSync(join(dist, name), join(folder, 'dist', name))
  const run = await runProcess(['--version'], { cwd: folder, node: [join(folder, 'dist', 'cli.js')] })
  expect(run.stderr).toMatch(/Cannot find module '.+main/)
  expect(run.stderr).not.toContain('ended before its work was done')
  expect(run.status).toBe(1)
})

test('short flags mean the long ones', async () => {
  const cwd = useTempDir()
  const [short, long] = await Promise.all([
    runCli(['list', '-jqH', home, '-p', 'shop', '-s', '2020-01-01', '-u', 'today'], { cwd }),
    runCli(['list', '--json', '--codex-home', home, '--project', 'shop'], { cwd }),
  ])
  expect(short.stdout).toBe(long.stdout)
  expect(long.stdout.length).toBeGreaterThan(100)
})

test('--quiet keeps warnings and the product, --verbose adds every note and the time of each stage', async () => {
  const cwd = useTempDir()
  const folder = useTempDir()
  const day = join(folder, 'sessions/2026/03/14')
  mkdirSync(day, { recursive: true })
  const name = (digit: number): string =>
    `rollout-2026-03-14T09-26-10-019cebe6-48a0-7000-8000-00000000000${digit}.jsonl`
  const text = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }
  // A file without its first record, and an empty one.
  writeFileSync(
    join(day, name(1)),
    `${JSON.stringify({ timestamp: '2026-03-14T09:26:10Z', type: 'response_item', payload: text })}\n`,
  )
  writeFileSync(join(day, name(2)), '')
  const list = (...args: string[]) => runCli(['list', '--codex-home', folder, ...args], { cwd })
  const [plain, quiet, verbose] = await Promise.all([list(), list('--quiet'), list('--verbose')])
  expect(quiet.stdout).toBe(plain.stdout)
  expect(verbose.stdout).toBe(plain.stdout)
  const linesOf = ({ stderr }: { stderr: string }): string[] => stderr.trimEnd().split('\n')
  const warnings = linesOf(plain).filter((line) => / [a-z]+(?:-[a-z]+)+ [A-Z]/.test(line))
  expect(warnings).toHaveLength(2)
  expect(linesOf(quiet).slice(0, -1)).toEqual(warnings)
  expect(plain.stderr).toMatch(/^1 session$/m)
  expect(verbose.stderr).toMatch(/^Reading sessions: \d+\.\d\d s$/m)
  expect(linesOf(verbose)).toEqual(expect.arrayContaining(warnings))
  expect(linesOf(verbose).length).toBeGreaterThan(linesOf(plain).length)
})

test('a configuration file of an unsupported kind stops the commands that would read one', async () => {
  const cwd = useTempDir()
  writeFileSync(join(cwd, 'site.config.json'), '{"preset":"public"}')
  const [build, list, without] = await Promise.all([
    runCli(['build', '-H', home], { cwd }),
    runCli(['list', '-H', home], { cwd }),
    runCli(['list', '-H', home, '--no-config'], { cwd }),
  ])
  expect(build).toMatchObject({ status: 2, stderr: expect.stringContaining('`site.config.json` is not read') })
  expect(list).toMatchObject({ status: 2, stderr: expect.stringContaining('`site.config.json` is not read') })
  expect(without.status).toBe(0)
})

test('an option without effect is named, and the command continues', async () => {
  const cwd = useTempDir()
  const run = await runCli(['build', '-H', home, '--out', 'site', '--cache', 'cache', '--dry-run', '--poll'], {
    cwd,
  })
  expect(run.status).toBe(0)
  expect(run.stderr).toMatch(/^unused-option An option has no effect here. `--poll` does nothing without `--watch`.$/m)
  const leak = await runCli(['show', '0199', '-H', home, '--no-redact', '--redact-emails'], { cwd })
  expect(leak).toMatchObject({ status: 2, stdout: '' })
})

test('a misspelt variable is refused before anything is built', async () => {
  const run = await runCli(['build', '-H', home], { cwd: useTempDir(), env: { CODEX_EXPORT_PRESETS: 'public' } })
  expect(run).toMatchObject({ status: 2, stdout: '' })
  expect(run.stderr).toContain('did you mean `CODEX_EXPORT_PRESET`?')
})

test('a CODEX_HOME that does not exist is refused', async () => {
  const run = await runCli(['list'], { cwd: useTempDir(), env: { CODEX_HOME: '/no/such/home' } })
  expect(run).toMatchObject({ status: 2, stdout: '' })
  expect(run.stderr).toContain('`CODEX_HOME` names `/no/such/home`')
})

test('a reader that closes early causes no error', async () => {
  const child = spawn(process.execPath, [join(project, 'dist/cli.js'), 'list', '--json', '--codex-home', home], {
    cwd: useTempDir(),
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const status = await new Promise((resolve) => child.once('close', resolve))
  expect(stderr).not.toMatch(/EPIPE|^ +at /m)
  expect(status).toBe(0)
})
