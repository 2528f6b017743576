import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openMaskStore } from '../../../src/features/memory/files/mask-store-fs.ts'
import { maskDir } from '../../../src/site/cache/cache-folder-fs.ts'
import { age, appendTo, jsonLines, pruneHome, twoTurns } from '../../helpers/prune.ts'
import * as records from '../../helpers/records.ts'
import { threadId } from '../../helpers/rollout.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { zstdFrame } from '../../helpers/zstd.ts'

const said = (text: string) => records.envelopes([records.userItem(text), records.answerItem(`Yes: ${text}`)], true)

test('after prune, restore and prune again, the full rollout is restored and not the pruned one', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  await session.restore()
  await session.prune({ exclude: ['3'], inPlace: true })
  const { backups } = await session.restore()
  expect(backups).toMatchObject([{ path: session.backup(), lines: { onlyHere: 0, onlyThere: 2 } }])
  expect(session.read()).toBe(before)
})

test('the full rollout is also restored if no prune is recorded, and after another prune', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  await session.restore()
  await session.prune({ exclude: ['5'], inPlace: true })
  rmSync(join(folder, 'cache'), { recursive: true })
  await session.restore()
  expect(session.read()).toBe(before)
  await session.prune({ exclude: ['9'], inPlace: true })
  rmSync(join(folder, 'cache'), { recursive: true })
  await session.restore()
  expect(session.read()).toBe(before)
})

test('the backup that the mask names is used, even if it was renamed and is not the newest', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  const other = before.replace('red can', 'blue can')
  writeFileSync(session.backup(7), other)
  renameSync(session.backup(), session.backup(3))
  await session.restore()
  expect(session.read()).toBe(before)
})

test('a change of a compaction alone is reported as an edit and restored', async () => {
  const history = [records.userItem('One')['payload'], records.userItem('Two')['payload']]
  const values = [...twoTurns(), { type: 'compacted', payload: { message: 'Sum', replacement_history: history } }]
  const folder = useTempDir()
  const session = pruneHome(folder, jsonLines(records.envelopes(values, true)))
  const before = session.read()
  await session.prune({ exclude: ['1'], inPlace: true })
  rmSync(join(folder, 'cache'), { recursive: true })
  const { backups } = await session.restore()
  expect(backups[0]?.lines).toEqual({ onlyHere: 0, onlyThere: 0, edited: 1 })
  expect(session.read()).toBe(before)
})

test('undo goes back step by step through prunes and restores, and then says that nothing is left', async () => {
  const session = pruneHome(useTempDir())
  const states = [session.read()]
  const step = async (work: Promise<unknown>) => {
    await work
    states.push(session.read())
  }
  await step(session.prune({ exclude: ['3'], inPlace: true }))
  await step(session.prune({ exclude: ['7'], delete: ['9'], inPlace: true }))
  await step(session.restore())
  await step(session.prune({ exclude: ['1'], inPlace: true }))
  await step(session.restore())
  const kinds: unknown[] = []
  while (states.length > 1) {
    states.pop()
    kinds.push((await session.restore({ undo: true })).undone?.kind)
    expect(session.read()).toBe(states.at(-1))
  }
  expect(kinds).toEqual(['restore', 'prune', 'restore', 'prune', 'prune'])
  await expect(session.restore({ undo: true })).rejects.toThrow('There is no record here')
})

test('what was excluded before is known again after an undo', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  await session.prune({ exclude: ['7'], inPlace: true })
  await session.restore({ undo: true })
  const states = async () => (await session.prune()).plan.items.map(({ state }) => state)
  expect((await states()).map((state, at) => (state === 'excluded' ? at + 1 : 0)).filter(Boolean)).toEqual([3, 4])
  await session.prune({ include: ['1-99'], inPlace: true })
  expect(session.read()).toBe(before)
})

test('what was said since comes after what an undo brings back', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  const less = session.read()
  appendTo(session.path, said('And on Sundays?'))
  const { notes, undone } = await session.restore({ undo: true })
  expect(notes).toEqual(['What was said since stays.'])
  expect(undone).toEqual({ kind: 'prune', lines: { onlyHere: 0, onlyThere: 2, edited: 0 } })
  expect(session.read()).toBe(before + jsonLines(said('And on Sundays?')))
  // And the other way round, after a restore.
  const again = pruneHome(useTempDir())
  await again.prune({ exclude: ['3'], inPlace: true })
  await again.restore()
  appendTo(again.path, said('And on Mondays?'))
  await again.restore({ undo: true })
  expect(again.read()).toBe(less + jsonLines(said('And on Mondays?')))
})

test.each(['undo', 'include'] as const)(
  'what was said after an excluded last line without a line end is on its own line after %s',
  async (way) => {
    const lines = jsonLines(records.envelopes([...twoTurns(), records.answerItem('And each evening.')], true))
    const session = pruneHome(useTempDir(), lines.slice(0, -1))
    const before = session.read()
    await session.prune({ exclude: ['10'], inPlace: true, force: true })
    appendTo(session.path, said('And on Sundays?'))
    if (way === 'undo') await session.restore({ undo: true })
    else await session.prune({ include: ['1-99'], inPlace: true })
    expect(session.read()).toBe(`${before}\n${jsonLines(said('And on Sundays?'))}`)
  },
)

