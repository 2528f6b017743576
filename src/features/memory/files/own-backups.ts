/** The backups of one rollout, found by their names and by the session that their first lines name. */

import { quoted } from '../../../cli/called-as-fs.ts'
import { backupName } from '../../../rollout/discover/names.ts'
import type { RolloutFile, Segment } from '../../../rollout/discover/rollout.ts'
import { decodeHead } from '../../../rollout/parse/head.ts'
import { readHead } from '../../../rollout/read/head-fs.ts'
import { openRollout, otherPaths } from '../../../rollout/read/open-fs.ts'
import { type ByteSource, throwOwnFault } from '../../../rollout/read/source.ts'
import { baseName } from '../../../util/paths.ts'
import {
  type BackedUp,
  type Backup,
  backupNamed,
  homeOf,
  isNamedAfter,
  listBackups,
  moveBackup,
  nextBackup,
} from './backups-fs.ts'
import type { MemoryTarget } from './target.ts'

/** The rollout whose backups are wanted. */
export type BackupOwner = Omit<MemoryTarget, 'threads' | 'copies'>

/**
 * Whose backup it is: that of this rollout, that of another session or of another file of this one, or unknown because
 * its head cannot be read.
 */
export type BackupHead = { kind: 'own' } | { kind: 'other'; threadId: string } | { kind: 'unreadable' }

/**
 * The backups of a rollout, oldest first. Those named after it are included whatever they contain, so that problems with
 * them can be reported.
 */
export async function ownBackups(owner: BackupOwner, spoolDir: () => string): Promise<Backup[]> {
  const found: Backup[] = []
  for (const backup of listBackups(backedUp(owner))) {
    const isOwn = isNamedAfter(backup, owner.path) || (await headOf(backup, owner, spoolDir)).kind === 'own'
    if (isOwn) found.push(backup)
  }
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
        ? backupNamed(backupName(baseName(owner.path), backup.number), rollout)
        : nextBackup(rollout, stays)
      moveBackup(backup, to.path)
      stays.push({ ...backup, ...to })
      return { from: backup.name, to: to.path }
    })
}
