/** A folder that somebody else filled: which commands run its `site.config.*`, and when. */

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { type Command, folderConfigUse } from '../../src/config/schema.ts'
import * as program from '../../src/program.ts'
import { requireBuild, runCli } from '../helpers/cli.ts'
import { writeFolder } from '../helpers/folder.ts'
import { useTempDir } from '../helpers/temp.ts'
import { fakeWorld } from '../helpers/world.ts'

const { commands } = program
const load = async () => program

const project = fileURLToPath(new URL('../../', import.meta.url))
const home = join(project, 'fixtures/home/sessions/2026/02')

beforeAll(requireBuild)

/** A call of each command, and whether it runs the folder's configuration without asking. */
const calls: Record<Command, { args: string[]; runs: boolean }> = {
  build: { args: ['build', '--codex-home', home, '--dry-run', '--no-search'], runs: true },
  merge: { args: ['merge', '--codex-home', home], runs: true },
  serve: { args: ['serve', '--port', '0', '--out', '/dev/null/x', '--codex-home', home], runs: true },
  publish: { args: ['publish', 'dir', '--to', 'elsewhere'], runs: true },
  list: { args: ['list', '--codex-home', home], runs: false },
  show: { args: ['show', '0', '--codex-home', home], runs: false },
  share: { args: ['share', '0', '--codex-home', home], runs: true },
  search: { args: ['search', 'ferry', '--codex-home', home], runs: false },
  mcp: { args: ['mcp', '--codex-home', join(project, 'no-such-home')], runs: false },
  check: { args: ['check', '--codex-home', home], runs: false },
  context: { args: ['context', '0', '--codex-home', home], runs: false },
  prune: { args: ['prune', '0', '--codex-home', home], runs: false },
  restore: { args: ['restore', '0', '--codex-home', home], runs: false },
  scrub: { args: ['scrub', 'rollout.jsonl'], runs: false },
  init: { args: ['init'], runs: false },
  open: { args: ['open', '--out', 'no-such-site'], runs: false },
  doctor: { args: ['doctor', '--codex-home', home], runs: false },
  completion: { args: ['completion', 'bash', '--', 'show', '0'], runs: false },
}
const asking = commands.flatMap(({ name }) => (folderConfigUse[name] === 'ask' ? [name] : []))

interface Folder {
  cwd: string
  /** Whether anything of the folder was run since the last call of this function. */
  ran(): boolean
  /** Where answers are kept. */
  env: Record<string, string>
}

