/** New files beside a rollout: written under a name of their own, synced, and named at last. */

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

/** One change on disk, or one look at who has the rollout open (`probe`), told before it is made. */
export interface SwapStep {
  action: 'write' | 'sync' | 'keep' | 'link' | 'rename' | 'remove' | 'carry' | 'probe'
  path: string
}

/** How to write. */
export interface DraftOptions {
  /** Called before each change; what it throws stands for a failing disk or the end of the process. */
  beforeStep?: (step: SwapStep) => void
}

/** What an unfinished run may leave: a content, a backup, or a second name for the rollout that it replaced. */
export type DraftKind = 'new' | 'bak' | `old.${number}`

/** Names for the drafts of one run. */
export interface DraftNames {
  path(kind: DraftKind, folder?: string): string
  /** Call when the drafts are gone. */
  release(): void
}

/** A draft of another run. */
export interface LeftDraft {
  path: string
  /** For a second name of a replaced rollout: its size when it was replaced. */
  replacedBytes?: bigint
}

/** A run of which nothing is known is over after this time. */
const staleMs = 10 * 60_000

const form = /^\.([0-9a-f]{24})\.(\w+)\.(?:new|bak|old\.(\d+))\.codex-export$/

/** Makes names for drafts of a file: no reader of rollouts takes them for one, and they tell which process works on it. */
export function draftNames(path: string): DraftNames {
  const [key, owner] = [backupKey(basename(path)), claimOwner()]
  return {
    path: (kind, folder = dirname(path)) => join(folder, `.${key}.${owner}.${kind}.codex-export`),
    release: () => releaseOwner(owner),
  }
}

/** Where to look for drafts of other runs. */
export interface LeftIn {
  /** The folder of the file where absent. */
  folder?: string
  /** Path of the draft of this run, which is none of them. */
  own?: string
}

/**
 * What runs that ended left of a file, beside it or in another folder. Throws `UsageError` where another run is at work on it: its process lives, or
 * nothing is known of it and it wrote within the last ten minutes.
 */
export function leftDrafts(path: string, { folder = dirname(path), own }: LeftIn = {}): LeftDraft[] {
  const key = backupKey(basename(path))
  // A folder that cannot be listed holds no draft that could be removed; writing tells why.
  return namesIn(folder).flatMap((name) => {
    const [, its, owner = '', bytes] = form.exec(name) ?? []
    const draft = join(folder, name)
    if (its !== key) return isEarlierDraft(name, path) ? [{ path: draft }] : []
    if (draft === own) return []
    const state = ownerState(owner) ?? 'unknown'
    if (state === 'live' || state === 'own' || (state === 'unknown' && ageOf(draft) < staleMs))
      throw new UsageError(
        `\`${name}\` exists: another run is working on this rollout. Wait until it is done. Nothing was changed.`,
      )
    return [{ path: draft, ...(bytes !== undefined && { replacedBytes: BigInt(bytes) }) }]
  })
}

/** Earlier versions named drafts after the rollout. An old Codex may resume them. */
function isEarlierDraft(name: string, path: string): boolean {
  const earlier = [`.${basename(path)}.codex-export`, `.${basename(path)}.bak.codex-export`]
  return earlier.includes(name) && ageOf(join(dirname(path), name)) >= staleMs
}

/** Since anything of a file was changed: its own time may be that of the rollout. */
function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0)
}

/** Writes a draft and syncs it to disk. Throws `UsageError` where the disk refuses; then nothing is left of it. */
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

/** Whose a rollout is: root may prune for somebody else. */
type Owner = Pick<Stats, 'uid' | 'gid'>

/**
 * Makes a folder that only its owner can look into, and those above it, where there are none. Where a rollout is given,
 * its owner gets them. Throws `UsageError` where the disk refuses.
 */
export function makeFolder(path: string, owner?: Owner): void {
  try {
    for (const made of makeFolders(path, 0o700)) if (owner !== undefined) giveTo(made, owner)
  } catch (error) {
    throw explained(error, join(path, '.'))
  }
}

/** Gives a file or folder to an owner. Only root may; everybody else owns what they made. */
export function giveTo(path: string, { uid, gid }: Owner): void {
  try {
    chownSync(path, uid, gid)
  } catch {
    // Its content is right, and who may run this may read it.
  }
}

/** Gives a draft its lasting name, in one step and only if nothing has it. */
export function keepDraft(draft: string, target: string, { beforeStep }: DraftOptions = {}): void {
  beforeStep?.({ action: 'keep', path: target })
  try {
    linkSync(draft, target)
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || existsSync(target))
      throw new UsageError(`\`${basename(target)}\` already exists and is not overwritten.`, { cause: error })
    // Some disks have no second names for a file.
    renameSync(draft, target)
    return
  } finally {
    syncFolder(dirname(target))
  }
  rmSync(draft)
}

/** Gives a draft a name that only another file with the same content may have, as a run that ended in the middle leaves it. */
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

// A file that is new, or the same as the one that is there.

/** A file that was begun. Call `commit` or `abort`. */
export interface NewFile {
  /** Writes the content and gives the path of the draft. Throws `UsageError` where the disk refuses, and where another run is at it. */
  draft(content: Iterable<Uint8Array>): string
  /** Names the draft. Throws `UsageError` where another file stands there that has another content. */
  commit(): void
  /** Removes the draft. Harmless after `commit`. */
  abort(): void
}

/** Begins a file at a path. */
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
      for (const left of leftDrafts(path)) if (left.replacedBytes === undefined) rmSync(left.path, { force: true })
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
