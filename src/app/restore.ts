/** `restore`: puts a backup of a rollout back in its place. */
import { UsageError } from '../diagnostics/errors.ts'
import { type Backup, backupAt, findBackups } from '../memory/backups-fs.ts'
import type { Amount } from '../memory/edit/plan.ts'
import { plainName } from '../model/backup-names.ts'
import type { RolloutFile } from '../model/rollout.ts'
import { decodeHead } from '../parse/head.ts'
import { openStored } from '../read/file-source-fs.ts'
import { readHead } from '../read/head-fs.ts'
import { otherPaths } from '../read/moved.ts'
import { openRollout, storageOf } from '../read/open-fs.ts'
import type { ByteSource } from '../read/source.ts'
import { baseName } from '../util/paths.ts'
import { threadIndex } from './lineage.ts'
import { findMemoryTarget, type MemoryTarget, type MemoryTargetOptions } from './memory-target.ts'
import { findCuts } from './prune-cuts.ts'
import { checkAtRest, checkDependents } from './prune-guard.ts'
import { withFile } from './prune-whole.ts'
import { readCountedHistory } from './read-history.ts'
import { swapBackup } from './restore-write.ts'
import { firstDifference, type LineDifference, lineDifference } from './rollout-difference.ts'
import { withSpool } from './spool-fs.ts'
import type { Host } from './types.ts'

/** Options of `restore`. */
export interface RestoreOptions extends MemoryTargetOptions {
  /** Absolute path of the backup; the newest beside the rollout where absent. */
  readonly from: string | undefined
  /** Tell what there is and change nothing. */
  readonly list: boolean
  readonly force: boolean
}

/** A backup, and what would be different with it. */
export interface BackupReport {
  name: string
  bytes: number
  /** What the model remembers with it. */
  memory: Amount
  lines: LineDifference
}

/** What a restore found and did. */
export interface RestoreResult {
  threadId: string
  /** Site-safe name of the rollout. */
  file: string
  /** What the model remembers with the rollout as it was found. */
  memory: Amount
  /** The backups that were looked at, oldest first: all of them with `list`, else the one that was put back. */
  backups: BackupReport[]
  /** Base name of the backup that holds the rollout as it was found. */
  kept?: string
}

/** Puts a backup back. Throws `UsageError` for everything that stands in its way; then nothing was changed. */
export function restore(options: RestoreOptions, host: Host): Promise<RestoreResult> {
  return withSpool(async (spoolDir) => {
    const target = await findMemoryTarget(options, host, spoolDir)
    const found =
      options.from === undefined ? findBackups(target.path, otherPaths(target.live.file)) : [backupAt(options.from)]
    const newest = found.at(-1)
    if (newest === undefined && !options.list)
      throw new UsageError(`There is no backup beside \`${target.live.file.name}\`; \`--from FILE\` names one.`)
    host.progress.stage('Comparing')
    const work: Work = { target, host, spoolDir }
    const current = await openRollout(target.live.file, { spoolDir })
    try {
      const chosen = options.list ? found : found.slice(-1)
      const backups: BackupReport[] = []
      for (const backup of chosen) backups.push(await reportOf(backup, current, work))
      const { thread, live } = target
      const result = { threadId: thread.id, file: live.file.name, memory: await amountOf(live.file, work), backups }
      if (options.list || newest === undefined) return result
      return { ...result, kept: await putBack(newest, backups[0], { current, options, ...work }) }
    } finally {
      current.close()
    }
  })
}

interface Work {
  target: MemoryTarget
  host: Host
  spoolDir: () => string
}

async function reportOf(backup: Backup, current: ByteSource, work: Work): Promise<BackupReport> {
  const file = fileOf(backup, work.target)
  await checkOwner(file, work)
  const source = await openRollout(file, work)
  try {
    if (source.damage !== undefined) throw new UsageError(`\`${backup.name}\` is damaged: ${source.damage}.`)
    return {
      name: backup.name,
      bytes: backup.bytes,
      memory: await amountOf(file, work),
      lines: lineDifference(current, source),
    }
  } finally {
    source.close()
  }
}

/** A backup in the place of the rollout, for the readers. */
function fileOf({ path, name }: Backup, { live }: MemoryTarget): RolloutFile {
  return { ...live.file, path, name }
}

async function amountOf(file: RolloutFile, { target, host, spoolDir }: Work): Promise<Amount> {
  const thread = withFile(target.thread, target.live, file)
  const { items } = await readCountedHistory(thread, threadIndex(target.threads), { spoolDir, signal: host.signal })
  return { items: items.length, tokens: items.reduce((sum, { tokens }) => sum + tokens, 0) }
}

/** Throws `UsageError` for the backup of another session, or of another file of this one. */
async function checkOwner(file: RolloutFile, { target: { thread, live }, spoolDir }: Work): Promise<void> {
  const { head } = await readHead(file, { decodeHead, spoolDir })
  const isOwn = head?.idFrom === 'meta' && head.threadId === thread.id
  if (isOwn && JSON.stringify(head.historyBase) === JSON.stringify(live.head.historyBase)) return
  throw new UsageError(
    `\`${file.name}\` is no backup of this rollout: it belongs to \`${head?.threadId ?? 'no session'}\`.`,
  )
}

async function putBack(
  backup: Backup,
  report: BackupReport | undefined,
  { current, options, target, host, spoolDir }: Work & { current: ByteSource; options: RestoreOptions },
): Promise<string> {
  const { live, path, thread, threads } = target
  const { onlyHere = 0 } = report?.lines ?? {}
  if (onlyHere > 0 && !options.force)
    throw new UsageError(
      `The session went on after \`${backup.name}\`: ${onlyHere === 1 ? '1 line is' : `${onlyHere} lines are`} only in the rollout. \`codex-export prune ${thread.id} --include 1-99999 --in-place\` brings back what was excluded and keeps them; \`--force\` restores all the same, and they stay in a new backup.`,
    )
  const file = fileOf(backup, target)
  const source = await openRollout(file, { spoolDir })
  try {
    checkDependents(live, threads, firstDifference(current, source))
  } finally {
    source.close()
  }
  if (!options.force)
    checkAtRest({ file: live.file, path, threadId: thread.id, end: findCuts(current, []), now: host.now() })
  const stem = plainName(baseName(path))
  return swapBackup({
    path,
    file: live.file,
    backup,
    name: isCompressed(file) ? `${stem}.zst` : stem,
    force: options.force,
  })
}

function isCompressed(file: RolloutFile): boolean {
  const stored = openStored(file)
  try {
    return storageOf(stored, file) === 'zstd'
  } finally {
    stored.close()
  }
}
