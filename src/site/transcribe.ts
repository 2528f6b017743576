/**
 * Second stage of a build: threads become sessions, and sessions become files. A session is transcribed and rendered slice by
 * slice, so memory holds one slice and not the whole session.
 */

import { pluginKey } from '../config/plugins.ts'
import type { ValueReport } from '../redact/session-values.ts'
import { firstFile, type Thread, threadBytes } from '../rollout/discover/rollout.ts'
import { append, sumBy } from '../util/groups.ts'
import { detached } from '../util/json.ts'
import { type BuildCache, type CachedSession, type SiteSession, summaryKey } from './cache/build-cache.ts'
import { type BuildContext, type Outcome, report, type SessionJob } from './context.ts'
import { type CuratedThread, releaseThread } from './curation.ts'
import { aheadKey, type Discovery, growingSessions, jobOf, sessionKey } from './discover.ts'
import { type KeepInput, keepOrphaned, publicationKey } from './kept-sessions.ts'
import { retractSession, type SettledFamilies, settledFamilies } from './known/session-families.ts'
import { kindCounts, unknownKinds } from './report.ts'
import type { SessionRenderer, SessionResult } from './session.ts'
import { sessionRenderers } from './session-thread-fs.ts'
import { Workload } from './workload.ts'

/** The sessions of the site. */
export interface Transcribed {
  /** Sessions with files, including those whose rollouts have disappeared. */
  sessions: SiteSession[]
  /** How many of them were rendered; the others were kept from the last build. */
  rendered: number
  /** Number of sessions without files. */
  failed: number
}

/**
 * The sessions before the pages around them are made: what is needed of everything that was found, so that the rest can be
 * released.
 */
interface Rendered {
  /** Outcomes of the wanted sessions, in their order. */
  outcomes: Outcome[]
  keeping: KeepInput
}

/**
 * Transcribes and renders the sessions that changed, in several threads if that is worthwhile; the others are kept from the last
 * build.
 */
export async function transcribe(context: BuildContext, found: Discovery): Promise<Rendered> {
  const outcomes = await reportedOutcomes(context, found)
  const { catalog, curation, orphaned, projects } = found
  return { outcomes, keeping: { threadIds: catalog.threads.map(({ id }) => id), curation, orphaned, projects } }
}

/** Reads what the pages around the sessions need from them. */
export function siteSessions(context: BuildContext, { outcomes, keeping }: Rendered): Transcribed {
  const files = new Map<string, string>()
  // One at a time: names of their files and their diagnostics would weigh half as much as what pages need.
  const built = outcomes.flatMap(({ session, file }) => {
    if (session !== undefined && file !== undefined) files.set(session.summary.threadId, file)
    return session === undefined ? [] : siteSession(session)
  })
  const sessions = [...built, ...keepOrphaned(keeping, built, context).map(siteSession)]
  for (const item of unknownKinds(kindCounts(sessions, files))) report(context, item)
  const rendered = built.length - outcomes.filter(({ isKept }) => isKept).length
  return { sessions, rendered, failed: outcomes.length - built.length }
}

function siteSession({ key, summary, summaryKey, search }: CachedSession): SiteSession {
  return { key, summary, summaryKey, search }
}

/** The outcomes of the wanted sessions, after their diagnostics were reported. */
export async function reportedOutcomes(context: BuildContext, found: Discovery): Promise<Outcome[]> {
  await transcribeSessions(context, found)
  const all = found.wanted.flatMap(({ thread }) => context.outcomes.get(thread.id) ?? [])
  for (const { diagnostics } of all) for (const item of diagnostics) report(context, item)
  return all
}

/** Gives each wanted session its outcome: that of the last build, or a new one. */
export async function transcribeSessions(context: BuildContext, found: Discovery): Promise<void> {
  const { host, privacy, outcomes } = context
  const { wanted } = found
  const families = privacy && settledFamilies(found, privacy, context)
  const growing = growingSessions(wanted, context)
  const kept = unchangedSessions(growing, { found, families, context })
  const changed = wanted.filter((item) => !kept.has(item))
  const unsure = new Set<string>()
  const isMostlyNew = bytesOf(changed) > bytesOf(wanted) / 2
  const indexAhead = aheadIndexer(found, context, { isMostlyNew, unsure })
  const state: Transcription = { context, found, families, growing, again: [], finished: new Set(), unsure, indexAhead }
  host.progress.stage('Rendering sessions', wanted.length, bytesOf(changed))
  const work = new Workload(wanted.length, host)
  for (const { thread } of changed) work.add(threadBytes(thread))
  // If a reader asked for a session, the kept one was made during this build.
  for (const [item, session] of kept)
    await finishSession(item, keptOutcome(session, item, !outcomes.has(item.thread.id)), state)
  await renderAll(changed, state)
}

