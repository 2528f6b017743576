import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { transcribe } from '../../src/transcript.ts'
import { runCli } from '../helpers/cli.ts'
import { shapeOf } from '../helpers/shape.ts'
import { useTempDir } from '../helpers/temp.ts'

const sample = fileURLToPath(new URL('../../fixtures/home', import.meta.url))

/** Rollouts of the sample home with this ending. */
function rollouts(ending: string): string[] {
  const entries = readdirSync(sample, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.name.startsWith('rollout-') && entry.name.endsWith(ending))
  return files.map((entry) => join(entry.parentPath, entry.name)).sort()
}

function first(ending: string): string {
  const [path] = rollouts(ending)
  if (path === undefined) throw new Error(`the sample home has no ${ending}`)
  return path
}

test.each(['.jsonl', '.jsonl.zst', '.json'])(
  'a rollout that ends in %s becomes a fixture of the same shape',
  async (ending) => {
    const cwd = useTempDir()
    const name = ending === '.json' ? 'fixture.json' : 'fixture.jsonl'
    const run = await runCli(['scrub', first(ending), '--output', name], { cwd })
    expect(run).toMatchObject({ status: 0, stdout: '' })
    expect(run.stderr).toContain('Look through the result before you share it.')
    const [before, after] = [await transcribe(first(ending)), await transcribe(join(cwd, name))]
    expect(shapeOf(after.session)).toEqual(shapeOf(before.session))
    expect(after.session.threadId).not.toBe(before.session.threadId)
  },
)

test('standard output is only the fixture, and the same every time', async () => {
  const cwd = useTempDir()
  const [one, two] = [
    await runCli(['scrub', first('.jsonl')], { cwd }),
    await runCli(['scrub', first('.jsonl')], { cwd }),
  ]
  expect(one.stdout).toBe(two.stdout)
  const lines = one.stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(readFileSync(first('.jsonl'), 'utf8').trimEnd().split('\n').length)
  for (const line of lines) JSON.parse(line)
})

test('a byte order mark, carriage returns and bytes that are not UTF-8 are kept', async () => {
  const cwd = useTempDir()
  const line = JSON.stringify({
    timestamp: '2026-03-14T09:00:00.000Z',
    type: 'event_msg',
    payload: { type: 'user_message', message: 'A~B' },
  })
  const bytes = Buffer.from(`\ufeff${line}\r\n${line}`)
  bytes[bytes.lastIndexOf('~')] = 0xff
  writeFileSync(join(cwd, 'rollout.jsonl'), bytes)
  const run = await runCli(['scrub', 'rollout.jsonl', '--output', 'fixture.jsonl'], { cwd })
  expect(run.status, run.stderr).toBe(0)
  expect(readFileSync(join(cwd, 'fixture.jsonl')).toString('hex')).toBe(bytes.toString('hex'))
})

test('the rollout itself is never overwritten', async () => {
  const cwd = useTempDir()
  const path = join(cwd, 'rollout.jsonl')
  writeFileSync(path, readFileSync(first('.jsonl')))
  const run = await runCli(['scrub', path, '--output', './rollout.jsonl'], { cwd })
  expect(run.status).toBe(2)
  expect(run.stderr).toContain(`\`${path}\` is the file that is read and is not overwritten; name another file.`)
  expect(readFileSync(path).equals(readFileSync(first('.jsonl')))).toBe(true)
})

test('a path without a rollout is refused, and the named file is not changed', async () => {
  const cwd = useTempDir()
  writeFileSync(join(cwd, 'kept.jsonl'), 'mine')
  const missing = await runCli(['scrub', 'no-such.jsonl', '--output', 'kept.jsonl'], { cwd })
  expect(missing.status).toBe(2)
  expect(missing.stderr).toMatch(/There is no file `no-such\.jsonl`: `scrub` takes the path of a rollout/)
  const folder = await runCli(['scrub', sample, '--output', 'kept.jsonl'], { cwd })
  expect(folder.status).toBe(2)
  expect(folder.stderr).toContain('is a folder; name one rollout in it.')
  expect(readFileSync(join(cwd, 'kept.jsonl'), 'utf8')).toBe('mine')
})

test('an output folder that does not exist is refused', async () => {
  const run = await runCli(['scrub', first('.jsonl'), '--output', 'no/such/fixture.jsonl'], { cwd: useTempDir() })
  expect(run.status).toBe(2)
  expect(run.stderr).toContain('fixture.jsonl`: its folder does not exist.')
})
