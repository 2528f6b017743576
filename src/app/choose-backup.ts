/** Which backup a restore puts back. */
import { UsageError } from '../diagnostics/errors.ts'
import type { Backup } from '../memory/backups-fs.ts'
import { type Content, currentMask, type MaskRecord } from '../memory/edit/record.ts'
import type { ByteSource } from '../read/source.ts'
import type { MemoryTarget } from './memory-target.ts'
import { headOf, openBackup } from './own-backups.ts'
import { contentMatcher, findBase } from './prune-whole.ts'
import { isPartOf, type LineKeys, lineKeys } from './rollout-difference.ts'

/** What there is to choose from. */
export interface BackupChoice {
  target: MemoryTarget
  /** The rollout as it is. */
  current: ByteSource
  /** Those of the rollout, oldest first. */
  backups: readonly Backup[]
  records: readonly MaskRecord[]
  /** The one that somebody named. */
  named: Backup | undefined
  spoolDir: () => string
}

/**
 * The backup that the mask of the last prune names, else the newest that has something which the rollout lacks; never
 * one that a restore made of a pruned rollout. `undefined` where all that backups have is in the rollout already. Throws
 * `UsageError` where there is none, and where the one that was named, or the only one, belongs to another session or is
 * damaged.
 */
export async function chooseBackup(choice: BackupChoice): Promise<Backup | undefined> {
  const { target, current, backups, records, named, spoolDir } = choice
  if (named !== undefined) {
    await requireOwn(named, choice)
    return named
  }
  const newest = backups.at(-1)
  if (newest === undefined)
    throw new UsageError(`There is no backup of \`${target.live.file.name}\`; \`--from FILE\` names one.`)
  const mask = currentMask(records, contentMatcher(current))
  if (mask !== undefined && !mask.isWhole && mask.record.removed.length > 0) {
    const base = await findBase(mask.record.base, backups, { live: target.live, spoolDir })
    base?.source.close()
    if (base !== undefined) return base.backup
  }
  const own: Backup[] = []
  for (const backup of backups) if ((await headOf(backup, target, spoolDir)).kind === 'own') own.push(backup)
  if (own.length === 0) await requireOwn(newest, choice)
  return newestWhole(own, choice)
}

/** Throws `UsageError` for the backup of another session, or of another file of this one, and for one without a head. */
async function requireOwn(backup: Backup, { target, spoolDir }: BackupChoice): Promise<void> {
  const fault = await backupFault(backup, target, spoolDir)
  if (fault !== undefined) throw new UsageError(`${fault} It is not put back.`)
}

/** Why a backup cannot be put back, as a sentence; `undefined` where it can. */
export async function backupFault(
  backup: Backup,
  target: MemoryTarget,
  spoolDir: () => string,
): Promise<string | undefined> {
  const { name } = backup
  const head = await headOf(backup, target, spoolDir)
  if (head.kind === 'unreadable')
    return `\`${name}\` is damaged: its first line, which says what session it belongs to, cannot be read.`
  if (head.kind === 'other')
    return head.threadId === target.thread.id
      ? `\`${name}\` is no backup of this rollout: it belongs to another file of the session.`
      : `\`${name}\` is no backup of this rollout: it belongs to the session \`${head.threadId}\`.`
  const source = await openBackup(backup, target.live, spoolDir)
  const damage = source === undefined ? 'it cannot be read' : source.damage
  source?.close()
  return damage === undefined ? undefined : `\`${name}\` is damaged: ${damage}.`
}

/** The newest that has a line which the rollout lacks, and is no pruned form of the rollout or of another backup. */
async function newestWhole(own: readonly Backup[], choice: BackupChoice): Promise<Backup | undefined> {
  const { current, records, target, spoolDir } = choice
  const known: { backup: Backup; lines: LineKeys; isPruned: boolean }[] = []
  for (const backup of own) {
    const source = await openBackup(backup, target.live, spoolDir)
    if (source !== undefined && source.damage === undefined)
      known.push({ backup, lines: lineKeys(source), isPruned: isKnownPruned(source, records) })
    source?.close()
  }
  const here = lineKeys(current)
  const adds = ({ keys, size }: LineKeys): boolean => size > here.size || !isSubset(keys, here.keys)
  return known.findLast(
    ({ lines, isPruned }) => !isPruned && adds(lines) && !known.some((other) => isPartOf(lines, other.lines)),
  )?.backup
}

/** Whether a backup begins like a rollout that a prune wrote. */
function isKnownPruned(source: ByteSource, records: readonly MaskRecord[]): boolean {
  const begins = contentMatcher(source)
  const isOut = ({ removed, written }: MaskRecord): boolean => removed.length > 0 && begins(written)
  const longestBase = Math.max(
    0,
    ...records
      .map(({ base }) => base)
      .filter(begins)
      .map(({ bytes }: Content) => bytes),
  )
  return records.some((record) => isOut(record) && record.written.bytes > longestBase)
}

function isSubset(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  if (a.size > b.size) return false
  for (const key of a) if (!b.has(key)) return false
  return true
}
