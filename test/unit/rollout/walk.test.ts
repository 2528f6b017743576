import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Root } from '../../../src/rollout/discover/homes-fs.ts'
import { findFiles, rootFingerprints } from '../../../src/rollout/discover/thread-names-fs.ts'
import { walk } from '../../../src/rollout/discover/walk-fs.ts'
import { writeFolder } from '../../helpers/folder.ts'
import { threadId } from '../../helpers/rollout.ts'
import { useTempDir } from '../../helpers/temp.ts'

const base = (number: number) => `rollout-2026-03-14T09-26-53-${threadId(number)}`

function rootOf(kind: Root['kind'], files: Readonly<Record<string, string>>): Root {
  const path = useTempDir()
  writeFolder(path, files)
  return { path, kind, label: 'laptop' }
}

/** The names that a walk found, if it reported nothing. */
function namesIn(root: Root): string[] {
  const { files, diagnostics } = walk(root)
  expect(diagnostics).toEqual([])
  return files.map(({ name }) => name)
}

function faultsIn(root: Root): string[] {
  return walk(root).diagnostics.map(({ ruleId, file }) => `${file} ${ruleId}`)
}

describe('a home', () => {
  test('gives the rollouts in its session folders at any depth, sorted by name', () => {
    const root = rootOf('home', {
      [`sessions/2026/03/14/${base(2)}.jsonl`]: 'two',
      [`sessions/2026/03/14/${base(1)}.jsonl.zst`]: 'one',
      [`sessions/${base(3)}.jsonl`]: 'flat',
      [`sessions/${threadId(4)}.json`]: '{}',
      [`archived_sessions/${base(5)}.jsonl`]: 'old',
      'sessions/2026/history.jsonl': '',
      [`sessions/2026/03/14/${base(6)}.jsonl.bak`]: '',
      'history.jsonl': '',
      'session_index.jsonl': '',
      'log/other.jsonl': '',
    })
    expect(namesIn(root)).toEqual([
      `archived_sessions/${base(5)}.jsonl`,
      `sessions/${threadId(4)}.json`,
      `sessions/2026/03/14/${base(1)}.jsonl.zst`,
      `sessions/2026/03/14/${base(2)}.jsonl`,
      `sessions/${base(3)}.jsonl`,
    ])
  })

  test('gives everything that is known without opening a file', () => {
    const root = rootOf('home', { [`archived_sessions/${base(5)}.jsonl`]: 'old' })
    expect(walk(root).files).toEqual([
      {
        path: join(root.path, 'archived_sessions', `${base(5)}.jsonl`),
        name: `archived_sessions/${base(5)}.jsonl`,
        home: 'laptop',
        archived: true,
        compression: 'none',
        format: 'lines',
        bytes: 3,
        mtimeMs: expect.any(Number),
        stamp: '2026-03-14T09-26-53',
        nameId: threadId(5),
      },
    ])
  })

  test('may be empty or missing', () => {
    expect(namesIn(rootOf('home', {}))).toEqual([])
    expect(namesIn({ path: join(useTempDir(), 'gone'), kind: 'home', label: '' })).toEqual([])
  })

  test('may have a link in place of its session folder', () => {
    const elsewhere = rootOf('folder', { [`2026/${base(1)}.jsonl`]: '' })
    const root = rootOf('home', {})
    symlinkSync(elsewhere.path, join(root.path, 'sessions'))
    expect(namesIn(root)).toEqual([`sessions/2026/${base(1)}.jsonl`])
  })

  test('reports that its session folder is a file', () => {
    expect(faultsIn(rootOf('home', { sessions: 'text' }))).toEqual(['sessions unreadable-folder'])
  })
})

test('a home that cannot be entered is reported once, by its name', () => {
  const root: Root = { path: join(useTempDir(), 'x\0y'), kind: 'home', label: '' }
  const { files, diagnostics } = findFiles([root])
  expect(files).toEqual([])
  expect(diagnostics).toMatchObject([{ ruleId: 'unreadable-folder', file: '.' }])
  expect(diagnostics[0]?.message).toContain('It is `x\0y` itself. Reason: ')
  expect(findFiles([{ ...root, label: 'laptop' }]).diagnostics[0]?.message).toContain('It is `laptop` itself.')
  // A build first checks whether anything changed.
  expect(rootFingerprints([root])).toHaveLength(1)
})

