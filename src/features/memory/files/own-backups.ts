/** The backups of one rollout: by their names, and by the session that stands in their first lines. */

import { quoted } from '../../../cli/called-as-fs.ts'
import { backupName } from '../../../rollout/discover/names.ts'
import type { RolloutFile, Segment } from '../../../rollout/discover/rollout.ts'
import { decodeHead } from '../../../rollout/parse/head.ts'
import { readHead } from '../../../rollout/read/head-fs.ts'
import { openRollout } from '../../../rollout/read/open-fs.ts'
import type { ByteSource } from '../../../rollout/read/source.ts'
import { otherPaths } from '../../../rollout/read/stored-fs.ts'
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

/** Whose a backup is: of this rollout, of another session or another file of this one, or its head cannot be read. */
export type BackupHead = { kind: 'own' } | { kind: 'other'; threadId: string } | { kind: 'unreadable' }

/** The backups of a rollout, oldest first. Those with its name count whatever stands in them, so that it can be told. */
export async function ownBackups(owner: BackupOwner, spoolDir: () => string): Promise<Backup[]> {
  const found: Backup[] = []
  for (const backup of listBackups(backedUp(owner))) {
    const isOwn = isNamedAfter(backup, owner.path) || (await headOf(backup, owner, spoolDir)).kind === 'own'
    if (isOwn) found.push(backup)
  }
  return found
}

/** A rollout, by what tells where its backups are. */
export function backedUp({ live, path }: Pick<BackupOwner, 'live' | 'path'>): BackedUp {
  return { path, home: homeOf(live.file), elsewhere: otherPaths(live.file) }
}

/** Reads the first lines of a backup. Never throws. */
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
  } catch {
    return { kind: 'unreadable' }
  }
}

/** Opens a backup as its rollout would be; `undefined` where it cannot be read. Close it. */
export async function openBackup(
  backup: Backup,
  live: Segment,
  spoolDir: () => string,
): Promise<ByteSource | undefined> {
  try {
    return await openRollout(asRollout(backup, live), { spoolDir })
  } catch {
    return undefined
  }
}

/** A backup in the place of the rollout, for the readers. */
export function asRollout({ path, name }: Pick<Backup, 'path' | 'name'>, { file }: Segment): RolloutFile {
  return { ...file, path, name }
}

function sameBase(a: Segment['head'], b: Segment['head']): boolean {
  return JSON.stringify(a.historyBase) === JSON.stringify(b.historyBase)
}

/** Whether Codex before 0.93 may resume a backup in place of its rollout: it looks through all names below `sessions`. */
export function isResumable({ rollout }: Pick<Backup, 'rollout'>, file: RolloutFile): boolean {
  return rollout !== undefined && homeOf(file) !== undefined
}

/** What is said of such backups, a sentence each. */
export function resumableNotes(names: readonly string[], threadId: string): string[] {
  return names.map(
    (name) =>
      `Codex before 0.93 may resume \`${name}\` instead of the session. \`codex-export restore ${quoted(threadId)} --move-backups\` moves it to where no Codex looks.`,
  )
}

// Moves backups that earlier versions left beside the rollout to where no Codex looks for sessions.

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
