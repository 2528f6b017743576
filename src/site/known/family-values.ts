/** What the family of one thread tells as secret, for commands that show single threads. */

import type { KnownValue, KnownValues } from '../../redact/known.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import type { ThreadScan } from '../../survey/lineage.ts'
import type { Privacy } from '../../survey/privacy.ts'
import type { ScannedThread } from '../../transcript/summary.ts'
import { yieldToEventLoop } from '../../util/event-loop.ts'
import { findFamilies, joinValues, valuesFor } from './families.ts'
import { sessionValuesOf } from './session-values.ts'

/** How to read a family. */
export interface FamilyOptions {
  privacy: Privacy
  /** Threads among which the family is. */
  threads: readonly Thread[]
  scan: ThreadScan
  spoolDir: () => string
  signal: AbortSignal
}

/**
 * The values that the family of a thread tells, the thread's own among them. Relatives are found by the heads of their
 * files and by what the scans of those tell; one that cannot be read tells nothing.
 */
export async function familyValues(thread: Thread, options: FamilyOptions): Promise<KnownValues> {
  const family = await readFamily(thread, options)
  const valuesByThread = new Map<string, KnownValues>()
  for (const member of family) valuesByThread.set(member.thread.id, await tryValues(member, options))
  return knownTo(thread.id, valuesByThread)
}

/** What is known in one thread of a family, by what each of them tells. */
export function knownTo(id: string, valuesByThread: ReadonlyMap<string, KnownValues>): Map<string, KnownValue> {
  return valuesFor(joinValues(valuesByThread.values()), valuesByThread.get(id) ?? new Map())
}

/** A thread and all that belong to it, in the order of the catalog. */
export async function readFamily(thread: Thread, { threads, scan, signal }: FamilyOptions): Promise<ScannedThread[]> {
  const all = threads.some(({ id }) => id === thread.id) ? threads : [thread, ...threads]
  const scanned = new Map<string, ScannedThread>()
  const tried = new Set<string>()
  for (;;) {
    const family = findFamilies(all, [...scanned.values()]).get(thread.id) ?? []
    if (family.every(({ id }) => tried.has(id))) return family.flatMap(({ id }) => scanned.get(id) ?? [])
    for (const member of family) {
      if (tried.has(member.id)) continue
      tried.add(member.id)
      await yieldToEventLoop()
      signal.throwIfAborted()
      const { facts } = await scan(member)
      if (facts !== undefined) scanned.set(member.id, { thread: member, facts })
    }
  }
}

/** The values that a thread tells; none where it cannot be read. */
export async function tryValues(
  member: ScannedThread,
  { privacy, spoolDir, signal }: Pick<FamilyOptions, 'privacy' | 'spoolDir' | 'signal'>,
): Promise<KnownValues> {
  await yieldToEventLoop()
  signal.throwIfAborted()
  try {
    return await sessionValuesOf(member, { privacy, spoolDir, signal })
  } catch {
    signal.throwIfAborted()
    return new Map()
  }
}