/** The state of a build while sessions get their outcomes. */
interface Transcription {
  context: BuildContext
  found: Discovery
  /** Set if values are redacted. */
  families: SettledFamilies | undefined
  /** Ids of sessions that continue, whose closed pages are kept. */
  growing: ReadonlySet<string>
  /** Sessions that were made without a value that their family knows by now. */
  again: CuratedThread[]
  /** Ids of sessions that have an outcome. */
  finished: Set<string>
  /** Ids of sessions that may be rendered again, or will be. */
  unsure: Set<string>
  /** Passes on what the search index can take by now. */
  indexAhead: () => void
}

/** Sessions of the last build that can be kept. */
function unchangedSessions(
  growing: ReadonlySet<string>,
  { found, families, context }: Pick<Transcription, 'found' | 'families' | 'context'>,
): Map<CuratedThread, CachedSession> {
  const kept = new Map<CuratedThread, CachedSession>()
  for (const item of found.wanted) {
    const { id } = item.thread
    const key = sessionKey(jobOf(item, found))
    const session = (families?.mayKeep(id, key) ?? true) ? keepSession(id, key, context) : undefined
    if (session === undefined) continue
    kept.set(item, session)
    if (growing.has(id)) context.cache.keepSlices(id, item.facts.pages.length - 1)
  }
  return kept
}

/** Records the outcome of a session, and which members of its family must be rendered again because of what it revealed. */
async function finishSession(item: CuratedThread, outcome: Outcome, state: Transcription): Promise<void> {
  const { id } = item.thread
  const { context, families, finished, unsure, again } = state
  if (!finished.has(id)) context.host.progress.tick()
  finished.add(id)
  context.outcomes.set(id, outcome)
  unsure.add(id)
  const more = (await families?.done(id)) ?? []
  // Families release their members themselves.
  if (families === undefined && !context.isAsked) releaseThread(item)
  unsure.delete(id)
  for (const { thread } of more) unsure.add(thread.id)
  append(again, more)
  state.indexAhead()
}

/** Renders sessions, in several threads if that is worthwhile. */
async function renderAll(changed: readonly CuratedThread[], state: Transcription): Promise<void> {
  const { context, found, again } = state
  const renderers = sessionRenderers(changed, found.links, context)
  let lanes: Promise<void>[] = []
  try {
    // Even if no session changed, kept ones may know fewer values than their families.
    for (let batch = [...changed, ...again.splice(0)]; batch.length > 0; batch = again.splice(0)) {
      const queue = largeFirst(batch, renderers.length).values()
      lanes = renderers.map((renderer) => renderEach(queue, renderer, state))
      await Promise.all(lanes)
    }
  } finally {
    await Promise.all(renderers.map((renderer) => renderer.close()))
    await Promise.allSettled(lanes)
  }
}

/** Renders one session after the other from a queue that renderers share, until it is empty. */
async function renderEach(
  queue: Iterable<CuratedThread>,
  renderer: SessionRenderer,
  state: Transcription,
): Promise<void> {
  const { requests } = state.context
  for (const item of queue) {
    // Repeated sessions are rendered immediately, because shards of the index wait for them.
    for (let next: CuratedThread | undefined = item; next !== undefined; next = state.again.shift()) {
      const one = next
      const renderOne = () => renderNext(one, renderer, state)
      await (requests === undefined ? renderOne() : requests.workAt(one.thread.id, renderOne))
    }
  }
}

/** Renders a session, unless that has been done for a reader in the meantime. */
async function renderNext(item: CuratedThread, renderer: SessionRenderer, state: Transcription): Promise<void> {
  const { context, found, families, growing } = state
  const { id } = item.thread
  const job: SessionJob = { ...jobOf(item, found), ...(growing.has(id) && { mayGrow: true }) }
  const before = context.outcomes.get(id)?.session
  const made = before && (families?.isSettled(id) ?? true) ? keepSession(id, sessionKey(job), context) : undefined
  if (made !== undefined) {
    context.passed(threadBytes(item.thread))
    return finishSession(item, keptOutcome(made, item, false), state)
  }
  if (before !== undefined) retractSession(id, before, context)
  await finishSession(item, outcomeOf(job, await renderer.render(job), { context, found }), state)
}