test('what was said after a last line that is cut off is kept as Codex wrote it', async () => {
  const session = pruneHome(useTempDir(), jsonLines(records.envelopes(twoTurns(), true)).slice(0, -9))
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true, force: true })
  appendTo(session.path, said('And on Sundays?'))
  await session.restore({ undo: true })
  expect(session.read()).toBe(before + jsonLines(said('And on Sundays?')))
})

test.each([
  ['a rollback of more than that', [records.event('thread_rolled_back', { num_turns: 2 })]],
  ['a compaction', [{ type: 'compacted', payload: { message: 'Sum', replacement_history: [] } }]],
])('%s after a prune keeps it from being undone', async (_, values) => {
  const session = pruneHome(useTempDir())
  await session.prune({ exclude: ['8-9'], inPlace: true })
  appendTo(session.path, [...said('Next'), ...records.envelopes(values, true)])
  const before = session.read()
  await expect(session.restore({ undo: true })).rejects.toThrow('cannot follow')
  expect(session.read()).toBe(before)
})

test('a restore is made even if the cache cannot be written, and says that it cannot be undone', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  rmSync(join(folder, 'cache'), { recursive: true })
  writeFileSync(join(folder, 'cache'), 'a file where a folder is needed')
  expect((await session.restore()).notes).toEqual([expect.stringContaining('`--undo` cannot undo this later')])
  expect(session.read()).toBe(before)
})

test.skipIf(process.platform === 'win32')('backups that cannot be read are not reported as missing', async () => {
  const session = pruneHome(useTempDir())
  await session.prune({ exclude: ['3'], inPlace: true })
  const folder = dirname(session.backup())
  rmSync(folder, { recursive: true })
  symlinkSync(basename(folder), folder)
  const refusal = `Cannot read \`${folder}\`, which holds the backups: its links form a circle. Nothing was changed.`
  await expect(session.restore({ listBackups: true })).rejects.toThrow(refusal)
  await expect(session.restore()).rejects.toThrow(refusal)
  await expect(session.prune({ include: ['3'], inPlace: true })).rejects.toThrow(refusal)
  await expect(session.context()).rejects.toThrow(refusal)
})

test('a change that another run planned but did not make is skipped', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  const store = openMaskStore(maskDir(session.host), session.id, session.id)
  const [done] = store.changes()
  if (done === undefined) throw new Error('the change is kept')
  const never = { ...done, after: { bytes: 10, sha256: 'of a rollout that was not written' } }
  const planned = [never, { ...never, before: { ...done.before, written: never.after } }]
  store.save({ records: store.records(), changes: [...planned, done] })
  await session.restore({ undo: true })
  expect(session.read()).toBe(before)
})

test('a rollout with unknown changes, or without any record, cannot be undone', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  await expect(session.restore({ undo: true })).rejects.toThrow('There is no record here')
  await session.prune({ exclude: ['3'], inPlace: true })
  const pruned = session.read()
  writeFileSync(session.path, pruned.replace('red can', 'blue can'))
  age(session.path)
  await expect(session.restore({ undo: true })).rejects.toThrow('changed in another way than by continuing')
  writeFileSync(session.path, pruned)
  age(session.path)
  rmSync(session.backup())
  await expect(session.restore({ undo: true })).rejects.toThrow('is missing or was changed')
})

test('a compressed rollout is compressed again after an undo', async () => {
  const name = `rollout-2026-03-14T09-00-00-${threadId(1)}.jsonl.zst`
  const bytes = zstdFrame(jsonLines(records.envelopes(twoTurns(), true)))
  const session = pruneHome(useTempDir(), bytes, name)
  await session.prune({ exclude: ['3'], inPlace: true })
  await session.restore({ undo: true })
  expect(session.names()).toEqual([name])
  expect(readFileSync(session.path)).toEqual(bytes)
})

test('items of lines that were appended after an include are remembered as excluded', async () => {
  const session = pruneHome(useTempDir())
  await session.prune({ exclude: ['3'], inPlace: true })
  await session.prune({ include: ['3'], inPlace: true })
  appendTo(session.path, said('And on Sundays?'))
  const before = session.read()
  await session.prune({ exclude: ['11'], inPlace: true })
  expect((await session.prune()).plan.items.at(-1)?.state).toBe('excluded')
  await session.prune({ include: ['1-99'], inPlace: true })
  expect(session.read()).toBe(before)
})

test('a backup with a damaged head is reported as damaged, not as one of another session', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  const pruned = session.read()
  writeFileSync(session.backup(), before.slice(40))
  await expect(session.restore()).rejects.toThrow('is damaged: its first line')
  await expect(session.restore({ backup: session.backup() })).rejects.toThrow('is damaged: its first line')
  const { backups } = await session.restore({ listBackups: true })
  expect(backups[0]?.fault).toContain('is damaged')
  expect(session.read()).toBe(pruned)
})

test('a rollout in a bare folder has its backups next to it, under a name without its id', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  const bare = join(folder, 'bare', basename(session.path))
  mkdirSync(dirname(bare))
  renameSync(session.path, bare)
  const before = readFileSync(bare, 'utf8')
  const { written } = await session.prune({ targetPath: bare, exclude: ['3'], inPlace: true })
  const { backup } = Object(written)
  expect(dirname(backup)).toBe(dirname(bare))
  expect(basename(backup)).toMatch(/^[0-9a-f]{24}\.bak$/)
  // After it was renamed it is found by its head.
  const renamed = join(dirname(bare), 'my-session.jsonl')
  renameSync(bare, renamed)
  await session.restore({ targetPath: renamed })
  expect(readFileSync(renamed, 'utf8')).toBe(before)
})
