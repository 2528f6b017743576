/** Writes new files next to a rollout: under a temporary name, synced, and renamed last. */

import {
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
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '../../../diagnostics/errors.ts'
import { backupKey } from '../../../rollout/discover/names.ts'
import { filePieces, makeFolders, namesIn, syncFolder, writeAll } from '../../../util/files-fs.ts'
import { sha256OfPieces } from '../../../util/hash.ts'
import { claimOwner, ownerState, releaseOwner } from '../../../util/process-owner-fs.ts'
import { errorCode, reasonOf } from '../../../util/reason.ts'

/** A change on disk, or a check who has the rollout open (`probe`), reported before it is made. */
export interface SwapStep {
  action: 'write' | 'sync' | 'keep' | 'link' | 'rename' | 'remove' | 'carry' | 'probe'
  path: string
}

/** Options for writing a draft. */
export interface DraftOptions {
  /** Called before each change. Tests throw from it to simulate a failing disk or a killed process. */
  beforeStep?: (step: SwapStep) => void
}

/** What an unfinished run may leave: new content, a backup, or a second name for the rollout that it replaced. */
type DraftKind = 'new' | 'bak' | `old.${number}`

/** The names for the drafts of one run. */
export interface DraftNames {
  path(kind: DraftKind, folder?: string): string
  /** Call when the drafts are removed. */
  release(): void
}

/** A draft of another run. */
export interface LeftoverDraft {
  path: string
  /** For a second name of a replaced rollout: its size when it was replaced. */
  replacedBytes?: bigint
}

/** A run of unknown origin counts as ended after this time. */
const staleMs = 10 * 60_000

const form = /^\.([0-9a-f]{24})\.(\w+)\.(?:new|bak|old\.(\d+))\.codex-export$/

/** Makes names for drafts of a file. No reader of rollouts takes them for rollouts, and they say which process works on it. */
export function draftNames(path: string): DraftNames {
  const [key, owner] = [backupKey(basename(path)), claimOwner()]
  return {
    path: (kind, folder = dirname(path)) => join(folder, `.${key}.${owner}.${kind}.codex-export`),
    release: () => releaseOwner(owner),
  }
}

/** Where to look for drafts of other runs. */
interface LeftoverSearch {
  /** Default: the folder of the file. */
  folder?: string
  /** Path of the draft of this run, which is skipped. */
  own?: string
}

/**
 * Lists what ended runs left of a file, next to it or in another folder. Throws a `UsageError` if another run is working
 * on the file: its process is alive, or its origin is unknown and it wrote within the last ten minutes.
 */
export function leftoverDrafts(path: string, { folder = dirname(path), own }: LeftoverSearch = {}): LeftoverDraft[] {
  const key = backupKey(basename(path))
  // A folder that cannot be listed has no draft that could be removed; writing reports the reason.
  return namesIn(folder).flatMap((name) => {
    const [, its, owner = '', bytes] = form.exec(name) ?? []
    const draft = join(folder, name)
    if (its !== key) return isEarlierDraft(draft, path) ? [{ path: draft }] : []
    if (draft === own) return []
    const state = ownerState(owner) ?? 'unknown'
    if (state === 'live' || state === 'own' || (state === 'unknown' && ageOf(draft) < staleMs))
      throw new UsageError(
        `\`${name}\` exists: another run is working on this rollout. Wait until it is done. Nothing was changed.`,
      )
    return [{ path: draft, ...(bytes !== undefined && { replacedBytes: BigInt(bytes) }) }]
  })
}

/**
 * Whether a file is a leftover draft of an earlier version, which named drafts after the rollout. An old Codex may resume
 * those.
 */
function isEarlierDraft(draft: string, path: string): boolean {
  const earlier = [`.${basename(path)}.codex-export`, `.${basename(path)}.bak.codex-export`]
  return earlier.includes(basename(draft)) && ageOf(draft) >= staleMs
}

/** Milliseconds since a file's status changed (`ctime`), because its `mtime` may be that of the rollout. */
function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0)
}

