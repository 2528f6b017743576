/** Searches the sessions themselves: no index, and what is matched is what may be shown. */

import type { PersonalPolicy } from '../../config/personal.ts'
import { suspectsIn } from '../../redact/session-values.ts'
import { findRoots } from '../../rollout/discover/homes-fs.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import { openRollout } from '../../rollout/read/open-fs.ts'
import { type Family, findFamilies, relativesIn, valuesAbout } from '../../site/known/families.ts'
import { slicesOf } from '../../site/slices.ts'
import { withSpool } from '../../site/spool-fs.ts'
import type { Host, Sources } from '../../site/types.ts'
import { scanWithLineage, threadIndex } from '../../survey/lineage.ts'
import {
  type Privacy,
  type PrivateThread,
  privacyOf,
  privateHost,
  privateThread,
  publicIds,
} from '../../survey/privacy.ts'
import { projectOf } from '../../survey/project.ts'
import { isSelected, readFilters, type Selection } from '../../survey/select.ts'
import { survey } from '../../survey/survey.ts'
import type { ScannedThread } from '../../transcript/summary.ts'
import { defined } from '../../util/defined.ts'
import { yieldToEventLoop } from '../../util/event-loop.ts'
import { bytePatterns, dropFound } from './bytes.ts'
import { type FoundTurn, turnMatcher } from './match.ts'
import type { Query } from './query.ts'

/** What to search, and how results are told. */
export interface SearchOptions extends Sources {
  query: Query
  redact: boolean
  personal: PersonalPolicy
  /** Lines around a line with a hit. */
  around: number
  /** Takes each session with hits, newest first. */
  take: (found: FoundSession) => Promise<void>
}

/** A session with hits. */
export interface FoundSession {
  id: string
  title: string
  project: string
  startedAt?: string
  /** Pages of its transcript. */
  pages: number
  /** Turns with hits, in their order. */
  turns: FoundTurn[]
}

/** What a search came to. */
export interface SearchSum {
  sessions: number
  turns: number
  /** Sessions that could not be read. */
  failed: number
  /** Folders and files that were looked at for sessions. */
  places: string[]
}

/** Searches all sessions that pass the filters, newest first. Throws `UsageError` for a date or a home that does not fit. */
export function search(options: SearchOptions, host: Host): Promise<SearchSum> {
  return withSpool((spoolDir) => searchWith(spoolDir, options, host))
}

async function searchWith(spoolDir: () => string, options: SearchOptions, outer: Host): Promise<SearchSum> {
  const privacy = privacyOf(options, outer)
  const host = privateHost(outer, privacy)
  const { env, homeDir, signal, progress, report } = host
  const { query } = options
  const filters = {
    ...options,
    projects: [...options.projects, ...query.projects],
    since: query.since ?? options.since,
    until: query.until ?? options.until,
  }
  const selection = readFilters(filters, { now: host.now(), timeZone: options.timeZone })
  const roots = findRoots({ codexHomes: options.homes, env, homeDir })
  progress.stage('Looking for sessions')
  const { catalog, diagnostics, places } = await survey(roots, { spoolDir, signal, publicId: publicIds(privacy) })
  for (const item of diagnostics) report(item)
  const threads = catalog.threads.filter((thread) => mayPass(thread, selection)).reverse()
  const patterns = bytePatterns(query, Object.values(options.personal.roots))
  const index = threadIndex(catalog.threads)
  let byHead: ReadonlyMap<string, Family> | undefined
  const families = (): ReadonlyMap<string, Family> => {
    byHead ??= findFamilies(catalog.threads, [])
    return byHead
  }
  const sum: SearchSum = { sessions: 0, turns: 0, failed: 0, places }
  progress.stage('Searching sessions', threads.length)
  for (const thread of threads) {
    await yieldToEventLoop()
    signal.throwIfAborted()
    progress.tick()
    if (!(await mayHold(thread, patterns, spoolDir))) continue
    const { facts, diagnostics: faults } = await scanWithLineage(thread, index, { spoolDir, signal })
    for (const item of faults) report(item)
    if (facts === undefined) sum.failed++
    if (facts === undefined || !isSelected({ id: thread.id, archived: thread.archived, ...facts }, selection)) continue
    const found = await searchThread({ thread, facts }, { options, privacy, families, spoolDir, signal })
    if (found.turns.length === 0) continue
    sum.sessions++
    sum.turns += found.turns.length
    await options.take(found)
  }
  return sum
}

/** What can be told without a scan: it spares reading the others. */
function mayPass({ id, archived }: Thread, { ids, archived: wanted, exclude }: Selection): boolean {
  const known = { projects: [], since: undefined, before: undefined }
  return isSelected({ id, archived, cwds: [] }, { ids, archived: wanted, ...known, ...defined({ exclude }) })
}

/** Whether the files of a thread hold something for each pattern. What cannot be read is told when it is scanned. */
async function mayHold(thread: Thread, patterns: readonly RegExp[], spoolDir: () => string): Promise<boolean> {
  const open = new Set(patterns)
  for (const { file } of thread.segments) {
    if (open.size === 0) break
    try {
      const source = await openRollout(file, { spoolDir })
      try {
        dropFound(source, open)
      } finally {
        source.close()
      }
    } catch {
      return true
    }
  }
  return open.size === 0
}

interface Surroundings {
  options: SearchOptions
  privacy: Privacy | undefined
  families: () => ReadonlyMap<string, Family>
  spoolDir: () => string
  signal: AbortSignal
}

/**
 * Matches redacted text. What the family of the session tells as a secret is looked up when the lines of hits hold words
 * that could be one; they are then matched again without it, so that nobody can confirm a secret by searching for it.
 */
async function searchThread(scanned: ScannedThread, around: Surroundings): Promise<FoundSession> {
  const { privacy, families, spoolDir } = around
  const { thread, facts } = scanned
  const found = await matchThread(privateThread(thread, facts, privacy), around)
  if (privacy === undefined || found.turns.length === 0) return found
  const shown = [
    found.title,
    ...found.turns.flatMap(({ texts }) => texts.flatMap(({ lines }) => lines.map(({ text }) => text))),
  ]
  const suspects = new Set(shown.flatMap(suspectsIn))
  const values =
    suspects.size === 0 ? undefined : await valuesAbout(suspects, relativesIn(scanned, families()), spoolDir)
  return values === undefined || values.size === 0
    ? found
    : matchThread(privateThread(thread, facts, privacy, values), around)
}

async function matchThread(
  { thread, facts, redactor }: PrivateThread,
  { options, spoolDir, signal }: Surroundings,
): Promise<FoundSession> {
  const { session, slices } = slicesOf(thread, facts, {
    ...{ spoolDir, signal, assets: () => undefined },
    ...defined({ redactor }),
  })
  const matcher = turnMatcher(options.query, options.around)
  for await (const { tree, page } of slices) matcher.take(tree, page.number)
  return {
    ...{ id: thread.id, title: facts.title, project: projectOf(facts).name, pages: facts.pages.length },
    ...defined({ startedAt: session.startedAt }),
    turns: matcher.finish(),
  }
}
