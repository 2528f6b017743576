/** The reading stages of a build: which threads there are, which are wanted, and the files of each. */

import type { FoundRoots } from '../rollout/discover/homes-fs.ts'
import type { Catalog, Thread } from '../rollout/discover/rollout.ts'
import { ancestors, scanWithLineage, type ThreadIndex, threadIndex } from '../survey/lineage.ts'
import { findNeighbours, threadLinks } from '../survey/neighbours.ts'
import { isPublicValue, publicIds } from '../survey/privacy.ts'
import type { Scan } from '../survey/scan.ts'
import { isSelected, readFilters, type Selection } from '../survey/select.ts'
import { type Survey, survey } from '../survey/survey.ts'
import type { ScanFacts, ScannedThread } from '../transcript/summary.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { type CachedSession, threadKey } from './cache/build-cache.ts'
import { type CuratedThread, type Curator, curatedThread } from './curation.ts'
import { settledFamilies } from './known/session-families.ts'
import type { SessionJob } from './open-session.ts'
import {
  type BuildContext,
  jobOf,
  type Outcome,
  renderSession,
  type SessionBuild,
  type Surroundings,
} from './session-outcome.ts'

/** Surveys the roots; heads of unchanged files come from the cache. */
export async function surveyRoots(
  roots: FoundRoots,
  { privacy, host, cache, spoolDir, report }: BuildContext,
): Promise<Survey> {
  host.progress.stage('Looking for sessions')
  const found = await survey(roots, {
    spoolDir,
    signal: host.signal,
    knownHead: (file) => cache.head(file),
    // A head that names a secret is read again each time instead of being kept.
    keepHead: (file, reading) => {
      if (privacy === undefined || isPublicValue(reading)) cache.setHead(file, reading)
    },
    oldCopies: cache.oldCopies,
    publicId: publicIds(privacy),
  })
  for (const item of found.diagnostics) report(item)
  return found
}

/** Threads that passed the scan. */
export interface ScannedThreads {
  /** The wanted ones. */
  scanned: CuratedThread[]
  /** Ids of all that hold anything, wanted or not. */
  read: ReadonlySet<string>
  /** The others: what they tell as secret is one in their families. */
  unwanted: ScannedThread[]
  failed: number
}

/** Scans all threads and picks the wanted ones. Threads that cannot be read count as failed. */
export async function scanThreads(catalog: Catalog, work: BuildContext, curation: Curator): Promise<ScannedThreads> {
  const { options, host, privacy } = work
  const { filters } = options
  const selection = readFilters(filters, { now: host.now(), timeZone: filters.timeZone })
  host.progress.stage('Reading sessions', catalog.threads.length)
  const index = threadIndex(catalog.threads)
  const scanned: CuratedThread[] = []
  const read = new Set<string>()
  const unwanted: ScannedThread[] = []
  let failed = 0
  for (const thread of catalog.threads) {
    const { facts, diagnostics } = await scanOnce(thread, index, work)
    if (facts !== undefined && facts.lines > 0) read.add(thread.id)
    if (facts === undefined) {
      failed++
      for (const item of diagnostics) work.report(item)
    } else if (isWanted(thread, facts, selection, curation))
      scanned.push(curatedThread(thread, facts, { curation, privacy }))
    else unwanted.push({ thread, facts })
    host.progress.tick()
  }
  return { scanned, unwanted, read, failed }
}

function isWanted(thread: Thread, facts: ScanFacts, selection: Selection, { isHidden }: Curator): boolean {
  return !isHidden(thread.id) && isSelected({ id: thread.id, archived: thread.archived, ...facts }, selection)
}

async function scanOnce(thread: Thread, index: ThreadIndex, work: BuildContext): Promise<Scan> {
  const { privacy, cache, host, spoolDir } = work
  const ancestorKey = (facts: ScanFacts) => ancestors(thread, facts, index).map(threadKey).join(' ')
  const known = cache.scan(thread, ancestorKey)
  if (known !== undefined) return known
  await yieldToEventLoop()
  host.signal.throwIfAborted()
  const scan = await scanWithLineage(thread, index, { spoolDir, signal: host.signal })
  // Facts that hold a secret are found again each time instead of being kept.
  const mayKeep = scan.facts !== undefined && (privacy === undefined || isPublicValue(scan))
  if (scan.facts !== undefined && mayKeep) cache.setScan(thread, scan, ancestorKey(scan.facts))
  return scan
}

/** Sessions with files, and the number of those that gave none. */
export interface BuiltSessions {
  sessions: CachedSession[]
  /** How many of them are those of the build before. */
  kept: number
  failed: number
}

/** Makes the files of every wanted thread, or keeps those of the build before. */
export async function buildSessions(
  { scanned, unwanted }: ScannedThreads,
  stage: SessionBuild,
): Promise<BuiltSessions> {
  const { work, catalog, built } = stage
  const { host, privacy } = work
  const { neighbours, diagnostics } = findNeighbours(scanned, new Set(catalog.threads.map(({ id }) => id)))
  for (const item of diagnostics) work.report(item)
  const around: Surroundings = { stage, neighbours, links: threadLinks(scanned), index: threadIndex(catalog.threads) }
  const families = privacy && settledFamilies({ scanned, unwanted, privacy }, around)
  host.progress.stage('Rendering sessions', scanned.length)
  const allBytes = scanned.reduce((sum, { thread }) => sum + bytesOf(thread), 0)
  let bytes = 0
  const outcomes = new Map<string, Outcome>()
  for (const item of scanned) {
    bytes += bytesOf(item.thread)
    const task = jobOf(item, around)
    const mayKeep = families?.mayKeep(task) ?? true
    const outcome = (mayKeep ? keptOutcome(task, stage) : undefined) ?? (await renderSession(item, task, around))
    outcomes.set(item.thread.id, outcome)
    if (outcome.session !== undefined) built(outcome.session, bytes / allBytes)
    await families?.done(item.thread.id, outcomes)
    host.progress.tick()
  }
  for (const { diagnostics: said } of outcomes.values()) for (const item of said) work.report(item)
  const sessions = [...outcomes.values()].flatMap(({ session }) => session ?? [])
  const kept = [...outcomes.values()].filter(({ isKept }) => isKept).length
  return { sessions, kept, failed: outcomes.size - sessions.length }
}

function bytesOf({ segments }: Thread): number {
  return segments.reduce((sum, { file }) => sum + file.bytes, 0)
}

function keptOutcome(task: SessionJob, { keep }: SessionBuild): Outcome | undefined {
  const session = keep(task)
  return session && { session, isKept: true, diagnostics: session.diagnostics }
}
