/** Which sessions the homes have lost since the last build. Pure: sessions are compared by the names of their folders. */
import type { Loss } from '../diagnostics/removal.ts'
import type { Thread } from '../model/rollout.ts'
import { threadFolder } from '../model/urls.ts'
import { defined } from '../util/defined.ts'

/** A place that sessions are read from, and those that it gave, by the names of their folders in a site. */
export interface HomeSessions {
  /** Absolute. */
  path: string
  /** Empty where it has none. */
  label: string
  sessions: readonly string[]
  /** Those in the folder of archived sessions, which are not among `sessions`. */
  archived: readonly string[]
}

/** What is wrong with a home or its two folders, as clauses; absent where nothing is. */
export interface HomeFaults {
  home?: string
  sessions?: string
  archived?: string
}

/** A home as it is now. */
export interface HomeState extends HomeSessions {
  faults: HomeFaults
}

/** A home without sessions: its place and its state. */
export interface EmptyHome {
  path: string
  label: string
  faults: HomeFaults
}

/** Gives each thread to the first home that holds it. `isRead` leaves out threads that could not be read. */
export function homeSessions(
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
export function homeLosses(before: readonly HomeSessions[], now: readonly HomeState[]): Loss[] {
  const present = new Set(now.flatMap(allOf))
  const lostOf = (list: readonly string[]): number => list.filter((name) => !present.has(name)).length
  const states = new Map(now.map((state) => [state.path, state]))
  const losses = before.flatMap((home): Loss[] => {
    const state = states.get(home.path)
    const lost = { sessions: lostOf(home.sessions), archived: lostOf(home.archived) }
    if (state === undefined || lost.sessions + lost.archived === 0) return []
    return [lossOf(home, state, lost)]
  })
  // Homes that are read no more are somebody's decision, unless nothing at all is left.
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
  return had === 0 ? [] : [{ source: home.path, had, has: 0, lost: had, fault: 'no home that is read has any session' }]
}

/** What a site tells of the homes that it was built from, where the cache knows nothing. */
export interface SiteSessions {
  /** Name of the site for people. */
  name: string
  /** Folders of its sessions. */
  folders: readonly string[]
  /** Its sessions by home, in the order of the homes. */
  homes: readonly { label?: string; sessions: number }[]
}

/** Losses of homes by what the old site tells: home by home where there are as many, with the same labels, else at once. */
export function siteLosses(site: SiteSessions, now: readonly HomeState[]): Loss[] {
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