/** The session of the last build, if nothing that it depends on has changed and all its files still exist. */
function keepSession(id: string, key: string, { options, cache, staging }: BuildContext): CachedSession | undefined {
  if (pluginKey(options.plugins) === undefined) return undefined
  const cached = cache.session(id, key)
  if (cached === undefined || !cached.files.every(({ path, hash }) => staging.keepUnchanged(path, hash)))
    return undefined
  return cache.keepBlobs(id, cached) ? cached : undefined
}

/**
 * The items in their order, but first those on which one renderer would still be working when the others have nothing left to do.
 */
function largeFirst(items: readonly CuratedThread[], renderers: number): readonly CuratedThread[] {
  if (renderers === 1) return items
  const limit = bytesOf(items) / (4 * renderers)
  const isLarge = ({ thread }: CuratedThread): boolean => threadBytes(thread) > limit
  const large = items.filter(isLarge).sort((a, b) => threadBytes(b.thread) - threadBytes(a.thread))
  return [...large, ...items.filter((item) => !isLarge(item))]
}

function bytesOf(sessions: readonly { thread: Thread }[]): number {
  return sumBy(sessions, ({ thread }) => threadBytes(thread))
}

/** The outcome of a session that stays unchanged; `isKept`: it was made by the last build. */
function keptOutcome(session: CachedSession, { thread }: CuratedThread, isKept: boolean): Outcome {
  return { session, isKept, diagnostics: session.diagnostics, ...strangeFile(session, thread) }
}

/** Name of a session's rollout, if it contains lines of unknown kinds. */
function strangeFile({ summary }: CachedSession, thread: Thread): { file?: string } {
  return Object.keys(summary.lines.unknown).length === 0 ? {} : firstFile(thread)
}

/** Stores the result of a session. */
function outcomeOf(
  job: SessionJob,
  result: SessionResult,
  { context: { cache, details }, context, found }: { context: BuildContext; found: Discovery },
): Outcome {
  if ('failure' in result) return { isKept: false, diagnostics: [result.failure] }
  const { summary, detail, files, search, diagnostics, isAhead, values } = result
  const { id } = job.thread
  const session: CachedSession = {
    key: isAhead ? aheadKey(job) : sessionKey(job),
    summary: detached(summary),
    summaryKey: summaryKey(summary),
    files,
    search,
    diagnostics,
    publication: publicationKey(id, found.curation, context),
    // Whether it reveals values, or contains some that are known.
    values: { touched: values !== undefined && (values.values.size > 0 || values.hasKnown) },
  }
  details.put(detail)
  cache.setSession(id, session)
  return new RenderedOutcome(id, session, { cache, values, ...strangeFile(session, job.thread) })
}

/** A rendered session is read from the cache when it is needed, so that thousands of them take little memory. */
class RenderedOutcome implements Outcome {
  readonly isKept = false
  readonly diagnostics: Outcome['diagnostics']
  declare values?: ValueReport
  declare readonly file?: string
  readonly #cache: BuildCache
  readonly #id: string
  readonly #key: string

  constructor(
    id: string,
    { key, diagnostics }: CachedSession,
    { cache, values, file }: { cache: BuildCache; values: ValueReport | undefined; file?: string },
  ) {
    this.#id = id
    this.#key = key
    this.#cache = cache
    this.diagnostics = diagnostics
    if (values !== undefined) this.values = values
    if (file !== undefined) this.file = file
  }

  get session(): CachedSession | undefined {
    return this.#cache.session(this.#id, this.#key)
  }
}

/**
 * Passes pruned pages on in the order of the sessions, so that shards of the index are begun while later sessions are rendered.
 */
function aheadIndexer(
  { wanted }: Discovery,
  { options, site, cache, staging, ahead, outcomes }: BuildContext,
  { isMostlyNew, unsure }: { isMostlyNew: boolean; unsure: ReadonlySet<string> },
): () => void {
  const { generator } = site
  // Otherwise most shards stay unchanged, and which do not is known only in the end. The small site before the full one has an
  // index too.
  if (!site.search || options.dryRun || !isMostlyNew) return () => {}
  const source = { generator, cache, tempDir: () => staging.tempDir() }
  let next = 0
  return () => {
    for (; ; next++) {
      const thread = wanted[next]?.thread
      const outcome = thread && outcomes.get(thread.id)
      if (thread === undefined || outcome === undefined || unsure.has(thread.id)) return
      const { session } = outcome
      if (session !== undefined) ahead.add(session.search, source)
    }
  }
}
