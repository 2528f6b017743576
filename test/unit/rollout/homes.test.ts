import { chmodSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import { findRoots } from '../../../src/rollout/discover/homes-fs.ts'
import { writeFolder } from '../../helpers/folder.ts'
import { useTempDir } from '../../helpers/temp.ts'

/** A machine with a home folder and these files in it. */
function machine(files: Readonly<Record<string, string>>) {
  const homeDir = useTempDir()
  writeFolder(homeDir, files)
  return { homeDir, find: (codexHomes: string[], env = {}) => findRoots(codexHomes, { env, homeDir }) }
}

describe('named places', () => {
  test('are homes, bare folders or files', () => {
    const { homeDir, find } = machine({
      'a/sessions/x': '',
      'b/archived_sessions/x': '',
      'c/d.jsonl': '',
      'e/config.toml': '',
    })
    const given = ['a', 'b', 'c', 'c/d.jsonl', 'e'].map((name) => join(homeDir, name))
    expect(find(given).roots.map(({ kind }) => kind)).toEqual(['home', 'home', 'folder', 'file', 'home'])
    expect(find(given).places).toEqual(given)
  })

  // The superuser may read everything.
  test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('say why they cannot be read', () => {
    const { homeDir, find } = machine({ 'a/sessions/x': '', '.codex/sessions/x': '' })
    const path = join(homeDir, 'a')
    for (const folder of [path, join(homeDir, '.codex')]) chmodSync(folder, 0o300)
    try {
      expect(find([path]).places).toEqual([`${path} (permission denied)`])
      expect(find([], { CODEX_HOME: path }).places).toEqual([`${path} (permission denied)`])
      expect(find([]).places).toEqual([`${join('~', '.codex')} (permission denied)`])
    } finally {
      for (const folder of [path, join(homeDir, '.codex')]) chmodSync(folder, 0o700)
    }
  })

  test('may be relative and have a label', () => {
    const { homeDir } = machine({ 'a/sessions/x': '' })
    const path = join(homeDir, 'a')
    const codexHomes = [{ path: relative(process.cwd(), path), label: 'laptop' }]
    expect(findRoots(codexHomes, { env: {}, homeDir }).roots).toEqual([{ path, kind: 'home', label: 'laptop' }])
  })

  test('count once even if spelled differently', () => {
    const { homeDir, find } = machine({ 'a/sessions/x': '' })
    symlinkSync(join(homeDir, 'a'), join(homeDir, 'b'))
    expect(find([join(homeDir, 'a'), join(homeDir, 'b')]).roots).toHaveLength(1)
  })

  test('take the place of the environment and the default', () => {
    const { homeDir, find } = machine({ 'a/x.jsonl': '', '.codex/sessions/x': '' })
    expect(find([join(homeDir, 'a')], { CODEX_HOME: '/nowhere' }).roots).toHaveLength(1)
  })

  test('throw a usage error if they do not exist or are no rollout', () => {
    const { homeDir, find } = machine({ 'notes.txt': '' })
    expect(() => find([join(homeDir, 'gone')])).toThrow(UsageError)
    expect(() => find([join(homeDir, 'gone')])).toThrow(/gone`: it does not exist\.$/)
    expect(() => find([join(homeDir, 'notes.txt')])).toThrow(/notes\.txt` is not a rollout: expected a Codex home/)
  })
})

describe('CODEX_HOME', () => {
  test('is treated as a home whatever it contains', () => {
    const { homeDir, find } = machine({ 'a/x.jsonl': '' })
    const path = join(homeDir, 'a')
    expect(find([], { CODEX_HOME: path })).toEqual({
      ...{ roots: [{ path, kind: 'home', label: '' }], places: [path], missing: [] },
    })
  })

  test('must be a folder', () => {
    const { homeDir, find } = machine({ 'file.txt': '' })
    expect(() => find([], { CODEX_HOME: join(homeDir, 'gone') })).toThrow(/^`CODEX_HOME` names .*: it does not exist\./)
    expect(() => find([], { CODEX_HOME: join(homeDir, 'file.txt') })).toThrow(/it is not a folder\./)
  })

  test('counts as unset when it is empty', () => {
    const { homeDir, find } = machine({ '.codex/sessions/x': '' })
    expect(find([], { CODEX_HOME: '' }).roots.map(({ path }) => path)).toEqual([join(homeDir, '.codex')])
  })
})

test('the default is `~/.codex`, and it is no error if that does not exist', () => {
  const { homeDir, find } = machine({})
  const { roots, places, missing } = find([])
  expect(roots).toEqual([])
  expect(places).toEqual([`${join('~', '.codex')} (it does not exist)`])
  expect(missing).toMatchObject([{ label: '', reason: 'it does not exist' }])
  writeFolder(homeDir, { '.codex/sessions/x': '' })
  expect(find([]).roots).toEqual([{ path: join(homeDir, '.codex'), kind: 'home', label: '' }])
})
