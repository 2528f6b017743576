/** Which sessions the homes have lost since the last build. Sessions are compared by the names of their folders. */

import { isDrastic, type Loss, RemovalError } from '../diagnostics/errors.ts'
import type { WritePlan } from '../render/output.ts'
import { type FoundRoots, rootFaults } from '../rollout/discover/homes-fs.ts'
import type { Thread } from '../rollout/discover/rollout.ts'
import type { Survey } from '../survey/survey.ts'
import { sessionFolders, threadFolder } from '../transcript/urls.ts'
import { groupBy } from '../util/groups.ts'
import { defined } from '../util/own.ts'
import type { SiteSession } from './cache/build-cache.ts'
import { type HomeSessions, readLastHomes } from './cache/cache-folder-fs.ts'
import { siteReport, standingFiles } from './output/site-fs.ts'
import type { BuildOptions, Withdrawn } from './types.ts'

/** What is wrong with a home or its two folders, as clauses; absent if nothing is. */
interface HomeFaults {
  home?: string
  sessions?: string
  archived?: string
}

/** A home as it is now. */
interface HomeState extends HomeSessions {
  faults: HomeFaults
}

/** A home without its sessions: its path and its faults. */
interface EmptyHome {
  path: string
  label: string
  faults: HomeFaults
}

/** Assigns each thread to the first home that contains it. `isRead` excludes threads that could not be read. */
function homeSessions(
  homes: readonly EmptyHome[],
  threads: readonly Thread[],
  isRead: (threadId: string) => boolean,
): HomeState[] {
  const states = homes.map((home) => ({ ...home, sessions: [] as string[], archived: [] as string[] }))
  for (const { id, archived, segments } of threads) {
    const path = segments[0]?.file.path
    const home = path === undefined || !isRead(id) ? undefined : states.find((state) => holds(state.path, path))
    home?.[archived ? 'archived' : 'sessions'].push(threadFolder(id))
  }
  return states
}

/** Losses of homes that are still read; a session that another home has now is not lost. */
function homeLosses(before: readonly HomeSessions[], now: readonly HomeState[]): Loss[] {
  const present = new Set(now.flatMap(allOf))
  const lostOf = (list: readonly string[]): number => list.filter((name) => !present.has(name)).length
  const states = new Map(now.map((state) => [state.path, state]))
  const losses = before.flatMap((home): Loss[] => {
    const state = states.get(home.path)
    const lost = { sessions: lostOf(home.sessions), archived: lostOf(home.archived) }
    if (state === undefined || lost.sessions + lost.archived === 0) return []
    return [lossOf(home, state, lost)]
  })
  // If homes are no longer read, somebody decided that, unless nothing at all is left.
  return losses.length === 0 && present.size === 0 ? before.flatMap(removedHome) : losses
}

function lossOf(home: HomeSessions, state: HomeState, lost: { sessions: number; archived: number }): Loss {
  const { faults } = state
  const fault =
    faults.home ??
    (lost.sessions > 0 ? faults.sessions : undefined) ??
    (lost.archived > 0 ? faults.archived : undefined)
  return {
    source: home.path,
    ...defined({ label: home.label === '' ? undefined : home.label }),
    had: allOf(home).length,
    has: allOf(state).length,
    lost: lost.sessions + lost.archived,
    ...defined({ fault }),
  }
}

function removedHome(home: HomeSessions): Loss[] {
  const had = allOf(home).length
  return had === 0
    ? []
    : [{ source: home.path, had, has: 0, lost: had, fault: 'no home that is read contains a session' }]
}

/** What a site says about the homes from which it was built, if the cache knows nothing. */
interface SiteSessions {
  /** Name of the site for people. */
  name: string
  /** Folders of its sessions. */
  folders: readonly string[]
  /** Number of its sessions by home, in the order of the homes. */
  homes: readonly { label?: string; sessions: number }[]
}

/** Losses of homes according to the old site: home by home if their number and labels are the same, otherwise all together. */
function siteLosses(site: SiteSessions, now: readonly HomeState[]): Loss[] {
  const folders = new Set(site.folders)
  const isSame =
    site.homes.length === now.length &&
    now.every(({ label }, index) => site.homes[index]?.label === (label === '' ? undefined : label))
  const stay = (names: readonly string[]): number => names.filter((name) => folders.has(name)).length
  if (!isSame) {
    const names = now.flatMap(allOf)
    return lossesIn([{ source: site.name, had: folders.size, has: names.length, lost: folders.size - stay(names) }])
  }
  const whole = folders.size - stay(now.flatMap(allOf))
  return lossesIn(
    now.map((home, index) => {
      const had = site.homes[index]?.sessions ?? 0
      const names = allOf(home)
      const lost = Math.min(whole, Math.max(0, had - stay(names)))
      const { label, faults } = home
      return {
        source: home.path,
        ...defined({ label: label === '' ? undefined : label, fault: faults.home }),
        had,
        has: names.length,
        lost,
      }
    }),
  )
}

