/**
 * The action, its example workflow and the container file: what they run exists, and what must be refused is refused.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { nodeComplaint } from '../../../src/cli/command.ts'
import { useTempDir } from '../../helpers/temp.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (name: string): string => readFileSync(join(root, name), 'utf8')

interface Step {
  name?: string
  id?: string
  uses?: string
  run?: string
  env?: Record<string, string>
  with?: Record<string, string>
}
interface Action {
  inputs: Record<string, { required?: boolean; default?: string }>
  runs: { steps: Step[] }
}

const action = parse(read('action.yml')) as Action
const { steps } = action.runs

/** Runs a step of the action as the runner would. */
function run(name: string, env: Record<string, string>): { status: number | null; stdout: string } {
  const step = steps.find((one) => one.name === name)
  return spawnSync('bash', ['-e', '-o', 'pipefail', '-c', step?.run ?? 'exit 99'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  })
}

describe.skipIf(process.platform === 'win32')('the action', () => {
  it.each([
    ['true', 'false', 0],
    ['false', 'true', 0],
    ['false', 'false', 1],
    // An event that does not say whether the repository is private.
    ['', 'false', 1],
  ])('with a repository whose `private` is %j, and a flag that is %s, ends with %i', (PRIVATE, ALLOWED, status) => {
    const refusal = run('Refuse raw rollouts in a public repository', { PRIVATE, ALLOWED })
    expect(refusal.status).toBe(status)
    expect(refusal.stdout.startsWith('::error::')).toBe(status === 1)
  })

  it('builds and checks with its inputs, and stops if a command fails', () => {
    const bin = useTempDir()
    const log = join(bin, 'log')
    writeFileSync(join(bin, 'node'), `#!/bin/sh\necho "$@" >> ${log}\ncase "$2" in "$FAILS") exit 1;; esac\n`, {
      mode: 0o755,
    })
    const env = {
      PATH: [bin, process.env['PATH']].join(delimiter),
      GITHUB_ACTION_PATH: '/action',
      CODEX: 'my rollouts',
      PRESET: 'team',
      OUT: 'site',
    }
    expect(run('Build and check the site', { ...env, CONFIG: 'site.config.ts', FAILS: '' }).status).toBe(0)
    expect(readFileSync(log, 'utf8')).toBe(
      '/action/dist/cli.js build --codex-home=my rollouts --preset=team --out=site --config=site.config.ts\n' +
        '/action/dist/cli.js check --config=site.config.ts -- site\n',
    )
    for (const FAILS of ['build', 'check'])
      expect(run('Build and check the site', { ...env, CONFIG: '', FAILS }).status).toBe(1)
    expect(readFileSync(log, 'utf8')).toContain('check --no-config -- site\n')
  })

  it('takes an input for a value even if it looks like an option, which would end a command with success', () => {
    const bin = useTempDir()
    const log = join(bin, 'log')
    writeFileSync(join(bin, 'node'), `#!/bin/sh\nprintf '<%s>' "$@" >> ${log}\n`, { mode: 0o755 })
    const inputs = { CODEX: '--help', PRESET: '--help', OUT: '--help', CONFIG: '--help' }
    const path = [bin, process.env['PATH']].join(delimiter)
    expect(run('Build and check the site', { ...inputs, PATH: path, GITHUB_ACTION_PATH: '/action' }).status).toBe(0)
    const words = readFileSync(log, 'utf8')
    expect(words).toContain('<--codex-home=--help><--preset=--help><--out=--help><--config=--help>')
    expect(words).toContain('<check><--config=--help><--><--help>')
  })

  it('refuses first, uploads after the check, and puts no text of an event into a command', () => {
    expect(steps[0]?.name).toBe('Refuse raw rollouts in a public repository')
    const names = steps.map(({ name, uses }) => name ?? uses?.split('@')[0])
    expect(names.indexOf('Build and check the site')).toBeLessThan(names.indexOf('actions/upload-pages-artifact'))
    for (const { run: text = '' } of steps) expect(text).not.toContain('${{')
    for (const { uses = 'actions/none@v1' } of steps) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/)
  })

  it('is called by its example workflow with existing inputs and outputs', () => {
    const { jobs, permissions } = parse(read('examples/publish-sessions.yml')) as {
      jobs: Record<string, { steps: Step[]; environment: { url: string } }>
      permissions: unknown
    }
    expect(permissions).toEqual({ contents: 'read', pages: 'write', 'id-token': 'write' })
    const call = jobs['publish']?.steps.find(({ uses }) => uses?.startsWith('OWNER/codex-export@'))
    const given = Object.keys(call?.with ?? {})
    expect(given.filter((name) => action.inputs[name] === undefined)).toEqual([])
    const required = Object.entries(action.inputs).flatMap(([name, input]) => (input.required ? [name] : []))
    expect(given).toEqual(expect.arrayContaining(required))
    expect(jobs['publish']?.environment.url).toContain(`steps.${call?.id}.outputs.page-url`)
  })
})

test('the container has a supported Node, runs as an ordinary user, and copies what npm packs', () => {
  const text = read('Containerfile')
  const versions = [...text.matchAll(/^FROM docker\.io\/library\/node:(\d+)-slim/gm)].map(
    ([, major]) => `${major}.12.0`,
  )
  expect(versions).toHaveLength(2)
  expect(versions.filter((version) => nodeComplaint(version) !== undefined)).toEqual([])
  const last = text.slice(text.lastIndexOf('FROM'))
  expect(last).toMatch(/^USER node$/m)
  expect(last).not.toMatch(/^COPY (?!--from=package)/m)
  for (const name of read('.containerignore').trim().split('\n'))
    expect(['.git', 'node_modules', 'dist', 'site']).toContain(name)
  expect(existsSync(join(root, 'package-lock.json'))).toBe(true)
})
