/** Writes a pruned rollout: a copy, or over the rollout itself after a backup. */

import { plainName } from '../../rollout/discover/backup-names.ts'
import { type ByteSource, pieces } from '../../rollout/read/source.ts'
import { filePieces } from '../../util/files-fs.ts'
import { sha256OfPieces } from '../../util/hash.ts'
import { baseName } from '../../util/paths.ts'
import { findCuts, keptPieces, keptSize } from './edit/cuts.ts'
import type { FullRollout } from './edit/full-rollout.ts'
import type { Content, MaskRecord, RemovedItem } from './edit/record.ts'
import type { Edit } from './edit/spans.ts'
import { type Backup, backupDir, nextBackup } from './files/backups-fs.ts'
import { openNewFile } from './files/draft-fs.ts'
import type { MaskStore } from './files/mask-store-fs.ts'
import { backedUp, ownBackups } from './files/own-backups.ts'
import { openSwap, type RolloutSwap } from './files/rollout-swap-fs.ts'
import type { MemoryTarget } from './files/target.ts'
import type { ClosedRule } from './open/closed-fs.ts'

/** What is to be written. */
export interface PruneOutput {
  target: MemoryTarget
  full: FullRollout
  removed: readonly RemovedItem[]
  cuts: readonly Edit[]
  /** Reads the draft as Codex would, and throws where its memory is not what was planned. */
  verify: (draft: string) => Promise<void>
  spoolDir: () => string
}

/** The names and paths of what a prune or restore kept, and what came in between. */
export interface Kept {
  /** Absolute path of the backup. */
  backup: string
  /** Bytes that a program wrote to the rollout while it was replaced, and that stand in the new one. */
  carried: number
}

/** Writes a copy. Throws `UsageError` where another file stands at the path; the same content there is no fault. */
export async function writeCopy(path: string, { full, cuts, verify }: PruneOutput): Promise<void> {
  const file = openNewFile(path)
  try {
    await verify(file.draft(keptPieces(full.source, cuts)))
    file.commit()
  } finally {
    file.abort()
  }
}

/**
 * Writes over the rollout, after a backup that holds everything. The time becomes one millisecond later: lists by time
 * stay as they are, and whoever compares times notices.
 */
export async function writeInPlace(work: PruneOutput, store: MaskStore, rule: Partial<ClosedRule>): Promise<Kept> {
  const { target, full, removed, cuts, verify, spoolDir } = work
  const { thread, live, path } = target
  const backups = await ownBackups(target, spoolDir)
  const swap = openSwap(path, { ...rule, expected: live.file, backupFolder: backupDir(backedUp(target)) })
  try {
    await verify(swap.draft(keptPieces(full.source, cuts)))
    const backup = full.backup ?? keepFull(work, { swap, backups })
    const base = { name: backup.name, ...contentOf(full.source, []) }
    const record: MaskRecord = { base, written: contentOf(full.source, cuts), removed: [...removed] }
    const found: MaskRecord = {
      base,
      written: contentOf(full.source, findCuts(full.source, full.removed).cuts),
      removed: full.removed,
    }
    const [id, rolloutId] = [thread.id, live.rolloutId]
    // Before the swap: a mask whose rollout was never written is told by the rollout's bytes, a lost one by nothing.
    store.save({
      threadId: id,
      rolloutId,
      records: [record, ...store.load(id, rolloutId)],
      changes: [{ kind: 'prune', before: found, after: record.written }, ...store.changes(id, rolloutId)],
    })
    const name = plainName(baseName(path))
    // Windows does not replace a file that is open.
    full.source.close()
    const carried = swap.commit({ mtimeMs: swap.mtimeMs + 1, ...(name !== baseName(path) && { name }) })
    return { backup: backup.path, carried }
  } finally {
    swap.abort()
  }
}

/** A swap, and the backups that are there. */
export interface BackupContext {
  swap: RolloutSwap
  backups: readonly Backup[]
}

/** Makes sure of a backup with every byte of the whole. */
function keepFull({ target, full }: PruneOutput, work: BackupContext): Pick<Backup, 'name' | 'path'> {
  const { path, live } = target
  // Of a rollout that is still whole, a copy as it is stored; else what Codex appended stands behind the older backup.
  const isStored = full.thread.segments.at(-1)?.file === live.file
  return keepContent(target, work, () => (isStored ? filePieces(path) : pieces(full.source)))
}

/** Makes sure of a backup with some content. One that is there already is as good as a new one. */
export function keepContent(
  target: Pick<MemoryTarget, 'path' | 'live'>,
  { swap, backups }: BackupContext,
  content: () => Iterable<Uint8Array>,
): Pick<Backup, 'name' | 'path'> {
  const same = sameBackup(backups, content)
  if (same !== undefined) return same
  const backup = nextBackup(backedUp(target), backups)
  swap.backup(backup.path, content(), swap.mtimeMs)
  return backup
}

/** The backup that holds some content already. */
function sameBackup(backups: readonly Backup[], content: () => Iterable<Uint8Array>): Backup | undefined {
  if (backups.length === 0) return undefined
  const hash = sha256OfPieces(content())
  return backups.find((backup) => sha256OfPieces(filePieces(backup.path)) === hash)
}

/** What stands in a source without some of its bytes. */
export function contentOf(source: ByteSource, cuts: readonly Edit[]): Content {
  return { bytes: keptSize(source, cuts), sha256: sha256OfPieces(keptPieces(source, cuts)) }
}
