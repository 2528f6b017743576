/**
 * Puts another content in the place of a rollout: drafts beside it, synced to disk, then names only. A kill at any
 * point leaves the old file or the new one, and every backup whole. What a program writes to the old file while it is
 * replaced is carried over, or the old file is put back. Tests see each change before it is made.
 */
import {
  chmodSync,
  chownSync,
  closeSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { syncFolder } from '../util/sync-folder-fs.ts'
import { type DraftOptions, draftNames, keepDraft, leftDrafts, makeFolder, writeDraft } from './draft-fs.ts'
import { type ClosedRule, requireClosed } from './open/closed-fs.ts'
import { finishLeftSwap, replaced } from './replaced-fs.ts'

/** How to swap. */
export interface SwapOptions extends DraftOptions, Partial<ClosedRule> {
  /** Size and time that the rollout had when it was read; the file must still have them. */
  expected?: { bytes: number; mtimeMs: number }
  /** Where backups go, if not beside the rollout: what a killed run left there is removed. */
  backupFolder?: string
}

/** A swap that was begun. Call `commit` or `abort`. */
export interface RolloutSwap {
  /** Time of the rollout when the swap began. */
  readonly mtimeMs: number
  /** Writes the new content and gives the path of the draft, which can be read before `commit`. */
  draft(content: Iterable<Uint8Array>): string
  /** Writes a backup to a path, whole or not at all, and never over another file. `abort` removes it again. */
  backup(path: string, content: Iterable<Uint8Array>, mtimeMs: number): void
  /**
   * Puts the draft in place, under another base name where one is given: then the old name is removed at last. Gives the
   * number of bytes that were written to the old file meanwhile and carried over. Throws `UsageError` where somebody
   * wrote the rollout since the swap began, or has it open for writing; then the rollout is as it was.
   */
  commit(to: { mtimeMs: number; name?: string }): number
  /** Removes the drafts. Harmless after `commit`. */
  abort(): void
}

/**
 * Begins a swap of the rollout at a path, links in it followed. Throws what the system says where there is none, and
 * `UsageError` where another run is at work on it.
 */
export function openSwap(path: string, options: SwapOptions = {}): RolloutSwap {
  const { expected, backupFolder } = options
  const [folder, base] = [dirname(path), basename(path)]
  const before = statSync(path)
  if (expected !== undefined && (before.size !== expected.bytes || before.mtimeMs !== expected.mtimeMs))
    throw changed(path)
  for (const from of new Set([folder, backupFolder ?? folder]))
    for (const left of leftDrafts(path, from)) finishLeftSwap(left, path, options)
  const names = draftNames(path)
  const draft = names.path('new')
  const written = new Set<string>()
  // Held open, so that what is written to the file can still be read when it has no name any more. Windows does not
  // replace a file that is open.
  const descriptor = process.platform === 'win32' ? undefined : openSync(path, 'r')
  let isOpen = true

  const write = (to: string, content: Iterable<Uint8Array>): void => {
    writeDraft(to, content, options)
    written.add(to)
  }
  const end = (): void => {
    for (const left of written) rmSync(left, { force: true })
    written.clear()
    names.release()
    if (isOpen && descriptor !== undefined) closeSync(descriptor)
    isOpen = false
  }
  return {
    mtimeMs: before.mtimeMs,
    draft(content) {
      write(draft, content)
      return draft
    },
    backup(to, content, mtimeMs) {
      makeFolder(dirname(to), before)
      const backupDraft = names.path('bak', dirname(to))
      write(backupDraft, content)
      dress(backupDraft, before, mtimeMs)
      keepDraft(backupDraft, to, options)
      written.delete(backupDraft)
      written.add(to)
    },
    commit({ mtimeMs, name = base }) {
      dress(draft, before, mtimeMs)
      checkUnchanged(path, before)
      options.beforeStep?.({ action: 'probe', path })
      requireClosed(path, options)
      checkUnchanged(path, before)
      const old = replaced(path, { descriptor, before, names, options })
      const target = join(folder, name)
      try {
        if (name === base) {
          options.beforeStep?.({ action: 'rename', path })
          renameSync(draft, path)
          written.clear()
          syncFolder(folder)
        } else {
          keepDraft(draft, target, options)
          // Backups stay from here on, whatever comes.
          written.clear()
          options.beforeStep?.({ action: 'remove', path })
          rmSync(path)
          syncFolder(folder)
        }
        return old.settle(target)
      } finally {
        old.release()
        end()
      }
    },
    abort: end,
  }
}

function checkUnchanged(path: string, before: Stats): void {
  const now = statSync(path, { throwIfNoEntry: false })
  if (now?.size !== before.size || now.mtimeMs !== before.mtimeMs || now.ino !== before.ino) throw changed(path)
}

function changed(path: string): UsageError {
  return new UsageError(`\`${basename(path)}\` was written while it was read: Codex is at work on it. It is as it was.`)
}

/** Rights and owner of the rollout, a time of its own. Only root may give files away; everybody else owns both. */
function dress(path: string, { mode, uid, gid, atimeMs }: Stats, mtimeMs: number): void {
  chmodSync(path, mode & 0o7777)
  try {
    chownSync(path, uid, gid)
  } catch {
    // The content is right, and who may run this may read the file.
  }
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
}
