/** First stage of a build: which threads there are, what they contain, and which of them go into the site. */

import { isLive, type Thread, threadBytes } from '../rollout/discover/rollout.ts'
import { findFiles } from '../rollout/discover/thread-names-fs.ts'
import { historyOf, type ThreadIndex, threadIndex } from '../survey/lineage.ts'
import { edges, findNeighbours, type Neighbours, type ThreadLink, threadLinks } from '../survey/neighbours.ts'
import { shownAs, shownTexts } from '../survey/privacy.ts'
import { type ProjectNames, projectNames, projectOf } from '../survey/project.ts'
import { readFilters } from '../survey/select.ts'
import type { Survey } from '../survey/survey.ts'
import { type HeadFacts, headFacts } from '../survey/survey.ts'
import type { ScanFacts, ScannedThread } from '../transcript/summary.ts'
import { sumBy } from '../util/groups.ts'
import { hashKey } from '../util/hash.ts'
import { defined } from '../util/own.ts'
import { type KeptScan, type ShownScan, threadKey } from './cache/build-cache.ts'
import { knownScan, scanOnce, surveyOnce } from './cache/known-scans.ts'
import { type BuildContext, report, type SessionJob } from './context.ts'
import {
  type CuratedThread,
  type Curator,
  curatedThread,
  foldedThread,
  isPublished,
  plannedThread,
  WaitingThreads,
} from './curation.ts'
import { buildCurator, findOrphaned, type OrphanedSessions } from './kept-sessions.ts'
import { type HomeStates, readSources, refuseRemoval } from './losses.ts'
import { Workload } from './workload.ts'

/** What the homes contain, according to names and heads of files. */
export interface Surveyed extends Survey {
  index: ThreadIndex
  curation: Curator
  /** Sessions of the last build whose rollouts have disappeared. */
  orphaned: OrphanedSessions
  /** What is known from heads about the threads that go into the site, as far as heads can show that, by thread id. */
  heads: () => ReadonlyMap<string, HeadFacts>
}

/** What the homes contain, and what goes into the site. */
export interface Discovery extends ScannedThreads, Surveyed {
  /** Whether the site is made of some threads only, before it is made of all. */
  isPart: boolean
  /** The homes, compared with those of the last build. */
  sources: HomeStates
  /** What the sessions know of each other, by thread id; changed when a family reveals more secrets. */
  neighbours: Map<string, Neighbours>
  links: Map<string, ThreadLink>
  projects: ProjectNames
}

/**
 * Finds and scans all threads; `onFound` is called before they are scanned. Throws a `RemovalError` if the homes lost so much
 * that it looks like an accident.
 */
export async function discover(
  context: BuildContext,
  onFound: (surveyed: Surveyed) => void = () => {},
): Promise<Discovery> {
  const surveyed = await surveyHomes(context)
  onFound(surveyed)
  return discoverThreads(context, surveyed, context.only?.(surveyed.catalog.threads))
}

/** Finds all threads. */
async function surveyHomes(context: BuildContext): Promise<Surveyed> {
  const { host, roots, walks, reading } = context
  host.progress.stage('Looking for sessions')
  const files = walks && findFiles(roots.roots, walks)
  const found = await surveyOnce(roots, context, { ...reading, ...defined({ found: files }) })
  for (const item of found.diagnostics) report(context, item)
  const { catalog } = found
  const orphaned = findOrphaned(catalog, context)
  const index = threadIndex(catalog.threads)
  const curation = buildCurator(index, orphaned, context)
  let heads: Map<string, HeadFacts> | undefined
  return {
    ...{ ...found, orphaned, curation, index },
    heads: () => {
      heads ??= shownHeads(catalog.threads, curation, context)
      return heads
    },
  }
}

/** Scans the threads of a part of the site, or all threads without a `part`. Throws as `discover` does. */
export async function discoverThreads(
  context: BuildContext,
  surveyed: Surveyed,
  part?: readonly Thread[],
): Promise<Discovery> {
  const { options, roots, cacheDir } = context
  const { catalog } = surveyed
  const waiting = new WaitingThreads(context.cache)
  const threads = foldCopies(await scanThreads(part ?? catalog.threads, { ...surveyed, context, waiting }), waiting)
  const sources = readSources({ roots, survey: surveyed, read: threads.read, cacheDir })
  if (part === undefined && options.allowRemoval !== true && options.missing !== 'keep') refuseRemoval(sources, options)
  const { neighbours, diagnostics } = findNeighbours(threads.wanted, new Set(catalog.threads.map(({ id }) => id)))
  for (const item of diagnostics) report(context, item)
  const links = threadLinks(threads.wanted)
  const projects = projectNames(part === undefined ? factsOf(threads.wanted) : projectFacts(threads, surveyed))
  return { ...surveyed, ...threads, isPart: part !== undefined, sources, neighbours, links, projects }
}

