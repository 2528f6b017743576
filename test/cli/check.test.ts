import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runCli } from '../helpers/cli.ts'
import { metaLine, threadId } from '../helpers/rollout.ts'
import { useTempDir } from '../helpers/temp.ts'

const sample = fileURLToPath(new URL('../../fixtures/home', import.meta.url))
const golden = fileURLToPath(new URL('../golden', import.meta.url))

interface Report {
  sessions: number
  lines: { total: number; shown: number; folded: number; damaged: number } & Record<
    'skipped' | 'unknown',
    Record<string, number>
  >
  counts: Record<string, number>
  diagnostics: { ruleId: string; line?: number; file?: string }[]
}

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((all, count) => all + count, 0)

/** A home with the input of a golden case as its only session. */
function homeOf(name: string): string {
  const folder = useTempDir()
  mkdirSync(join(folder, 'sessions'))
  copyFileSync(join(golden, name, 'input.jsonl'), join(folder, 'sessions/rollout.jsonl'))
  return folder
}

test('undamaged sessions end with exit code 0 and a receipt that adds up', async () => {
  const run = await runCli(['check', '--codex-home', sample, '--json'], { cwd: useTempDir() })
  expect(run.status, run.stderr).toBe(0)
  const { sessions, lines } = JSON.parse(run.stdout) as Report
  expect(sessions).toBeGreaterThan(10)
  const { total, shown, folded, skipped, unknown, damaged } = lines
  expect(shown + folded + sum(skipped) + sum(unknown) + damaged).toBe(total)
  expect(total).toBeGreaterThan(shown)
})

test('filters choose what is checked', async () => {
  const run = await runCli(['check', '--codex-home', sample, '--json', '--project', 'shop'], { cwd: useTempDir() })
  const all = await runCli(['check', '--codex-home', sample, '--json'], { cwd: useTempDir() })
  const [some, every] = [run, all].map(({ stdout }) => (JSON.parse(stdout) as Report).sessions)
  expect(some).toBeGreaterThan(0)
  expect(some).toBeLessThan(every ?? 0)
})

test('damaged lines are listed by rule with file and line, and end with exit code 1', async () => {
  const run = await runCli(['check', '--codex-home', homeOf('damaged-lines')], { cwd: useTempDir() })
  expect(run.status).toBe(1)
  expect(run.stdout).toMatch(/^damaged-line \(warning, \d+\): /m)
  expect(run.stdout).toMatch(/^ {2}sessions\/rollout\.jsonl:\d+/m)
  expect(run.stdout).toMatch(/^ {2}damaged [1-9]/m)
  expect(run.stderr).not.toContain('damaged-line')
})

test('an unknown kind of record is named once with its version, and ends with exit code 1', async () => {
  const run = await runCli(['check', '--codex-home', homeOf('unknown-records')], { cwd: useTempDir() })
  expect(run.status).toBe(1)
  const named = run.stdout
    .split('\n')
    .filter((line) => line.includes('`quantum_state`: 1 line, written by Codex 0.169.0'))
  expect(named).toHaveLength(1)
  expect(named[0]).toContain('`codex-export scrub <file>`')
})

test('a check for unknown records reports files that it cannot read, and does not say that all is known', async () => {
  const home = homeOf('unknown-records')
  const name = `sessions/rollout-2026-03-14T08-00-00-${threadId(7)}.jsonl.zst`
  writeFileSync(join(home, name), 'no zstd')
  const run = await runCli(['check', '--unknown', '--json', '--codex-home', home], { cwd: useTempDir() })
  expect(run.status).toBe(1)
  expect(JSON.parse(run.stdout)).toMatchObject({ sessions: 1, failed: 1 })
  expect(run.stderr).toContain('unreadable-file')
  expect(run.stderr).toContain(name)
})

test('a build names unknown kinds on standard error and in its report', async () => {
  const out = useTempDir()
  const args = ['build', '--codex-home', homeOf('unknown-records'), '--out', join(out, 'site'), '--no-search', '--json']
  const run = await runCli([...args, '--cache', join(out, 'cache')], { cwd: out })
  expect(run.status, run.stderr).toBe(0)
  expect(run.stderr).toContain('unknown-kind')
  const { diagnostics } = JSON.parse(run.stdout) as Report
  const kinds = diagnostics.filter(({ ruleId }) => ruleId === 'unknown-kind')
  const records = diagnostics.filter(({ ruleId }) => ruleId === 'unknown-record')
  expect(kinds.length).toBeGreaterThan(1)
  expect(records.length).toBeGreaterThanOrEqual(kinds.length)
  expect(readdirSync(join(out, 'site'))).toContain('build-report.json')
})

test('text output has at most twenty places per rule, and JSON has all', async () => {
  const home = useTempDir()
  mkdirSync(join(home, 'sessions'))
  const bad = Array.from({ length: 30 }, () => '{"timestamp":')
  const lines = [metaLine({ id: threadId(1), cli_version: '0.98.0' }), ...bad, '']
  writeFileSync(join(home, 'sessions/rollout.jsonl'), lines.join('\n'))
  const text = await runCli(['check', '--codex-home', home], { cwd: home })
  expect(text.stdout.match(/^ {2}sessions/gm)).toHaveLength(20)
  expect(text.stdout).toContain('… and 10 more')
  const json = await runCli(['check', '--codex-home', home, '--json'], { cwd: home })
  expect((JSON.parse(json.stdout) as Report).counts).toEqual({ 'damaged-line': 30 })
  expect((JSON.parse(json.stdout) as Report).diagnostics).toHaveLength(30)
})

test('a home without sessions has no findings', async () => {
  const home = useTempDir()
  mkdirSync(join(home, 'sessions'))
  const run = await runCli(['check', '--codex-home', home], { cwd: home })
  expect(run.status).toBe(0)
  expect(run.stderr).toContain('No sessions were found.')
})
