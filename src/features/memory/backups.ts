/** Finds what a restore puts back: a backup, or what the last change of the rollout replaced. */

import { quoted } from '../../cli/called-as-fs.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import type { RolloutFile } from '../../rollout/discover/rollout.ts'
import { sniff, sniffCallId } from '../../rollout/parse/entry.ts'
import { type Line, readLines } from '../../rollout/read/lines.ts'
import { type ByteSource, pieces } from '../../rollout/read/source.ts'
import { writeSpoolFile } from '../../site/spool-fs.ts'
import { threadIndex } from '../../survey/lineage.ts'
import { sha256 } from '../../util/hash.ts'
import { continuedPieces, findCuts, keptPieces } from './edit/cuts.ts'
import { contentMatcher, findBase, withFile } from './edit/full-rollout.ts'
import { type Change, currentMask, type Fingerprint, lastChange, type MaskRecord } from './edit/record.ts'
import { sameItems } from './edit/working.ts'
import { asRollout, type Backup, headOf, openBackup } from './files/backups-fs.ts'
import type { MemoryTarget } from './files/target-fs.ts'
import { type HistoryOptions, readHistory } from './history/read.ts'

/** The backups to choose from, and what is needed to choose. */
interface BackupChoice {
  target: MemoryTarget
  /** The rollout as it is. */
  current: ByteSource
  /** The backups of the rollout, oldest first. */
  backups: readonly Backup[]
  records: readonly MaskRecord[]
  /** The backup that the user named. */
  named: Backup | undefined
  spoolDir: () => string
}

/**
 * Returns the backup that the mask of the last prune names, or else the newest one with something that the rollout lacks,
 * but never one that a restore made of a pruned rollout. `undefined` if the rollout has everything that the backups have.
 * Throws a `UsageError` if there is none, or if the named one, or every one, belongs to another session or is damaged.
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
  if (mask !== undefined && !mask.isUnpruned && mask.record.removed.length > 0) {
    const base = await findBase(mask.record.base, backups, { live: target.live, spoolDir })
    base?.source.close()
    if (base !== undefined) return base.backup
  }
  const own: Backup[] = []
  for (const backup of backups) if ((await headOf(backup, target, spoolDir)).kind === 'own') own.push(backup)
  if (own.length === 0) await requireOwn(newest, choice)
  return newestComplete(own, choice)
}

/** Throws a `UsageError` if a backup is damaged, or belongs to another session or to another file of this one. */
async function requireOwn(backup: Backup, { target, spoolDir }: BackupChoice): Promise<void> {
  const fault = await backupFault(backup, target, spoolDir)
  if (fault !== undefined) throw new UsageError(`${fault} It was not restored.`)
}

/** Why a backup cannot be put back, as a sentence; `undefined` if it can. */
export async function backupFault(
  backup: Backup,
  target: MemoryTarget,
  spoolDir: () => string,
): Promise<string | undefined> {
  const { name } = backup
  const head = await headOf(backup, target, spoolDir)
  if (head.kind === 'unreadable')
    return `\`${name}\` is damaged: its first line, which names its session, cannot be read.`
  if (head.kind === 'other')
    return head.threadId === target.thread.id
      ? `\`${name}\` is not a backup of this rollout: it belongs to another file of the session.`
      : `\`${name}\` is not a backup of this rollout: it belongs to the session \`${head.threadId}\`.`
  const source = await openBackup(backup, target.live, spoolDir)
  const damage = source === undefined ? 'it cannot be read' : source.damage
  source?.close()
  return damage === undefined ? undefined : `\`${name}\` is damaged: ${damage}.`
}

/** The newest backup that adds to the rollout and is no pruned form of the rollout or of another backup. */
async function newestComplete(own: readonly Backup[], choice: BackupChoice): Promise<Backup | undefined> {
  const { current, records, target, spoolDir } = choice
  const candidates: { backup: Backup; lines: LineKeys; isPruned: boolean }[] = []
  for (const backup of own) {
    const source = await openBackup(backup, target.live, spoolDir)
    if (source !== undefined && source.damage === undefined)
      candidates.push({ backup, lines: lineKeys(source), isPruned: isKnownPruned(source, records) })
    source?.close()
  }
  const here = lineKeys(current)
  const adds = ({ keys, size }: LineKeys): boolean => size > here.size || countMissing(keys, here.keys) > 0
  return candidates.findLast(
    ({ lines, isPruned }) => !isPruned && adds(lines) && !candidates.some((other) => isPartOf(lines, other.lines)),
  )?.backup
}

