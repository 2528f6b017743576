/** Families of sessions in a build: what one session tells as a secret is replaced in all that belong to it. */
import { familiesOf } from '../discover/families.ts'
import type { Thread } from '../model/rollout.ts'
import type { ScannedThread } from '../model/summary.ts'
import type { KnownValue, KnownValues } from '../redact/known.ts'
import { sha256 } from '../util/hash.ts'
import { threadKey } from './build-cache.ts'
import { edges } from './family.ts'

/** Values of one family; more are replaced only in the sessions that tell them. */
const maxValues = 5000

/** Threads that belong together, in the order of the catalog. */
export type Family = readonly Thread[]

/** Names all files of a family as they are. */
export function familyKey(family: Family): string {
  return sha256(family.map(threadKey).join('\0')).slice(0, 24)
}

/** The family of each thread. `scanned` are all that could be read; of the others the heads tell. */
export function findFamilies(threads: readonly Thread[], scanned: readonly ScannedThread[]): Map<string, Family> {
  const facts = new Map(scanned.map((item) => [item.thread.id, item]))
  const owners = new Map(threads.flatMap(({ id, segments }) => segments.map(({ rolloutId }) => [rolloutId, id])))
  const byId = new Map(threads.map((thread) => [thread.id, thread]))
  const relatives = threads.map((thread) => ({
    id: thread.id,
    related: relatedTo(thread, facts.get(thread.id), owners).filter((id) => id !== thread.id),
  }))
  const families = new Map<string, Family>()
  for (const ids of familiesOf(relatives)) {
    const family = ids.flatMap((id) => byId.get(id) ?? [])
    for (const id of ids) families.set(id, family)
  }
  return families
}

/** Ids of threads that a thread comes from or started. */
function relatedTo(thread: Thread, scanned: ScannedThread | undefined, owners: ReadonlyMap<string, string>): string[] {
  const heads = thread.segments.map(({ head }) => head)
  const named = heads.flatMap(({ rootId, parentId, forkedFromId, historyBase }) => [
    rootId,
    parentId,
    forkedFromId,
    historyBase && (owners.get(historyBase.rolloutId) ?? historyBase.rolloutId),
  ])
  if (scanned === undefined) return named.filter((id) => id !== undefined)
  const { facts } = scanned
  const { parentId, forkedFromId } = edges(thread, facts)
  const started = facts.agents?.map((call) => call.threadId) ?? []
  const all = [...named, parentId, forkedFromId, facts.inherited?.threadId, facts.base?.threadId, ...started]
  return all.filter((id) => id !== undefined)
}

/** The threads of a family as the heads of their files tell it, with those that the scan of one names beside. */
export function relativesIn({ thread, facts }: ScannedThread, byHead: ReadonlyMap<string, Family>): Thread[] {
  const ids = [thread.id, facts.inherited?.threadId, facts.base?.threadId]
  return [...new Set([thread, ...ids.flatMap((id) => (id === undefined ? [] : (byHead.get(id) ?? [])))])]
}

/** The values of a family, by those that its sessions tell, in their order: of several rules the first names a value. */
export function joinValues(told: Iterable<KnownValues>): Map<string, KnownValue> {
  const joined = new Map<string, KnownValue>()
  for (const values of told) {
    for (const [value, known] of values) {
      const other = joined.get(value)
      if (known.isLocal || (other === undefined ? joined.size >= maxValues : other.rank <= known.rank)) continue
      joined.set(value, known)
    }
  }
  return joined
}

/** What is known in one session: the values of the family, and those that are only its own. */
export function valuesFor(family: KnownValues, own: KnownValues): Map<string, KnownValue> {
  return new Map([...family, ...[...own].filter(([, known]) => known.isLocal)])
}
