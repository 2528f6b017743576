/** A folder that cannot be read may hold sessions, so no command ends as if it had read everything. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../helpers/cli.ts'
import * as r from '../helpers/records.ts'
import { writeHome } from '../helpers/show.ts'
import { threadNumber } from '../helpers/summary.ts'
import { useTempDir } from '../helpers/temp.ts'

const id = threadNumber(1)

test.each([
  ['build', ['build', '--out', 'site', '--cache', 'cache', '--no-search']],
  ['build --shard', ['build', '--shard', '1/1', '--shards', 'shards']],
  ['list', ['list']],
  ['search', ['search', 'Deploy']],
  ['check', ['check']],
] as const)('%s reads the other sessions and ends with 1', async (_, args) => {
  const cwd = useTempDir()
  const home = writeHome(cwd, { [id]: [r.meta({ id }), r.userItem('Deploy it'), r.userEvent('Deploy it')] })
  writeFileSync(join(home, 'archived_sessions'), 'no folder')
  const run = await runCli([...args, '--codex-home', home], { cwd })
  expect(run.status).toBe(1)
  expect(`${run.stdout}${run.stderr}`).toContain('unreadable-folder')
  if (args[0] === 'list' || args[0] === 'search') expect(run.stdout).toContain('Deploy it')
  if (args[0] === 'search') expect(run.stderr).toContain('1 turn in 1 session; not everything could be read')
})
