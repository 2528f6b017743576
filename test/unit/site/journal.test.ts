import { expect, test } from 'vitest'
import { decodeJournal } from '../../../src/site/output/plan.ts'

const whole = {
  schema: 'codex-export/journal',
  version: 2,
  clear: [{ path: 'a', aside: 'o0' }],
  install: [
    { path: 'a/b.html', hash: 'abc', folder: 'a' },
    { path: 'manifest.json', hash: 'abc', aside: 'o1' },
  ],
  remove: [{ path: 'c', aside: 'o2' }],
}

test('a whole journal reads back', () => {
  expect(decodeJournal(JSON.stringify(whole))).toEqual(whole)
})

test.each([
  ['a cut text', JSON.stringify(whole).slice(0, -3)],
  ['no object', 'null'],
  ['another schema', JSON.stringify({ ...whole, schema: 'x' })],
  ['another version', JSON.stringify({ ...whole, version: 1 })],
  ['a missing list', JSON.stringify({ ...whole, remove: undefined })],
  ['an entry that is no object', JSON.stringify({ ...whole, remove: [null] })],
  ['a path that leaves the folder', JSON.stringify({ ...whole, remove: [{ path: '../x', aside: 'o0' }] })],
  ['a path that leaves it on Windows', JSON.stringify({ ...whole, remove: [{ path: '..\\x', aside: 'o0' }] })],
  ['a name that leaves staging', JSON.stringify({ ...whole, remove: [{ path: 'x', aside: '../o0' }] })],
  ['an install without hash', JSON.stringify({ ...whole, install: [{ path: 'x' }] })],
  [
    'a folder that leaves the folder',
    JSON.stringify({ ...whole, install: [{ path: 'x', hash: 'abc', folder: '..' }] }),
  ],
])('%s is no journal', (_, text) => {
  expect(decodeJournal(text)).toBeUndefined()
})
