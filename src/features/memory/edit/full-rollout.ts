/** The rollout with everything that was taken out of it before: what a prune starts from. */

import type { RolloutFile, Segment, Thread } from '../../../rollout/discover/rollout.ts'
import { openRollout } from '../../../rollout/read/open-fs.ts'
import { type ByteSource, pieces } from '../../../rollout/read/source.ts'
import { writeSpoolFile } from '../../../site/spool-fs.ts'
import { sha256OfPieces } from '../../../util/hash.ts'
import { defined } from '../../../util/own.ts'
import type { Backup } from '../files/backups-fs.ts'
import { type BackupOwner, isResumable, openBackup, ownBackups } from '../files/own-backups.ts'
import { continuedPieces } from './cuts.ts'
import { type Begins, type CutLayout, currentMask, type MaskRecord, type RemovedItem } from './record.ts'

/** Everything of a rollout, open for reading. Close `source`. */
export interface FullRollout {
  source: ByteSource
  /** The thread with this in place of its last file. */
  thread: Thread
  /** What the file on disk lacks of it. */
  removed: RemovedItem[]
  /** What stands in its place. */
  layout?: CutLayout
  /** Codex went on since something was taken out. */
  appended?: true
  /** The backup that holds exactly these bytes. */
  backup?: Backup
  /** Names of backups that earlier versions left where an old Codex may resume them. */
  resumable: string[]
  /** Why what was taken out before is not known, as a sentence. */
  fault?: string
}

/** Where to look. */
export interface FullRolloutInputs extends BackupOwner {
  /** What the store knows of the rollout, newest first. */
  records: readonly MaskRecord[]
  spoolDir: () => string
}

/**
 * Puts the whole together: the backup that the newest fitting mask names, and what Codex appended since. Where no mask
 * fits, the file as it is. Throws what opening throws.
 */
export async function openFullRollout(inputs: FullRolloutInputs): Promise<FullRollout> {
  const { thread, live, records, spoolDir } = inputs
  const current = await openRollout(live.file, { spoolDir })
  const backups = await ownBackups(inputs, spoolDir)
  const resumable = backups.filter((backup) => isResumable(backup, live.file)).map(({ name }) => name)
  const asItIs: FullRollout = { source: current, thread, removed: [], resumable }
  try {
    const mask = currentMask(records, contentMatcher(current))
    // Somebody put the backup back by hand, or the last prune ended before its last step: nothing is taken out.
    if (mask?.isWhole) return asItIs
    if (mask === undefined) return { ...asItIs, ...faultOf(records, backups) }
    const { record } = mask
    const base = await findBase(record.base, backups, { live, spoolDir })
    if (base === undefined) {
      const fault = `The backup \`${record.base.name}\`, which holds the removed items, is missing or was changed.`
      return { ...asItIs, fault }
    }
    const { backup } = base
    const found = { removed: record.removed, resumable, ...defined({ layout: record.layout }) }
    const written = record.written.bytes
    if (written === current.size) {
      current.close()
      return { source: base.source, thread: withFile(thread, live, { path: backup.path }), backup, ...found }
    }
    const whole = writeSpoolFile(spoolDir(), continuedPieces(pieces(base.source), current, written))
    base.source.close()
    current.close()
    const file: RolloutFile = { ...live.file, path: whole, compression: 'none' }
    const source = await openRollout(file, { spoolDir })
    return { source, thread: withFile(thread, live, file), appended: true, ...found }
  } catch (error) {
    current.close()
    throw error
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

/** The backup with some content, open for reading: first the one of that name, then any, since backups can be moved. */
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

/** Tells whether a source begins with some content; reads each length once. */
export function contentMatcher(source: ByteSource): Begins {
  const known = new Map<number, string>()
  return ({ bytes, sha256 }) => {
    if (source.size < bytes) return false
    const hash = known.get(bytes) ?? sha256OfPieces(pieces(source, { end: bytes }))
    known.set(bytes, hash)
    return hash === sha256
  }
}

/** The thread with another file in place of its last one. */
export function withFile(thread: Thread, live: Segment, change: Partial<RolloutFile>): Thread {
  const segments = thread.segments.map((segment) =>
    segment === live ? { ...segment, file: { ...segment.file, ...change } } : segment,
  )
  return { ...thread, segments }
}
