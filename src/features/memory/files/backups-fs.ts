/** Backups of a rollout: where they are, and where the next one goes. */

import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '../../../diagnostics/errors.ts'
import {
  type BackupName,
  backupFolder,
  backupKey,
  byBackupNumber,
  nextBackupName,
  parseBackupName,
} from '../../../rollout/discover/names.ts'
import type { RolloutFile } from '../../../rollout/discover/rollout.ts'
import { isWithin, namesIn } from '../../../util/files-fs.ts'
import { errorCode, reasonOf } from '../../../util/reason.ts'
import { keepDraft, makeFolder } from './draft-fs.ts'

/** A backup as it is on disk. */
export interface Backup extends BackupName {
  /** Absolute. */
  path: string
  bytes: number
  mtimeMs: number
}

/** What determines where a rollout's backups are. */
export interface BackedUp {
  /** Path with all links resolved. */
  path: string
  /** Its Codex home, if it is in one. */
  home: string | undefined
  /** Other paths that it may have had when an earlier version made backups next to it. */
  elsewhere: readonly string[]
}

/**
 * Name and path of the next backup: in the home, where Codex looks for no sessions, or next to a rollout that is in no
 * home.
 */
export function nextBackup({ path, home }: BackedUp, existing: readonly Backup[]): Pick<Backup, 'name' | 'path'> {
  return backupNamed(nextBackupName(existing, basename(path)), { path, home })
}

/** Name and path of the backup with a given name. */
export function backupNamed(name: string, rollout: Pick<BackedUp, 'path' | 'home'>): Pick<Backup, 'name' | 'path'> {
  return { name, path: join(backupDir(rollout), name) }
}

/** The folder for new backups. */
function backupDir({ path, home }: Pick<BackedUp, 'path' | 'home'>): string {
  return home === undefined ? dirname(path) : join(home, backupFolder)
}

/**
 * Folders in which a killed run may have left something of a rollout: that of its backups, and those in which it was
 * before Codex archived or unarchived it. A folder that has a file of the same name is skipped: that is another copy,
 * with its own leftovers.
 */
export function leftoverFolders({ path, home, elsewhere }: BackedUp): string[] {
  const taken = new Set(elsewhere.filter((other) => existsSync(other)).map(dirname))
  const moved = elsewhere.map(dirname).filter((folder) => !taken.has(folder))
  return [...new Set([backupDir({ path, home }), ...moved])]
}

/**
 * All files with names of backups in the folders where a rollout's backups may be, oldest first; they may belong to other
 * rollouts. Throws a `UsageError` if the home's folder of backups cannot be read, because "there is none" would be
 * untrue. Any other unreadable folder counts as empty.
 */
export function listBackups({ path, home, elsewhere }: BackedUp): Backup[] {
  const beside = new Set([path, ...elsewhere].map(dirname))
  const named = [...beside].flatMap((folder) => backupsIn(folder, namesIn(folder)))
  if (home === undefined) return named.sort(byBackupNumber)
  const folder = backupDir({ path, home })
  return [...backupsIn(folder, homeBackupNames(folder)), ...named].sort(byBackupNumber)
}

function homeBackupNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (cause) {
    // If a file is there instead of a folder, the first run that writes a backup reports it.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(cause) ?? '')) return []
    throw new UsageError(
      `Cannot read \`${folder}\`, which holds the backups: ${reasonOf(cause)}. Nothing was changed.`,
      {
        cause,
      },
    )
  }
}

/** Whether a backup is named after a rollout. */
export function isNamedAfter({ key }: Pick<BackupName, 'key'>, rollout: string): boolean {
  return key === backupKey(basename(rollout))
}

function backupsIn(folder: string, names: readonly string[]): Backup[] {
  return names.flatMap((name) => {
    const parsed = parseBackupName(name)
    const path = join(folder, name)
    const stat = parsed && statSync(path, { throwIfNoEntry: false })
    return parsed && stat?.isFile() ? [{ ...parsed, path, bytes: stat.size, mtimeMs: stat.mtimeMs }] : []
  })
}

/** The backup at a path that the user named, whatever its name. Throws a `UsageError` if there is no file. */
export function backupAt(path: string): Backup {
  const name = basename(path)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile()) throw new UsageError(`There is no backup at \`${path}\`.`)
  const parsed = parseBackupName(name) ?? { key: backupKey(name), number: 1 }
  return { ...parsed, name, path, bytes: stat.size, mtimeMs: stat.mtimeMs }
}

/** Moves a backup, but never over another file. Throws a `UsageError` if the disk refuses. */
export function moveBackup({ path }: Pick<Backup, 'path'>, to: string): void {
  try {
    makeFolder(dirname(to))
    keepDraft(path, to)
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(`Cannot move \`${basename(path)}\` to \`${dirname(to)}\`: ${reasonOf(cause)}.`, { cause })
  }
}

/** The path of a rollout with all links resolved; the new rollout is put there. */
export function realRollout(path: string): string {
  return realpathSync(path)
}

// The Codex home that contains a rollout.

/** Absolute path of the home; `undefined` for a rollout in a plain folder, or one that was named by its own path. */
export function homeOf({ path, name }: Pick<RolloutFile, 'path' | 'name'>): string | undefined {
  return /^(?:archived_)?sessions[\\/]/.test(name) ? path.slice(0, -name.length - 1) : undefined
}

/** Whether a path is in a folder in which a Codex home keeps sessions, with links followed. */
export function holdsRollout(home: string, path: string): boolean {
  return ['sessions', 'archived_sessions'].some((folder) => isWithin(path, join(home, folder)))
}
