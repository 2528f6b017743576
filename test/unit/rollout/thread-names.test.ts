import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findFiles } from '../../../src/rollout/discover/thread-names-fs.ts'
import { writeFolder } from '../../helpers/folder.ts'
import { useTempDir } from '../../helpers/temp.ts'

const entry = (id: unknown, thread_name: unknown) => JSON.stringify({ id, thread_name, updated_at: '2026-03-14' })

const names = (path: string, kind: 'home' | 'folder' = 'home') => findFiles([{ path, kind, label: '' }])
const namesOf = (lines: readonly string[], lineEnd = '\n') => {
  const path = useTempDir()
  writeFolder(path, { 'session_index.jsonl': lines.join(lineEnd) })
  return [...names(path).names]
}

test('the last name of a thread wins', () => {
  expect(namesOf([entry('a', 'First'), entry('b', 'Other'), entry('a', ' Second ')])).toEqual([
    ['a', 'Second'],
    ['b', 'Other'],
  ])
})

test('blank names, damaged lines and odd values are skipped, and Windows line ends are accepted', () => {
  const lines = [
    entry('A', 'Kept'),
    entry('A', '  '),
    '{"id":"a"',
    'null',
    '[]',
    entry(7, 'x'),
    entry('a', 7),
    entry('b', 'B'),
  ]
  expect(namesOf(lines, '\r\n')).toEqual([
    ['a', 'Kept'],
    ['b', 'B'],
  ])
})

test('only homes have a list of names, and it may be missing', () => {
  const path = useTempDir()
  expect(names(path)).toEqual({ files: [], names: new Map(), diagnostics: [] })
  writeFolder(path, { 'session_index.jsonl': entry('a', 'Name') })
  expect(names(path).names).toEqual(new Map([['a', 'Name']]))
  expect(names(path, 'folder').names).toEqual(new Map())
})

test('a list of names that cannot be read gives a warning', () => {
  const path = useTempDir()
  mkdirSync(join(path, 'session_index.jsonl'))
  const { diagnostics } = names(path)
  expect(diagnostics).toMatchObject([{ ruleId: 'unreadable-index', level: 'warning', file: 'session_index.jsonl' }])
})
