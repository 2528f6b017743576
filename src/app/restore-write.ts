/** Puts another content in the place of a rollout, and keeps what stood there. */
import { type Backup, backupDir } from '../memory/backups-fs.ts'
import type { Content, MaskFile, MaskRecord } from '../memory/edit/record.ts'
import type { MaskStore } from '../memory/mask-store-fs.ts'
import type { ClosedRule } from '../memory/open/closed-fs.ts'
import { openSwap } from '../memory/rollout-swap-fs.ts'
import { filePieces } from '../util/file-pieces-fs.ts'
import { baseName } from '../util/paths.ts'
import type { MemoryTarget } from './memory-target.ts'
import { backedUp } from './own-backups.ts'
import { type Kept, keepContent } from './prune-write.ts'

/** What goes where. */
export interface BackupSwap {
  target: MemoryTarget
  /** Path of the file whose bytes the rollout gets. */
  from: string
  /** Time that the rollout gets. */
  mtimeMs: number
  /** Base name that the rollout gets: a compressed backup becomes a compressed rollout. */
  name: string
  backups: readonly Backup[]
  rule: Partial<ClosedRule>
  /** Called right before the rollout is replaced, with the backup that holds it as it was. Closes the rollout. */
  beforeSwap: (kept: Pick<Backup, 'name'>) => void
}

/** Swaps, after a backup of the rollout as it was. */
export function swapContent({ target, from, mtimeMs, name, backups, rule, beforeSwap }: BackupSwap): Kept {
  const { path, live } = target
  const base = baseName(path)
  const swap = openSwap(path, { ...rule, expected: live.file, backupFolder: backupDir(backedUp(target)) })
  try {
    swap.draft(filePieces(from))
    const kept = keepContent(target, { swap, backups }, () => filePieces(path))
    beforeSwap(kept)
    const carried = swap.commit({ mtimeMs, ...(name !== base && { name }) })
    return { backup: kept.path, carried }
  } finally {
    swap.abort()
  }
}

/** What is known of a rollout, with a restore that is about to be carried out. */
export function withRestore(
  { thread, live }: MemoryTarget,
  store: MaskStore,
  { kept, before, after }: { kept: string; before: Content; after: Content },
): MaskFile {
  const [threadId, rolloutId] = [thread.id, live.rolloutId]
  const found: MaskRecord = { base: { name: kept, ...before }, written: before, removed: [] }
  return {
    threadId,
    rolloutId,
    records: store.load(threadId, rolloutId),
    changes: [{ kind: 'restore', before: found, after }, ...store.changes(threadId, rolloutId)],
  }
}
