/** The rollout with everything that was removed from it, with which a prune starts. */

import type { RolloutFile, Segment, Thread } from '../../../rollout/discover/rollout.ts'
import { openAsked } from '../../../rollout/read/open-fs.ts'
import { type ByteSource, pieces } from '../../../rollout/read/source.ts'
import { writeSpoolFile } from '../../../site/spool-fs.ts'
import { sha256OfPieces } from '../../../util/hash.ts'
import { defined } from '../../../util/own.ts'
import { type Backup, type BackupOwner, isResumable, openBackup, ownBackups } from '../files/backups-fs.ts'
import { continuedPieces } from './cuts.ts'
import { type Begins, type CutLayout, currentMask, type MaskRecord, type RemovedItem } from './record.ts'

/** A full rollout, open for reading. Close `source`. */
export interface FullRollout {
  source: ByteSource
  /** The thread with the full rollout as its last file. */
  thread: Thread
  /** Items that the file on disk lacks. */
  removed: RemovedItem[]
  /** How the file on disk was written without them. */
  layout?: CutLayout
  /** Codex has appended to the rollout since the prune. */
  appended?: true
  /** The backup that holds exactly these bytes. */
  backup?: Backup
  /** Names of backups that earlier versions left where an old Codex may resume them. */
  resumable: string[]
  /** Why it is unknown what was removed before, as a sentence. */
  fault?: string
}

/** The rollout to complete, and what is known about it. */
interface FullRolloutInputs extends BackupOwner {
  /** What the mask store has about the rollout, newest first. */
  records: readonly MaskRecord[]
  spoolDir: () => string
}

/**
 * Puts the full rollout together from the backup that the current mask names and what Codex appended since. Without a
 * fitting mask, returns the file as it is. Throws what opening throws.
 */
export async function openFullRollout(inputs: FullRolloutInputs): Promise<FullRollout> {
  const { thread, live, records, spoolDir } = inputs
  const current = await openAsked(live.file, { spoolDir })
  try {
    const backups = await ownBackups(inputs, spoolDir)
    const resumable = backups.filter((backup) => isResumable(backup, live.file)).map(({ name }) => name)
    const unpruned: FullRollout = { source: current, thread, removed: [], resumable }
    const mask = currentMask(records, contentMatcher(current))
    // The user put the backup back by hand, or the last prune ended before its last step: nothing is removed.
    if (mask?.isUnpruned) return unpruned
    if (mask === undefined) return { ...unpruned, ...faultOf(records, backups) }
    const { record } = mask
    const base = await findBase(record.base, backups, { live, spoolDir })
    if (base === undefined) {
      const fault = `The backup \`${record.base.name}\`, which holds the removed items, is missing or was changed.`
      return { ...unpruned, fault }
    }
    const { backup } = base
    const found = { removed: record.removed, resumable, ...defined({ layout: record.layout }) }
    const written = record.written.bytes
    if (written === current.size) {
      current.close()
      return { source: base.source, thread: withFile(thread, live, { path: backup.path }), backup, ...found }
    }
    const whole = continuedFile(base.source, current, { written, spoolDir })
    current.close()
    const file: RolloutFile = { ...live.file, path: whole, compression: 'none' }
    const source = await openAsked(file, { spoolDir })
    return { source, thread: withFile(thread, live, file), appended: true, ...found }
  } catch (error) {
    current.close()
    throw error
  }
}

/** Writes a backup, and what was appended to the rollout since, to a file. Closes the backup. */
function continuedFile(
  base: ByteSource,
  current: ByteSource,
  { written, spoolDir }: { written: number; spoolDir: () => string },
): string {
  try {
    return writeSpoolFile(spoolDir(), continuedPieces(pieces(base), current, written))
  } finally {
    base.close()
  }
}

function faultOf(records: readonly MaskRecord[], backups: readonly Backup[]): { fault?: string } {
  if (records.length > 0)
    return { fault: 'Since it was pruned, the rollout was changed in another way than by continuing.' }
  const newest = backups.at(-1)
  return newest === undefined
    ? {}
    : { fault: `What \`${newest.name}\` has and the rollout lacks is not recorded here.` }
}

/**
 * Opens the backup with some content. The one of the recorded name is tried first, then the others, because backups can
 * be moved.
 */
export async function findBase(
  { name, ...content }: MaskRecord['base'],
  backups: readonly Backup[],
  { live, spoolDir }: Pick<FullRolloutInputs, 'live' | 'spoolDir'>,
): Promise<{ backup: Backup; source: ByteSource } | undefined> {
  const inOrder = [...backups].sort((a, b) => Number(b.name === name) - Number(a.name === name))
  for (const backup of inOrder) {
    const source = await openBackup(backup, live, spoolDir)
    if (source?.size === content.bytes && contentMatcher(source)(content)) return { backup, source }
    source?.close()
  }
  return undefined
}

/** Returns a function that says whether a source starts with some content; hashes each length only once. */
export function contentMatcher(source: ByteSource): Begins {
  const hashes = new Map<number, string>()
  return ({ bytes, sha256 }) => {
    if (source.size < bytes) return false
    const hash = hashes.get(bytes) ?? sha256OfPieces(pieces(source, { end: bytes }))
    hashes.set(bytes, hash)
    return hash === sha256
  }
}

/** The thread with changed facts of the file of segment `live`. */
export function withFile(thread: Thread, live: Segment, change: Partial<RolloutFile>): Thread {
  const segments = thread.segments.map((segment) =>
    segment === live ? { ...segment, file: { ...segment.file, ...change } } : segment,
  )
  return { ...thread, segments }
}
