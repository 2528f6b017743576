/** Writes a pruned rollout: as a copy, as a new thread, or over the rollout itself after a backup. */

import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import { plainName } from '../../rollout/discover/names.ts'
import { asObject, asString, type JsonObject } from '../../rollout/parse/decode.ts'
import { readLines } from '../../rollout/read/lines.ts'
import { type ByteSource, pieces } from '../../rollout/read/source.ts'
import { parseLine } from '../../rollout/read/value.ts'
import { filePieces } from '../../util/files-fs.ts'
import { sha256OfPieces } from '../../util/hash.ts'
import { defined } from '../../util/own.ts'
import { baseName } from '../../util/paths.ts'
import { uuidAt } from '../../util/time.ts'
import { findCuts, keptPieces, keptSize } from './edit/cuts.ts'
import type { FullRollout } from './edit/full-rollout.ts'
import { type CutLayout, type Fingerprint, type MaskRecord, type RemovedItem, withPlanned } from './edit/record.ts'
import type { Edit } from './edit/spans.ts'
import { type Backup, backedUp, homeOf, leftoverFolders, nextBackup, ownBackups } from './files/backups-fs.ts'
import { makeFolder, openNewFile, setOwner } from './files/draft-fs.ts'
import type { MaskStore } from './files/mask-store-fs.ts'
import { openSwap, type RolloutSwap } from './files/rollout-swap-fs.ts'
import type { MemoryTarget } from './files/target-fs.ts'
import type { ClosedRule } from './open/closed-fs.ts'

/** What to write. */
export interface PruneOutput {
  target: MemoryTarget
  full: FullRollout
  removed: readonly RemovedItem[]
  cuts: readonly Edit[]
  /** The layout of the cuts; absent if they leave nothing in place of items. */
  layout?: CutLayout
  /** Reads the draft as Codex would, and throws if its memory is not the planned one. */
  verify: (draft: string) => Promise<void>
  spoolDir: () => string
}

/** The backup of a prune or restore, and what was written in the meantime. */
export interface Kept {
  /** Absolute path of the backup. */
  backup: string
  /** Bytes that a program wrote to the old rollout while it was replaced, and that were carried over to the new one. */
  carried: number
}

/** Writes a copy. Throws a `UsageError` if the path already has a file with other content. */
export async function writeCopy(path: string, { full, cuts, verify }: PruneOutput): Promise<void> {
  const file = openNewFile(path)
  try {
    await verify(file.draft(keptPieces(full.source, cuts)))
    file.commit()
  } finally {
    file.abort()
  }
}

/**
 * Writes over the rollout, after a backup of everything. The rollout's time becomes one millisecond later, so that lists
 * by time keep their order and whoever compares times notices the change.
 */
export async function writeInPlace(work: PruneOutput, store: MaskStore, rule: ClosedRule): Promise<Kept> {
  const { target, full, removed, cuts, layout, verify, spoolDir } = work
  const { live, path } = target
  const backups = await ownBackups(target, spoolDir)
  const swap = openSwap(path, { ...rule, expected: live.file, leftoverFolders: leftoverFolders(backedUp(target)) })
  try {
    await verify(swap.draft(keptPieces(full.source, cuts)))
    const backup = full.backup ?? keepFull(work, { swap, backups })
    const base = { name: backup.name, ...fingerprintOf(full.source, []) }
    const written = fingerprintOf(full.source, cuts)
    const record: MaskRecord = { base, written, removed: [...removed], ...defined({ layout }) }
    const found: MaskRecord = {
      base,
      written: fingerprintOf(full.source, findCuts(full.source, full.removed, full.layout).cuts),
      removed: full.removed,
      ...defined({ layout: full.layout }),
    }
    // Saved before the swap: if the rollout is never written, its bytes show that the mask does not apply, whereas a lost
    // mask would show in nothing.
    store.save({
      records: withPlanned(store.records(), record, found),
      changes: [{ kind: 'prune', before: found, after: record.written }, ...store.changes()],
    })
    const name = plainName(baseName(path))
    // Windows does not replace an open file.
    full.source.close()
    const carried = swap.commit({ mtimeMs: swap.mtimeMs + 1, ...(name !== baseName(path) && { name }) })
    return { backup: backup.path, carried }
  } finally {
    swap.abort()
  }
}

/** A swap, and the existing backups. */
interface BackupContext {
  swap: RolloutSwap
  backups: readonly Backup[]
}

/** Makes sure that a backup has every byte of the full rollout. */
function keepFull({ target, full }: PruneOutput, work: BackupContext): Pick<Backup, 'name' | 'path'> {
  const { path, live } = target
  // A rollout from which nothing was removed is copied as it is stored. Otherwise the backup is the older backup and what
  // Codex appended.
  const isStored = full.thread.segments.at(-1)?.file === live.file
  return keepContent(target, work, () => (isStored ? filePieces(path) : pieces(full.source)))
}

/** Makes sure that a backup has some content; an existing one with the same content will do. */
export function keepContent(
  target: Pick<MemoryTarget, 'path' | 'live'>,
  { swap, backups }: BackupContext,
  content: () => Iterable<Uint8Array>,
): Pick<Backup, 'name' | 'path'> {
  const same = sameBackup(backups, content)
  if (same !== undefined) return same
  const backup = nextBackup(backedUp(target), backups)
  swap.backup(backup.path, content(), swap.mtimeMs)
  return backup
}

