/**
 * Families of sessions in a build: a secret that one session reveals is replaced in all that belong to it, whichever of them is
 * read first.
 */

import type { KnownValues } from '../../redact/known/values.ts'
import type { ValueReport } from '../../redact/session-values.ts'
import { historyOf } from '../../survey/lineage.ts'
import { findNeighbours } from '../../survey/neighbours.ts'
import { type Privacy, privateThread } from '../../survey/privacy.ts'
import { sessionFault } from '../../survey/scan.ts'
import type { ScannedThread } from '../../transcript/summary.ts'
import { threadFolder } from '../../transcript/urls.ts'
import { yieldToEventLoop } from '../../util/event-loop.ts'
import { hashKey } from '../../util/hash.ts'
import { type CachedSession, type CachedValues, threadKey } from '../cache/build-cache.ts'
import { type BuildContext, report } from '../context.ts'
import { type CuratedThread, redactedAgain, releaseThread } from '../curation.ts'
import { type Discovery, jobOf, scannedThreads, sessionKey } from '../discover.ts'
import { type Family, findFamilies, isRelated, joinValues, relatedTo, valuesFor } from './families.ts'
import { holdsAny, mayMiss, sessionValuesOf } from './session-values.ts'

/** Settles families as the sessions of a build are finished. */
export interface SettledFamilies {
  /** Whether the session of the last build with this key can be kept, as far as secret values are concerned. */
  mayKeep: (id: string, key: string) => boolean
  /** Whether the sessions of a family have reached the state in which all of its values are known. */
  isSettled: (id: string) => boolean
  /**
   * Called when a session has its outcome. After the last one of a family, returns the sessions that were rendered too early; it
   * is called again for each of these.
   */
  done: (id: string) => Promise<CuratedThread[]>
}

/** Identifies all files of a family in their present state. */
function familyKey(family: Family): string {
  // Nearly all families have one thread.
  const [first] = family
  return family.length === 1 && first !== undefined ? threadKey(first) : hashKey(family.map(threadKey).join('\0'))
}

interface Group {
  /** Identifies the files of the family. */
  key: string
  members: CuratedThread[]
  unwanted: ScannedThread[]
  /** Number of members without an outcome, and later of those that are rendered again. */
  open: number
  /** Ids of members whose heads contain known values, once all values are known. */
  inHead?: ReadonlySet<string>
  /** Whether nothing has changed since all values were known; determined with the first member. */
  isSettled?: boolean
}

/** The families of a build's sessions. */
export function settledFamilies(found: Discovery, privacy: Privacy, context: BuildContext): SettledFamilies {
  const { catalog } = found
  const groups = groupsOf(found, findFamilies(catalog.threads, scannedThreads(found)))
  const { cache, outcomes } = context
  const valuesIn = (item: CuratedThread): CachedValues | undefined =>
    cache.session(item.thread.id, sessionKey(jobOf(item, found)))?.values
  const isSettled = ({ members, key }: Group): boolean => members.every((item) => valuesIn(item)?.family === key)
  return {
    mayKeep(id, key) {
      const group = groups.get(id)
      if (group === undefined) return true
      const own = cache.session(id, key)?.values
      // Most families have one session, for which this avoids making the key twice.
      group.isSettled ??= group.members.length === 1 ? own?.family === group.key : isSettled(group)
      return group.isSettled || own?.touched === false
    },
    isSettled(id) {
      const group = groups.get(id)
      return group === undefined || isSettled(group)
    },
    async done(id) {
      const group = groups.get(id)
      if (group === undefined || --group.open > 0) return []
      const isAsBefore = group.isSettled && group.members.every(({ thread }) => outcomes.get(thread.id)?.isKept)
      if (isAsBefore || isSettled(group)) {
        forgetHeads(group, context)
        release(group, groups, context)
        return []
      }
      const again = group.inHead === undefined ? await findValues(group, { found, privacy, context }) : []
      group.open = again.length
      if (again.length > 0) return again
      keepSettled(group, found, context)
      release(group, groups, context)
      return []
    },
  }
}