function lossesIn(losses: readonly Loss[]): Loss[] {
  return losses.filter(({ lost }) => lost > 0)
}

function allOf({ sessions, archived }: HomeSessions): readonly string[] {
  return archived.length === 0 ? sessions : [...sessions, ...archived]
}

function holds(home: string, path: string): boolean {
  return (
    path.startsWith(home) &&
    (path.length === home.length || /[\\/]$/.test(home) || /[\\/]/.test(path.charAt(home.length)))
  )
}

// The homes of a build compared with those of the last one: what stops the build, and what it says about sessions that leave the
// site.

/** The homes of a build, and those of the last one. */
export interface HomeStates {
  homes: HomeState[]
  /** `undefined` if the cache knows none. */
  before: HomeSessions[] | undefined
  /** Folders of sessions whose files exist, whether they could be read or not. */
  found: ReadonlySet<string>
  /** Folders of the sessions that could be read. */
  read: ReadonlySet<string>
}

/** Collects what the homes contain now, and what they contained before. */
export function readSources({
  roots: { roots, missing },
  survey: { catalog, diagnostics },
  read,
  cacheDir,
}: {
  roots: FoundRoots
  survey: Survey
  /** Ids of threads that could be read. */
  read: ReadonlySet<string>
  cacheDir: string
}): HomeStates {
  const isPartial = diagnostics.some(({ ruleId }) => ruleId === 'unreadable-folder')
  const partial = isPartial ? 'a folder in it cannot be read' : undefined
  const empty: EmptyHome[] = [
    ...roots.map((root) => ({
      ...{ path: root.path, label: root.label },
      faults: defined({ home: partial, ...rootFaults(root) }),
    })),
    ...missing.map(({ path, label, reason }) => ({ path, label, faults: { home: reason } })),
  ]
  return {
    homes: homeSessions(empty, catalog.threads, (id) => read.has(id)),
    before: readLastHomes(cacheDir),
    found: new Set(catalog.threads.map(({ id }) => threadFolder(id))),
    read: new Set([...read].map(threadFolder)),
  }
}

/** Throws a `RemovalError` if homes lost so much since the last build that it looks like an accident. */
export function refuseRemoval({ homes, before }: HomeStates, { out }: BuildOptions): void {
  const losses = before === undefined ? lossesOfSite(out, homes) : homeLosses(before, homes)
  const drastic = losses.filter(isDrastic)
  if (drastic.length > 0) throw new RemovalError(drastic, `The site in \`${out}\` is unchanged.`)
}

/**
 * Losses if the cache is missing or was written by an older version: the site itself records how many sessions it has from which
 * home.
 */
function lossesOfSite(out: string, homes: readonly HomeState[]): Loss[] {
  const folders = [...sessionFolders(standingFiles(out).keys())]
  return folders.length === 0 ? [] : siteLosses({ name: out, folders, homes: homesOf(siteReport(out)) }, homes)
}

function homesOf(report: Record<string, unknown>): { label?: string; sessions: number }[] {
  const { homes } = report
  if (!Array.isArray(homes)) return []
  return homes.map((home: unknown) => {
    const { label, sessions } = (home ?? {}) as Record<string, unknown>
    return { ...(typeof label === 'string' ? { label } : {}), sessions: typeof sessions === 'number' ? sessions : 0 }
  })
}

/** How many sessions of the site come from each home. */
export function builtHomes(
  { homes }: HomeStates,
  sessions: readonly SiteSession[],
): { label?: string; sessions: number }[] {
  const built = new Set(sessions.map(({ summary }) => threadFolder(summary.threadId)))
  return homes.map(({ label, sessions: active, archived }) => ({
    ...defined({ label: label === '' ? undefined : label }),
    sessions: [...active, ...archived].filter((name) => built.has(name)).length,
  }))
}

/** Sessions of the old site that the new one does not have, by the reason. */
export function withdrawn(
  { written, kept, removed }: WritePlan,
  { homes, before, found, read }: HomeStates,
): Withdrawn[] {
  const stay = sessionFolders([...written, ...kept])
  const paths = new Set(homes.map(({ path }) => path))
  const dropped = new Set(
    (before ?? [])
      .filter(({ path }) => !paths.has(path))
      .flatMap(({ sessions, archived }) => [...sessions, ...archived]),
  )
  const reasonOf = (name: string): Withdrawn['reason'] => {
    if (found.has(name)) return read.has(name) ? 'deselected' : 'unreadable'
    return dropped.has(name) ? 'home-removed' : 'vanished'
  }
  const names = [...sessionFolders(removed)].filter((name) => !stay.has(name))
  return [...groupBy(names, reasonOf)].map(([reason, sessions]) => ({ reason, sessions }))
}
