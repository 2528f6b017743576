/** A session whose family has an unreadable file is listed, searched and checked anyway. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../helpers/cli.ts'
import * as r from '../helpers/records.ts'
import { writeHome } from '../helpers/show.ts'
import { threadNumber } from '../helpers/summary.ts'
import { useTempDir } from '../helpers/temp.ts'
import { zstdBomb, zstdFrame } from '../helpers/zstd.ts'

const [parent, fork] = [threadNumber(1), threadNumber(2)]
/** The beginning of a session, followed by far more than is read of a file of its size. */
const bomb = Buffer.concat([
  zstdFrame(
    r
      .envelopes([r.meta({ id: parent })])
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  ),
  zstdBomb(4096),
])
/** A word that could be a secret, so that the family is asked about it. */
const asked = 'Deploy with Xk29-vRq8_zTw41m today'

test.each([
  ['list', 1, ['list']],
  ['search', 1, ['search', 'Deploy']],
  ['show', 0, ['show', fork]],
  ['check', 1, ['check']],
  ['build', 1, ['build', '--out', 'site', '--cache', 'cache', '--no-search']],
] as const)('%s accepts a session whose family has an unreadable file', async (command, status, args) => {
  const cwd = useTempDir()
  const records = [r.meta({ id: fork, forked_from_id: parent }), r.userItem(asked), r.userEvent(asked)]
  const home = writeHome(cwd, { [fork]: records })
  writeFileSync(join(home, `sessions/2026/03/14/rollout-2026-03-14T08-00-00-${parent}.jsonl.zst`), bomb)
  const run = await runCli([...args, '--codex-home', home], { cwd })
  expect(run.stderr).not.toContain('this is a bug')
  expect(run.status).toBe(status)
  if (command !== 'show') expect(`${run.stdout}${run.stderr}`).toContain('unreadable-file')
  const page = join(cwd, 'site/sessions', fork, 'index.html')
  const shown = command === 'build' ? readFileSync(page, 'utf8') : run.stdout
  if (command !== 'check') expect(shown).toContain('Deploy')
})

test('a build reports an unpublished session whose file breaks during the build: pages may show its secrets', async () => {
  const cwd = useTempDir()
  const home = writeHome(cwd, { [fork]: [r.meta({ id: fork, forked_from_id: parent }), r.userItem(asked)] })
  const lines = r.envelopes([r.meta({ id: parent }), r.userItem('Hello')])
  const path = join(home, `sessions/2026/03/14/rollout-2026-03-14T08-00-00-${parent}.jsonl.zst`)
  writeFileSync(path, zstdFrame(lines.map((record) => `${JSON.stringify(record)}\n`).join('')))
  // A plugin runs after the scans and before the other sessions of a family are read for their secrets.
  writeFileSync(
    join(cwd, 'site.config.mjs'),
    `import { writeFileSync } from 'node:fs'
     export default { plugins: [() => () => writeFileSync(${JSON.stringify(path)}, 'no zstd')] }\n`,
  )
  const args = ['--no-search', '--exclude-id', parent, '--codex-home', home, '--config', 'site.config.mjs']
  const run = await runCli(['build', '--out', 'site', '--cache', 'cache', ...args], { cwd })
  expect(run.status).toBe(1)
  expect(run.stderr).toContain('unreadable-file')
  expect(run.stderr).toContain(parent)
})