/** The existing backup that has some content. */
function sameBackup(backups: readonly Backup[], content: () => Iterable<Uint8Array>): Backup | undefined {
  if (backups.length === 0) return undefined
  const hash = sha256OfPieces(content())
  return backups.find((backup) => sha256OfPieces(filePieces(backup.path)) === hash)
}

/** The fingerprint of a source after some cuts. */
export function fingerprintOf(source: ByteSource, cuts: readonly Edit[]): Fingerprint {
  return { bytes: keptSize(source, cuts), sha256: sha256OfPieces(keptPieces(source, cuts)) }
}

/** A thread that was written. */
export interface WrittenThread {
  threadId: string
  /** Absolute path of its rollout. */
  output: string
  /** Absolute path of its Codex home. */
  home: string
}

/**
 * Writes the copy as a new thread next to the other sessions of its home; the session itself stays as it is. Throws a
 * `UsageError` if the rollout is in no home, or if its first line is no head that a fork can have.
 */
export async function writeThread(work: PruneOutput, now: number): Promise<WrittenThread> {
  const { target, full } = work
  const home = homeOf(target.live.file)
  if (home === undefined)
    throw new UsageError(
      `\`${target.live.file.name}\` is not in a Codex home, so no new thread can be written next to it; \`--output FILE\` writes a copy.`,
    )
  const thread = { id: uuidAt(now, randomBytes(10)), parentId: target.thread.id, at: now }
  const first = firstLine(full.source)
  const head = forkHead(first.record, thread)
  if (head === undefined)
    throw new UsageError(
      `\`${target.live.file.name}\` is from Codex before 0.32; no later version continues a copy of it.`,
    )
  const own: Edit = { start: 0, end: head.keepsParentHead ? 0 : first.end, insert: Buffer.from(head.line) }
  const output = join(home, ...rolloutPlace(thread))
  const owner = statSync(target.path)
  makeFolder(dirname(output), owner)
  await writeCopy(output, { ...work, cuts: [own, ...work.cuts] })
  setOwner(output, owner)
  return { threadId: thread.id, output, home }
}

/** The record of the first line, and the offset of the next line. */
function firstLine(source: ByteSource): { record: Readonly<Record<string, unknown>>; end: number } {
  let first = { record: {}, end: 0 }
  readLines(source, (line) => {
    first = { record: asObject(parseLine(line).values[0]) ?? {}, end: line.byteOffset + line.byteLength + 1 }
    return false
  })
  return first
}

// A pruned copy as a thread of its own, in the form in which Codex writes a fork (rollout-format 1.4).

/** A thread to be written. */
interface NewThread {
  /** UUIDv7. */
  id: string
  /** The thread that is copied. */
  parentId: string
  /** When it starts, in milliseconds since the epoch. */
  at: number
}

/** The head of a copy. */
interface ForkHead {
  /** One line, including its line end. */
  line: string
  /** Whether the parent's head follows it, as in a legacy fork. In a paginated file, its ordinal would then occur twice. */
  keepsParentHead: boolean
}

/** Fields that make a session that of an agent, or attach it to another one. A copy that the user continues is neither. */
const ofAgents: ReadonlySet<string> = new Set([
  'parent_thread_id',
  'agent_nickname',
  'agent_role',
  'agent_type',
  'agent_path',
  'subagent_history_start_ordinal',
  'attached_thread',
])

/** The head for the copy of a rollout that starts with `record`; `undefined` if that is no head with an envelope. */
function forkHead(record: JsonObject, { id, parentId, at }: NewThread): ForkHead | undefined {
  const payload = asObject(record['payload'])
  if (record['type'] !== 'session_meta' || payload === undefined) return undefined
  const timestamp = new Date(at).toISOString()
  const kept = Object.entries(payload).filter(([key]) => !ofAgents.has(key))
  const {
    id: _id,
    forked_from_id: _parent,
    session_id: session,
    forked_from_ordinal_exclusive: ordinal,
    ...rest
  } = Object.fromEntries(kept)
  const source = asString(rest['source'])
  const own = {
    ...(session === undefined ? {} : { session_id: id }),
    id,
    forked_from_id: parentId,
    // The ordinal at which a history by reference ends.
    ...(rest['history_base'] === undefined || ordinal === undefined ? {} : { forked_from_ordinal_exclusive: ordinal }),
    ...rest,
    timestamp,
    ...(rest['source'] === undefined ? {} : { source: source ?? 'cli' }),
    ...(rest['thread_source'] === undefined ? {} : { thread_source: 'user' }),
  }
  const line = `${JSON.stringify({ ...record, timestamp, payload: own })}\n`
  return { line, keepsParentHead: payload['history_mode'] !== 'paginated' }
}

/** Path of a thread's rollout below its Codex home, by the local time at which the thread started. */
function rolloutPlace({ id, at }: Pick<NewThread, 'id' | 'at'>): string[] {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const [year, month, day] = [String(date.getFullYear()), two(date.getMonth() + 1), two(date.getDate())]
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join('-')
  return ['sessions', year, month, day, `rollout-${year}-${month}-${day}T${clock}-${id}.jsonl`]
}
