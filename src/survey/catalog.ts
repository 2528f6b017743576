/** Files to threads: copies are told apart from segments, segments put in order (rollout-format 1.4, hazard 22). */

import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type {
  Catalog,
  Duplicate,
  HistoryBase,
  RolloutFile,
  Segment,
  SessionHead,
  Thread,
} from '../rollout/discover/rollout.ts'
import { shortHash } from '../transcript/urls.ts'
import { compareText } from '../util/compare.ts'
import { append, groupBy } from '../util/groups.ts'
import { defined } from '../util/own.ts'

/** A file and what its head told. */
export interface CatalogEntry {
  file: RolloutFile
  head: SessionHead
}

const reasons = {
  'plain-beside-zstd': 'it is not compressed',
  'longer-copy': 'it is longer',
  'live-over-archived': 'it is not archived',
  'same-thread-again': 'its name sorts first',
  'later-save': 'it continues where this one ends',
} as const satisfies Record<Duplicate['reason'], string>

/** Groups files by thread. `names` are the threads' names by lower-case id. Every copy left aside is reported. */
export function buildCatalog(
  entries: readonly CatalogEntry[],
  names: ReadonlyMap<string, string>,
): { catalog: Catalog; diagnostics: Diagnostic[] } {
  const threads: Thread[] = []
  const diagnostics: Diagnostic[] = []
  for (const [id, copies] of groupBy(numberPathIds(entries).map(toSegment), ({ head }) => head.threadId)) {
    const thread = buildThread(id, copies, names.get(id.toLowerCase()))
    threads.push(thread)
    append(diagnostics, thread.duplicates.map(duplicateDiagnostic))
  }
  threads.sort((a, b) => compareText(startOf(a), startOf(b)) || compareText(a.id, b.id))
  return { catalog: { threads, files: entries.length }, diagnostics }
}

/** Tells of a copy that was left aside, and why. */
export function duplicateDiagnostic({ file, chosen, reason }: Duplicate): Diagnostic {
  return diagnostic('duplicate-thread', { file: file.name }, `\`${chosen}\` was read because ${reasons[reason]}.`)
}

function buildThread(id: string, copies: readonly Segment[], name: string | undefined): Thread {
  const chosen: Segment[] = []
  const duplicates: Duplicate[] = []
  for (const group of groupBy(copies, ({ rolloutId }) => rolloutId).values()) {
    const [best, ...others] = group.sort((a, b) => preference(a.file, b.file))
    if (best === undefined) continue
    chosen.push(best)
    for (const { file } of others) {
      duplicates.push({ file, chosen: best.file.name, reason: reasonFor(best.file, file) })
    }
  }
  const segments = chainSegments(id, chosen)
  const archived = segments.at(-1)?.file.archived ?? false
  return { id, ...defined({ name }), archived, segments, duplicates }
}

/**
 * Ids that were made from names tell files of one root apart only: of equal names in several roots, the later ones
 * get a number. A compressed file keeps the id of the plain one beside it.
 */
function numberPathIds(entries: readonly CatalogEntry[]): CatalogEntry[] {
  const placesById = new Map<string, string[]>()
  return entries.map((entry) => {
    const { file, head } = entry
    if (head.idFrom !== 'path') return entry
    const place = file.path.replace(/\.zst$/, '')
    const places = placesById.get(head.threadId) ?? []
    if (!places.includes(place)) places.push(place)
    placesById.set(head.threadId, places)
    const index = places.indexOf(place)
    return index === 0 ? entry : { file, head: { ...head, threadId: `${head.threadId} (${index + 1})` } }
  })
}

/**
 * The rollout id stands in the name only. A later segment that was renamed must not pass for a copy of the first
 * one, so it gets an id from its name.
 */
function toSegment({ file, head }: CatalogEntry): Segment {
  const continues = head.historyBase !== undefined && head.historyBase.rolloutId === head.threadId
  const rolloutId = file.nameRolloutId ?? (continues ? shortHash(file.name) : head.threadId)
  return { file, head, rolloutId }
}

/**
 * Best copy first: plain before compressed, whose length cannot be compared; then the longer one, as rollouts only
 * grow; then the live one; then by name.
 */
