/** Texts made to be slow: in quadratic time none of these would end before the time limit. */
import { expect, test } from 'vitest'
import { findHits } from '../../../src/features/audit/text-scan.ts'
import { findSecrets } from '../../../src/redact/find.ts'
import { audit, reported, writeSite } from '../../helpers/audited.ts'
import { noise } from '../../helpers/planted.ts'
import { useTempDir } from '../../helpers/temp.ts'

const length = 400_000
/** A token behind a text: the search has not ended before it. */
const token = ['gh', 'p_', noise(9, 36)].join('')

const pieces: readonly string[] = [
  '\\',
  `eyJ${'ab-'.repeat(3000)} `,
  '/home/ada/',
  'a@b.',
  '@',
  'C:\\Users\\',
  'YWJj',
  `-----${'BEGIN'} PRIVATE KEY-----\n`,
  'LS0tLS1CRUdJTi',
  'eyJ-',
  'KEY=',
  'PuTTY-User-Key-File-2: x\n',
]

test.each(pieces)('a text that repeats %j is searched in bounded time, and so is what follows', (piece) => {
  const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
  const hits = findHits(`${text}\n\n${token}\n`, { findSecrets })
  expect(hits.at(-1)).toMatchObject({ start: length + 2, end: length + 2 + token.length })
})

test('more hits than a call takes arguments are all returned', () => {
  const count = 150_000
  const secrets = Array.from({ length: count }, (_, index) => ({ start: index * 2, end: index * 2 + 1, rule: 'known' }))
  expect(findHits('x '.repeat(count), { findSecrets: () => secrets })).toHaveLength(count)
})

test('a style sheet with an external address on each line is reported in bounded time', async () => {
  const [folder, count] = [useTempDir(), 100_000]
  writeSite(folder, { 'a.css': 'a{b:url(//h)}\n'.repeat(count) })
  const site = await audit(folder)
  expect(reported(site).slice(0, 3)).toEqual([1, 2, 3].map((line) => `external-request a.css:${line}`))
  expect(site.findings.at(-1)?.count).toBe(count - 99)
})
