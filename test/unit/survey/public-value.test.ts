/** What may be kept on disk: a text that was harmless once is judged again under another name. */
import { expect, test } from 'vitest'
import {
  hasNoSecrets,
  privacyOf,
  privateThread,
  secretFreeFilter,
  shownAs,
  shownTexts,
} from '../../../src/survey/privacy.ts'
import type { ScanFacts, ScannedThread } from '../../../src/transcript/summary.ts'

const value = 'wGq7Zt2Kp9Lx4QbV6Nf3'

test('a value is public depending on its texts and their names, however often it was judged', () => {
  const privacy = privacyOf({}, { homeDir: '/home/ada' })
  if (privacy === undefined) throw new Error('nothing is redacted')
  for (let count = 0; count < 2; count++) {
    expect(hasNoSecrets({ version: value, cwd: '/home/ada/shop' }, privacy)).toBe(true)
    expect(hasNoSecrets({ password: value }, privacy)).toBe(false)
    expect(hasNoSecrets({ version: value, text: `DB_PASSWORD=${value}` }, privacy)).toBe(false)
  }
})

test('a value that was dropped from a full cache is judged again', () => {
  const privacy = privacyOf({}, { homeDir: '/home/ada' })
  if (privacy === undefined) throw new Error('nothing is redacted')
  const many = Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`k${index}`, `text ${index}`]))
  expect(hasNoSecrets(many, privacy)).toBe(true)
  expect(hasNoSecrets({ ...many, password: value }, privacy)).toBe(false)
  expect(hasNoSecrets(many, privacy)).toBe(true)
})

test('filters, which look for secrets alone, let the next search go on with what was compiled', () => {
  const host = { homeDir: '/home/ada' }
  const find = privacyOf({}, host)?.find
  secretFreeFilter({}, host)
  expect(privacyOf({}, host)?.find).toBe(find)
})

test('the parts of a thread without private data stay the same objects', () => {
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

test('what is shown of a thread can be made again from the texts that differ', () => {
  const privacy = privacyOf({}, { homeDir: '/home/ada' })
  if (privacy === undefined) throw new Error('nothing is redacted')
  const git = { branch: 'main', remote: 'https://git.example/ada/shop.git' }
  const head = {
    generation: 'G3',
    threadId: 't',
    idFrom: 'meta',
    git,
    cwd: '/home/ada/shop',
    version: '0.1.0',
  } as const
  const place = { path: '/home/ada/.codex/a.jsonl', name: 'a.jsonl', home: '', archived: false } as const
  const file = { ...place, compression: 'none', format: 'lines', bytes: 1, mtimeMs: 1 } as const
  const segments = [
    { file, rolloutId: 't', head },
    { file: { ...file, name: 'b-ada@mail.example.jsonl' }, rolloutId: 'u', head: { ...head, cwd: '/home/ada' } },
  ]
  const said = ['Look into /home/ada/shop', 'Fix it\nfor ada@mail.example', `DB_PASSWORD=${value}`]
  const outline = said.map((text, at) => ({ anchor: `l${at}`, page: 1, turn: at, text }))
  const counts = { turns: 2, prompts: 2, lines: 4, bytes: 1, pages: [], rolledBack: [] }
  const texts = {
    firstPrompt: said[0],
    lastPrompt: said[2],
    subtitle: 'Done in /home/ada/shop',
    branch: 'ada',
    tags: ['a'],
  }
  const facts = { threadId: 't', title: 'Fix it\nnow', titleFrom: 'prompt', cwds: ['/home/ada', '/srv'], outline }
  const thread = { id: 't', archived: false, name: 'For /home/ada', segments, duplicates: [] }
  const from = { thread, facts: { ...facts, ...texts, ...counts } } as ScannedThread
  const { redactor, ...shown } = privateThread(from.thread, from.facts, privacy)
  const changes = shownTexts(from, shown)
  expect(JSON.stringify(changes)).not.toContain(value)
  expect(JSON.stringify(changes)).not.toContain('/home/ada')
  expect(changes.some(([, text]) => text === '/srv' || text === 'main')).toBe(false)
  expect(shownAs(from, changes)).toEqual(shown)
  expect(shownAs(from, changes).facts.title).toBe('Fix it now')
})
