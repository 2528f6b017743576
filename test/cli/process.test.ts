/**
 * What `runCli` does in the process of a test equals what the built program does; the other tests here rely on that.
 */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Run, requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { readFolder } from '../helpers/folder.ts'
import { goldenHomes } from '../helpers/golden-homes.ts'
import { useTempDir } from '../helpers/temp.ts'

beforeAll(requireBuild)

const home = goldenHomes().find(({ name }) => name === 'sub-agents')?.path ?? ''

const session = '019cbd39-ae80-7000-8000-000000000033'

/** Calls of every command that ends by itself, each after the ones before it. */
const calls: readonly string[][] = [
  ['--version'],
  ['--help'],
  ['biuld'],
  ['init'],
  ['list', '--json'],
  ['list', '--codex-home', 'gone'],
  ['show', '019'],
  ['show', session],
  ['show', session, '--no-config'],
  ['show', session, '--no-config', '--format', 'json', '--output', 'shown.json'],
  ['search', 'the', '--json'],
  ['search', 'xyzzy'],
  ['build', '--jobs', '1', '--format', 'html,md,json'],
  ['build'],
  ['build', '--jobs', '0'],
  ['check', 'site'],
  ['check', 'nowhere'],
  ['publish', 'dir', '--to', 'public'],
  ['publish', 'dir', '--to', 'public', '--dry-run', '--json'],
  ['share', session, '--output', 'shared.html'],
  ['share', '--no-such'],
  ['open', '--out', 'nowhere'],
  ['context', '--json'],
  ['prune', '--dry-run'],
  ['restore'],
  ['scrub', 'nothing.jsonl'],
  ['merge'],
  ['completion', 'bash'],
]

/** Runs all calls in a separate folder; returns their results and the files at the end. */
async function runAll(run: typeof runCli) {
  const cwd = useTempDir()
  cpSync(home, join(cwd, 'home'), { recursive: true })
  const env = { HOME: cwd, CODEX_HOME: join(cwd, 'home') }
  const runs: [args: readonly string[], run: Run][] = []
  for (const args of calls) {
    const { status, signal, stdout, stderr } = await run([...args], { cwd, env })
    const [product, talk] = [stdout, stderr].map((text) => text.replaceAll(cwd, '/work-folder'))
    runs.push([args, { status, signal, stdout: product ?? '', stderr: talk ?? '' }])
  }
  const files = readFolder(cwd)
  // The cache contains times and disk numbers.
  return { runs, files: Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('.cache/'))) }
}

test('every command has the same output, files and exit code as a process and within this one', async () => {
  const [here, there] = [await runAll(runCli), await runAll(runProcess)]
  expect(here.runs).toEqual(there.runs)
  expect(here.runs.map(([, { status }]) => status)).toContain(0)
  expect(Object.keys(here.files)).toEqual(
    expect.arrayContaining(['site/index.html', 'public/index.html', 'shown.json', 'shared.html']),
  )
  expect(here.files).toEqual(there.files)
}, 180_000)
