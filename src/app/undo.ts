/** What the last prune or restore of a rollout replaced, made anew: what an undo puts back. */
import { UsageError } from '../diagnostics/errors.ts'
import type { Backup } from '../memory/backups-fs.ts'
import { type Change, lastChange } from '../memory/edit/record.ts'
import type { RolloutFile } from '../model/rollout.ts'
import { type ByteSource, pieces } from '../read/source.ts'
import { threadIndex } from './lineage.ts'
import type { MemoryTarget } from './memory-target.ts'
import { findCuts, keptPieces } from './prune-cuts.ts'
import { sameItems } from './prune-memory.ts'
import { contentMatcher, findBase, withFile } from './prune-whole.ts'
import { type HistoryOptions, readHistory } from './read-history.ts'
import { writeSpoolFile } from './spool-file-fs.ts'

/** What is needed to find it. */
export interface UndoInputs {
  target: MemoryTarget
  /** The rollout as it is. */
  current: ByteSource
  backups: readonly Backup[]
  changes: readonly Change[]
  read: HistoryOptions
}

/** What an undo puts back. */
export interface UndoPlan {
  change: Change
  /** Changes that can still be undone then. */
  left: readonly Change[]
  /** The rollout as it was, with what was said since behind it. */
  file: RolloutFile
  /** The backup whose bytes these are, where nothing is out of it and nothing was said since. */
  backup?: Backup
  /** Lines were said since, and stay. */
  carried: boolean
}

/** Finds what to put back. Throws `UsageError` where nothing is known, and where what was said since would be lost. */
export async function planUndo({ target, current, backups, changes, read }: UndoInputs): Promise<UndoPlan> {
  const { live } = target
  const index = lastChange(changes, contentMatcher(current))
  const change = index === undefined ? undefined : changes[index]
  if (change === undefined || index === undefined)
    throw new UsageError(
      changes.length === 0
        ? 'Nothing is known here of a prune or restore of this session that could be undone; `--list` shows its backups.'
        : 'There is nothing left to undo, or the rollout was changed otherwise than by going on; `--list` shows its backups.',
    )
  const { before, after } = change
  const base = await findBase(before.base, backups, { live, spoolDir: read.spoolDir })
  if (base === undefined)
    throw new UsageError(
      `The backup \`${before.base.name}\`, which this needs, is gone or was changed; nothing was changed.`,
    )
  try {
    const plan = { change, left: changes.slice(index + 1) }
    const isGrown = current.size > after.bytes
    if (!isGrown && before.removed.length === 0)
      return {
        ...plan,
        file: { ...live.file, path: base.backup.path, name: base.backup.name },
        backup: base.backup,
        carried: false,
      }
    const tail = { start: after.bytes, end: current.size }
    const { cuts } = findCuts(base.source, before.removed)
    const old = spooled(target, read, keptPieces(base.source, cuts))
    if (!isGrown) return { ...plan, file: old, carried: false }
    const file = spooled(target, read, joined(keptPieces(base.source, cuts), pieces(current, undefined, tail)))
    await checkCarried(target, { old, file, after, current }, read)
    return { ...plan, file, carried: true }
  } finally {
    base.source.close()
  }
}

function spooled({ live }: MemoryTarget, { spoolDir }: HistoryOptions, content: Iterable<Uint8Array>): RolloutFile {
  return { ...live.file, path: writeSpoolFile(spoolDir(), content), compression: 'none' }
}

function* joined(...parts: Iterable<Uint8Array>[]): Generator<Uint8Array> {
  for (const part of parts) yield* part
}

/**
 * What was said since must mean the same behind what it is put. It does where it only added items to what the model
 * remembered, before and after: a rollback counts prompts, and a compaction replaces all that came before.
 */
async function checkCarried(target: MemoryTarget, { old, file, after, current }: Carried, read: HistoryOptions) {
  const { live, thread, threads } = target
  const itemsOf = async (change: Partial<RolloutFile>) =>
    (await readHistory(withFile(thread, live, change), threadIndex(threads), read)).items.map(({ item }) => item)
  const first = spooled(target, read, pieces(current, undefined, { start: 0, end: after.bytes }))
  const [was, now] = [await itemsOf(first), await itemsOf({})]
  const [before, then] = [await itemsOf(old), await itemsOf(file)]
  const added = now.slice(was.length)
  if (sameItems(now.slice(0, was.length), was) && sameItems(then, [...before, ...added])) return
  throw new UsageError(
    `The session went on since, and what was said then cannot stand behind what the rollout was; nothing was changed. \`codex-export restore ${thread.id} --list\` shows the backups.`,
  )
}

interface Carried {
  /** The rollout as it was, and the same with what was said since. */
  old: RolloutFile
  file: RolloutFile
  /** What the change that is undone made of it, and the rollout as it is. */
  after: Change['after']
  current: ByteSource
}