function preference(a: RolloutFile, b: RolloutFile): number {
  return (
    Number(a.compression === 'zstd') - Number(b.compression === 'zstd') ||
    b.bytes - a.bytes ||
    Number(a.archived) - Number(b.archived) ||
    compareText(a.name, b.name) ||
    compareText(a.path, b.path)
  )
}

/** The first difference by which `preference` decided. */
function reasonFor(best: RolloutFile, other: RolloutFile): Duplicate['reason'] {
  if (best.compression !== other.compression) return 'plain-beside-zstd'
  if (best.bytes !== other.bytes) return 'longer-copy'
  return best.archived === other.archived ? 'same-thread-again' : 'live-over-archived'
}

/** Threads without a start come first. */
function startOf(thread: Thread): string {
  return thread.segments[0]?.head.startedAt ?? ''
}

// Segments of reverted threads (rollout-format 1.4).

/**
 * Puts the segments of one thread in order, oldest first by stamp and rollout id, and marks what was undone: the
 * newest segment is live, it keeps its base up to a byte, the base keeps its own base, and so on. A segment off that
 * chain was undone whole, unless the chain breaks off: then nothing is known of the others.
 */
export function chainSegments(threadId: string, unordered: readonly Segment[]): Segment[] {
  const segments = unordered.toSorted(
    (a, b) => compareText(a.file.stamp ?? '', b.file.stamp ?? '') || byRollout(threadId, a, b),
  )
  const { ends, root } = liveChain(threadId, segments)
  return segments.map((segment) => ({
    ...segment,
    ...(root !== undefined && !ends.has(segment.rolloutId) ? { endByte: 0 } : ends.get(segment.rolloutId)),
  }))
}

/**
 * The segment in which what counts of a thread begins: what it inherits stands before this one. Not the first one where
 * a revert went back to before the thread's first turn, or into the thread that it was forked from.
 */
export function rootSegment({ id, segments }: Pick<Thread, 'id' | 'segments'>): Segment | undefined {
  return liveChain(id, segments).root ?? segments[0]
}

/** How far a segment counts; without either bound, to its end. */
export type SegmentEnd = Pick<Segment, 'endByte' | 'endOrdinal'>

/** The end that a later head names for the segment before it. */
export function endOf(base: HistoryBase | undefined): SegmentEnd {
  return defined({ endByte: base?.endByte, endOrdinal: base?.endOrdinal })
}

interface LiveChain {
  /** How far each segment on the chain from the newest one is kept, by rollout id. */
  ends: Map<string, SegmentEnd>
  /** The oldest segment of the chain; absent where the chain breaks off before it. */
  root?: Segment
}

function liveChain(threadId: string, segments: readonly Segment[]): LiveChain {
  const byRolloutId = new Map(segments.map((segment) => [segment.rolloutId, segment]))
  const first = byRolloutId.get(threadId)
  const ends = new Map<string, SegmentEnd>()
  let segment = segments.at(-1)
  let end: SegmentEnd = {}
  // A base that was met before would lead round in a circle.
  while (segment !== undefined && !ends.has(segment.rolloutId)) {
    ends.set(segment.rolloutId, end)
    if (segment === first || leavesThread(segment, first)) return { ends, root: segment }
    const base = segment.head.historyBase
    end = endOf(base)
    segment = base === undefined ? undefined : byRolloutId.get(base.rolloutId)
  }
  return { ends }
}

/**
 * Whether nothing of the thread's other files counts before a later segment: a revert to before the first turn names no
 * base, one in a fork to before its own first turn a place in the history that the fork inherited. Ordinals count on
 * from there, so that the thread's own records have higher ones.
 */
function leavesThread({ head: { historyBase, idFrom } }: Segment, first: Segment | undefined): boolean {
  // Of a head that cannot be read, the base is not known.
  if (historyBase === undefined) return idFrom === 'meta'
  const inherited = first?.head.historyBase?.endOrdinal
  return inherited !== undefined && historyBase.endOrdinal !== undefined && historyBase.endOrdinal <= inherited
}

/** The thread's own first segment has no rollout id in its name and comes before the others of its second. */
function byRollout(threadId: string, a: Segment, b: Segment): number {
  return Number(b.rolloutId === threadId) - Number(a.rolloutId === threadId) || compareText(a.rolloutId, b.rolloutId)
}