/** Drops heads with known values from the cache; they are read again each time. */
function forgetHeads({ members }: Group, { cache, outcomes }: BuildContext): void {
  for (const item of members) {
    if (outcomes.get(item.thread.id)?.session?.values?.inHead) cache.forget(item.raw.thread)
  }
}

/** Drops what only an open family needs, which for thousands of sessions would stay until the end of the build. */
function release({ members }: Group, groups: Map<string, Group>, { outcomes, isAsked }: BuildContext): void {
  for (const item of members) {
    delete item.redactor
    delete outcomes.get(item.thread.id)?.values
    groups.delete(item.thread.id)
    if (!isAsked) releaseThread(item, { withFiles: true })
  }
}

function groupsOf({ wanted, unwanted }: Discovery, families: ReadonlyMap<string, Family>): Map<string, Group> {
  const groups = new Map<Family, Group>()
  const byId = new Map<string, Group>()
  for (const item of wanted) {
    const family = families.get(item.thread.id)
    if (family === undefined) continue
    const group = groups.get(family) ?? { key: familyKey(family), members: [], unwanted: [], open: 0 }
    group.members.push(item)
    group.open++
    groups.set(family, group)
    byId.set(item.thread.id, group)
  }
  for (const item of unwanted) {
    const family = families.get(item.thread.id)
    if (family !== undefined) groups.get(family)?.unwanted.push(item)
  }
  return byId
}

interface FamilyContext {
  found: Discovery
  privacy: Privacy
  context: BuildContext
}

/** Returns the sessions that were rendered without a value that the family knows by now, to be rendered again. */
async function findValues(group: Group, around: FamilyContext): Promise<CuratedThread[]> {
  const { found, context } = around
  const { outcomes, reading } = context
  const isRead = ({ raw }: CuratedThread): boolean => outcomes.get(raw.thread.id)?.values !== undefined
  const ownOf = ({ raw }: CuratedThread): KnownValues => outcomes.get(raw.thread.id)?.values?.values ?? new Map()
  const values = joinValues([...group.members.map(ownOf), ...(await valuesOfOthers(group, around))])
  if (context.options.missing === 'keep') context.secrets.push({ ids: idsOf(group), values })
  const stale = new Set<string>()
  const inHead = new Set<string>()
  for (const item of group.members) {
    const { raw } = item
    const report = reportOf(item, context)
    if (report === undefined) continue
    const familyValues = valuesFor(values, ownOf(item))
    if (holdsAny(report.heads, familyValues)) inHead.add(raw.thread.id)
    // A session that was kept from a settled family was made with all values.
    if (group.isSettled && !isRead(item)) continue
    const history = historyOf(raw.thread, found.index)
    const seen = { thread: raw.thread, pages: raw.facts.pages, history, report, isRead: isRead(item) }
    if (await mayMiss(seen, familyValues, reading.spoolDir)) stale.add(raw.thread.id)
  }
  group.inHead = inHead
  return stale.size > 0 ? staleSessions(group, { values, stale, around }) : []
}

/** Ids of a family's threads and of all threads that they name, some of whose rollouts may be missing. */
function idsOf({ members }: Group): Set<string> {
  const related = members.flatMap(({ raw: { thread, facts } }) => [thread.id, ...relatedTo(thread, facts, new Map())])
  return new Set(related)
}

/**
 * What the redactor of a session knows: everything that the session reveals if this build rendered it, otherwise only what its
 * titles and folders reveal.
 */
function reportOf(item: CuratedThread, { outcomes, privacy }: BuildContext): ValueReport | undefined {
  const { raw, family } = item
  const familyValues = outcomes.get(raw.thread.id)?.values
  if (familyValues !== undefined) return familyValues
  const { redactor = privateThread(raw.thread, raw.facts, privacy, family).redactor } = item
  return redactor?.values()
}

