/** Backups that stand beside a rollout. */
import { readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { type BackupName, backupsAmong, parseBackupName } from '../model/backup-names.ts'

/** A backup as it is on disk. */
export interface Backup extends BackupName {
  /** Absolute. */
  path: string
  bytes: number
  mtimeMs: number
}

/**
 * The backups of a rollout, oldest first. `elsewhere` are other paths at which it may have stood when they were made.
 * A folder that cannot be read has none.
 */
export function findBackups(rollout: string, elsewhere: readonly string[] = []): Backup[] {
  const folders = new Set([rollout, ...elsewhere].map((path) => dirname(path)))
  return [...folders].flatMap((folder) => backupsIn(folder, basename(rollout))).sort((a, b) => a.number - b.number)
}

function backupsIn(folder: string, rollout: string): Backup[] {
  return backupsAmong(namesIn(folder), rollout).flatMap((backup) => {
    const path = join(folder, backup.name)
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isFile() ? [{ ...backup, path, bytes: stat.size, mtimeMs: stat.mtimeMs }] : []
  })
}

/** The backup at a path that somebody named, whatever its name. Throws `UsageError` where there is no file. */
export function backupAt(path: string): Backup {
  const name = basename(path)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile()) throw new UsageError(`There is no backup at \`${path}\`.`)
  return { number: 1, rollout: name, ...parseBackupName(name), name, path, bytes: stat.size, mtimeMs: stat.mtimeMs }
}

/** The path of a rollout behind all links: beside it the backups stand, and over it a new one is put. */
export function realRollout(path: string): string {
  return realpathSync(path)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
