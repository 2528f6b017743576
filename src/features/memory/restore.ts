/** `restore`: puts a backup of a rollout back, or undoes the last change of the rollout. */

import { quoted } from '../../cli/called-as-fs.ts'
import type { Settings } from '../../config/schema.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { plainName } from '../../rollout/discover/names.ts'
import type { RolloutFile } from '../../rollout/discover/rollout.ts'
import { openAsked } from '../../rollout/read/open-fs.ts'
import type { ByteSource } from '../../rollout/read/source.ts'
import { maskDir } from '../../site/cache/cache-folder-fs.ts'
import { withSpool } from '../../site/spool-fs.ts'
import { threadIndex } from '../../survey/lineage.ts'
import { filePieces } from '../../util/files-fs.ts'
import { sumBy } from '../../util/groups.ts'
import { baseName } from '../../util/paths.ts'
import { backupFault, chooseBackup, firstDifference, type LineDifference, lineDifference, planUndo } from './backups.ts'
import { withFile } from './edit/full-rollout.ts'
import type { Amount } from './edit/plan.ts'
import type { Change, MaskRecord } from './edit/record.ts'
import {
  asRollout,
  type Backup,
  backedUp,
  backupAt,
  isResumable,
  leftoverFolders,
  type MovedBackup,
  moveBackups,
  ownBackups,
  resumableNotes,
} from './files/backups-fs.ts'
import {
  checkClosed,
  checkDependents,
  checkOnlyCopy,
  type MemoryHost,
  type OpenOptions,
  storageAt,
} from './files/guard.ts'
import { type MaskStore, openMaskStore } from './files/mask-store-fs.ts'
import { openSwap } from './files/rollout-swap-fs.ts'
import { findMemoryTarget, type MemoryTarget, type MemoryTargetOptions } from './files/target-fs.ts'
import { type HistoryOptions, readHistory } from './history/read.ts'
import type { ClosedRule } from './open/closed-fs.ts'
import { fingerprintOf, type Kept, keepContent } from './prune-write-fs.ts'

/** Options of `restore`. Without `backup`, the one that the last prune names is restored. */
export interface RestoreOptions
  extends MemoryTargetOptions,
    OpenOptions,
    Pick<Settings, 'backup' | 'listBackups' | 'force' | 'undo' | 'moveBackups'> {}

/** A backup, and what restoring it would change. */
export interface BackupReport {
  name: string
  /** Absolute. */
  path: string
  bytes: number
  /** What the model would remember. */
  memory: Amount
  lines: LineDifference
  /** Why it cannot be restored, as a sentence; `memory` and `lines` are zero then. */
  fault?: string
}

/** What a restore found and did. */
export interface RestoreResult {
  threadId: string
  /** Site-safe name of the rollout. */
  file: string
  /** What the model remembers with the rollout as it was found, before the restore. */
  memory: Amount
  /** With `listBackups`, all backups, oldest first; otherwise the one that was restored, if any. */
  backups: BackupReport[]
  /** Absolute path of the backup of the rollout as it was found; absent if nothing was restored. */
  kept?: string
  /** What was undone, and how many lines the rollout gained and lost by that. */
  undone?: { kind: 'prune' | 'restore'; lines: LineDifference }
  moved?: MovedBackup[]
  /** Sentences about what an old Codex may resume and what was carried over. */
  notes: string[]
}