/**
 * The values of threads that this build did not render: kept sessions that revealed something before, and threads that are not
 * published, unless it is recorded that they reveal nothing.
 */
async function valuesOfOthers(
  { members, unwanted }: Group,
  { privacy, context }: FamilyContext,
): Promise<KnownValues[]> {
  const { cache, outcomes, reading } = context
  const values: KnownValues[] = []
  /**
   * Whether a thread reveals no values; for one that cannot be read any more, this is unknown and returns `false`. That is
   * reported, unless it was when the session failed, because pages of others may then show its secrets.
   */
  const isQuiet = async (item: ScannedThread): Promise<boolean> => {
    await yieldToEventLoop()
    reading.signal.throwIfAborted()
    try {
      const found = await sessionValuesOf(item, { privacy, ...reading })
      values.push(found)
      return found.size === 0
    } catch (error) {
      reading.signal.throwIfAborted()
      const outcome = outcomes.get(item.thread.id)
      const hasFailed = outcome !== undefined && outcome.session === undefined
      if (!hasFailed) report(context, sessionFault(item.thread, error))
      return false
    }
  }
  for (const { raw } of members) {
    const outcome = outcomes.get(raw.thread.id)
    // If a session failed, it is not known how much of it was read.
    if (outcome?.values === undefined && outcome?.session?.values?.touched !== false) await isQuiet(raw)
  }
  for (const item of unwanted) {
    if (!cache.isQuiet(item.thread) && (await isQuiet(item))) cache.setQuiet(item.thread)
  }
  return values
}

interface Again {
  values: KnownValues
  /** Ids of sessions that may contain a value that they did not know. */
  stale: ReadonlySet<string>
  around: FamilyContext
}

/** The stale sessions of a family, and those whose pages show a title that changes because of it. Their files are retracted. */
function staleSessions(group: Group, { values, stale, around }: Again): CuratedThread[] {
  const { found, privacy, context } = around
  const again = group.members.map((item) =>
    redactedAgain(item, privacy, valuesFor(values, reportOf(item, context)?.values ?? new Map())),
  )
  const { neighbours } = findNeighbours(again, new Set())
  for (const { thread, facts } of again) {
    found.links.set(thread.id, { title: facts.title, built: true })
    const own = neighbours.get(thread.id)
    if (own !== undefined) found.neighbours.set(thread.id, own)
  }
  return again.flatMap((item) => {
    const { id } = item.thread
    const job = jobOf(item, found)
    const before = context.outcomes.get(id)?.session
    if (before === undefined || (!stale.has(id) && before.key === sessionKey(job))) return []
    retractSession(id, before, context)
    return [item]
  })
}

/** Retracts the files of a session that is made again; not its pictures, because they may belong to other sessions too. */
export function retractSession(id: string, { files }: CachedSession, { staging }: BuildContext): void {
  const folder = `sessions/${threadFolder(id)}/`
  staging.retract(files.flatMap(({ path }) => (path.startsWith(folder) ? [path] : [])))
}

/** Records that the sessions of a family know all of its values, if all sessions could be read. */
function keepSettled(group: Group, { orphaned }: Discovery, { cache, outcomes }: BuildContext): void {
  const { key, members, inHead = new Set() } = group
  // If relatives without a rollout have pages, the build that checks those pages needs the values. That may be a later build,
  // because this one may be an update or be killed first.
  const ids = orphaned.sessions.length === 0 ? new Set<string>() : idsOf(group)
  const isSure = !orphaned.sessions.some(({ summary }) => isRelated(summary, ids))
  const isComplete = isSure && members.every(({ thread }) => outcomes.get(thread.id)?.session !== undefined)
  for (const item of members) {
    const { id } = item.thread
    const session = outcomes.get(id)?.session
    if (inHead.has(id)) cache.forget(item.raw.thread)
    if (session === undefined || !isComplete) continue
    const values = { touched: session.values?.touched ?? true, inHead: inHead.has(id), family: key }
    cache.setSession(id, { ...session, values })
  }
}
