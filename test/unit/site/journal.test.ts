import { expect, test } from 'vitest'
import { decodeJournal, encodeJournal, type Journal } from '../../../src/site/output/plan.ts'

const whole: Journal = {
  schema: 'codex-export/journal',
  version: 2,
  clear: [{ path: 'a', aside: 'o0' }],
  install: [
    { path: 'a/b.html', hash: 'abc', folder: 'a' },
    { path: 'manifest.json', hash: 'abc', aside: 'o1' },
  ],
  remove: [{ path: 'c', aside: 'o2' }],
}

test('a complete journal reads back', () => {
  expect(decodeJournal(JSON.stringify(whole))).toEqual(whole)
})

test.each([whole, { ...whole, clear: [], install: [], remove: [] }])(
  'a journal is written as JSON on one line',
  (journal) => {
    expect([...encodeJournal(journal)].join('')).toBe(`${JSON.stringify(journal)}\n`)
  },
)

test('a journal of thousands of files is written in pieces', () => {
  const install = Array.from({ length: 5000 }, (_, number) => ({ path: `sessions/${number}.html`, hash: 'abc' }))
  const pieces = [...encodeJournal({ ...whole, install })]
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(17_000)
  expect(decodeJournal(pieces.join(''))?.install).toEqual(install)
})

test.each([
  ['a cut text', JSON.stringify(whole).slice(0, -3)],
  ['not an object', 'null'],
  ['another schema', JSON.stringify({ ...whole, schema: 'x' })],
  ['another version', JSON.stringify({ ...whole, version: 1 })],
  ['a missing list', JSON.stringify({ ...whole, remove: undefined })],
  ['an entry that is not an object', JSON.stringify({ ...whole, remove: [null] })],
  ['a path that leaves the folder', JSON.stringify({ ...whole, remove: [{ path: '../x', aside: 'o0' }] })],
  ['a path that leaves it on Windows', JSON.stringify({ ...whole, remove: [{ path: '..\\x', aside: 'o0' }] })],
  ['a name that leaves staging', JSON.stringify({ ...whole, remove: [{ path: 'x', aside: '../o0' }] })],
  ['an install without hash', JSON.stringify({ ...whole, install: [{ path: 'x' }] })],
  [
    'a folder that leaves the folder',
    JSON.stringify({ ...whole, install: [{ path: 'x', hash: 'abc', folder: '..' }] }),
  ],
])('%s is not a valid journal', (_, text) => {
  expect(decodeJournal(text)).toBeUndefined()
})