/** Restores a backup. Throws a `UsageError` for everything that prevents it; then the rollout is unchanged. */
export function restore(options: RestoreOptions, host: MemoryHost): Promise<RestoreResult> {
  return withSpool(async (spoolDir) => {
    const target = await findMemoryTarget(options, host, spoolDir)
    if (!options.listBackups) checkOnlyCopy(target)
    const store = openMaskStore(maskDir(host), target.thread.id, target.live.rolloutId)
    const found = await ownBackups(target, spoolDir)
    const moved = options.moveBackups ? moveBackups(target, found) : undefined
    const backups = moved === undefined ? found : await ownBackups(target, spoolDir)
    host.progress.stage('Comparing')
    const current = await openAsked(target.live.file, { spoolDir })
    const work: RestoreJob = { target, host, options, store, backups, current, read: { spoolDir, signal: host.signal } }
    try {
      const { thread, live } = target
      const resumable = backups.filter((backup) => isResumable(backup, live.file)).map(({ name }) => name)
      const result: RestoreResult = {
        threadId: thread.id,
        file: live.file.name,
        memory: await amountOf(live.file, work),
        backups: [],
        notes: resumableNotes(resumable, thread.id),
      }
      if (moved !== undefined) return { ...result, moved }
      if (options.listBackups) return { ...result, backups: await reportAll(work) }
      return { ...result, ...(await (options.undo ? undoLast(work, result) : putBackup(work, result))) }
    } finally {
      current.close()
    }
  })
}

interface RestoreJob {
  target: MemoryTarget
  host: MemoryHost
  options: RestoreOptions
  store: MaskStore
  backups: readonly Backup[]
  /** The rollout as it was found. */
  current: ByteSource
  read: HistoryOptions
}

async function reportAll(work: RestoreJob): Promise<BackupReport[]> {
  const reports: BackupReport[] = []
  for (const backup of work.backups) {
    const fault = await backupFault(backup, work.target, work.read.spoolDir)
    const { name, path, bytes } = backup
    const nothing = { memory: { items: 0, tokens: 0 }, lines: { onlyHere: 0, onlyThere: 0, edited: 0 } }
    reports.push(fault === undefined ? await reportOf(backup, work) : { name, path, bytes, ...nothing, fault })
  }
  return reports
}

async function reportOf(backup: Backup, work: RestoreJob): Promise<BackupReport> {
  const { name, path, bytes } = backup
  const file = asRollout(backup, work.target.live)
  const memory = await amountOf(file, work)
  return { name, path, bytes, memory, lines: await compareTo(file, work, lineDifference) }
}

async function amountOf(file: RolloutFile, { target, read }: RestoreJob): Promise<Amount> {
  const thread = withFile(target.thread, target.live, file)
  const { items } = await readHistory(thread, threadIndex(target.threads), read)
  return { items: items.length, tokens: sumBy(items, ({ tokens }) => tokens) }
}

async function putBackup(work: RestoreJob, { notes }: RestoreResult): Promise<Partial<RestoreResult>> {
  const { target, host, options, store, backups, current, read } = work
  const records = store.records()
  const named = options.backup === undefined ? undefined : backupAt(options.backup)
  const chosen = await chooseBackup({ target, current, backups, records, named, spoolDir: read.spoolDir })
  if (chosen === undefined) return { notes }
  const report = await reportOf(chosen, work)
  requireNothingLost(chosen, report, work)
  const file = { ...asRollout(chosen, target.live), mtimeMs: chosen.mtimeMs }
  const after = await compareTo(file, work, (_, next) => {
    checkPlaces(next, work)
    return fingerprintOf(next, [])
  })
  const before = fingerprintOf(current, [])
  const rule = await checkClosed(target, options, host)
  const unkept: string[] = []
  const { backup, carried } = swapContent(file, work, rule, ({ name }) => {
    const found: MaskRecord = { base: { name, ...before }, written: before, removed: [] }
    const change: Change = { kind: 'restore', before: found, after }
    unkept.push(...keepChange(() => store.save({ records, changes: [change, ...store.changes()] })))
  })
  return { backups: [report], kept: backup, notes: [...notes, ...unkept, ...carriedNotes(carried)] }
}

/**
 * Saves a change for `--undo`. If that fails, the rollout is changed all the same, because there are backups; returns a
 * note then.
 */
