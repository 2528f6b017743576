/** Second stage of a build: threads become the files of their sessions, and those the pages around them. */

import type { Diagnostic } from '../diagnostics/codes.ts'
import type { FileRecord } from '../render/output.ts'
import { renderSite } from '../render/pages/site.ts'
import { type Thread, threadBytes } from '../rollout/discover/rollout.ts'
import type { SessionDetail } from '../transcript/summary.ts'
import { pacer } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import { defined } from '../util/own.ts'
import type { CachedSession } from './cache/build-cache.ts'
import { type BuildContext, type Outcome, report, type SessionJob } from './context.ts'
import type { CuratedThread } from './curation.ts'
import { type Discovery, jobOf, sessionKey } from './discover.ts'
import { keepOrphaned, publicationKey } from './kept-sessions.ts'
import { settledFamilies } from './known/session-families.ts'
import { kindCounts, unknownKinds } from './report.ts'
import type { SessionRenderer, SessionResult } from './session.ts'
import { sessionRenderers } from './session-thread-fs.ts'

/** The sessions of the site. */
export interface RenderedSessions {
  /** Those with files, also those whose rollouts are gone. */
  sessions: CachedSession[]
  /** How many of them were rendered; the others are those of the build before. */
  rendered: number
  /** Sessions that gave no file. */
  failed: number
}

/** Renders the sessions that changed, in several threads where that pays, then what stands around them. */
export async function render(context: BuildContext, found: Discovery): Promise<RenderedSessions> {
  const { options, outcomes } = context
  await renderSessions(context, found)
  const all = found.wanted.flatMap(({ thread }) => outcomes.get(thread.id) ?? [])
  for (const { diagnostics } of all) for (const item of diagnostics) report(context, item)
  const built = all.flatMap(({ session }) => session ?? [])
  const orphaned = keepOrphaned(found, built, context)
  const sessions = [...built, ...orphaned]
  for (const item of unknownKinds(kindCounts(sessions, found.catalog))) report(context, item)
  const rendered = built.length - all.filter(({ isKept }) => isKept).length
  if (options.formats.includes('html')) await renderAround(sessions, rendered === 0, context)
  context.details.close()
  return { sessions, rendered, failed: all.length - built.length }
}

/** Gives each wanted session its outcome: that of the build before, or a new one. */
export async function renderSessions(context: BuildContext, found: Discovery): Promise<void> {
  const { host, privacy, outcomes } = context
  const { wanted } = found
  const families = privacy && settledFamilies(found, privacy, context)
  const indexAhead = aheadIndexer(found, context)
  /** Made without a value that their family knows by now. */
  const again: CuratedThread[] = []
  const settle = async ({ thread: { id } }: CuratedThread, outcome: Outcome): Promise<void> => {
    if (!outcomes.has(id)) host.progress.tick()
    outcomes.set(id, outcome)
    indexAhead()
    again.push(...((await families?.done(id)) ?? []))
  }
  const kept = new Map<CuratedThread, CachedSession>()
  for (const item of wanted) {
    const job = jobOf(item, found)
    const session = (families?.mayKeep(job) ?? true) ? keepSession(job, context) : undefined
    if (session !== undefined) kept.set(item, session)
  }
  const changed = wanted.filter((item) => !kept.has(item))
  host.progress.stage('Rendering sessions', wanted.length, bytesOf(changed))
  for (const [item, session] of kept) await settle(item, { session, isKept: true, diagnostics: session.diagnostics })
  const renderers = sessionRenderers(changed, found.links, context)
  const renderEach = async (queue: Iterable<CuratedThread>, renderer: SessionRenderer): Promise<void> => {
    for (const item of queue) {
      const job = jobOf(item, found)
      await settle(item, outcomeOf(job, await renderer.render(job), { context, found }))
    }
  }
  let lanes: Promise<void>[] = []
  try {
    for (let batch = changed; batch.length > 0; batch = again.splice(0)) {
      const queue = largeFirst(batch, renderers.length).values()
      lanes = renderers.map((renderer) => renderEach(queue, renderer))
      await Promise.all(lanes)
    }
  } finally {
    await Promise.all(renderers.map((renderer) => renderer.close()))
    await Promise.allSettled(lanes)
  }
}

