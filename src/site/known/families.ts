/**
 * Families of sessions, and what is known in all sessions of a family. Needs neither a build nor a tree, because a list of
 * sessions loads it too.
 */

import type { KnownValue, KnownValues } from '../../redact/known/values.ts'
import { redactor } from '../../redact/redactor.ts'
import { suspectsIn } from '../../redact/session-values.ts'
import { sourceSearch } from '../../redact/source-search.ts'
import { visitStrings } from '../../redact/strings.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import type { Reading } from '../../rollout/read/open-fs.ts'
import { throwOwnFault } from '../../rollout/read/source.ts'
import { edges } from '../../survey/neighbours.ts'
import { openThread, readInSteps, type SegmentReader, type ThreadLine } from '../../survey/thread-lines.ts'
import type { ScanFacts, ScannedThread, SessionSummary } from '../../transcript/summary.ts'
import { groupBy } from '../../util/groups.ts'

/** Most values of one family; any others are replaced only in the sessions that reveal them. */
const maxValues = 20_000

/** Threads that belong together, in the order of the catalog. */
export type Family = readonly Thread[]

/**
 * The family of each thread. `scanned` are all threads that could be read, one after the other; for the others, heads show
 * relations.
 */
export function findFamilies(threads: readonly Thread[], scanned: Iterable<ScannedThread>): Map<string, Family> {
  const owners = new Map(threads.flatMap(({ id, segments }) => segments.map(({ rolloutId }) => [rolloutId, id])))
  const byId = new Map(threads.map((thread) => [thread.id, thread]))
  const relatedById = new Map<string, string[]>()
  for (const { thread, facts } of scanned)
    relatedById.set(thread.id, relatedTo(byId.get(thread.id) ?? thread, facts, owners))
  const relatives = threads.map((thread) => {
    const related = relatedById.get(thread.id) ?? relatedTo(thread, undefined, owners)
    return { id: thread.id, related: related.filter((id) => id !== thread.id) }
  })
  const families = new Map<string, Family>()
  for (const ids of familiesOf(relatives)) {
    const family = ids.flatMap((id) => byId.get(id) ?? [])
    for (const id of ids) families.set(id, family)
  }
  return families
}

/** Ids of threads that a thread comes from or that it started. `owners` maps rollouts to threads. */
export function relatedTo(thread: Thread, facts: ScanFacts | undefined, owners: ReadonlyMap<string, string>): string[] {
  const heads = thread.segments.map(({ head }) => head)
  const named = heads.flatMap(({ rootId, parentId, forkedFromId, historyBase }) => [
    rootId,
    parentId,
    forkedFromId,
    historyBase && (owners.get(historyBase.rolloutId) ?? historyBase.rolloutId),
  ])
  if (facts === undefined) return named.filter((id) => id !== undefined)
  const { parentId, forkedFromId } = edges(thread, facts)
  const started = facts.agents?.map((call) => call.threadId) ?? []
  const all = [...named, parentId, forkedFromId, facts.inherited?.threadId, facts.base?.threadId, ...started]
  return all.filter((id) => id !== undefined)
}

/** Whether a session of which only the summary is left belongs to a family, by the ids of the family. */
export function isRelated(
  { threadId, parentId, forkedFromId }: Pick<SessionSummary, 'threadId' | 'parentId' | 'forkedFromId'>,
  ids: ReadonlySet<string>,
): boolean {
  return [threadId, parentId, forkedFromId].some((id) => id !== undefined && ids.has(id))
}

/** The threads of a family according to heads, with those that the scan of one thread adds. */
function relativesIn({ thread, facts }: ScannedThread, byHead: ReadonlyMap<string, Family>): Thread[] {
  const ids = [thread.id, facts.inherited?.threadId, facts.base?.threadId]
  return [...new Set([thread, ...ids.flatMap((id) => (id === undefined ? [] : (byHead.get(id) ?? [])))])]
}

/**
 * The values of a family, from those that its sessions reveal, in order. If several rules found a value, the first rule names it.
 */
export function joinValues(lists: Iterable<KnownValues>): Map<string, KnownValue> {
  const joined = new Map<string, KnownValue>()
  for (const values of lists) {
    for (const [value, known] of values) {
      const other = joined.get(value)
      if (known.isLocal || (other === undefined ? joined.size >= maxValues : other.rank <= known.rank)) continue
      joined.set(value, known)
    }
  }
  return joined
}

