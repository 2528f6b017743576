/** Paths of options that cannot be written to are refused before any session is read. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runCli } from '../helpers/cli.ts'
import { useTempDir } from '../helpers/temp.ts'

const home = fileURLToPath(new URL('../../fixtures/home', import.meta.url))

/** A folder with a file, a link to nothing, and links that form a circle. */
function trap(): string {
  const cwd = useTempDir()
  writeFileSync(join(cwd, 'file'), '')
  mkdirSync(join(cwd, 'folder'))
  symlinkSync('nowhere', join(cwd, 'lost'))
  symlinkSync('round', join(cwd, 'circle'))
  symlinkSync('circle', join(cwd, 'round'))
  return cwd
}

const faults = [
  ['file', '`file` is not a folder'],
  ['file/x/y', '`file` is not a folder'],
  ['lost', '`lost` is a link to nothing'],
  ['lost/x', '`lost` is a link to nothing'],
  ['circle', '`circle`: its links form a circle'],
  ['circle/x', '`circle/x`: its links form a circle'],
  ['circle/x/y', '`circle/x/y`: its links form a circle'],
] as const

const flags = [
  ['--out', ['build', '--cache', 'cache']],
  ['--cache', ['build', '--out', 'site']],
  ['--shards', ['build', '--out', 'site', '--cache', 'cache', '--shard', '1/2']],
] as const

const cases = flags.flatMap(([flag, args]) => faults.map(([path, reason]) => ({ flag, args, path, reason })))

test.each(cases)('`$flag $path` is refused before the sessions are read', async ({ flag, args, path, reason }) => {
  const cwd = trap()
  const run = await runCli([...args, '--no-search', '--codex-home', home, flag, path], { cwd })
  expect(run.status).toBe(2)
  const shown = run.stderr.replaceAll(`${cwd}/`, '')
  expect(shown).toContain(`${reason}. Choose another \`${flag}\`.`)
  expect(shown).not.toContain('Reading sessions')
  expect(shown).not.toContain('Rendering sessions')
})

test('a dry run writes nothing, so it needs no folder', async () => {
  const run = await runCli(['build', '--dry-run', '--no-search', '--codex-home', home, '--out', 'file/x'], {
    cwd: trap(),
  })
  expect(run.stderr).not.toContain('Cannot write the output folder')
})

test.each([
  ['none/report.json', 'its folder does not exist'],
  ['folder', 'it is a folder'],
  ['file/report.json', '`file` is not a folder'],
  ['circle', 'its links form a circle'],
])('`check --output %s` is refused before the sessions are read', async (path, reason) => {
  const cwd = trap()
  const run = await runCli(['check', '--codex-home', home, '--output', path], { cwd })
  expect(run.status).toBe(2)
  const shown = run.stderr.replaceAll(`${cwd}/`, '')
  expect(shown).toBe(`codex-export: Cannot write \`${path}\`: ${reason}. Choose another \`--output\`.\n`)
})