describe('a bare folder', () => {
  test('gives every rollout in it, but no document that is named by its id alone', () => {
    const root = rootOf('folder', {
      'a/b/notes.jsonl': '',
      'a/history.jsonl': '',
      'rollout-2025-05-01-x.json': '',
      [`${threadId(1)}.json`]: '',
      'package.json': '',
      'archived_sessions/z.jsonl': '',
    })
    expect(namesIn(root)).toEqual(['a/b/notes.jsonl', 'archived_sessions/z.jsonl', 'rollout-2025-05-01-x.json'])
    expect(walk(root).files.map(({ archived }) => archived)).toEqual([false, false, false])
  })

  test('reports that it cannot be read', () => {
    expect(faultsIn({ path: join(useTempDir(), 'x\0y'), kind: 'folder', label: '' })).toEqual(['. unreadable-folder'])
  })
})

test('a single file gives itself', () => {
  const folder = rootOf('folder', { 'notes.jsonl': 'one', 'other.jsonl': '' })
  const root: Root = { path: join(folder.path, 'notes.jsonl'), kind: 'file', label: '' }
  expect(walk(root)).toEqual({
    files: [expect.objectContaining({ path: root.path, name: 'notes.jsonl', bytes: 3, archived: false })],
    diagnostics: [],
  })
})

describe('links', () => {
  test('to folders are reported and not followed, so that loops end', () => {
    const root = rootOf('home', { [`sessions/2026/${base(1)}.jsonl`]: '' })
    symlinkSync(join(root.path, 'sessions'), join(root.path, 'sessions', '2026', 'again'))
    expect(walk(root).files).toHaveLength(1)
    expect(faultsIn(root)).toEqual(['sessions/2026/again directory-loop'])
  })

  test('to files are followed only inside the folder', () => {
    const outside = rootOf('folder', { 'secret.jsonl': '', 'secret.txt': '' })
    const root = rootOf('folder', { 'a.jsonl': '' })
    symlinkSync(join(root.path, 'a.jsonl'), join(root.path, 'b.jsonl'))
    symlinkSync(join(outside.path, 'secret.jsonl'), join(root.path, 'c.jsonl'))
    symlinkSync(join(outside.path, 'secret.txt'), join(root.path, 'd.txt'))
    expect(walk(root).files.map(({ name }) => name)).toEqual(['a.jsonl', 'b.jsonl'])
    expect(faultsIn(root)).toEqual(['c.jsonl outside-link'])
  })

  test('to a sibling folder whose name begins like that of the root count as outside', () => {
    const parent = rootOf('folder', { 'home-2/a.jsonl': '', 'home/b.jsonl': '' })
    const root: Root = { path: join(parent.path, 'home'), kind: 'folder', label: '' }
    symlinkSync(join(parent.path, 'home-2', 'a.jsonl'), join(root.path, 'a.jsonl'))
    expect(faultsIn(root)).toEqual(['a.jsonl outside-link'])
  })
})

describe('files that cannot be read', () => {
  test('are reported if they are dangling links or folders, and the others are found', () => {
    const root = rootOf('home', { [`sessions/${base(1)}.jsonl`]: '' })
    mkdirSync(join(root.path, 'sessions', `${base(2)}.jsonl`))
    symlinkSync(join(root.path, 'nothing'), join(root.path, 'sessions', `${base(3)}.jsonl`))
    symlinkSync(join(root.path, 'nothing'), join(root.path, 'sessions', 'note.txt'))
    const { files, diagnostics } = walk(root)
    expect(files.map(({ name }) => name)).toEqual([`sessions/${base(1)}.jsonl`])
    expect(diagnostics.map(({ file, ruleId, message }) => [file, ruleId, message]).sort()).toEqual([
      [`sessions/${base(2)}.jsonl`, 'unreadable-file', expect.stringMatching(/it is a folder\.$/)],
      [`sessions/${base(3)}.jsonl`, 'unreadable-file', expect.stringMatching(/it does not exist\.$/)],
    ])
  })

  test.skipIf(process.platform !== 'linux')('are reported as such if their name is not UTF-8', () => {
    const root = rootOf('home', { [`sessions/${base(1)}.jsonl`]: '' })
    const path = (name: string): Buffer => Buffer.from(join(root.path, 'sessions', name), 'latin1')
    writeFileSync(path('rollout-\xe9.jsonl'), '')
    mkdirSync(path('\xe9'))
    const { files, diagnostics } = walk(root)
    expect(files).toHaveLength(1)
    expect(diagnostics.map(({ file, message }) => [file, message]).sort()).toEqual([
      ['sessions/rollout-\ufffd.jsonl', expect.stringMatching(/its name is not UTF-8; rename it\.$/)],
      ['sessions/\ufffd', expect.stringMatching(/its name is not UTF-8; rename it\.$/)],
    ])
  })

  test('do not include an ordinary folder named like a rollout', () => {
    expect(namesIn(rootOf('folder', { 'backup.jsonl/a.jsonl': '' }))).toEqual(['backup.jsonl/a.jsonl'])
  })
})
