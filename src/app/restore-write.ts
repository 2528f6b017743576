/** Puts a backup in the place of its rollout. */
import { type Backup, findBackups } from '../memory/backups-fs.ts'
import { openSwap } from '../memory/rollout-swap-fs.ts'
import { nextBackupName } from '../model/backup-names.ts'
import type { RolloutFile } from '../model/rollout.ts'
import { otherPaths } from '../read/moved.ts'
import { filePieces } from '../util/file-pieces-fs.ts'
import { baseName } from '../util/paths.ts'
import { sameBackup } from './prune-write.ts'

/** What goes where. */
export interface BackupSwap {
  /** Path of the rollout behind all links. */
  path: string
  file: RolloutFile
  backup: Backup
  /** Base name that the rollout gets: a compressed backup becomes a compressed rollout. */
  name: string
  force: boolean
}

/** Swaps and gives the name of the backup that holds the rollout as it was. The rollout gets the backup's time. */
export function swapBackup({ path, file, backup, name, force }: BackupSwap): string {
  const base = baseName(path)
  const swap = openSwap(path, { force })
  try {
    swap.draft(filePieces(backup.path))
    const backups = findBackups(path, otherPaths(file))
    const same = sameBackup(backups, () => filePieces(path))
    const kept = same?.name ?? nextBackupName(backups, base)
    if (same === undefined) swap.backup(kept, filePieces(path), swap.mtimeMs)
    swap.commit({ mtimeMs: backup.mtimeMs, ...(name !== base && { name }) })
    return kept
  } finally {
    swap.abort()
  }
}
