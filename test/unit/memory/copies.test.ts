/** Which file is changed if a session has copies, or if its home is not part of its path. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { leftoverDrafts } from '../../../src/features/memory/files/draft-fs.ts'
import { backupKey } from '../../../src/rollout/discover/names.ts'
import { claimOwner, releaseOwner } from '../../../src/util/process-owner-fs.ts'
import { type PruneHome, pruneHome } from '../../helpers/prune.ts'
import { useTempDir } from '../../helpers/temp.ts'

/** Copies a session's file into a folder and returns the new path. */
function copyTo({ path }: PruneHome, folder: string): string {
  const copy = join(folder, basename(path))
  cpSync(path, copy, { preserveTimestamps: true })
  return copy
}

test('an id in several homes does not suffice to change a file, but its path does', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  const copy = copyTo(session, join(folder, 'other/sessions/2026/03/14'))
  const homes = [{ path: session.home }, { path: join(folder, 'other') }]
  const before = session.read()
  const asked = { homes, exclude: ['3'] }
  expect((await session.prune(asked)).plan.changes).toBe(true)
  const refusal = `Name the path of the one to change:\n\`${session.path}\`\n\`${copy}\``
  await expect(session.prune({ ...asked, inPlace: true })).rejects.toThrow(refusal)
  await session.prune({ ...asked, targetPath: copy, inPlace: true })
  expect(readFileSync(copy, 'utf8')).not.toBe(before)
  await expect(session.restore({ homes })).rejects.toThrow(refusal)
  await session.restore({ homes, targetPath: copy })
  expect(readFileSync(copy, 'utf8')).toBe(before)
  expect(session.read()).toBe(before)
})

test('the shorter of two copies in a home can be named, and so restored', async () => {
  const session = pruneHome(useTempDir())
  const copy = copyTo(session, join(session.home, 'archived_sessions'))
  const before = session.read()
  await session.prune({ targetPath: session.path, exclude: ['3'], inPlace: true })
  expect((await session.context({ targetPath: session.path })).memory.items[2]?.included).toBe(false)
  await session.restore({ targetPath: session.path, undo: true })
  expect(session.read()).toBe(before)
  expect(readFileSync(copy, 'utf8')).toBe(before)
})

test.each(['store', 'sessions'])('sessions in a linked folder `%s` belong to the home with the link', async (name) => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  const real = join(folder, 'disk', name)
  mkdirSync(dirname(real))
  renameSync(join(session.home, 'sessions'), real)
  symlinkSync(real, join(session.home, 'sessions'))
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  expect(session.backups()).toHaveLength(1)
  // Named by its path in the home, and by its path on the disk.
  const direct = join(real, '2026/03/14', basename(session.path))
  await session.prune({ targetPath: session.path, homes: [], include: ['3'], inPlace: true })
  await session.prune({ targetPath: direct, exclude: ['4'], inPlace: true })
  await session.restore({ targetPath: direct, undo: true })
  expect(session.read()).toBe(before)
  expect(session.backups()).toHaveLength(2)
})

describe('the file that a killed run left at the place from which the rollout was archived', () => {
  /** A pruned session, and the file that it replaced, to which a program had written in the meantime. */
  function killed(): { session: PruneHome; leftover: string; before: string; archive: string } {
    const session = pruneHome(useTempDir())
    const before = session.read()
    const owner = claimOwner()
    const name = `.${backupKey(basename(session.path))}.${owner}.old.${before.length}.codex-export`
    releaseOwner(owner)
    const leftover = join(dirname(session.path), name)
    writeFileSync(leftover, `${before}said since\n`)
    return { session, leftover, before, archive: join(session.home, 'archived_sessions') }
  }

  test('is merged into the archived rollout', async () => {
    const { session, leftover, before, archive } = killed()
    const path = join(archive, basename(session.path))
    mkdirSync(archive)
    renameSync(session.path, path)
    const change = () => session.prune({ exclude: ['3'], inPlace: true, force: true })
    await expect(change()).rejects.toThrow('left out what was said meanwhile')
    expect(readFileSync(path, 'utf8')).toBe(`${before}said since\n`)
    expect(existsSync(leftover)).toBe(false)
    await change()
    expect(readFileSync(path, 'utf8')).toContain('said since')
  })

  test('is kept if an earlier version wrote it just now', () => {
    const folder = useTempDir()
    const draft = join(folder, '.rollout.jsonl.codex-export')
    writeFileSync(draft, '')
    const path = join(folder, 'archived_sessions/rollout.jsonl')
    expect(leftoverDrafts(path, { folder })).toEqual([])
    vi.useFakeTimers({ now: Date.now() + 11 * 60_000, toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    expect(leftoverDrafts(path, { folder })).toEqual([{ path: draft }])
  })

  test('is kept for the copy that is still there', async () => {
    const { session, leftover, archive } = killed()
    const copy = copyTo(session, archive)
    await session.prune({ targetPath: copy, exclude: ['3'], inPlace: true })
    expect(existsSync(leftover)).toBe(true)
    expect(readFileSync(copy, 'utf8')).not.toContain('said since')
  })
})
