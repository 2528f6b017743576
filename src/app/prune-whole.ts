/** The rollout with everything that was taken out of it before: what a prune starts from. */
import { type Backup, findBackups } from '../memory/backups-fs.ts'
import type { Content, MaskRecord, RemovedItem } from '../memory/edit/record.ts'
import type { RolloutFile, Segment, Thread } from '../model/rollout.ts'
import { otherPaths } from '../read/moved.ts'
import { openRollout } from '../read/open-fs.ts'
import { type ByteSource, pieces } from '../read/source.ts'
import { sha256OfPieces } from '../util/hash.ts'
import { writeSpoolFile } from './spool-file-fs.ts'

/** Everything of a rollout, open for reading. Close `source`. */
export interface Whole {
  source: ByteSource
  /** The thread with this in place of its last file. */
  thread: Thread
  /** What the file on disk lacks of it. */
  removed: RemovedItem[]
  /** Codex went on since something was taken out. */
  appended?: true
  /** The backup that holds exactly these bytes. */
  backup?: Backup
  /** Why what was taken out before is not known, as a sentence. */
  fault?: string
}

/** Where to look. */
export interface WholeInputs {
  thread: Thread
  live: Segment
  /** Path of the rollout behind all links. */
  path: string
  /** What the store knows of the rollout, newest first. */
  records: readonly MaskRecord[]
  spoolDir: () => string
}

/**
 * Puts the whole together: the backup that the newest fitting mask names, and what Codex appended since. Where no mask
 * fits, the file as it is. Throws what opening throws.
 */
export async function openWhole(inputs: WholeInputs): Promise<Whole> {
  const { thread, live, path, records, spoolDir } = inputs
  const current = await openRollout(live.file, { spoolDir })
  const backups = findBackups(path, otherPaths(live.file))
  const known = new Map<string, string>()
  const begins = (content: Content): boolean => beginsWith(current, content, known)
  try {
    // Somebody put the backup back by hand, or the last prune ended before its last step: nothing is taken out.
    if (records.some(({ base }) => begins(base))) return { source: current, thread, removed: [] }
    const record = records.find(({ written }) => begins(written))
    if (record === undefined) return { source: current, thread, removed: [], ...faultOf(records, backups) }
    const backup = backups.find(({ name }) => name === record.base.name)
    const base = backup === undefined ? undefined : await openBase(backup, record, { live, spoolDir })
    if (backup === undefined || base === undefined) {
      const fault = `The backup \`${record.base.name}\`, which holds what was taken out, is gone or was changed.`
      return { source: current, thread, removed: [], fault }
    }
    const appended = { start: record.written.bytes, end: current.size }
    if (appended.start === appended.end) {
      current.close()
      return { source: base, thread: withFile(thread, live, { path: backup.path }), removed: record.removed, backup }
    }
    const whole = writeSpoolFile(spoolDir(), joinedPieces(base, current, appended))
    base.close()
    current.close()
    const file: RolloutFile = { ...live.file, path: whole, compression: 'none' }
    const source = await openRollout(file, { spoolDir })
    return { source, thread: withFile(thread, live, file), removed: record.removed, appended: true }
  } catch (error) {
    current.close()
    throw error
  }
}

function faultOf(records: readonly MaskRecord[], backups: readonly Backup[]): { fault?: string } {
  if (records.length > 0) return { fault: 'The rollout was changed since it was pruned, otherwise than by going on.' }
  const newest = backups.at(-1)
  return newest === undefined ? {} : { fault: `What \`${newest.name}\` has and the rollout lacks is not known here.` }
}

async function openBase(
  { path, name }: Backup,
  { base }: MaskRecord,
  { live, spoolDir }: Pick<WholeInputs, 'live' | 'spoolDir'>,
): Promise<ByteSource | undefined> {
  const source = await openRollout({ ...live.file, path, name }, { spoolDir })
  if (source.size === base.bytes && beginsWith(source, base, new Map())) return source
  source.close()
  return undefined
}

function* joinedPieces(
  base: ByteSource,
  rest: ByteSource,
  range: { start: number; end: number },
): Generator<Uint8Array> {
  yield* pieces(base)
  yield* pieces(rest, undefined, range)
}

/** Whether a source begins with some content; `known` keeps hashes by length. */
function beginsWith(source: ByteSource, { bytes, sha256 }: Content, known: Map<string, string>): boolean {
  if (source.size < bytes) return false
  const hash = known.get(`${bytes}`) ?? sha256OfPieces(pieces(source, undefined, { start: 0, end: bytes }))
  known.set(`${bytes}`, hash)
  return hash === sha256
}

/** The thread with another file in place of its last one. */
export function withFile(thread: Thread, live: Segment, change: Partial<RolloutFile>): Thread {
  const segments = thread.segments.map((segment) =>
    segment === live ? { ...segment, file: { ...segment.file, ...change } } : segment,
  )
  return { ...thread, segments }
}
