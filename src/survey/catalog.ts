/** Files to threads: copies are told apart from segments, segments put in order (rollout-format 1.4, hazard 22). */

import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type { Catalog, Duplicate, RolloutFile, Segment, SessionHead, Thread } from '../rollout/discover/rollout.ts'
import { shortHash } from '../transcript/urls.ts'
import { compareText } from '../util/compare.ts'
import { chainSegments } from './segments.ts'

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
    diagnostics.push(...thread.duplicates.map(duplicateDiagnostic))
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
  return { id, ...(name === undefined ? {} : { name }), archived, segments, duplicates }
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

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group === undefined) groups.set(key(item), [item])
    else group.push(item)
  }
  return groups
}
