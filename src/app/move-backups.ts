/** Moves backups that earlier versions left beside the rollout to where no Codex looks for sessions. */
import { type Backup, backupNamed, moveBackup, nextBackup } from '../memory/backups-fs.ts'
import { backupName } from '../model/backup-names.ts'
import { baseName } from '../util/paths.ts'
import type { BackupOwner } from './own-backups.ts'
import { backedUp } from './own-backups.ts'

/** A backup that was moved. */
export interface MovedBackup {
  /** Its old base name. */
  from: string
  /** Its new path, absolute. */
  to: string
}

/** Moves those of a rollout; they keep their numbers where these are free. Throws `UsageError` where the disk refuses. */
export function moveBackups(owner: Pick<BackupOwner, 'live' | 'path'>, backups: readonly Backup[]): MovedBackup[] {
  const rollout = backedUp(owner)
  const stays = backups.filter((backup) => backup.rollout === undefined)
  return backups
    .filter((backup) => backup.rollout !== undefined)
    .map((backup) => {
      const isFree = stays.every(({ number }) => number !== backup.number)
      const to = isFree
        ? backupNamed(backupName(baseName(owner.path), backup.number), rollout)
        : nextBackup(rollout, stays)
      moveBackup(backup, to.path)
      stays.push({ ...backup, ...to })
      return { from: backup.name, to: to.path }
    })
}
