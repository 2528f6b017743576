/** Writes a pruned rollout: a copy, or over the rollout itself with a backup beside it. */
import { type Backup, findBackups } from '../memory/backups-fs.ts'
import type { Content, RemovedItem } from '../memory/edit/record.ts'
import type { Edit } from '../memory/edit/spans.ts'
import type { MaskStore } from '../memory/mask-store-fs.ts'
import { openNewFile } from '../memory/new-file-fs.ts'
import { openSwap, type RolloutSwap } from '../memory/rollout-swap-fs.ts'
import { nextBackupName, plainName } from '../model/backup-names.ts'
import { otherPaths } from '../read/moved.ts'
import { pieces } from '../read/source.ts'
import { filePieces } from '../util/file-pieces-fs.ts'
import { sha256OfPieces } from '../util/hash.ts'
import { baseName } from '../util/paths.ts'
import type { MemoryTarget } from './memory-target.ts'
import { keptPieces, keptSize } from './prune-cuts.ts'
import type { Whole } from './prune-whole.ts'

/** What is to be written. */
export interface PruneWork {
  target: MemoryTarget
  whole: Whole
  removed: readonly RemovedItem[]
  cuts: readonly Edit[]
  /** Reads the draft as Codex would, and throws where its memory is not what was planned. */
  verify: (draft: string) => Promise<void>
  force: boolean
}

/** Writes a copy. Throws `UsageError` where another file stands at the path; the same content there is no fault. */
export async function writeCopy(path: string, { whole, cuts, verify, force }: PruneWork): Promise<void> {
  const file = openNewFile(path, { force })
  try {
    await verify(file.draft(keptPieces(whole.source, cuts)))
    file.commit()
  } finally {
    file.abort()
  }
}

/**
 * Writes over the rollout and gives the name of the backup that holds everything. The time becomes one millisecond
 * later: lists by time stay as they are, and whoever compares times notices.
 */
export async function writeInPlace(work: PruneWork, store: MaskStore): Promise<string> {
  const { target, whole, removed, cuts, verify, force } = work
  const { thread, live, path } = target
  const swap = openSwap(path, { force })
  try {
    await verify(swap.draft(keptPieces(whole.source, cuts)))
    const base = contentOf(pieces(whole.source), whole.source.size)
    const backup = whole.backup?.name ?? keepWhole(work, swap)
    const written = contentOf(keptPieces(whole.source, cuts), keptSize(whole.source, cuts))
    const before = store.load(thread.id, live.rolloutId)
    // Before the swap: a mask whose rollout was never written is told by the rollout's bytes, a lost one by nothing.
    store.save({
      threadId: thread.id,
      rolloutId: live.rolloutId,
      records: [{ base: { name: backup, ...base }, written, removed: [...removed] }, ...before],
    })
    const name = plainName(baseName(path))
    swap.commit({ mtimeMs: swap.mtimeMs + 1, ...(name !== baseName(path) && { name }) })
    return backup
  } finally {
    swap.abort()
  }
}

/** Makes sure of a backup with every byte of the whole. One that is there already is as good as a new one. */
function keepWhole({ target, whole }: PruneWork, swap: RolloutSwap): string {
  const { path, live } = target
  const backups = findBackups(path, otherPaths(live.file))
  // Of a rollout that is still whole, a copy as it is stored; else what Codex appended stands behind the older backup.
  const isStored = whole.thread.segments.at(-1)?.file === live.file
  const content = (): Iterable<Uint8Array> => (isStored ? filePieces(path) : pieces(whole.source))
  const same = sameBackup(backups, content)
  if (same !== undefined) return same.name
  const name = nextBackupName(backups, isStored ? baseName(path) : plainName(baseName(path)))
  swap.backup(name, content(), swap.mtimeMs)
  return name
}

/** The backup that holds some content already. */
export function sameBackup(backups: readonly Backup[], content: () => Iterable<Uint8Array>): Backup | undefined {
  if (backups.length === 0) return undefined
  const hash = sha256OfPieces(content())
  return backups.find((backup) => sha256OfPieces(filePieces(backup.path)) === hash)
}

function contentOf(content: Iterable<Uint8Array>, bytes: number): Content {
  return { bytes, sha256: sha256OfPieces(content) }
}