/** A folder whose configuration, and a module next to it, create a file when they are run. */
function strangeFolder(name = 'site.config.ts'): Folder {
  const cwd = useTempDir()
  const marker = join(cwd, 'ran')
  const leave = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(marker)}, '')\n`
  writeFolder(cwd, {
    [name]: `${leave}import { title } from './title.mjs'\nexport default { title }`,
    'title.mjs': "export const title = 'Theirs'",
    'rollout.jsonl': '',
    'package.json': '{"type":"module"}',
  })
  return {
    cwd,
    ran() {
      const did = existsSync(marker)
      rmSync(marker, { force: true })
      return did
    },
    env: { XDG_CACHE_HOME: useTempDir() },
  }
}

const changed = ({ cwd }: Folder): void => writeFileSync(join(cwd, 'title.mjs'), "export const title = 'Other'")

/** Runs a command as if on a terminal, and returns its exit code and output. */
async function onTerminal({ cwd, env }: Folder, args: string[], ...answers: string[]): Promise<[number, string]> {
  const world = fakeWorld(args, { cwd, env, homeDir: cwd }, { columns: 200, answers })
  const status = await main(world, load)
  return [status, world.err()]
}

/** Runs a command without a terminal in this process, and returns its messages. */
async function piped({ cwd, env }: Folder, args: string[]): Promise<string> {
  const world = fakeWorld(args, { cwd, env, homeDir: cwd })
  await main(world, load)
  return world.err()
}

it('every command is tested here', () => {
  expect(commands.map(({ name }) => name).sort()).toEqual(Object.keys(calls).sort())
})

describe('without a terminal', () => {
  it.each(asking)('`%s` ends with exit code 2 and runs nothing, unless options allow or forbid it', async (name) => {
    const folder = strangeFolder()
    const { args } = calls[name]
    const run = await runCli(args, folder)
    expect(run).toMatchObject({ status: 2, stdout: '' })
    expect(run.stderr).toContain(`\`${name}\` does not run it without asking`)
    expect(folder.ran()).toBe(false)
    expect(await piped(folder, [...args, '--no-config'])).not.toContain('site.config.ts')
    expect(folder.ran()).toBe(false)
    await piped(folder, [...args, '--config', 'site.config.ts'])
    expect(folder.ran()).toBe(true)
    await piped({ ...folder, env: { ...folder.env, CODEX_EXPORT_CONFIG: 'site.config.ts' } }, args)
    expect(folder.ran()).toBe(true)
  })

  it.each(['site.config.mts', 'site.config.js', 'site.config.mjs'])('%s is not run either', async (name) => {
    const folder = strangeFolder(name)
    expect((await runCli(calls.list.args, folder)).status).toBe(2)
    expect(folder.ran()).toBe(false)
  })

  it.each([
    ['--help'],
    ['--version'],
    ['list', '--help'],
    ['list', '--nope'],
    calls.scrub.args,
    calls.mcp.args,
    ['list', '--no-config', '--config', 'site.config.ts'],
  ])('`%s %s` never runs it', async (...args) => {
    const folder = strangeFolder()
    await runCli(args, folder)
    expect(folder.ran()).toBe(false)
  })

  it.each(['build', 'serve', 'publish'] as const)('`%s` runs it, as build tools do', async (name) => {
    const folder = strangeFolder()
    await runCli(calls[name].args, folder)
    expect(folder.ran()).toBe(true)
    await runCli([...calls[name].args, '--no-config'], folder)
    expect(folder.ran()).toBe(false)
  })

  it('a folder without a configuration changes nothing', async () => {
    expect(await runCli(calls.list.args, { cwd: useTempDir() })).toMatchObject({ status: 0 })
  })
})