/** All threads as they were read, one after the other. */
export function* scannedThreads({
  wanted,
  unwanted,
}: Pick<Discovery, 'wanted' | 'unwanted'>): Generator<ScannedThread> {
  for (const { raw } of wanted) yield raw
  yield* unwanted
}

function* factsOf(threads: readonly CuratedThread[]): Generator<ScanFacts> {
  for (const { facts } of threads) yield facts
}

/**
 * What the names of projects depend on: facts of all threads of the whole site, of those of the part from their scans and of the
 * others from their heads.
 */
function projectFacts({ wanted, unwanted }: ScannedThreads, { catalog, heads }: Surveyed): HeadFacts[] {
  const facts = new Map([...heads(), ...wanted.map((item) => [item.thread.id, item.facts] as const)])
  for (const { thread } of unwanted) facts.delete(thread.id)
  return catalog.threads.flatMap(({ id }) => facts.get(id) ?? [])
}

/** What heads say about the threads that go into the site. */
function shownHeads(
  threads: readonly Thread[],
  { isHidden }: Curator,
  { options, host, privacy }: BuildContext,
): Map<string, HeadFacts> {
  const selection = readFilters(options, host.now())
  return headFacts(
    threads.filter(({ id }) => !isHidden(id)),
    selection,
    privacy,
  )
}

/** Threads after the scan. */
interface ScannedThreads {
  /** Those that go into the site. */
  wanted: CuratedThread[]
  /** The others; the secrets that they reveal are secrets in their families too. */
  unwanted: ScannedThread[]
  /** Ids of all threads with content, wanted or not. */
  read: ReadonlySet<string>
  /** How many could not be read. */
  unreadable: number
}

/**
 * Most redactors that wait for their sessions to be rendered; each takes 22 kB. Any further ones are created again then, which
 * takes a thirtieth of the time of rendering a session of 80 kB.
 */
const maxRedactors = 1000

interface ScanInput {
  context: BuildContext
  curation: Curator
  index: ThreadIndex
  waiting: WaitingThreads
}

/** Scans all threads and picks the wanted ones. */
async function scanThreads(threads: readonly Thread[], input: ScanInput): Promise<ScannedThreads> {
  const { context, curation, index } = input
  const { options, host } = context
  const selection = readFilters(options, host.now())
  const bytes = sumBy(threads, threadBytes)
  host.progress.stage('Reading sessions', threads.length, bytes)
  const wanted: CuratedThread[] = []
  const unwanted: ScannedThread[] = []
  const read = new Set<string>()
  let unreadable = 0
  const work = new Workload(threads.length, host)
  for (const thread of threads) {
    await context.requests?.giveWay()
    const cached = knownScan(thread, index, context)
    if (cached === undefined) work.add(threadBytes(thread))
    const { facts, diagnostics } = cached ?? (await scanOnce(thread, index, context, context.reading))
    if (facts !== undefined && facts.lines > 0) read.add(thread.id)
    if (facts === undefined) {
      unreadable++
      for (const item of diagnostics) report(context, item)
    } else if (isPublished({ thread, facts }, selection, curation)) {
      wanted.push(waitingThread({ thread, facts }, cached, { ...input, keepsRedactor: wanted.length < maxRedactors }))
    } else unwanted.push({ thread, facts })
    host.progress.tick(1, threadBytes(thread))
  }
  return { wanted, unwanted, read, unreadable }
}

