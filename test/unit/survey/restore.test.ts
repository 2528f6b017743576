import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findRoots } from '../../../src/rollout/discover/homes-fs.ts'
import { walk } from '../../../src/rollout/discover/walk-fs.ts'
import { survey } from '../../../src/survey/survey.ts'
import { age, appendTo, jsonLines, pruneHome, twoTurns } from '../../helpers/prune.ts'
import * as records from '../../helpers/records.ts'
import { threadId } from '../../helpers/rollout.ts'
import { useTempDir } from '../../helpers/temp.ts'

test('restoring gives the bytes and time before the prune, and keeps the pruned rollout', async () => {
  const session = pruneHome(useTempDir())
  const [before, { mtimeMs }] = [session.read(), statSync(session.path)]
  await session.prune({ exclude: ['3'], delete: ['9'], inPlace: true })
  const pruned = session.read()
  const result = await session.restore()
  expect(result).toMatchObject({
    kept: session.backup(2),
    memory: { items: 6 },
    backups: [{ path: session.backup(), memory: { items: 9 } }],
  })
  expect(result.backups[0]?.lines).toEqual({ onlyHere: 0, onlyThere: 3, edited: 0 })
  expect(session.read()).toBe(before)
  expect(readFileSync(session.backup(2), 'utf8')).toBe(pruned)
  expect(statSync(session.path).mtimeMs).toBe(mtimeMs)
  expect((await session.prune()).plan.items.map(({ state }) => state)).not.toContain('excluded')
})

test('restoring twice does not bring the pruned rollout back', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  await session.restore()
  const { kept, backups } = await session.restore({ force: true })
  expect([kept, backups]).toEqual([undefined, []])
  expect(session.read()).toBe(before)
  expect(session.backups()).toHaveLength(2)
})

test('what was said since the backup is lost only with `force`', async () => {
  const session = pruneHome(useTempDir())
  await session.prune({ exclude: ['3'], inPlace: true })
  appendTo(session.path, records.envelopes([records.userItem('More'), records.answerItem('Yes')], true))
  await expect(session.restore()).rejects.toThrow('2 lines are only in the rollout')
  const { kept } = await session.restore({ force: true })
  expect(readFileSync(kept ?? '', 'utf8')).toContain('More')
  expect(session.read()).not.toContain('More')
})

test('an edited compaction does not count as a lost line', async () => {
  const payload = {
    message: 'Sum',
    replacement_history: [records.userItem('One')['payload'], records.userItem('Two')['payload']],
  }
  const values = [...twoTurns(), { type: 'compacted', payload }]
  const session = pruneHome(useTempDir(), jsonLines(records.envelopes(values, true)))
  const before = session.read()
  await session.prune({ exclude: ['1'], inPlace: true })
  await session.restore()
  expect(session.read()).toBe(before)
})

test('the list shows all backups and changes nothing', async () => {
  const session = pruneHome(useTempDir())
  expect(await session.restore({ listBackups: true })).toMatchObject({ memory: { items: 9 }, backups: [] })
  await session.prune({ exclude: ['3'], inPlace: true })
  await session.restore()
  const names = session.backups()
  const { backups, kept } = await session.restore({ listBackups: true })
  expect(backups.map(({ path, memory }) => [path, memory.items])).toEqual([
    [session.backup(), 9],
    [session.backup(2), 7],
  ])
  expect(kept).toBeUndefined()
  expect(session.backups()).toEqual(names)
})

test('a backup may be named by its path, and one of another session is rejected', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  await expect(session.restore()).rejects.toThrow('There is no backup of')
  const before = session.read()
  const other = join(folder, 'other.jsonl')
  writeFileSync(other, before.replaceAll(threadId(1), threadId(2)))
  await expect(session.restore({ backup: other })).rejects.toThrow('is not a backup of this rollout')
  const own = join(folder, 'own.jsonl')
  writeFileSync(own, before.replace(/\n.*Every morning.*\n/, '\n'))
  age(own)
  await expect(session.restore({ backup: own })).rejects.toThrow('1 line is only in the rollout')
  expect((await session.restore({ backup: own, force: true })).kept).toBe(session.backup())
  expect(session.read()).toBe(readFileSync(own, 'utf8'))
  await expect(session.restore({ backup: join(folder, 'missing') })).rejects.toThrow('There is no backup at')
})

test('a session into which a fork points is not restored', async () => {
  const session = pruneHome(useTempDir())
  await session.prune({ exclude: ['3'], inPlace: true })
  const base = { thread_id: session.id, end_ordinal_exclusive: 9, end_byte_offset: statSync(session.path).size }
  const head = { id: threadId(2), timestamp: '2026-03-14T11:00:00.000Z', cwd: '/home/ada', history_mode: 'paginated' }
  const fork = join(dirname(session.path), `rollout-2026-03-14T11-00-00-${threadId(2)}.jsonl`)
  writeFileSync(fork, jsonLines(records.envelopes([records.meta({ ...head, history_base: base })], true)))
  await expect(session.restore({ force: true })).rejects.toThrow('begins in the middle of this rollout')
})

test('a backup is found at the place of the rollout before it was archived', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  const archive = join(session.home, 'archived_sessions')
  mkdirSync(archive)
  const moved = join(archive, basename(session.path))
  renameSync(session.path, moved)
  const { files } = walk({ path: session.home, kind: 'home', label: '' })
  expect(files.map(({ archived, backups }) => [archived, backups?.length])).toEqual([[true, 1]])
  expect((await session.prune()).plan.items.map(({ state }) => state)).toContain('excluded')
  expect((await session.restore()).kept).toBe(session.backup(2))
  expect(readFileSync(moved, 'utf8')).toBe(before)
})

test('backups next to a rollout are no sessions', async () => {
  const session = pruneHome(useTempDir())
  await session.prune({ exclude: ['3'], inPlace: true })
  await session.restore()
  const roots = findRoots([session.home], { env: {}, homeDir: session.home })
  const { catalog, diagnostics } = await survey(roots, { spoolDir: () => session.home })
  expect(catalog.files).toBe(1)
  expect(catalog.threads[0]?.duplicates).toEqual([])
  expect(diagnostics).toEqual([])
})
