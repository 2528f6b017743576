import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { requireBuild, runProcess } from '../helpers/cli.ts'
import * as r from '../helpers/records.ts'
import { threadId } from '../helpers/rollout.ts'
import { useTempDir } from '../helpers/temp.ts'

beforeAll(requireBuild)

test.each([
  ['build', 'SIGINT'],
  ['serve', 'SIGTERM'],
] as const)('%s --watch follows a session until %s, and ends with exit code 0', async (command, signal) => {
  const cwd = useTempDir()
  const id = threadId(1)
  const rollout = join(cwd, `home/sessions/2026/03/14/rollout-2026-03-14T09-26-10-${id}.jsonl`)
  const linesOf = (records: readonly r.Json[]): string =>
    r
      .envelopes(records)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('')
  mkdirSync(dirname(rollout), { recursive: true })
  writeFileSync(rollout, linesOf([r.meta({ id, timestamp: r.instant(0), cwd: '/work' }), r.userItem('Wake up')]))
  const steps = [
    { text: 'Watching', act: () => appendFileSync(rollout, linesOf([r.answerItem('The watch is awake.')])) },
    { text: 'Updated 1 session', act: (kill: (signal: NodeJS.Signals) => void) => kill(signal) },
  ]
  const port = command === 'serve' ? ['--port', '0'] : []
  const run = await runProcess([command, '--watch', '--codex-home', 'home', '--no-search', ...port], {
    cwd,
    env: { XDG_CACHE_HOME: join(cwd, 'cache') },
    onStderr(text, kill) {
      if (steps[0] !== undefined && text.includes(steps[0].text)) steps.shift()?.act(kill)
    },
  })
  expect(run.status, run.stderr).toBe(0)
  expect(run.stdout).toBe('')
  expect(run.stderr).toMatch(/\d\d:\d\d:\d\d Updated 1 session\n(?:.*\n)*Stopped\.\n$/)
  expect(readFileSync(join(cwd, 'site/sessions', id, 'index.html'), 'utf8')).toContain('The watch is awake.')
})

test.each([['--dry-run'], ['--json'], ['--shard', '1/2']])('--watch cannot be combined with %s', async (...flags) => {
  const { status, stderr } = await runProcess(['build', '--watch', '--codex-home', '.', ...flags], {
    cwd: useTempDir(),
  })
  expect(status).toBe(2)
  expect(stderr).toContain('`--watch` cannot be used with')
})
