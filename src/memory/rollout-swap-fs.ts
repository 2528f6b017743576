/**
 * Puts another content in the place of a rollout: drafts beside it, synced to disk, then names only. A kill at any
 * point leaves the old file or the new one, and every backup whole. Tests see each change before it is made.
 */
import { chmodSync, chownSync, renameSync, rmSync, type Stats, statSync, utimesSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { syncFolder } from '../util/sync-folder-fs.ts'
import { type DraftOptions, draftPath, keepDraft, writeDraft } from './draft-fs.ts'

/** A swap that was begun. Call `commit` or `abort`. */
export interface RolloutSwap {
  /** Time of the rollout when the swap began. */
  readonly mtimeMs: number
  /** Writes the new content and gives the path of the draft, which can be read before `commit`. */
  draft(content: Iterable<Uint8Array>): string
  /** Writes a backup beside the rollout, whole or not at all, and never over another file. */
  backup(name: string, content: Iterable<Uint8Array>, mtimeMs: number): void
  /**
   * Puts the draft in place, under another base name where one is given: then the old name is removed at last. Throws
   * `UsageError` where somebody wrote the rollout since the swap began.
   */
  commit(to: { mtimeMs: number; name?: string }): void
  /** Removes the drafts. Harmless after `commit`. */
  abort(): void
}

/** Begins a swap of the rollout at a path, links in it followed. Throws what the system says where there is none. */
export function openSwap(path: string, options: DraftOptions = {}): RolloutSwap {
  const folder = dirname(path)
  const base = basename(path)
  const before = statSync(path)
  const draft = draftPath(path)
  const backupDraft = draftPath(path, '.bak')
  const written = new Set<string>()

  const write = (to: string, content: Iterable<Uint8Array>): void => {
    writeDraft(to, content, options)
    written.add(to)
  }
  return {
    mtimeMs: before.mtimeMs,
    draft(content) {
      write(draft, content)
      return draft
    },
    backup(name, content, mtimeMs) {
      write(backupDraft, content)
      dress(backupDraft, before, mtimeMs)
      keepDraft(backupDraft, join(folder, name), options)
      written.delete(backupDraft)
    },
    commit({ mtimeMs, name = base }) {
      dress(draft, before, mtimeMs)
      checkUnchanged(path, before)
      if (name === base) {
        options.beforeStep?.({ action: 'rename', path })
        renameSync(draft, path)
        syncFolder(folder)
        written.delete(draft)
        return
      }
      keepDraft(draft, join(folder, name), options)
      written.delete(draft)
      options.beforeStep?.({ action: 'remove', path })
      rmSync(path)
      syncFolder(folder)
    },
    abort() {
      for (const left of written) rmSync(left, { force: true })
      written.clear()
    },
  }
}

function checkUnchanged(path: string, before: Stats): void {
  const now = statSync(path, { throwIfNoEntry: false })
  if (now?.size === before.size && now.mtimeMs === before.mtimeMs && now.ino === before.ino) return
  throw new UsageError(`\`${basename(path)}\` was written while it was read: Codex is at work on it. It is as it was.`)
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
