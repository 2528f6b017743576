/** What may be kept on disk: a text that was harmless once is judged again under another name. */
import { expect, test } from 'vitest'
import { isPublicValue, privacyOf, privateThread } from '../../../src/survey/privacy.ts'
import type { ScanFacts } from '../../../src/transcript/summary.ts'

const value = 'wGq7Zt2Kp9Lx4QbV6Nf3'

test('a value is public by its texts and their names, however often it was asked about', () => {
  const privacy = privacyOf({}, { homeDir: '/home/ada' })
  if (privacy === undefined) throw new Error('nothing is redacted')
  for (let count = 0; count < 2; count++) {
    expect(isPublicValue({ version: value, cwd: '/home/ada/shop' }, privacy)).toBe(true)
    expect(isPublicValue({ password: value }, privacy)).toBe(false)
    expect(isPublicValue({ version: value, text: `DB_PASSWORD=${value}` }, privacy)).toBe(false)
  }
})

test('what was forgotten to make place is judged again', () => {
  const privacy = privacyOf({}, { homeDir: '/home/ada' })
  if (privacy === undefined) throw new Error('nothing is redacted')
  const many = Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`k${index}`, `text ${index}`]))
  expect(isPublicValue(many, privacy)).toBe(true)
  expect(isPublicValue({ ...many, password: value }, privacy)).toBe(false)
  expect(isPublicValue(many, privacy)).toBe(true)
})

test('of a thread, what says nothing private stays the same object', () => {
  const privacy = privacyOf({}, { homeDir: '/home/ada' })
  const git = { branch: 'main' }
  const head = { generation: 'G3', threadId: 't', idFrom: 'meta', git } as const
  const place = { path: '/home/ada/.codex/a.jsonl', name: 'a.jsonl', home: '', archived: false } as const
  const file = { ...place, compression: 'none', format: 'lines', bytes: 1, mtimeMs: 1 } as const
  const segments = [{ file, rolloutId: 't', head: { ...head, cwd: '/home/ada/shop' } }]
  const outline = [`DB_PASSWORD=${value}`, 'Fix it'].map((text, at) => ({ anchor: `l${at}`, page: 1, turn: at, text }))
  const counts = { turns: 2, prompts: 2, lines: 4, bytes: 1, pages: [], rolledBack: [] }
  const facts: ScanFacts = { threadId: 't', title: 'Fix it', titleFrom: 'prompt', cwds: [], outline, ...counts }
  const shown = privateThread({ id: 't', archived: false, segments, duplicates: [] }, facts, privacy)
  expect(shown.thread.segments[0]?.file).toBe(file)
  expect(shown.thread.segments[0]?.head).toEqual({ ...head, cwd: '~/shop' })
  expect(shown.thread.segments[0]?.head.git).toBe(git)
  expect(shown.facts.outline[0]?.text).not.toContain(value)
  expect(shown.facts.outline[1]).toBe(outline[1])
})
