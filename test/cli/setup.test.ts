/** `init`, `open`, `doctor` and `completion`, in the shells of this machine. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load-fs.ts'
import { initCommand } from '../../src/features/setup/command.ts'
import { features } from '../../src/program.ts'
import { requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { writeFolder } from '../helpers/folder.ts'
import * as r from '../helpers/records.ts'
import { threadNumber } from '../helpers/summary.ts'
import { useTempDir } from '../helpers/temp.ts'
import { fakeWorld } from '../helpers/world.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const home = join(project, 'fixtures/home')

beforeAll(requireBuild)

describe('init', () => {
  test.skipIf(process.platform !== 'linux')('reports a folder that cannot be written', async () => {
    const run = await runCli(['init'], { cwd: '/sys' })
    expect(run.status).toBe(2)
    expect(run.stderr).toMatch(/^codex-export: Cannot write `site\.config\.ts` here: .+\.$/m)
  })

  test('writes a configuration that loads and builds, and never overwrites another', async () => {
    const cwd = useTempDir()
    const run = await runCli(['init'], { cwd })
    expect(run).toMatchObject({ status: 0, stdout: '' })
    expect(run.stderr).toBe('Wrote site.config.ts: `codex-export build` runs it.\n')
    expect((await loadConfig(cwd))?.values).toEqual({ title: 'Codex sessions', timeZone: 'UTC', preset: 'private' })
    const build = await runCli(['build', '--no-search', '--codex-home', home, '--dry-run'], { cwd })
    expect(build.status, build.stderr).toBe(0)
    const again = await runCli(['init'], { cwd })
    expect(again.status).toBe(2)
    expect(again.stderr).toContain('`site.config.ts` is there already')
  })

  test('on a terminal asks three questions, and again if an answer is not valid', async () => {
    const cwd = useTempDir()
    const terminal = { columns: 80, answers: ["Sam's work", 'Mars', 'Asia/Tokyo', 'team'] }
    const world = fakeWorld([], { cwd }, terminal)
    expect(await initCommand.run({ command: 'init', world, flags: {}, features, commands: [] })).toBe(0)
    expect((await loadConfig(cwd))?.values).toEqual({ title: "Sam's work", timeZone: 'Asia/Tokyo', preset: 'team' })
    expect(world.err()).toContain('Time zone (UTC): `Mars` does not fit.\nTime zone (UTC): ')
  })

  test('says so once if `TZ` names no time zone', async () => {
    const cwd = useTempDir()
    const run = await runCli(['init'], { cwd, env: { TZ: 'Mars/Phobos' } })
    expect(run.status).toBe(0)
    expect(run.stderr).toBe(
      '`TZ` is `Mars/Phobos`, which is not a time zone: `timeZone` is UTC.\n' +
        'Wrote site.config.ts: `codex-export build` runs it.\n',
    )
    expect((await loadConfig(cwd))?.values).toMatchObject({ timeZone: 'UTC' })
  })

  test('has only valid keys in its comments', async () => {
    const cwd = useTempDir()
    await runCli(['init'], { cwd })
    const file = join(cwd, 'site.config.ts')
    // Only lines of the object: `  // key: value,`.
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^ {2}\/\/ (?=[a-z]\w+: .*,$)/gm, '  '))
    const run = await runCli(['list', '--json', '--config', file, '--codex-home', home], { cwd })
    expect(run.status, run.stderr).toBe(0)
  })
})

test.skipIf(process.platform !== 'linux')('open opens the site or the page of a session, and says which', async () => {
  const [cwd, bin] = [useTempDir(), useTempDir()]
  const opened = join(bin, 'opened')
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > ${opened}\n`)
  chmodSync(join(bin, 'xdg-open'), 0o755)
  const id = '0199a434-7c0e-7f27-bf35-403c78c2faa8'
  mkdirSync(join(cwd, `site/sessions/${id}`), { recursive: true })
  writeFileSync(join(cwd, 'site/index.html'), '')
  const env = { PATH: [bin, process.env['PATH']].join(delimiter) }
  const site = await runProcess(['open'], { cwd, env })
  expect(site).toMatchObject({ status: 0, stderr: '' })
  expect(site.stdout).toMatch(/^file:.*\/site\/index\.html\n$/)
  const session = await runProcess(['open', '0199a4'], { cwd, env })
  expect(session.stdout).toContain(`/sessions/${id}/index.html`)
  await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toContain(`/sessions/${id}/index.html`)
  expect((await runCli(['open', 'ffff'], { cwd, env })).stderr).toContain('has no page of a session')
  writeFolder(cwd, { 'texts/manifest.json': '{}' })
  expect((await runCli(['open', '--out', 'texts'], { cwd, env })).stderr).toContain('has no pages to open')
  expect((await runCli(['open', '--out', 'none'], { cwd, env })).stderr).toContain('contains no site')
})

describe('doctor', () => {
  test('prints one line per check, and changes nothing', async () => {
    const cwd = useTempDir()
    const run = await runCli(['doctor', '--quiet', '--codex-home', home], { cwd })
    expect(run).toMatchObject({ status: 0, stderr: '' })
    const names = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(7, 15).trim())
    expect(names).toEqual(['node', 'program', 'config', 'home', 'records', 'site', 'cache', 'pagefind', 'browser'])
    expect(run.stdout).toMatch(/home .*: \d+ sessions, [\d.]+ MiB, written by Codex 0\.44\.0 to 0\.169\.0$/m)
    expect(existsSync(join(cwd, 'site'))).toBe(false)
  })

  test('reports a home without readable sessions as a fault, and some unreadable files as a note', async () => {
    const cwd = useTempDir()
    const name = (id: string): string => `sessions/2026/03/14/rollout-2026-03-14T08-00-00-${threadNumber(Number(id))}`
    const records = r.envelopes([r.meta({ id: threadNumber(2) }), r.userEvent('Hello')])
    writeFolder(cwd, {
      'some/config.toml': '',
      [`some/${name('2')}.jsonl`]: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
      [`some/${name('1')}.jsonl.zst`]: 'no frame of zstd',
      [`none/${name('1')}.jsonl.zst`]: 'no frame of zstd',
    })
    const some = await runCli(['doctor', '--codex-home', join(cwd, 'some')], { cwd })
    expect(some.stdout).toMatch(
      /^note {3}home .*: 1 session, .*; 1 file or folder cannot be read: `codex-export check --codex-home .*some` says why$/m,
    )
    expect(some.status).toBe(0)
    const none = await runCli(['doctor', '--codex-home', join(cwd, 'none')], { cwd })
    expect(none.stdout).toMatch(/^fault {2}home .*: 0 sessions, .*; 1 file or folder cannot be read/m)
    expect(none.status).toBe(1)
  })

  test('reports a folder whose path contains a file as a fault', async () => {
    const cwd = useTempDir()
    writeFileSync(join(cwd, 'notes'), '')
    const run = await runCli(['doctor', '--codex-home', home, '--out', 'notes/site'], { cwd })
    expect(run.stdout).toMatch(/^fault {2}site .*notes.site` cannot be made: `.*notes` is not a folder$/m)
    const file = await runCli(['doctor', '--codex-home', home, '--out', 'notes'], { cwd })
    expect(file.stdout).toMatch(/^fault {2}site .*notes` cannot be written to: `.*notes` is not a folder$/m)
    expect([run.status, file.status]).toEqual([1, 1])
  })

  test('reports faults among successful checks, with exit code 1', async () => {
    const cwd = useTempDir()
    for (const name of ['site.config.ts', 'site.config.mjs']) writeFileSync(join(cwd, name), '')
    const run = await runCli(['doctor', '--codex-home', 'no-such-home'], { cwd })
    expect(run.status).toBe(1)
    expect(run.stdout).toMatch(/^fault {2}config .*Keep one of them/m)
    expect(run.stdout).toMatch(/^fault {2}home .*no-such-home/m)
    expect(run.stdout).toMatch(/^ok {5}pagefind/m)
  })
})

describe('completion', () => {
  /** What a shell offers for a line, in a folder whose shell finds the program by its name. */
  function offered(shell: string, script: (line: string) => string, line: string): string[] {
    const bin = useTempDir()
    symlinkSync(join(project, 'dist/cli.js'), join(bin, 'codex-export'))
    const env = {
      PATH: [bin, process.env['PATH']].join(delimiter),
      HOME: useTempDir(),
      LANG: 'C.UTF-8',
      CODEX_HOME: home,
    }
    const args = shell === 'zsh' ? ['-f', '-c'] : ['-c']
    const run = spawnSync(shell, [...args, script(line)], { encoding: 'utf8', env, cwd: useTempDir() })
    expect(run.stderr).toBe('')
    return run.stdout.split('\n').filter((text) => text !== '')
  }
  const scripts: Record<string, (line: string) => string> = {
    bash: (line) =>
      `source <(codex-export completion bash); COMP_WORDS=(${line}${line.endsWith(' ') ? '""' : ''})
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _codex_export; printf '%s\\n' "\${COMPREPLY[@]}"`,
    // The function is called as the completion system would call it.
    zsh: (line) =>
      `compdef() { :; }; source <(codex-export completion zsh); words=(${line}${line.endsWith(' ') ? '""' : ''})
      CURRENT=$#words; _files() { :; }; _describe() { print -rl -- $found }; _codex_export`,
    fish: (line) => `codex-export completion fish | source; complete -C '${line}'`,
  }
  const here = Object.keys(scripts).filter((shell) => spawnSync(shell, ['--version']).status === 0)

  test.each(here)('%s completes commands, options, values, thread ids and projects', (shell) => {
    const words = (line: string): string[] =>
      offered(shell, scripts[shell] ?? String, line).map((text) => text.split(/[\t:]/)[0] ?? '')
    expect(words('codex-export sea')).toEqual(['search'])
    expect(words('codex-export build --proj')).toEqual(['--project'])
    expect(words('codex-export show --format ')).toEqual(['md', 'html', 'json', 'text'])
    expect(words('codex-export show 0199a43')).toEqual(['0199a434-7c0e-7f27-bf35-403c78c2faa8'])
    expect(words('codex-export list --project sho')).toContain('shop')
  })

  test.skipIf(!here.includes('fish'))('fish shows the title of a session', () => {
    const [line] = offered('fish', scripts['fish'] ?? String, 'codex-export show 0199a43')
    expect(line).toMatch(/^0199a434\S+\tA discount of 15 %/)
  })

  test('ids come from the homes of the configuration once a site was built, without running it', async () => {
    const cwd = useTempDir()
    const env = { XDG_CACHE_HOME: join(cwd, 'cache') }
    const config = join(cwd, 'site.config.mjs')
    writeFileSync(
      config,
      `export default { homes: [{ path: ${JSON.stringify(home)} }], out: 'pages', search: false }\n`,
    )
    const asked = () => runCli(['completion', 'bash', '--', 'show', '0199a43.'], { cwd, env })
    expect((await asked()).stdout).toBe('')
    expect((await runCli(['build', '--id', '0199a434'], { cwd, env })).status).toBe(0)
    const found = '0199a434-7c0e-7f27-bf35-403c78c2faa8\n'
    writeFileSync(config, "export default { out: 'pages' }\nthrow new Error('was run')")
    expect((await asked()).stdout).toBe(found)
    const address = `"https://gates.example/it's"`
    writeFileSync(config, `// out: 'one',\n/* out: 'two',\n */ export default { siteUrl: ${address}, out: 'pages' }`)
    expect((await asked()).stdout).toBe(found)
    writeFileSync(config, "export default {\n  // out: 'pages',\n}")
    expect((await asked()).stdout).toBe('')
  })

  test.each(['bash', 'zsh', 'fish', 'powershell'])(
    'the script for %s is ASCII, so that any code page can read it',
    async (shell) => {
      expect((await runCli(['completion', shell], { cwd: useTempDir() })).stdout).toMatch(/^[\n\x20-\x7e]+$/)
    },
  )

  test('PowerShell gets a script that registers for the program', async () => {
    const run = await runCli(['completion', 'powershell'], { cwd: useTempDir() })
    expect(run.stdout).toContain('Register-ArgumentCompleter -Native -CommandName codex-export')
    // If npm installed the program, PowerShell starts a script, which loses a bare `--`.
    expect(run.stdout).toContain("completion powershell '--' @before")
    expect((await runCli(['completion', 'tcsh'], { cwd: useTempDir() })).status).toBe(2)
  })
})
