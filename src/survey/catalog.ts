/** Groups files into threads: tells copies from segments, and puts segments in order (rollout-format 1.4, hazard 22). */

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

/** A file and the contents of its head. */
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

/** Groups files by thread. `names` holds the names of threads by lower-case id. Each copy that is not used is reported. */
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

/** Reports a copy that is not used, and why. */
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
 * Ids made from file names are unique within one root only: if several roots have the same name, the later ones get a number. A
 * compressed file has the same id as the plain one next to it.
 */
function numberPathIds(entries: readonly CatalogEntry[]): CatalogEntry[] {
  const placesById = new Map<string, string[]>()
  return entries.map((entry) => {
    const { file, head } = entry
    if (head.idFrom !== 'path') return entry
    const path = file.path.replace(/\.zst$/, '')
    const paths = placesById.get(head.threadId) ?? []
    if (!paths.includes(path)) paths.push(path)
    placesById.set(head.threadId, paths)
    const index = paths.indexOf(path)
    return index === 0 ? entry : { file, head: { ...head, threadId: `${head.threadId} (${index + 1})` } }
  })
}

/**
 * Only the file name contains the rollout id. A later segment whose file was renamed must not be taken for a copy of the first
 * one, so it gets an id made from its name.
 */
function toSegment({ file, head }: CatalogEntry): Segment {
  const continues = head.historyBase !== undefined && head.historyBase.rolloutId === head.threadId
  const rolloutId = file.nameRolloutId ?? (continues ? shortHash(file.name) : head.threadId)
  return { file, head, rolloutId }
}

/**
 * Best copy first: plain before compressed, because a compressed length cannot be compared; then the longer one, because rollouts
 * only grow; then the one that is not archived; then by name.
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

/** The first criterion by which `preference` decided. */
function reasonFor(best: RolloutFile, other: RolloutFile): Duplicate['reason'] {
  if (best.compression !== other.compression) return 'plain-beside-zstd'
  if (best.bytes !== other.bytes) return 'longer-copy'
  return best.archived === other.archived ? 'same-thread-again' : 'live-over-archived'
}

/** Start of a thread; threads without one sort first. */
function startOf(thread: Thread): string {
  return thread.segments[0]?.head.startedAt ?? ''
}

// Segments of reverted threads (rollout-format 1.4).

/**
 * Puts the segments of a thread in order, oldest first by stamp and rollout id, and marks what was undone. The newest segment is
 * live; it keeps its base up to a byte, the base keeps its own base, and so on. A segment outside this chain was undone entirely,
 * unless the chain breaks off, because then nothing is known about the others.
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
 * The segment in which the valid part of a thread begins; inherited history comes before it. It is not the first segment if a
 * revert went back to before the thread's first turn, or into the thread that it was forked from.
 */
export function rootSegment({ id, segments }: Pick<Thread, 'id' | 'segments'>): Segment | undefined {
  return liveChain(id, segments).root ?? segments[0]
}

/** Up to where a segment is valid; without either bound, up to its end. */
type SegmentEnd = Pick<Segment, 'endByte' | 'endOrdinal'>

/** The end of a segment, as the head of a later one names it. */
export function endOf(base: HistoryBase | undefined): SegmentEnd {
  return defined({ endByte: base?.endByte, endOrdinal: base?.endOrdinal })
}

interface LiveChain {
  /** Up to where each segment of the chain is kept, by rollout id; the chain starts at the newest one. */
  ends: Map<string, SegmentEnd>
  /** The oldest segment of the chain; absent if the chain breaks off before it. */
  root?: Segment
}

function liveChain(threadId: string, segments: readonly Segment[]): LiveChain {
  const byRolloutId = new Map(segments.map((segment) => [segment.rolloutId, segment]))
  const first = byRolloutId.get(threadId)
  const ends = new Map<string, SegmentEnd>()
  let segment = segments.at(-1)
  let end: SegmentEnd = {}
  // A base that was visited already would make a circle.
  while (segment !== undefined && !ends.has(segment.rolloutId)) {
    ends.set(segment.rolloutId, end)
    if (segment === first || restartsThread(segment, first)) return { ends, root: segment }
    const base = segment.head.historyBase
    end = endOf(base)
    segment = base === undefined ? undefined : byRolloutId.get(base.rolloutId)
  }
  return { ends }
}

/**
 * Whether none of the thread's other files is valid before a later segment. A revert to before the first turn names no base. In a
 * fork, a revert to before the fork's first own turn names a position in the inherited history. Ordinals continue from there, so
 * the thread's own records have higher ones.
 */
function restartsThread({ head: { historyBase, idFrom } }: Segment, first: Segment | undefined): boolean {
  // If the head could not be read, its base is unknown.
  if (historyBase === undefined) return idFrom === 'meta'
  const inherited = first?.head.historyBase?.endOrdinal
  return inherited !== undefined && historyBase.endOrdinal !== undefined && historyBase.endOrdinal <= inherited
}

/** The first segment of a thread has no rollout id in its name, and precedes the others of the same second. */
function byRollout(threadId: string, a: Segment, b: Segment): number {
  return Number(b.rolloutId === threadId) - Number(a.rolloutId === threadId) || compareText(a.rolloutId, b.rolloutId)
}
