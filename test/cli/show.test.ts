import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import type { ListRow } from '../../src/cli/list-rows.ts'
import { toMarkdown, transcribe } from '../../src/index.ts'
import { runCli } from '../helpers/cli.ts'
import { useTempDir } from '../helpers/temp.ts'

const sample = fileURLToPath(new URL('../../fixtures/home', import.meta.url))

/** A thread of the sample home that has a prompt. */
let thread: ListRow
beforeAll(async () => {
  const run = await runCli(['list', '--json', '--codex-home', sample, '--project', 'shop'], { cwd: sample })
  const row = (JSON.parse(run.stdout) as ListRow[]).find(({ firstPrompt }) => firstPrompt !== undefined)
  if (row === undefined) throw new Error('the sample home has no such thread')
  thread = row
})

test.each([
  ['md', /^# /],
  ['text', /\S/],
  ['html', /^<!doctype html>/i],
  ['json', /^\{\s*"schema":\s*"codex-export\/transcript",/],
] as const)('%s goes to standard output, complete and alone', async (format, begin) => {
  const { id } = thread
  const run = await runCli(['show', id.slice(0, 18), '--codex-home', sample, '--format', format], { cwd: useTempDir() })
  expect(run.status, run.stderr).toBe(0)
  expect(run.stdout).toMatch(begin)
  expect(run.stdout).not.toContain('Looking for sessions')
})

test('Markdown is the default format, and --output writes it to a file', async () => {
  const { id } = thread
  const cwd = useTempDir()
  const plain = await runCli(['show', id, '--codex-home', sample], { cwd })
  const saved = await runCli(['show', id, '--codex-home', sample, '--output', 'page.md'], { cwd })
  expect(saved).toMatchObject({ status: 0, stdout: '' })
  expect(saved.stderr).toMatch(/^Wrote page\.md: [\d.]+ KiB\.$/m)
  expect(readFileSync(join(cwd, 'page.md'), 'utf8')).toBe(plain.stdout)
})

test('the API gives the same Markdown', async () => {
  const path = join(
    sample,
    'sessions/2025/10/02/rollout-2025-10-02T09-15-27-0199a434-7c0e-7f27-bf35-403c78c2faa8.jsonl',
  )
  const { session, facts } = await transcribe(path)
  const run = await runCli(['show', path], { cwd: useTempDir() })
  expect(facts.subtitle).toBe('It is committed already: a1c9e02.')
  const markdown = await toMarkdown(session, { subtitle: facts.subtitle })
  expect(markdown).toContain('- Cost: ')
  expect(markdown).toBe(run.stdout)
  expect(await toMarkdown(session, { subtitle: facts.subtitle, prices: false })).not.toContain('- Cost: ')
})

test('a path is read without any home', async () => {
  const { files, title } = thread
  const run = await runCli(['show', files[0] ?? ''], { cwd: sample })
  expect(run.status, run.stderr).toBe(0)
  expect(run.stdout).toContain(title.replace(/[`*_].*$/s, '').slice(0, 20))
})

test('an id prefix of several threads lists them, but at most the newest 20', async () => {
  const few = await runCli(['show', '01a1588a', '--codex-home', sample], { cwd: useTempDir() })
  expect(few).toMatchObject({ status: 2, stdout: '' })
  expect(few.stderr).toContain('3 sessions match the id `01a1588a`:')
  expect(few.stderr.match(/^ {2}01a1588a-\S+ · /gm)).toHaveLength(3)
  const many = await runCli(['show', '01', '--codex-home', sample], { cwd: useTempDir() })
  expect(many.stderr).toContain('sessions match the id `01`, the newest 20 of them:')
  expect(many.stderr.match(/^ {2}01\S+ · /gm)).toHaveLength(20)
})

test('without a target it says what it needs, and a project alone lists its sessions', async () => {
  const bare = await runCli(['show', '--codex-home', sample], { cwd: useTempDir() })
  expect(bare).toMatchObject({ status: 2, stdout: '' })
  expect(bare.stderr).toContain('--project NAME')
  const picked = await runCli(['show', '--project', 'shop', '--codex-home', sample], { cwd: useTempDir() })
  expect(picked).toMatchObject({ status: 2, stdout: '' })
  expect(picked.stderr).toContain('match the project `shop`')
  expect(picked.stderr).toContain(thread.id)
})

test('sub-agents follow their session, but not in a tree of one thread', async () => {
  const options = ['show', '01a1588a-0250', '--codex-home', sample, '--with-agents']
  const run = await runCli(options, { cwd: useTempDir() })
  expect(run.stdout.match(/^# /gm)).toHaveLength(3)
  const json = await runCli([...options, '--format', 'json'], { cwd: useTempDir() })
  expect(json).toMatchObject({ status: 2, stdout: '' })
})

test('a project in a configuration does not prevent other threads from being shown', async () => {
  const { id } = thread
  const cwd = useTempDir()
  writeFileSync(join(cwd, 'site.config.ts'), "export default { projects: ['no-such-project'] }\n")
  const config = ['--config', 'site.config.ts']
  expect(await runCli(['show', id, '--codex-home', sample, ...config], { cwd })).toMatchObject({ status: 0 })
})

test('an unwritable file is reported', async () => {
  const { id } = thread
  const cwd = useTempDir()
  const run = await runCli(['show', id, '--codex-home', sample, '--output', 'no/such/folder/page.md'], { cwd })
  expect(run.status).toBe(2)
  expect(run.stderr).toContain('page.md`: its folder does not exist.')
  expect(existsSync(join(cwd, 'no'))).toBe(false)
})
