/** Checks that refuse to write over a rollout. */

import type { Settings } from '../../../config/schema.ts'
import { UsageError } from '../../../diagnostics/errors.ts'
import type { RolloutFile, Segment, Thread } from '../../../rollout/discover/rollout.ts'
import { openStored, storageOf } from '../../../rollout/read/open-fs.ts'
import type { ByteSource } from '../../../rollout/read/source.ts'
import type { Host } from '../../../site/types.ts'
import { defined } from '../../../util/own.ts'
import type { CutPlan } from '../edit/cuts.ts'
import { type ClosedRule, closedDoubt, isRecent } from '../open/closed-fs.ts'
import type { OpenProbe } from '../open/open-state.ts'
import { homeOf } from './backups-fs.ts'
import type { MemoryTarget } from './target-fs.ts'

/** Throws a `UsageError` for a rollout in a form that Codex does not continue, and for a damaged one. */
export function checkForm({ file, head }: Segment, { damage }: ByteSource): void {
  if (damage !== undefined) throw new UsageError(`\`${file.name}\` is damaged: ${damage}. It was left as it is.`)
  if (file.format === 'document')
    throw new UsageError(
      `\`${file.name}\` is a session of the TypeScript CLI, one JSON document; no Codex resumes it, and it was left as it is.`,
    )
  if (head.idFrom !== 'meta')
    throw new UsageError(`\`${file.name}\` has no readable session head, so it is not known how Codex reads it.`)
  if (storageAt(file) === 'utf16')
    throw new UsageError(`\`${file.name}\` is stored as UTF-16, which Codex does not read.`)
}

/** How a rollout is stored: compressed, as UTF-16, or plain. */
export function storageAt(file: RolloutFile): ReturnType<typeof storageOf> {
  const stored = openStored(file)
  try {
    return storageOf(stored, file)
  } finally {
    stored.close()
  }
}

/**
 * Throws a `UsageError` if another rollout continues from an offset in this one after the first byte to change: its
 * history would end in the middle of a record.
 */
export function checkDependents(live: Segment, threads: readonly Thread[], firstByte: number): void {
  const names = threads.flatMap(({ segments }) =>
    segments
      .filter(
        ({ head: { historyBase: base } }) =>
          base?.rolloutId === live.rolloutId && (base.endByte ?? Number.POSITIVE_INFINITY) > firstByte,
      )
      .map(({ file }) => `\`${file.name}\``),
  )
  if (names.length === 0) return
  throw new UsageError(
    `${names.slice(0, 5).join(', ')} ${names.length === 1 ? 'begins' : 'begin'} in the middle of this rollout and would change with it. Use \`--output\` for a copy.`,
  )
}

/**
 * Throws a `UsageError` if a rollout has copies and none was named by its path. An id means the longest copy. After a
 * prune of that one, the id would mean another copy, and so would a restore by the same id.
 */
export function checkOnlyCopy({ path, copies }: MemoryTarget): void {
  if (copies.length === 0) return
  const names = [path, ...copies].map((copy) => `\`${copy}\``)
  throw new UsageError(
    `There are several copies of this session. Name the path of the one to change:\n${names.join('\n')}`,
  )
}

/** What the user says about sessions that may be open. */
export interface OpenOptions extends Pick<Settings, 'assumeClosed'> {
  /** Asks the user whether the session is closed, if that cannot be found out; returns the answer. */
  readonly confirmClosed?: (doubt: string) => Promise<boolean>
}

/** The host of a command that writes rollouts. */
export interface MemoryHost extends Host {
  /** Finds out who has a rollout open for writing; default: asks this system. */
  openProbe?: OpenProbe
}

/**
 * Makes sure that nobody has the session open, and returns the rule by which a swap checks again. Throws a `UsageError`
 * if a program has it open, or if that cannot be found out and the user does not say that it is closed.
 */
export async function checkClosed(
  { thread, live, path }: MemoryTarget,
  { assumeClosed, confirmClosed }: OpenOptions,
  { openProbe: probe }: Pick<MemoryHost, 'openProbe'>,
): Promise<ClosedRule> {
  const rule = defined({ probe })
  const doubt = closedDoubt({ path, home: homeOf(live.file), threadId: thread.id }, rule)
  if (doubt === undefined || assumeClosed) return { ...rule, assumeClosed }
  if (await confirmClosed?.(doubt)) return { ...rule, assumeClosed: true }
  throw new UsageError(`${doubt} Close it there, then add \`--assume-closed\`. Nothing was changed.`)
}

/** Throws a `UsageError` if a rollout looks as if Codex is about to write to it, although nobody has it open. */
export function checkAtRest(path: string, end: Pick<CutPlan, 'torn' | 'openTurn'>, now: number): void {
  const reasons = [
    ...(isRecent(path, now) ? ['it was written in the last 5 minutes'] : []),
    ...(end.torn ? ['its last line is cut off'] : []),
    ...(end.openTurn ? ['its last turn has not ended'] : []),
  ]
  if (reasons.length === 0) return
  throw new UsageError(
    `The session may be open in Codex: ${reasons.join(', ')}. Close it and wait, or add \`--force\`. Nothing was changed.`,
  )
}