/** Whether a backup starts with the content of a pruned rollout, and not with a longer one of a full rollout. */
function isKnownPruned(source: ByteSource, records: readonly MaskRecord[]): boolean {
  const begins = contentMatcher(source)
  const isOut = ({ removed, written }: MaskRecord): boolean => removed.length > 0 && begins(written)
  const longestBase = Math.max(
    0,
    ...records
      .map(({ base }) => base)
      .filter(begins)
      .map(({ bytes }: Fingerprint) => bytes),
  )
  return records.some((record) => isOut(record) && record.written.bytes > longestBase)
}

// Restores what the last prune or restore of a rollout replaced, for an undo.

/** What is needed to plan an undo. */
interface UndoInputs {
  target: MemoryTarget
  /** The rollout as it is. */
  current: ByteSource
  backups: readonly Backup[]
  changes: readonly Change[]
  read: HistoryOptions
}

/** What an undo puts back. */
interface UndoPlan {
  change: Change
  /** Changes that can still be undone afterwards. */
  remaining: readonly Change[]
  /**
   * The rollout as it was, followed by the lines that were added since. It is a backup if nothing was removed from it
   * then and nothing was added since.
   */
  file: RolloutFile
  /** Lines were added since, and stay. */
  carried: boolean
}

/** Finds what to put back. Throws a `UsageError` if nothing can be undone, or if the lines added since would be lost. */
export async function planUndo({ target, current, backups, changes, read }: UndoInputs): Promise<UndoPlan> {
  const { live } = target
  const index = lastChange(changes, contentMatcher(current))
  const change = index === undefined ? undefined : changes[index]
  if (change === undefined || index === undefined)
    throw new UsageError(
      changes.length === 0
        ? 'There is no record here of a prune or restore of this session to undo; `--list` shows its backups.'
        : 'There is nothing left to undo, or the rollout was changed in another way than by continuing; `--list` shows its backups.',
    )
  const { before, after } = change
  const base = await findBase(before.base, backups, { live, spoolDir: read.spoolDir })
  if (base === undefined)
    throw new UsageError(
      `The backup \`${before.base.name}\`, which this needs, is missing or was changed. Nothing was written.`,
    )
  try {
    const plan = { change, remaining: changes.slice(index + 1) }
    const isGrown = current.size > after.bytes
    if (!isGrown && before.removed.length === 0) {
      const { mtimeMs } = base.backup
      return { ...plan, file: { ...asRollout(base.backup, live), mtimeMs }, carried: false }
    }
    const { cuts } = findCuts(base.source, before.removed, before.layout)
    const old = spooled(target, read, keptPieces(base.source, cuts))
    if (!isGrown) return { ...plan, file: old, carried: false }
    const file = spooled(target, read, continuedPieces(keptPieces(base.source, cuts), current, after.bytes))
    await checkCarried(target, { old, file, after, current }, read)
    return { ...plan, file, carried: true }
  } finally {
    base.source.close()
  }
}

function spooled({ live }: MemoryTarget, { spoolDir }: HistoryOptions, content: Iterable<Uint8Array>): RolloutFile {
  const path = writeSpoolFile(spoolDir(), content)
  return { ...live.file, path, compression: 'none', mtimeMs: live.file.mtimeMs + 1 }
}

/**
 * Throws a `UsageError` unless the lines added since mean the same after the restored content. They do if they only added
 * items to the memory, both before the undo and after it: a rollback would count other prompts, and a compaction would
 * replace other items.
 */
async function checkCarried(target: MemoryTarget, { old, file, after, current }: Carried, read: HistoryOptions) {
  const { live, thread, threads } = target
  const itemsOf = async (change: Partial<RolloutFile>) =>
    (await readHistory(withFile(thread, live, change), threadIndex(threads), read)).items.map(({ item }) => item)
  const first = spooled(target, read, pieces(current, { end: after.bytes }))
  const [was, now] = [await itemsOf(first), await itemsOf({})]
  const [before, then] = [await itemsOf(old), await itemsOf(file)]
  const added = now.slice(was.length)
  if (sameItems(now.slice(0, was.length), was) && sameItems(then, [...before, ...added])) return
  throw new UsageError(
    `The session has continued, and its new lines cannot follow the restored ones. Nothing was written. \`codex-export restore ${quoted(thread.id)} --list\` shows the backups.`,
  )
}

