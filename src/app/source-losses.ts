/** The sources of a build beside those of the build before: what stops it, and what it says of sessions that leave. */
import { isDrastic, type Loss, RemovalError } from '../diagnostics/removal.ts'
import { type FoundRoots, rootFaults } from '../discover/homes-fs.ts'
import { type EmptyHome, type HomeState, homeLosses, homeSessions, siteLosses } from '../discover/losses.ts'
import type { WritePlan } from '../model/output.ts'
import { sessionFolders, threadFolder } from '../model/urls.ts'
import { defined } from '../util/defined.ts'
import { type LastHome, readLastHomes } from '../write/last-homes-fs.ts'
import type { CachedSession } from './build-cache.ts'
import { siteReport, standingFiles } from './kept-pages-fs.ts'
import type { Survey } from './survey.ts'
import type { BuildOptions, Withdrawn } from './types.ts'

/** The homes of a build, and those of the build before. */
export interface Sources {
  homes: HomeState[]
  /** `undefined` where the cache knows of none. */
  before: LastHome[] | undefined
  /** Folders of sessions whose files are there, read or not. */
  found: ReadonlySet<string>
  /** Folders of those that could be read. */
  read: ReadonlySet<string>
}

/** Gathers what the homes hold now, and what they held. */
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
}): Sources {
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

/** Throws a `RemovalError` where homes lost so much since the last build that it looks like an accident. */
export function refuseRemoval({ homes, before }: Sources, { out }: BuildOptions): void {
  const losses = before === undefined ? lossesOfSite(out, homes) : homeLosses(before, homes)
  const drastic = losses.filter(isDrastic)
  if (drastic.length > 0) throw new RemovalError(drastic, `The site in \`${out}\` stays as it is.`)
}

/** The cache is gone, or is that of an older version: the site itself tells how many sessions it has of which home. */
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

/** How many sessions of the site each home gave. */
export function builtHomes(
  { homes }: Sources,
  sessions: readonly CachedSession[],
): { label?: string; sessions: number }[] {
  const built = new Set(sessions.map(({ summary }) => threadFolder(summary.threadId)))
  return homes.map(({ label, sessions: active, archived }) => ({
    ...defined({ label: label === '' ? undefined : label }),
    sessions: [...active, ...archived].filter((name) => built.has(name)).length,
  }))
}

/** Sessions of the old site that the new one does not have, by the reason. */
export function withdrawn({ written, kept, removed }: WritePlan, { homes, before, found, read }: Sources): Withdrawn[] {
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
  const groups = new Map<Withdrawn['reason'], string[]>()
  for (const name of sessionFolders(removed)) {
    if (stay.has(name)) continue
    const reason = reasonOf(name)
    const group = groups.get(reason)
    if (group === undefined) groups.set(reason, [name])
    else group.push(name)
  }
  return [...groups].map(([reason, sessions]) => ({ reason, sessions }))
}