/** The session of the build before, where nothing that it depends on has changed and every file of it still stands. */
function keepSession(job: SessionJob, { options, cache, staging }: BuildContext): CachedSession | undefined {
  // What a plugin does is not known from its name, so that its sessions are always rendered anew.
  if (options.plugins.length > 0) return undefined
  const known = cache.session(job.thread.id, sessionKey(job))
  if (known === undefined || !known.files.every(({ path, hash }) => staging.keepUnchanged(path, hash))) return undefined
  return cache.keepBlobs(job.thread.id, known) ? known : undefined
}

/** In their order, but first those that one renderer would still be at when the others have nothing left to do. */
function largeFirst(items: readonly CuratedThread[], renderers: number): readonly CuratedThread[] {
  if (renderers === 1) return items
  const limit = bytesOf(items) / (4 * renderers)
  const isLarge = ({ thread }: CuratedThread): boolean => threadBytes(thread) > limit
  const large = items.filter(isLarge).sort((a, b) => threadBytes(b.thread) - threadBytes(a.thread))
  return [...large, ...items.filter((item) => !isLarge(item))]
}

function bytesOf(sessions: readonly { thread: Thread }[]): number {
  return sessions.reduce((sum, { thread }) => sum + threadBytes(thread), 0)
}

/** Writes down what became of a session. */
function outcomeOf(
  job: SessionJob,
  result: SessionResult,
  { context: { cache, details }, context, found }: { context: BuildContext; found: Discovery },
): Outcome {
  if ('failure' in result) return { isKept: false, diagnostics: [result.failure] }
  const { summary, detail, files, search, diagnostics, values } = result
  const { id } = job.thread
  const session: CachedSession = {
    key: sessionKey(job),
    summary,
    files,
    search,
    diagnostics,
    publication: publicationKey(id, found.curation, context),
    // It tells values, or holds some that are known.
    values: { touched: values !== undefined && (values.values.size > 0 || values.hasKnown) },
  }
  details.put(detail)
  cache.setSession(id, session)
  return { session, isKept: false, diagnostics, ...defined({ values }) }
}

/** Hands pruned pages on in the order of the sessions: shards of the index are begun while later ones are rendered. */
function aheadIndexer({ wanted }: Discovery, { options, site, cache, ahead, outcomes }: BuildContext): () => void {
  const { generator } = site
  // With an index of before most shards stay as they are, and which do not is known in the end.
  if (!site.search || options.dryRun || cache.search() !== undefined) return () => {}
  const allBytes = bytesOf(wanted)
  let next = 0
  let bytes = 0
  return () => {
    for (; ; next++) {
      const thread = wanted[next]?.thread
      const outcome = thread && outcomes.get(thread.id)
      if (thread === undefined || outcome === undefined) return
      bytes += threadBytes(thread)
      if (outcome.session !== undefined) ahead.add(outcome.session.search, bytes / allBytes, { generator, cache })
    }
  }
}

/** Pages between two turns of the event loop. */
const maxStep = 8

/**
 * Puts the pages around the sessions and what all pages load: kept where all sessions are those of the build before.
 * Rejects with the signal's reason once it is aborted.
 */
async function renderAround(
  sessions: readonly CachedSession[],
  isUnchanged: boolean,
  context: BuildContext,
): Promise<void> {
  const { staging, assets } = context
  const key = sha256(sessions.map((session) => `${session.summary.threadId} ${session.key}`).join('\0'))
  const old = isUnchanged ? context.cache.site(key) : undefined
  const stands = old?.files.every(({ path, hash }) => staging.keepUnchanged(path, hash)) ?? false
  if (!stands) await renderPages(sessions, key, context)
  for (const file of assets.files) staging.put(file)
}

async function renderPages(sessions: readonly CachedSession[], key: string, context: BuildContext): Promise<void> {
  const { cache, details, host, options, privacy, site, staging, templates } = context
  let isWhole = true
  const detailOf = (threadId: string): SessionDetail | undefined => {
    host.signal.throwIfAborted()
    const detail = details.get(threadId)
    if (detail === undefined) isWhole = false
    return detail
  }
  const summaries = sessions.map(({ summary }) => summary)
  const files: FileRecord[] = []
  const pace = pacer(maxStep, host.signal)
  const hooks = {
    plugins: options.plugins,
    redactor: privacy?.redactor(),
    fail: (item: Diagnostic) => report(context, item),
  }
  for (const file of renderSite(templates, summaries, site, detailOf, hooks)) {
    files.push(staging.put(file))
    if (pace.isDue()) await pace.pause()
  }
  if (isWhole) cache.setSite({ key, files })
}
