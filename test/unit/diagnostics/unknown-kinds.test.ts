import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unknownKinds } from '../../../src/site/report.ts'
import * as r from '../../helpers/records.ts'
import { threadId } from '../../helpers/rollout.ts'
import { buildSite, turnOf, writeSession } from '../../helpers/site-build.ts'
import { useTempDir } from '../../helpers/temp.ts'

const session = (unknown: Record<string, number>, version?: string, file?: string) => ({
  lines: { unknown },
  ...(version === undefined ? {} : { version }),
  ...(file === undefined ? {} : { file }),
})

test('each unknown kind is reported once, with its lines and versions, at the first file that has it', () => {
  const found = unknownKinds([
    session({ 'event_msg/new': 2 }, '0.171.0', 'sessions/b.jsonl'),
    session({}, '0.100.0', 'sessions/c.jsonl'),
    session({ 'event_msg/new': 1, 'a-line': 1 }, '0.170.0', 'sessions/d.jsonl'),
  ])
  expect(found.map(({ ruleId, level, file }) => ({ ruleId, level, file }))).toEqual([
    { ruleId: 'unknown-kind', level: 'warning', file: 'sessions/d.jsonl' },
    { ruleId: 'unknown-kind', level: 'warning', file: 'sessions/b.jsonl' },
  ])
  expect(found[0]?.message).toContain('`a-line`: 1 line, written by Codex 0.170.0.')
  expect(found[1]?.message).toContain('`event_msg/new`: 3 lines, written by Codex 0.170.0, 0.171.0.')
  expect(found[1]?.message).toContain('`codex-export scrub <file>`')
})

test('a session without a version is reported as of an unknown version', () => {
  expect(unknownKinds([session({ new: 1 })])[0]?.message).toContain('1 line, of an unknown version of Codex.')
})

test('a kind as long as a text is cut', () => {
  expect(unknownKinds([session({ [`k${'x'.repeat(5000)}`]: 1 })])[0]?.message.length).toBeLessThan(500)
})

test('sessions without unknown records give no diagnostic', () => {
  expect(unknownKinds([session({}, '0.1.0')])).toEqual([])
})

test.each([true, false])('a build names the file, even if it renders nothing again: redaction %s', async (redact) => {
  const folder = useTempDir()
  const paths = [1, 2].map((number) => writeSession(folder, threadId(number), turnOf(`Word${number}`)))
  const [line] = r.envelopes([{ type: 'brand_new', payload: {} }])
  appendFileSync(paths[1] ?? '', `${JSON.stringify(line)}\n`)
  for (const rendered of [2, 0]) {
    const { result } = await buildSite(folder, { redact })
    expect(result.rendered).toBe(rendered)
    const reported = result.diagnostics.filter(({ ruleId }) => ruleId === 'unknown-kind').map(({ file }) => file)
    expect(reported.map((file) => join(folder, 'home', file ?? ''))).toEqual([paths[1]])
    rmSync(join(folder, 'cache', 'last-build.json'))
  }
})