/** A thread in the form in which it waits to be rendered; `cached` is its scan, if the cache has it as it was read. */
function waitingThread(
  scanned: ScannedThread,
  cached: KeptScan | undefined,
  { keepsRedactor, ...input }: ScanInput & { keepsRedactor: boolean },
): CuratedThread {
  const { context, waiting } = input
  const shown = cached?.shown
  const { isKept, curated } = curatedOnce(scanned, shown, input)
  const { redactor, ...item } = curated
  const kept = keepsRedactor ? redactor : undefined
  const thread = { ...item, ...liveness(scanned.thread, context), ...defined({ redactor: kept }) }
  context.requests?.titles.set(scanned.thread.id, item.facts.title)
  // Most of these stay unchanged: if their facts were packed, every stage would have to unpack them again.
  const isHeld = cached !== undefined && cached.shown === shown
  if (isHeld) return thread
  // What readers ask for meanwhile may replace the cached facts.
  return isKept && !context.isAsked ? waiting.addKept(thread) : waiting.add(thread)
}

/**
 * A thread in publishable form, and whether the cache has it in that form. If an earlier build found out what to show, it is not
 * searched again; the redactor is then made when the session is rendered.
 */
function curatedOnce(
  { thread, facts }: ScannedThread,
  shown: ShownScan | undefined,
  { context: { cache, privacy }, curation }: ScanInput,
): { curated: CuratedThread; isKept: boolean } {
  const planned = plannedThread(thread, facts, curation)
  const plan = JSON.stringify(planned.plan) ?? ''
  const isUncurated = planned.plan === undefined
  if (shown?.plan === plan)
    return { curated: { ...shownAs(planned.raw, shown.texts), ...planned }, isKept: isUncurated }
  const curated = curatedThread(planned, privacy)
  if (privacy === undefined) return { curated, isKept: false }
  const isSet = cache.setShown(thread, { plan, texts: shownTexts(planned.raw, curated) })
  return { curated, isKept: isSet && isUncurated }
}

function liveness({ segments }: Thread, { options, host }: BuildContext): { live?: true } {
  const last = segments.at(-1)
  return last !== undefined && isLive(last.file, host.now(), options.liveMs) ? { live: true } : {}
}

function writtenAt({ segments }: Thread): number {
  return segments.at(-1)?.file.mtimeMs ?? Number.NEGATIVE_INFINITY
}

/** How many sessions are expected to continue: those written last that have several pages and were written within this time. */
const maxGrowing = 8
const growingMs = 7 * 86_400_000

/** Ids of the sessions that are expected to continue. */
export function growingSessions(wanted: readonly CuratedThread[], { host }: Pick<BuildContext, 'host'>): Set<string> {
  const since = host.now() - growingMs
  const lately = wanted.filter(({ thread, facts }) => facts.pages.length > 1 && writtenAt(thread) > since)
  const newest = lately.sort((a, b) => writtenAt(b.thread) - writtenAt(a.thread))
  return new Set(newest.slice(0, maxGrowing).map(({ thread }) => thread.id))
}

/** Makes forks open where their own part begins, if the site has the session that they copied. */
function foldCopies(threads: ScannedThreads, waiting: WaitingThreads): ScannedThreads {
  const built = new Set(threads.wanted.map(({ thread }) => thread.id))
  const wanted = threads.wanted.map((item) => {
    const { forkedFromId, parentId } = edges(item.thread, item.facts)
    if (!built.has(forkedFromId ?? parentId ?? '')) return item
    return waiting.replace(item, foldedThread(item))
  })
  return { ...threads, wanted }
}

// What a session of the site is made from.

/** The job for a thread. */
export function jobOf(
  { thread, facts, plan, redactor, live, raw, family }: CuratedThread,
  { neighbours, index, projects }: Discovery,
): SessionJob {
  return {
    thread,
    facts,
    neighbours: neighbours.get(thread.id) ?? { forks: [], agents: [] },
    project: projectOf(facts, projects),
    ...defined({ plan, redactor, live }),
    secrets: { raw, ...defined({ family }) },
    history: historyOf(thread, index),
  }
}

/** `sessionKey` of a session of which an update left some pages unchanged: no build considers it finished. */
export function aheadKey(job: SessionJob): string {
  return `${sessionKey(job)} ahead`
}

/** Identifies everything that a session's files depend on besides the cache's stamp. */
export function sessionKey({ thread, facts, neighbours, project, plan, live }: SessionJob): string {
  const around = [facts.inherited, facts.base, neighbours, project, plan].map((value) => JSON.stringify(value))
  // The same bytes result in another page once nobody writes them any more.
  return hashKey([threadKey(thread), ...around, ...(live ? ['live'] : [])].join('\0'))
}
