/** New files beside a rollout: written under a name of their own, synced, and named at last. */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import { syncFolder } from '../util/sync-folder-fs.ts'

/** One change on disk, told before it is made. */
export interface SwapStep {
  action: 'write' | 'sync' | 'keep' | 'rename' | 'remove'
  path: string
}

/** How to write. */
export interface DraftOptions {
  /** Take over a draft that another run left. */
  force?: boolean
  /** Called before each change; what it throws stands for a failing disk or the end of the process. */
  beforeStep?: (step: SwapStep) => void
}

/** Old enough that the run which wrote it is gone. */
const staleMs = 10 * 60_000

/** Where a file is drafted: no reader of rollouts takes the name for one. */
export function draftPath(path: string, kind: '' | '.bak' = ''): string {
  return join(dirname(path), `.${basename(path)}${kind}.codex-export`)
}

/**
 * Writes a draft and syncs it to disk. Throws `UsageError` where another run has one, and where the disk refuses; then
 * nothing is left of it.
 */
export function writeDraft(path: string, content: Iterable<Uint8Array>, options: DraftOptions = {}): void {
  const { force = false, beforeStep } = options
  beforeStep?.({ action: 'write', path })
  const descriptor = createDraft(path, force)
  try {
    for (const piece of content) {
      for (let done = 0; done < piece.length; ) done += writeSync(descriptor, piece, done)
    }
    beforeStep?.({ action: 'sync', path })
    fsyncSync(descriptor)
  } catch (error) {
    rmSync(path, { force: true })
    throw explained(error, path)
  } finally {
    closeSync(descriptor)
  }
}

/** Gives a draft its lasting name, in one step and only if nothing has it. */
export function keepDraft(draft: string, target: string, { beforeStep }: DraftOptions = {}): void {
  beforeStep?.({ action: 'keep', path: target })
  try {
    linkSync(draft, target)
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || existsSync(target))
      throw new UsageError(`\`${basename(target)}\` is there already and is not written over.`, { cause: error })
    // Some disks have no second names for a file.
    renameSync(draft, target)
    return
  } finally {
    syncFolder(dirname(target))
  }
  rmSync(draft)
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

function explained(error: unknown, path: string): unknown {
  if (errorCode(error) === undefined) return error
  return new UsageError(`Cannot write in \`${dirname(path)}\`: ${reasonOf(error)}. The rollout is as it was.`, {
    cause: error,
  })
}
