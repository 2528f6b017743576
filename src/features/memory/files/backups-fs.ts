/** Backups of a rollout: where they are, which ones are its own, and where the next one goes. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { quoted } from '../../../cli/called-as-fs.ts'
import { UsageError } from '../../../diagnostics/errors.ts'
import {
  type BackupName,
  backupFolder,
  backupKey,
  backupName,
  byBackupNumber,
  nextBackupName,
  parseBackupName,
} from '../../../rollout/discover/names.ts'
import type { RolloutFile, Segment } from '../../../rollout/discover/rollout.ts'
import { decodeHead } from '../../../rollout/parse/head.ts'
import { readHead } from '../../../rollout/read/head-fs.ts'
import { openRollout, otherPaths } from '../../../rollout/read/open-fs.ts'
import { type ByteSource, throwOwnFault } from '../../../rollout/read/source.ts'
import { namesIn } from '../../../util/files-fs.ts'
import { errorCode, reasonOf } from '../../../util/reason.ts'
import { keepDraft, makeFolder } from './draft-fs.ts'
import type { MemoryTarget } from './target-fs.ts'

/** A backup as it is on disk. */
export interface Backup extends BackupName {
  /** Absolute. */
  path: string
  bytes: number
  mtimeMs: number
}

/** What determines where a rollout's backups are. */
interface BackedUp {
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
function backupNamed(name: string, rollout: Pick<BackedUp, 'path' | 'home'>): Pick<Backup, 'name' | 'path'> {
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
function listBackups({ path, home, elsewhere }: BackedUp): Backup[] {
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
      { cause },
    )
  }
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
function moveBackup({ path }: Pick<Backup, 'path'>, to: string): void {
  try {
    makeFolder(dirname(to))
    keepDraft(path, to)
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(`Cannot move \`${basename(path)}\` to \`${dirname(to)}\`: ${reasonOf(cause)}.`, { cause })
  }
}

// The Codex home that contains a rollout.

/** Absolute path of the home; `undefined` for a rollout in a plain folder, or one that was named by its own path. */
export function homeOf({ path, name }: Pick<RolloutFile, 'path' | 'name'>): string | undefined {
  return /^(?:archived_)?sessions[\\/]/.test(name) ? path.slice(0, -name.length - 1) : undefined
}

// The backups of one rollout, found by their names and by the session that their first lines name.

/** The rollout whose backups are wanted. */
export type BackupOwner = Omit<MemoryTarget, 'threads' | 'copies'>

/**
 * Whose backup it is: that of this rollout, that of another session or of another file of this one, or unknown because
 * its head cannot be read.
 */
type BackupHead = { kind: 'own' } | { kind: 'other'; threadId: string } | { kind: 'unreadable' }

/**
 * The backups of a rollout, oldest first. Those named after it are included whatever they contain, so that problems with
 * them can be reported.
 */
export async function ownBackups(owner: BackupOwner, spoolDir: () => string): Promise<Backup[]> {
  const found: Backup[] = []
  const ownKey = backupKey(basename(owner.path))
  for (const backup of listBackups(backedUp(owner)))
    if (backup.key === ownKey || (await headOf(backup, owner, spoolDir)).kind === 'own') found.push(backup)
  return found
}

/** What determines where the backups of a rollout are. */
export function backedUp({ live, path }: Pick<BackupOwner, 'live' | 'path'>): BackedUp {
  return { path, home: homeOf(live.file), elsewhere: otherPaths(live.file) }
}

/** Reads the first lines of a backup. Throws only a fault of the program. */
export async function headOf(
  backup: Backup,
  { thread, live }: BackupOwner,
  spoolDir: () => string,
): Promise<BackupHead> {
  try {
    const { head } = await readHead(asRollout(backup, live), { decodeHead, spoolDir })
    if (head?.idFrom !== 'meta') return { kind: 'unreadable' }
    const isOwn = head.threadId === thread.id && sameBase(head, live.head)
    return isOwn ? { kind: 'own' } : { kind: 'other', threadId: head.threadId }
  } catch (error) {
    throwOwnFault(error)
    return { kind: 'unreadable' }
  }
}

/** Opens a backup as if it were its rollout; `undefined` if it cannot be read. Close it. */
export async function openBackup(
  backup: Backup,
  live: Segment,
  spoolDir: () => string,
): Promise<ByteSource | undefined> {
  try {
    return await openRollout(asRollout(backup, live), { spoolDir })
  } catch (error) {
    throwOwnFault(error)
    return undefined
  }
}

/** A backup in place of the rollout, for code that reads rollouts. */
export function asRollout({ path, name }: Pick<Backup, 'path' | 'name'>, { file }: Segment): RolloutFile {
  return { ...file, path, name }
}

function sameBase(a: Segment['head'], b: Segment['head']): boolean {
  return JSON.stringify(a.historyBase) === JSON.stringify(b.historyBase)
}

/** Whether Codex before 0.93 may resume a backup instead of its rollout, because it looks at all names below `sessions`. */
export function isResumable({ rollout }: Pick<Backup, 'rollout'>, file: RolloutFile): boolean {
  return rollout !== undefined && homeOf(file) !== undefined
}

/** Notes about such backups, one sentence each. */
export function resumableNotes(names: readonly string[], threadId: string): string[] {
  return names.map(
    (name) =>
      `Codex before 0.93 may resume \`${name}\` instead of the session. \`codex-export restore ${quoted(threadId)} --move-backups\` moves it to where no Codex looks.`,
  )
}

// Moves backups that earlier versions left next to the rollout to where no Codex looks for sessions.

/** A backup that was moved. */
export interface MovedBackup {
  /** Its old base name. */
  from: string
  /** Its new path, absolute. */
  to: string
}

/**
 * Moves the backups of a rollout that an old Codex may resume; they keep their numbers if these are free. Throws a
 * `UsageError` if the disk refuses.
 */
export function moveBackups(owner: Pick<BackupOwner, 'live' | 'path'>, backups: readonly Backup[]): MovedBackup[] {
  const rollout = backedUp(owner)
  const stays = backups.filter((backup) => backup.rollout === undefined)
  return backups
    .filter((backup) => backup.rollout !== undefined)
    .map((backup) => {
      const isFree = stays.every(({ number }) => number !== backup.number)
      const to = isFree
        ? backupNamed(backupName(basename(owner.path), backup.number), rollout)
        : nextBackup(rollout, stays)
      moveBackup(backup, to.path)
      stays.push({ ...backup, ...to })
      return { from: backup.name, to: to.path }
    })
}