/** Writes a draft and syncs it to disk. Throws a `UsageError` if the disk refuses; then nothing is left of it. */
export function writeDraft(path: string, content: Iterable<Uint8Array>, { beforeStep }: DraftOptions = {}): void {
  beforeStep?.({ action: 'write', path })
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'wx', 0o600)
    for (const piece of content) writeAll(descriptor, piece)
    beforeStep?.({ action: 'sync', path })
    fsyncSync(descriptor)
  } catch (error) {
    rmSync(path, { force: true })
    throw explained(error, path)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The owner of a rollout: root may prune for other users. */
type Owner = Pick<Stats, 'uid' | 'gid'>

/**
 * Makes a folder, and those above it, that only their owner can look into, unless they exist. They get the owner of a
 * rollout, if one is given. Throws a `UsageError` if the disk refuses.
 */
export function makeFolder(path: string, owner?: Owner): void {
  try {
    for (const made of makeFolders(path, 0o700)) if (owner !== undefined) setOwner(made, owner)
  } catch (error) {
    throw explained(error, join(path, '.'))
  }
}

/** Gives a file or folder to an owner. Only root may do that; everybody else owns what they made. */
export function setOwner(path: string, { uid, gid }: Owner): void {
  try {
    chownSync(path, uid, gid)
  } catch {
    // The content is right anyway, and whoever can run this can read it.
  }
}

/** Gives a draft its final name, in one step and only if no file has that name. */
export function keepDraft(draft: string, target: string, { beforeStep }: DraftOptions = {}): void {
  beforeStep?.({ action: 'keep', path: target })
  try {
    linkSync(draft, target)
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || existsSync(target))
      throw new UsageError(`\`${basename(target)}\` already exists and is not overwritten.`, { cause: error })
    // Some disks have no hard links.
    renameSync(draft, target)
    return
  } finally {
    syncFolder(dirname(target))
  }
  rmSync(draft)
}

/** Gives a draft its final name. A file with the same content may already have it, left by a killed run. */
export function placeDraft(draft: string, target: string, options: DraftOptions): void {
  if (existsSync(target) && isSame(draft, target)) {
    options.beforeStep?.({ action: 'keep', path: target })
    renameSync(draft, target)
    syncFolder(dirname(target))
  } else keepDraft(draft, target, options)
}

function explained(error: unknown, path: string): unknown {
  if (errorCode(error) === undefined) return error
  return new UsageError(`Cannot write in \`${dirname(path)}\`: ${reasonOf(error)}. The rollout is unchanged.`, {
    cause: error,
  })
}

// A file that is new, or equal to the existing one.

/** A file that has been begun. Call `commit` or `abort`. */
interface NewFile {
  /**
   * Writes the content and returns the path of the draft. Throws a `UsageError` if the disk refuses, or if another run is
   * writing the file.
   */
  draft(content: Iterable<Uint8Array>): string
  /** Gives the draft its final name. Throws a `UsageError` if a file with other content has that name. */
  commit(): void
  /** Removes the draft. Harmless after `commit`. */
  abort(): void
}

/** Begins a new file at a path. */
export function openNewFile(path: string): NewFile {
  const names = draftNames(path)
  const draft = names.path('new')
  let written = false
  const abort = (): void => {
    if (written) rmSync(draft, { force: true })
    written = false
    names.release()
  }
  return {
    draft(content) {
      for (const draft of leftoverDrafts(path))
        if (draft.replacedBytes === undefined) rmSync(draft.path, { force: true })
      writeDraft(draft, content)
      written = true
      return draft
    },
    commit() {
      if (existsSync(path)) {
        if (!isSame(draft, path))
          throw new UsageError(`\`${basename(path)}\` already exists and holds something else; name another file.`)
        abort()
        return
      }
      keepDraft(draft, path)
      written = false
    },
    abort,
  }
}

function isSame(a: string, b: string): boolean {
  if (!statSync(b).isFile() || statSync(a).size !== statSync(b).size) return false
  return sha256OfPieces(filePieces(a)) === sha256OfPieces(filePieces(b))
}
