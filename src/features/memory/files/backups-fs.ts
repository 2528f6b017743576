/** Backups of a rollout, where they are and where the next one goes. */

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

/** A rollout, by what tells where its backups are. */
export interface BackedUp {
  /** Path behind all links. */
  path: string
  /** Its Codex home, where it lies in one. */
  home: string | undefined
  /** Other paths at which it may have stood when an earlier version made backups beside it. */
  elsewhere: readonly string[]
}

/** Name and path of the next backup: in the home, where Codex looks for no sessions; beside a rollout that lies in no home. */
export function nextBackup({ path, home }: BackedUp, existing: readonly Backup[]): Pick<Backup, 'name' | 'path'> {
  return backupNamed(nextBackupName(existing, basename(path)), { path, home })
}

/** Where a backup of a name lies. */
export function backupNamed(name: string, rollout: Pick<BackedUp, 'path' | 'home'>): Pick<Backup, 'name' | 'path'> {
  return { name, path: join(backupDir(rollout), name) }
}

/** The folder for new backups. */
function backupDir({ path, home }: Pick<BackedUp, 'path' | 'home'>): string {
  return home === undefined ? dirname(path) : join(home, backupFolder)
}

/**
 * Folders in which a killed run may have left something of a rollout: that of its backups, and those where it lay before
 * Codex archived it or brought it back. Where a file of its name lies is another copy, whose leftovers are its own.
 */
export function leftFolders({ path, home, elsewhere }: BackedUp): string[] {
  const taken = new Set(elsewhere.filter((other) => existsSync(other)).map(dirname))
  const moved = elsewhere.map(dirname).filter((folder) => !taken.has(folder))
  return [...new Set([backupDir({ path, home }), ...moved])]
}

/**
 * All files with names of backups where those of a rollout may be, oldest first; they may belong to other rollouts. Throws
 * `UsageError` where the folder of backups of the home cannot be read: "there is none" would be untrue. Another folder that
 * cannot be read has none.
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
    // What stands there in place of a folder is named by the first run that writes a backup.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(cause) ?? '')) return []
    throw new UsageError(
      `Cannot read \`${folder}\`, which holds the backups: ${reasonOf(cause)}. Nothing was changed.`,
      {
        cause,
      },
    )
  }
}

/** Whether the name of a backup is one that a rollout's backups have. */
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

/** The backup at a path that somebody named, whatever its name. Throws `UsageError` where there is no file. */
export function backupAt(path: string): Backup {
  const name = basename(path)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile()) throw new UsageError(`There is no backup at \`${path}\`.`)
  const parsed = parseBackupName(name) ?? { key: backupKey(name), number: 1 }
  return { ...parsed, name, path, bytes: stat.size, mtimeMs: stat.mtimeMs }
}

/** Gives a backup another path, never that of another file. Throws `UsageError` where the disk refuses. */
export function moveBackup({ path }: Pick<Backup, 'path'>, to: string): void {
  try {
    makeFolder(dirname(to))
    keepDraft(path, to)
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(`Cannot move \`${basename(path)}\` to \`${dirname(to)}\`: ${reasonOf(cause)}.`, { cause })
  }
}

/** The path of a rollout behind all links: over it a new one is put. */
export function realRollout(path: string): string {
  return realpathSync(path)
}

// The Codex home that a rollout lies in.

/** Absolute path of the home; `undefined` for a rollout of a bare folder, and one that was named by itself. */
export function homeOf({ path, name }: Pick<RolloutFile, 'path' | 'name'>): string | undefined {
  return /^(?:archived_)?sessions[\\/]/.test(name) ? path.slice(0, -name.length - 1) : undefined
}

/** Whether a path lies in one of the folders in which a Codex home keeps sessions, links followed. */
export function holdsRollout(home: string, path: string): boolean {
  return ['sessions', 'archived_sessions'].some((folder) => isWithin(path, join(home, folder)))
}
