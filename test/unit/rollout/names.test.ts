import { expect, test } from 'vitest'
import { parseName } from '../../../src/rollout/discover/names.ts'
import { threadId } from '../../helpers/rollout.ts'

const id = threadId(1)
const second = threadId(2)
const stamp = '2026-03-14T09-26-53'
const lines = { compression: 'none', format: 'lines' }

test.each<[string, unknown]>([
  [`rollout-${stamp}-${id}.jsonl`, { ...lines, stamp, nameId: id }],
  [`rollout-${stamp}-${id}.jsonl.zst`, { ...lines, compression: 'zstd', stamp, nameId: id }],
  [`rollout-${stamp}-${id}_${second}.jsonl`, { ...lines, stamp, nameId: id, nameRolloutId: second }],
  [`rollout-${stamp}-${id.toUpperCase()}.jsonl`, { ...lines, stamp, nameId: id }],
  [`rollout-2025-05-01-${id}.json`, { compression: 'none', format: 'document', nameId: id }],
  [`${id}.jsonl`, { ...lines, nameId: id }],
  [`rollout-${stamp}-backup.jsonl`, { ...lines, stamp }],
  [`rollout-${stamp}-${id}_copy.jsonl`, { ...lines, stamp, nameId: id }],
  ['rollout-9999.jsonl', lines],
  ['rollout-of\ntwo lines.jsonl', lines],
  ['notes.jsonl', lines],
])('%s is a rollout', (base, facts) => {
  expect(parseName(base, 'folder')).toEqual(facts)
})

test.each([
  'history.jsonl',
  'session_index.jsonl',
  'history.json',
  'auth.json',
  'state_5.sqlite',
  `rollout-${stamp}-${id}.jsonl.bak`,
  `rollout-${stamp}-${id}.jsonl.tmp`,
  `rollout-${stamp}-${id}.jsonl.zst.tmp`,
  `.rollout-${stamp}-${id}.jsonl`,
  '.jsonl',
  'rollout',
  '',
])('%j is no rollout', (base) => {
  expect(parseName(base, 'home')).toBeUndefined()
})

test('a document named by its id counts only in a home', () => {
  expect(parseName(`${id}.json`, 'home')).toEqual({ compression: 'none', format: 'document', nameId: id })
  expect(parseName(`${id}.json`, 'folder')).toBeUndefined()
})