interface Carried {
  /** The rollout as it was, and the same followed by the lines added since. */
  old: RolloutFile
  file: RolloutFile
  /** The content that the change made, and the rollout as it is. */
  after: Change['after']
  current: ByteSource
}

// Differences between two versions of a rollout.

/** Numbers of lines that only one version has. A compaction or an output that was only edited is in both. */
export interface LineDifference {
  onlyHere: number
  onlyThere: number
  /** Compactions with another history in the other version, and outputs with another text there. */
  edited: number
}

/** The lines of a source in any order: a number for each, and no text. */
interface LineKeys {
  keys: Set<number>
  /** Numbers of whole lines, by the number that identifies the compaction or output. */
  editable: Map<number, number>
  /** Bytes of the source other than spaces, because a prune can leave spaces in place of items. */
  size: number
}

/** Compares the lines of two sources, in any order. */
export function lineDifference(here: ByteSource, there: ByteSource): LineDifference {
  const [mine, other] = [lineKeys(here), lineKeys(there)]
  let edited = 0
  for (const [key, whole] of mine.editable) {
    const twin = other.editable.get(key)
    if (twin !== undefined && twin !== whole) edited++
  }
  return { onlyHere: countMissing(mine.keys, other.keys), onlyThere: countMissing(other.keys, mine.keys), edited }
}

/** Reads the lines of a source. */
function lineKeys(source: ByteSource): LineKeys {
  const lines: LineKeys = { keys: new Set(), editable: new Map(), size: solidBytes(source) }
  readLines(source, (line) => {
    if (line.bytes.some(isSolid)) addKeys(line, lines)
  })
  return lines
}

function solidBytes(source: ByteSource): number {
  let count = 0
  for (const piece of pieces(source)) for (const byte of piece) if (isSolid(byte)) count++
  return count
}

function isSolid(byte: number): boolean {
  return byte !== 0x20
}

/**
 * A compaction is identified by what comes before its payload, and an output by that and its call: pruning edits only
 * what follows.
 */
function addKeys({ bytes }: Line, { keys, editable }: LineKeys): void {
  const whole = keyOf(bytes)
  const identity = identityOf(bytes)
  const key = identity === undefined ? whole : keyOf(identity)
  keys.add(key)
  if (identity !== undefined) editable.set(key, whole)
}

/** The part of a line that stays when pruning edits it; `undefined` for a line that pruning never edits. */
function identityOf(bytes: Buffer): string | undefined {
  const kind = sniff(bytes)?.kind ?? ''
  const head = `${bytes.subarray(0, bytes.indexOf('"payload"'))}${kind}`
  if (kind.startsWith('compacted')) return head
  const call = /^response_item\/\w+_output$/.test(kind) ? sniffCallId(bytes, kind) : undefined
  return call === undefined ? undefined : `${head} ${call}`
}

/** The first 52 bits of a text's hash, as a number. */
function keyOf(text: Uint8Array | string): number {
  return Number.parseInt(sha256(text).slice(0, 13), 16)
}

/** Whether one version has no line that the other lacks, and less content: it is a pruned form or an earlier state of it. */
function isPartOf(part: LineKeys, whole: LineKeys): boolean {
  if (countMissing(part.keys, whole.keys) > 0) return false
  return part.keys.size < whole.keys.size || part.size < whole.size
}

function countMissing(keys: ReadonlySet<number>, from: ReadonlySet<number>): number {
  let count = 0
  for (const key of keys) if (!from.has(key)) count++
  return count
}

/** The offset of the first byte in which two sources differ; the length of the shorter one if the longer starts with it. */
export function firstDifference(a: ByteSource, b: ByteSource): number {
  const size = 64 * 1024
  const [left, right] = [Buffer.alloc(size), Buffer.alloc(size)]
  const end = Math.min(a.size, b.size)
  for (let position = 0; position < end; position += size) {
    const length = Math.min(size, end - position)
    a.read(left, 0, length, position)
    b.read(right, 0, length, position)
    if (left.compare(right, 0, length, 0, length) === 0) continue
    return position + left.subarray(0, length).findIndex((byte, at) => byte !== right[at])
  }
  return end
}
