/** When a rollout must not be written over. */
import { UsageError } from '../diagnostics/errors.ts'
import { liveSigns } from '../memory/live-fs.ts'
import type { RolloutFile, Segment, Thread } from '../model/rollout.ts'
import { openStored } from '../read/file-source-fs.ts'
import { storageOf } from '../read/open-fs.ts'
import type { ByteSource } from '../read/source.ts'
import type { CutPlan } from './prune-cuts.ts'

/** Throws `UsageError` for a rollout of a form that Codex does not go on with, and for one that is damaged. */
export function checkForm({ file, head }: Segment, { damage }: ByteSource): void {
  if (damage !== undefined) throw new UsageError(`\`${file.name}\` is damaged: ${damage}. It is left as it is.`)
  if (file.format === 'document')
    throw new UsageError(
      `\`${file.name}\` is a session of the TypeScript CLI, one JSON document; no Codex resumes it, and it is left as it is.`,
    )
  if (head.idFrom !== 'meta')
    throw new UsageError(`\`${file.name}\` has no readable session head; what Codex makes of it is not known.`)
  if (isUtf16(file)) throw new UsageError(`\`${file.name}\` is stored as UTF-16, which Codex does not read.`)
}

function isUtf16(file: RolloutFile): boolean {
  const stored = openStored(file)
  try {
    return storageOf(stored, file) === 'utf16'
  } finally {
    stored.close()
  }
}

/**
 * Throws `UsageError` where another rollout begins at a place of this one behind the first byte that is to change: its
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
    `${names.slice(0, 5).join(', ')} ${names.length === 1 ? 'begins' : 'begin'} in the middle of this rollout and would lose the place. Use \`--output\` for a copy.`,
  )
}

/** What tells whether somebody is at work on a rollout. */
export interface LiveQuestion {
  file: RolloutFile
  /** Path of the rollout behind all links. */
  path: string
  threadId: string
  /** How the file ends. */
  end: Pick<CutPlan, 'torn' | 'openTurn'>
  now: number
}

/** Throws `UsageError` where the session may be open in Codex. */
export function checkAtRest({ file, path, threadId, end, now }: LiveQuestion): void {
  const signs = liveSigns({ path, home: homeOf(file), threadId, now })
  if (end.torn) signs.push('its last line is cut off')
  if (end.openTurn) signs.push('its last turn has not ended')
  if (signs.length === 0) return
  throw new UsageError(
    `The session may be open in Codex: ${signs.join(', ')}. Close it and wait, or add \`--force\`; nothing was changed.`,
  )
}

/** The Codex home that a rollout lies in; `undefined` for one that lies elsewhere. */
export function homeOf({ path, name }: Pick<RolloutFile, 'path' | 'name'>): string | undefined {
  return /^(?:archived_)?sessions[\\/]/.test(name) ? path.slice(0, -name.length - 1) : undefined
}
