/** What a thread inherits from others, found with the help of their files (rollout-format 1.4). */

import type { KnownCopy, Segment, Thread } from '../rollout/discover/rollout.ts'
import { throwOwnFault } from '../rollout/read/source.ts'
import type { InheritedBase, OutlineEntry, ScanFacts } from '../transcript/summary.ts'
import { itemAnchor } from '../transcript/urls.ts'
import { defined } from '../util/own.ts'
import { endOf, rootSegment } from './catalog.ts'
import { findCopy, isUserFork } from './copied-prefix.ts'
import { type Scan, type ScanOptions, scanThread, sessionFault } from './scan.ts'

/** Threads by id, and their segments by rollout id. */
export interface ThreadIndex {
  byId: ReadonlyMap<string, Thread>
  byRollout: ReadonlyMap<string, { thread: Thread; index: number }>
}

/** Indexes the threads of a catalog. */
export function threadIndex(threads: readonly Thread[]): ThreadIndex {
  const byRollout = threads.flatMap((thread) =>
    thread.segments.map(({ rolloutId }, index) => [rolloutId, { thread, index }] as const),
  )
  return { byId: new Map(threads.map((thread) => [thread.id, thread])), byRollout: new Map(byRollout) }
}

/**
 * Scans a thread together with what the files of its ancestors show: the end of a copy, and the turns of a history by reference.
 * What `scanThread` says about faults holds here too.
 */
export async function scanWithLineage(thread: Thread, index: ThreadIndex, options: ScanOptions): Promise<Scan> {
  try {
    return await lineageScan(thread, index, options)
  } catch (error) {
    options.signal?.throwIfAborted()
    return { diagnostics: [sessionFault(thread, error)] }
  }
}

async function lineageScan(thread: Thread, index: ThreadIndex, options: ScanOptions): Promise<Scan> {
  const copied = thread.segments[0]?.head.forkedFromId === undefined ? undefined : await copyOf(thread, index, options)
  const scan = await scanThread(copied === undefined ? thread : { ...thread, copied }, options)
  if (scan.facts === undefined) return scan
  // Forks made by builds of 2025 show only in mid-file that they are forks.
  const late =
    copied === undefined && scan.facts.inherited !== undefined ? await copyOf(thread, index, options) : undefined
  const final = late === undefined ? scan : await scanThread({ ...thread, copied: late }, options)
  const base = await inheritedBase(thread, index, { ...options, rolledBack: final.facts?.baseRolledBack })
  return final.facts === undefined || base === undefined ? final : { ...final, facts: { ...final.facts, base } }
}

/** The other threads on which a scan depends. */
export function ancestors(thread: Thread, facts: ScanFacts, index: ThreadIndex): Thread[] {
  const ids = [thread.segments[0]?.head.forkedFromId, facts.inherited?.threadId]
  const named = ids.map((id) => (id === undefined ? undefined : index.byId.get(id)))
  const chain = baseChain(thread, index)?.links.map((link) => link.thread) ?? []
  return [...new Set([...named.filter((item) => item !== undefined), ...chain])]
}

async function copyOf(
  thread: Thread,
  { byId }: ThreadIndex,
  { spoolDir, signal }: ScanOptions,
): Promise<KnownCopy | undefined> {
  if (!isUserFork(thread)) return undefined
  try {
    return await findCopy(thread, (id) => byId.get(id)?.segments[0], { spoolDir, signal })
  } catch (error) {
    signal?.throwIfAborted()
    throwOwnFault(error)
    // The scans of the two threads open the files again and report what is wrong.
    return undefined
  }
}

/** The history before a thread's first record, if its head names one, without the turns that the thread rolled back. */
async function inheritedBase(
  thread: Thread,
  index: ThreadIndex,
  { rolledBack = 0, ...options }: ScanOptions & { rolledBack?: number | undefined },
): Promise<InheritedBase | undefined> {
  const chain = baseChain(thread, index)
  if (chain === undefined) return undefined
  const last = chain.links.at(-1)
  const named = last?.thread.id ?? thread.segments[0]?.head.forkedFromId ?? chain.rolloutId
  if (last === undefined || !chain.complete) return { threadId: named }
  const whole: Thread = { ...last.thread, segments: chain.links.map(({ segment }) => segment) }
  const { facts } = await scanThread(whole, { ...options, kept: true })
  if (facts === undefined) return { threadId: last.thread.id }
  const undone = new Set(facts.rolledBack)
  const kept = Array.from({ length: facts.turns }, (_, index) => index + 1).filter((turn) => !undone.has(turn))
  kept.length = Math.max(0, kept.length - rolledBack)
  const prompt = facts.outline.findLast(({ turn }) => turn <= (kept.at(-1) ?? 0) && !undone.has(turn))
  const anchor = prompt && lastAnchor(prompt, last, chain.links.length - 1)
  return { threadId: last.thread.id, turns: kept.length, ...defined({ anchor }) }
}

/** A segment of the history, and the thread that contains it. */
interface ChainLink {
  thread: Thread
  index: number
  segment: Segment
}

/** The segments before the valid part of a thread, oldest first, each up to where the next one begins. */
export function baseChain(
  thread: Thread,
  { byRollout }: ThreadIndex,
): { links: ChainLink[]; complete: boolean; rolloutId: string } | undefined {
  let base = rootSegment(thread)?.head.historyBase
  if (base === undefined) return undefined
  const { rolloutId } = base
  const links: ChainLink[] = []
  const seen = new Set(thread.segments.map((segment) => segment.rolloutId))
  while (base !== undefined) {
    const found = byRollout.get(base.rolloutId)
    const segment = found?.thread.segments[found.index]
    if (found === undefined || segment === undefined || seen.has(base.rolloutId)) break
    seen.add(base.rolloutId)
    const { file, head } = segment
    links.unshift({ ...found, segment: { file, head, rolloutId: base.rolloutId, ...endOf(base) } })
    base = head.historyBase
  }
  return { links, complete: base === undefined, rolloutId }
}

/** The files of other threads in which a thread begins, oldest first. */
export function historyOf(thread: Thread, index: ThreadIndex): Segment[] {
  return baseChain(thread, index)?.links.map(({ segment }) => segment) ?? []
}

/** The anchor of the last inherited prompt, as used on the page of the thread that contains it. */
function lastAnchor({ anchor }: OutlineEntry, { index, segment }: ChainLink, position: number): string | undefined {
  const prefix = position === 0 ? 'l' : itemAnchor(0, segment.rolloutId).slice(0, -1)
  const line = anchor.replace(prefix, '')
  if (!/^\d+$/.test(line)) return undefined
  return itemAnchor(Number(line), index === 0 ? undefined : segment.rolloutId)
}

// Scans of single threads, each done once.

/** Returns the scan of a thread; calling it again for the same thread costs nothing. */
export type ThreadScan = (thread: Thread) => Promise<Scan>

/** A function that scans threads of an index. */
export function threadScan(index: ThreadIndex, options: ScanOptions): ThreadScan {
  const scans = new Map<string, Promise<Scan>>()
  return (thread) => {
    const scan = scans.get(thread.id) ?? scanWithLineage(thread, index, options)
    scans.set(thread.id, scan)
    return scan
  }
}