/** The values known in one session: those of the family, and those that are known only there. */
export function valuesFor(family: KnownValues, own: KnownValues): Map<string, KnownValue> {
  return new Map([...family, ...[...own].filter(([, known]) => known.isLocal)])
}

// Which threads belong together: a secret that one of them reveals is known in all.

/** A thread with the ids of those that it comes from or started, whether their files exist or not. */
interface Relative {
  id: string
  related: readonly string[]
}

/** Groups threads that are connected by any chain of relations, even through a thread without a file; in the given order. */
function familiesOf(threads: readonly Relative[]): string[][] {
  const above = new Map<string, string>()
  const rootOf = (id: string): string => {
    let root = id
    for (let next = above.get(root); next !== undefined; next = above.get(root)) root = next
    // Shortens the path for the next time, so that chains of thousands of forks stay quick.
    for (let at = id; at !== root; ) {
      const next = above.get(at) ?? root
      above.set(at, root)
      at = next
    }
    return root
  }
  for (const { id, related } of threads) {
    for (const other of related) {
      const [a, b] = [rootOf(id), rootOf(other)]
      if (a !== b) above.set(b, a)
    }
  }
  const ids = threads.map(({ id }) => id)
  return [...groupBy(ids, rootOf).values()]
}

// What a family reveals about certain words, without reading all of it: for lists, which show little of many sessions.

/** Words that may be secrets, from the texts that a list shows of a thread. */
export function suspectsOf({ name }: Thread, facts: ScanFacts): Set<string> {
  const { title, firstPrompt = '', lastPrompt = '', subtitle = '', cwds, branch = '', remote = '' } = facts
  return new Set([title, firstPrompt, lastPrompt, subtitle, branch, remote, name ?? '', ...cwds].flatMap(suspectsIn))
}

/** Returns the values that match some words and that a thread or its family reveals; `undefined` if there are no words. */
export type FamilyLookup = (words: ReadonlySet<string>, scanned: ScannedThread) => Promise<KnownValues | undefined>

/** A lookup among threads; relations are found from heads and from the facts of the thread, when they are first needed. */
export function familyLookup(threads: readonly Thread[], reading: Reading): FamilyLookup {
  let byHead: ReadonlyMap<string, Family> | undefined
  return async (words, scanned) => {
    if (words.size === 0) return undefined
    byHead ??= findFamilies(threads, [])
    return valuesAbout(words, relativesIn(scanned, byHead), reading)
  }
}

/** A search for lines that may contain one of the words, whatever the case of its letters. */
function searchForWords(words: ReadonlySet<string>): (line: Buffer) => boolean {
  const valuesOf = (all: readonly string[]): KnownValues => new Map(all.map((word) => [word, { rule: '', rank: 0 }]))
  const exact = sourceSearch(valuesOf([...words]))
  const folded = sourceSearch(valuesOf([...words].map((word) => word.toLowerCase())), { ignoresCase: true })
  return (line) => exact.mayHold(line) || folded.mayHold(line)
}

/**
 * The values that threads reveal on lines that may contain one of the words. A thread that cannot be read reveals none; a
 * fault of the program is thrown, because secrets may stay unknown.
 */
async function valuesAbout(
  words: ReadonlySet<string>,
  threads: readonly Thread[],
  { spoolDir, signal }: Reading,
): Promise<KnownValues> {
  const search = searchForWords(words)
  const values: KnownValues[] = []
  for (const thread of threads) {
    const own = redactor()
    own.beginPassage('page')
    const readLine = ({ bytes, values }: ThreadLine): void => {
      if (bytes === undefined || search(bytes)) visitStrings(values().values, own.observe)
    }
    let readers: SegmentReader[] = []
    try {
      readers = await openThread(thread, spoolDir)
      for (const reader of readers) await readInSteps(reader, readLine, { signal })
    } catch (error) {
      signal.throwIfAborted()
      throwOwnFault(error)
    } finally {
      for (const reader of readers) reader.close()
    }
    values.push(own.values().values)
  }
  return joinValues(values)
}
