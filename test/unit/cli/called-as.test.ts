import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asCalled, calledAs, quoted, readingCommands } from '../../../src/cli/called-as-fs.ts'
import { options } from '../../../src/config/schema.ts'
import { useTempDir } from '../../helpers/temp.ts'

const platform = 'linux'
const npm = { npm_config_user_agent: 'npm/11.0.0 node/v20.19.0' }

test.each([
  ['plain/path-1', 'plain/path-1'],
  ['two words', '"two words"'],
  ['C:\\Program Files\\', '"C:\\Program Files\\\\"'],
  ["it's $5", `'it'\\''s $5'`],
])('%j is quoted as %s', (text, expected) => {
  expect(quoted(text)).toBe(expected)
})

/** Writes a file, and creates the folders above it. */
function file(path: string, text = ''): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** Installs the package in a project: its script, and the link to it among the project's commands. */
function installed(project: string): { script: string; link: string } {
  const script = file(join(project, 'node_modules/codex-export/dist/cli.js'))
  const link = join(project, 'node_modules/.bin/codex-export')
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(script, link)
  return { script, link }
}

describe('a program is called again', () => {
  test('by its name if the shell finds it', () => {
    const folder = useTempDir()
    const { script } = installed(join(folder, 'lib'))
    const link = join(folder, 'codex-export')
    symlinkSync(script, link)
    expect(calledAs({ script: link, cwd: '/', env: { PATH: `/usr/bin:${folder}` }, platform })).toBe('codex-export')
  })

  test.each([
    ['linux', 'codex-export', 'exec node  "$basedir/global/node_modules/codex-export/dist/cli.js" "$@"\n'],
    ['win32', 'codex-export.cmd', '"%_prog%"  "%dp0%\\global\\node_modules\\codex-export\\dist\\cli.js" %*\r\n'],
  ] as const)('by its name if a launcher of the shell starts it: %s', (system, command, text) => {
    const folder = useTempDir()
    const { script } = installed(join(folder, 'global'))
    chmodSync(file(join(folder, command), text), 0o755)
    expect(calledAs({ script, cwd: '/', env: { PATH: folder }, platform: system })).toBe('codex-export')
  })

  test('not by its name if the shell would find another program', () => {
    const [folder, others] = [useTempDir(), useTempDir()]
    const { script, link } = installed(folder)
    file(join(others, 'codex-export'))
    const env = { PATH: `${others}:${dirname(link)}` }
    expect(calledAs({ script, cwd: useTempDir(), env, platform })).toBe(`node ${script}`)
  })

  test.each([
    ['npm/11.0.0 node/v20', 'npx codex-export'],
    ['pnpm/10.1.0 npm/? node/v20', 'pnpm exec codex-export'],
    ['yarn/4.5.0 npm/? node/v20', 'yarn run codex-export'],
    ['bun/1.2.0', 'bunx codex-export'],
  ])('through the package manager of its project: %s', (agent, program) => {
    const project = useTempDir()
    file(join(project, 'package.json'), '{}')
    const { link } = installed(project)
    // The package manager puts the project's own commands first in PATH.
    const env = { PATH: dirname(link), npm_config_user_agent: agent }
    expect(calledAs({ script: link, cwd: join(project, 'docs/deep'), env, platform })).toBe(program)
  })

  test('through npx in a clone', () => {
    const clone = useTempDir()
    file(join(clone, 'package.json'), '{"name":"codex-export"}')
    const script = file(join(clone, 'dist/cli.js'))
    expect(calledAs({ script, cwd: clone, env: { ...npm }, platform })).toBe('npx codex-export')
  })

  test.each([
    [['../codex-export-0.1.0.tgz'], 'npx ../codex-export-0.1.0.tgz'],
    [['/my files/codex-export'], 'npx "/my files/codex-export"'],
    [['codex-export@0.1.0'], 'npx codex-export@0.1.0'],
  ])('through npx with the package that npx was given: %j', (packages, program) => {
    const home = join(useTempDir(), '_npx/919f')
    const { link } = installed(home)
    file(join(home, 'package.json'), JSON.stringify({ _npx: { packages } }))
    const env = { ...npm, PATH: dirname(link) }
    expect(calledAs({ script: link, cwd: useTempDir(), env, platform })).toBe(program)
  })

  test('by its path if nothing else is known to find it', () => {
    const folder = useTempDir()
    const { link, script } = installed(folder)
    // `npm exec` in another project would fetch the package with that name.
    expect(calledAs({ script: link, cwd: useTempDir(), env: { ...npm, PATH: '' }, platform })).toBe(`node ${link}`)
    expect(calledAs({ script, cwd: folder, env: {}, platform })).toBe('node node_modules/codex-export/dist/cli.js')
    const spaced = file(join(folder, 'a b/cli.js'))
    expect(calledAs({ script: spaced, cwd: folder, env: {}, platform })).toBe('node "a b/cli.js"')
  })
})

test('messages name commands as the program was called, and change nothing else', () => {
  const text = 'Run `codex-export build`, see `codex-export --help`; codex-export 0.1.0 wrote `codex-export-backups`.'
  expect(asCalled(text, { program: 'npx codex-export', args: [] })).toBe(
    'Run `npx codex-export build`, see `npx codex-export --help`; codex-export 0.1.0 wrote `codex-export-backups`.',
  )
})

test.each([
  [['list', '--codex-home', '/a b', '-H/c', '--config=x.ts'], ' --codex-home "/a b" --codex-home /c --config x.ts'],
  [['doctor', '-H', 'home', '--no-config', '--since', '7d'], ' --codex-home home --no-config'],
  [['search', 'x', '--', '--codex-home', 'y', '--no-config'], ''],
])('commands in messages look for sessions where the call did: %j', (args, places) => {
  const called = (text: string): string => asCalled(text, { program: 'codex-export', args })
  expect(called('`codex-export check` says why')).toBe(`\`codex-export check${places}\` says why`)
  expect(called('`codex-export restore 019a --list`')).toBe(`\`codex-export restore 019a --list${places}\``)
  // Not if the message already says where, and not if the command looks for no sessions.
  for (const text of [
    '`codex-export list --codex-home DIR`',
    '`codex-export list --help`',
    '`codex-export scrub <file>`',
  ])
    expect(called(text)).toBe(text)
})

test('all commands to which messages append places accept these options', () => {
  for (const command of readingCommands) {
    expect(options.homes.commands).toContain(command)
    expect(options.configFile.commands).toContain(command)
  }
})
