/**
 * Puts another content in the place of a rollout: drafts beside it, synced to disk, then names only. A kill at any
 * point leaves the old file or the new one, and every backup whole. Tests see each change before it is made.
 */
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { errorCode, reasonOf } from '../util/reason.ts'

/** One change on disk, told before it is made. */
export interface SwapStep {
  action: 'write' | 'sync' | 'keep' | 'rename' | 'remove'
  path: string
}

/** How to swap. */
export interface SwapOptions {
  /** Take over a draft that another run left. */
  force?: boolean
  /** Called before each change; what it throws stands for a failing disk or the end of the process. */
  beforeStep?: (step: SwapStep) => void
}

/** A swap that was begun. Call `commit` or `abort`. */
export interface RolloutSwap {
  /** Size, time and mode of the rollout when the swap began. */
  readonly before: Stats
  /** Writes the new content and gives the path of the draft, which can be read before `commit`. */
  draft(content: Iterable<Uint8Array>): string
  /** Writes a backup beside the rollout, whole or not at all, and never over another file. */
  backup(name: string, content: Iterable<Uint8Array>, mtimeMs: number): void
  /** Throws `UsageError` where somebody wrote the rollout since the swap began. */
  checkUnchanged(): void
  /** Puts the draft in place, under another base name where one is given: then the old name is removed at last. */
  commit(to: { mtimeMs: number; name?: string }): void
  /** Removes the drafts. Harmless after `commit`. */
  abort(): void
}

/** Old enough that the run which wrote it is gone. */
const staleMs = 10 * 60_000

/** Begins a swap of the rollout at a path, links in it followed. Throws `UsageError` where there is none. */
export function openSwap(path: string, { force = false, beforeStep = () => {} }: SwapOptions = {}): RolloutSwap {
  const folder = dirname(path)
  const base = basename(path)
  const before = statSync(path)
  const draftPath = join(folder, `.${base}.codex-export`)
  const backupDraft = join(folder, `.${base}.bak.codex-export`)
  const owned = new Set<string>()

  const write = (to: string, content: Iterable<Uint8Array>): void => {
    beforeStep({ action: 'write', path: to })
    const descriptor = createDraft(to, force)
    owned.add(to)
    try {
      for (const piece of content) writeAll(descriptor, piece)
      beforeStep({ action: 'sync', path: to })
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
  /** Same rights as the rollout; a time of its own. */
  const dress = (draft: string, mtimeMs: number): void => {
    chmodSync(draft, before.mode & 0o7777)
    giveTo(draft, before)
    utimesSync(draft, before.atimeMs / 1000, mtimeMs / 1000)
  }
  const checkUnchanged = (): void => {
    const now = statSync(path, { throwIfNoEntry: false })
    if (now?.size === before.size && now.mtimeMs === before.mtimeMs && now.ino === before.ino) return
    throw new UsageError(`\`${base}\` was written while it was read: Codex is at work on it. Nothing was changed.`)
  }

  return {
    before,
    draft(content) {
      write(draftPath, content)
      return draftPath
    },
    backup(name, content, mtimeMs) {
      write(backupDraft, content)
      dress(backupDraft, mtimeMs)
      beforeStep({ action: 'keep', path: join(folder, name) })
      keep(backupDraft, join(folder, name))
      owned.delete(backupDraft)
      syncFolder(folder)
    },
    checkUnchanged,
    commit({ mtimeMs, name = base }) {
      dress(draftPath, mtimeMs)
      checkUnchanged()
      const target = join(folder, name)
      beforeStep({ action: 'rename', path: target })
      if (name === base) renameSync(draftPath, target)
      else keep(draftPath, target)
      owned.delete(draftPath)
      syncFolder(folder)
      if (name === base) return
      beforeStep({ action: 'remove', path })
      rmSync(path)
      syncFolder(folder)
    },
    abort() {
      for (const draft of owned) rmSync(draft, { force: true })
      owned.clear()
    },
  }
}

function createDraft(path: string, force: boolean): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw explained(error, path)
  }
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  if (!force && age < staleMs)
    throw new UsageError(
      `\`${basename(path)}\` is there: another run is at work on this rollout, or one was killed. Wait ten minutes, or add \`--force\`.`,
    )
  rmSync(path, { force: true })
  return openSync(path, 'wx', 0o600)
}

/** Gives a file its lasting name, in one step and only if nothing has it. */
function keep(draft: string, target: string): void {
  try {
    linkSync(draft, target)
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || existsSync(target))
      throw new UsageError(`\`${basename(target)}\` is there already and is not written over.`, { cause: error })
    // Some disks have no second names for a file.
    renameSync(draft, target)
    return
  }
  rmSync(draft)
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
}

/** Only root may give files away; everybody else owns both. */
function giveTo(path: string, { uid, gid }: Stats): void {
  try {
    chownSync(path, uid, gid)
  } catch {
    // The content is right, and whoever may run this may read the old file.
  }
}

/** Makes names durable; not every system lets a folder be opened for that. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!['EPERM', 'EISDIR', 'EINVAL', 'EACCES'].includes(errorCode(error) ?? '')) throw error
  }
}

function explained(error: unknown, path: string): unknown {
  if (errorCode(error) === undefined) return error
  return new UsageError(`Cannot write beside the rollout, in \`${dirname(path)}\`: ${reasonOf(error)}.`, {
    cause: error,
  })
}
