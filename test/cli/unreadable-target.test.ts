/** If a rollout given by its path cannot be read, the reason is reported, and not that it contains no session. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../helpers/cli.ts'
import * as r from '../helpers/records.ts'
import { threadNumber } from '../helpers/summary.ts'
import { useTempDir } from '../helpers/temp.ts'
import { zstdBomb, zstdFrame } from '../helpers/zstd.ts'

const thread = threadNumber(1)
const name = `sessions/2026/03/14/rollout-2026-03-14T08-00-00-${thread}.jsonl.zst`

/** A home with one rollout. */
function homeWith(content: string | Uint8Array): string {
  const home = useTempDir()
  mkdirSync(join(home, 'sessions/2026/03/14'), { recursive: true })
  writeFileSync(join(home, name), content)
  return home
}

const commands: [string, string[]][] = [
  ['show', []],
  ['share', []],
  ['context', []],
  ['prune', ['--exclude', '1']],
  ['restore', []],
]

describe('an unreadable rollout', () => {
  test.each(commands)('is refused by `%s` with the reason', async (command, more) => {
    const path = join(homeWith('no frame'), name)
    const run = await runCli([command, path, ...more], { cwd: useTempDir() })
    expect(run.stderr).toContain(`\`${path}\`: A file could not be read. Reason: it is not a zstd file.`)
    expect(run).toMatchObject({ status: 2, stdout: '' })
  })

  test('is reported by `list`, which ends with exit code 1', async () => {
    const run = await runCli(['list', '--codex-home', homeWith('no frame')], { cwd: useTempDir() })
    expect(run.stderr).toContain('unreadable-file')
    expect(run.status).toBe(1)
  })
})

describe('a rollout that expands beyond the limit', () => {
  const records = r.envelopes([r.meta({ id: thread }), r.userItem('Deploy'), r.userEvent('Deploy')])
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  const bomb = Buffer.concat([zstdFrame(lines), zstdBomb(2050)])

  test.each(commands.slice(-2))('is refused by `%s` with the limit', async (command, more) => {
    const run = await runCli([command, join(homeWith(bomb), name), ...more], { cwd: useTempDir() })
    expect(run.stderr).toMatch(
      /codex-export: Cannot read `sessions\/.*`: it expands to more than the limit of \d+ bytes\.\n$/,
    )
    expect(run).toMatchObject({ status: 2, stdout: '' })
  })
})
