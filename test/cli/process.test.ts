/** What `runCli` does in the process of a test, the built program does as a process: the other tests here build on that. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Run, requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { readFolder } from '../helpers/folder.ts'
import { goldenHomes } from '../helpers/golden-homes.ts'
import { useTempDir } from '../helpers/temp.ts'

beforeAll(requireBuild)

const home = goldenHomes().find(({ name }) => name === 'sub-agents')?.path ?? ''

/** Calls of all commands that end by themselves, each with what the ones before it left. */
const calls: readonly string[][] = [
  ['--version'],
  ['--help'],
  ['biuld'],
  ['init'],
  ['list', '--json'],
  ['list', '--codex-home', 'gone'],
  ['show', '019'],
  ['search', 'the', '--json'],
  ['search', 'xyzzy'],
  ['build', '--jobs', '1', '--format', 'html,md,json'],
  ['build'],
  ['build', '--jobs', '0'],
  ['check', 'site'],
  ['check', 'nowhere'],
  ['publish', 'dir', '--to', 'public'],
  ['publish', 'dir', '--to', 'public', '--dry-run', '--json'],
  ['share', '--no-such'],
  ['context', '--json'],
  ['prune', '--dry-run'],
  ['restore'],
  ['scrub', 'nothing.jsonl'],
  ['merge'],
  ['completion', 'bash'],
]

/** Runs all calls in a folder of their own; gives what each did, and the sites that are there at the end. */
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
  return { runs, site: readFolder(join(cwd, 'site')), published: readFolder(join(cwd, 'public')) }
}

test('every command says, writes and ends the same as a process and in this one', async () => {
  const [here, there] = [await runAll(runCli), await runAll(runProcess)]
  expect(here.runs).toEqual(there.runs)
  expect(here.runs.map(([, { status }]) => status)).toContain(0)
  expect(here.site).toEqual(there.site)
  expect(here.published).toEqual(there.published)
}, 120_000)