function keepChange(save: () => void): string[] {
  try {
    save()
    return []
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return ['`--undo` cannot undo this later: the cache folder is not writable.']
  }
}

/** Throws a `UsageError` if the session continued after the backup was made, unless forced. */
function requireNothingLost({ name }: Backup, { lines }: BackupReport, { options, target }: RestoreJob): void {
  const { onlyHere } = lines
  if (onlyHere === 0 || options.force) return
  const id = quoted(target.thread.id)
  throw new UsageError(
    `The session continued after \`${name}\`: ${onlyHere === 1 ? '1 line is' : `${onlyHere} lines are`} only in the rollout. \`codex-export restore ${id} --undo\` undoes the last prune and keeps them, as does \`codex-export prune ${id} --include 1-99999 --in-place\`; \`--force\` restores anyway and keeps them in a new backup.`,
  )
}

/** Compares the rollout as it was found with a file. */
async function compareTo<T>(
  file: RolloutFile,
  { current, read }: RestoreJob,
  compare: (current: ByteSource, other: ByteSource) => T,
): Promise<T> {
  const source = await openAsked(file, read)
  try {
    return compare(current, source)
  } finally {
    source.close()
  }
}

/** Throws a `UsageError` if another rollout refers to an offset in this one that the new content would invalidate. */
function checkPlaces(next: ByteSource, { target, current }: RestoreJob): void {
  checkDependents(target.live, target.threads, firstDifference(current, next))
}

async function undoLast(work: RestoreJob, { notes }: RestoreResult): Promise<Partial<RestoreResult>> {
  const { target, host, options, store, backups, current, read } = work
  const plan = await planUndo({ target, current, backups, changes: store.changes(), read })
  const { kind, before } = plan.change
  const lines = await compareTo(plan.file, work, (now, next) => {
    checkPlaces(next, work)
    return lineDifference(now, next)
  })
  const rule = await checkClosed(target, options, host)
  const { backup, carried } = swapContent(plan.file, work, rule)
  // Saved after the swap. If that fails, the undone change is still listed, but skipped, because the rollout no longer
  // starts with its content.
  const records = store.records()
  const unkept = keepChange(() =>
    store.save({ records: before.removed.length > 0 ? [before, ...records] : records, changes: [...plan.remaining] }),
  )
  const since = plan.carried ? ['What was said since stays.'] : []
  return { undone: { kind, lines }, kept: backup, notes: [...notes, ...since, ...unkept, ...carriedNotes(carried)] }
}

function carriedNotes(carried: number): string[] {
  return carried === 0 ? [] : ['Lines that a program wrote to the rollout in the meantime were carried over.']
}

/** The new base name of the rollout: compressed if the file is. */
function nameFor({ path }: MemoryTarget, file: RolloutFile): string {
  const stem = plainName(baseName(path))
  return storageAt(file) === 'zstd' ? `${stem}.zst` : stem
}

// Replaces the content of a rollout, and keeps the old one.

/**
 * Swaps after making a backup of the rollout as it was. The rollout gets the bytes and the time of `file`. `beforeSwap`
 * is called with the backup, right before the swap.
 */
function swapContent(
  file: RolloutFile,
  { target, backups, current }: RestoreJob,
  rule: ClosedRule,
  beforeSwap: (kept: Pick<Backup, 'name'>) => void = () => {},
): Kept {
  const { path, live } = target
  const name = nameFor(target, file)
  const swap = openSwap(path, { ...rule, expected: live.file, leftoverFolders: leftoverFolders(backedUp(target)) })
  try {
    swap.draft(filePieces(file.path))
    const kept = keepContent(target, { swap, backups }, () => filePieces(path))
    beforeSwap(kept)
    // Windows does not replace an open file.
    current.close()
    const carried = swap.commit({ mtimeMs: file.mtimeMs, ...(name !== baseName(path) && { name }) })
    return { backup: kept.path, carried }
  } finally {
    swap.abort()
  }
}