describe('on a terminal', () => {
  it.each(asking)('`%s` asks, and runs nothing without a yes', async (name) => {
    for (const answers of [[''], ['n'], ['yeah'], []]) {
      const folder = strangeFolder()
      const [status, text] = await onTerminal(folder, calls[name].args, ...answers)
      expect(text).toMatch(/site\.config\.ts in .* is a program and .*it imports title\.mjs\.\n.*\nRun it\? \[y\/N\]/)
      expect(text).toContain('`site.config.ts` was not run')
      expect([status, folder.ran()]).toEqual([2, false])
    }
  })

  it('asks once: the answer is valid for every command, with and without a terminal', async () => {
    const folder = strangeFolder()
    const [, asked] = await onTerminal(folder, calls.list.args, 'y')
    expect([asked.includes('Run it?'), folder.ran()]).toEqual([true, true])
    const [, silent] = await onTerminal(folder, calls.check.args)
    expect([silent.includes('Run it?'), folder.ran()]).toEqual([false, true])
    expect(await runCli(calls.list.args, folder)).toMatchObject({ status: 0 })
    expect(folder.ran()).toBe(true)
  })

  it('asks again if an imported file changed, and runs nothing before the answer', async () => {
    const folder = strangeFolder()
    await onTerminal(folder, calls.list.args, 'y')
    expect(folder.ran()).toBe(true)
    changed(folder)
    const [status, text] = await onTerminal(folder, calls.list.args, 'n')
    expect([status, folder.ran()]).toEqual([2, false])
    expect(text).toContain('changed since you allowed it')
    const run = await runCli(calls.list.args, folder)
    expect([run.status, folder.ran()]).toEqual([2, false])
    expect(run.stderr).toContain('It changed since you allowed it.')
    await onTerminal(folder, calls.list.args, 'y')
    expect(folder.ran()).toBe(true)
    expect((await runCli(calls.list.args, folder)).status).toBe(0)
  })

  it('asks each time if it cannot know what the configuration loads', async () => {
    const folder = strangeFolder()
    writeFileSync(
      join(folder.cwd, 'title.mjs'),
      "const name = './more.mjs'\nexport const { title } = await import(name)",
    )
    writeFileSync(join(folder.cwd, 'more.mjs'), "export const title = 'More'")
    for (const _ of ['first', 'second']) {
      const [, text] = await onTerminal(folder, calls.list.args, 'y')
      expect(text).toContain(
        'Its text does not show what it loads (`import(` in `title.mjs`), so you are asked each time',
      )
      expect(folder.ran()).toBe(true)
    }
    expect((await runCli(calls.list.args, folder)).status).toBe(2)
    expect(folder.ran()).toBe(false)
  })

  it('does not run what changed while it waited for the answer', async () => {
    const folder = strangeFolder()
    const world = fakeWorld(calls.list.args, { cwd: folder.cwd, env: folder.env }, { columns: 200 })
    const readLine = async (): Promise<string> => {
      changed(folder)
      return 'y'
    }
    expect(await main({ ...world, stdin: { isTerminal: true, readLine } }, load)).toBe(2)
    expect(world.err()).toContain('changed in the meantime')
    expect(folder.ran()).toBe(false)
  })

  it('an answer is valid only for its folder', async () => {
    const [one, other] = [strangeFolder(), strangeFolder()]
    await onTerminal(one, calls.list.args, 'y')
    expect((await runCli(calls.list.args, { cwd: other.cwd, env: one.env })).status).toBe(2)
    expect(other.ran()).toBe(false)
  })

  it.skipIf(process.platform === 'win32')(
    'answers are readable only by their owner, and others cannot give them',
    async () => {
      const folder = strangeFolder()
      await onTerminal(folder, calls.list.args, 'y')
      const store = join(String(folder.env['XDG_CACHE_HOME']), 'codex-export', 'allowed')
      const [answer = ''] = readdirSync(store).map((name) => join(store, name))
      expect([statSync(store).mode & 0o777, statSync(answer).mode & 0o777]).toEqual([0o700, 0o600])
      spawnSync('chmod', ['go+w', answer])
      expect((await runCli(calls.list.args, folder)).status).toBe(2)
    },
  )

  it('Ctrl-C at the question ends with exit code 130', async () => {
    const folder = strangeFolder()
    const world = fakeWorld(calls.list.args, { cwd: folder.cwd, env: folder.env }, { columns: 200 })
    const readLine = async (): Promise<undefined> => world.interrupt() as undefined
    expect(await main({ ...world, stdin: { isTerminal: true, readLine } }, load)).toBe(130)
    expect(folder.ran()).toBe(false)
  })
})

/** `script` of util-linux gives a program a terminal. */
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true

it.skipIf(!hasScript)('a real terminal asks too', async () => {
  const folder = strangeFolder()
  const line = [process.execPath, join(project, 'dist/cli.js'), ...calls.list.args].map((arg) => `'${arg}'`).join(' ')
  const type = (answer: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const env = { PATH: process.env['PATH'], HOME: folder.cwd, TERM: 'xterm', ...folder.env }
      const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], { cwd: folder.cwd, env })
      let shown = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (!shown.includes('Run it?') && (shown + text).includes('Run it?')) child.stdin.write(`${answer}\n`)
        shown += text
      })
      child.once('error', reject).once('close', () => resolve(shown))
    })
  expect(await type('n')).toContain('was not run')
  expect(folder.ran()).toBe(false)
  expect(await type('y')).toContain('Run it?')
  expect(folder.ran()).toBe(true)
  expect(await type('n')).not.toContain('Run it?')
  expect(folder.ran()).toBe(true)
})
