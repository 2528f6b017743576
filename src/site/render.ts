/** Third stage of a build: transcripts become the files of their sessions, and those the pages around them. */

import { diagnostic } from '../diagnostics/codes.ts'
import { isExpected } from '../diagnostics/errors.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { FileRecord } from '../render/output.ts'
import { renderSite } from '../render/pages/site.ts'
import { readFault } from '../survey/scan.ts'
import type { SessionDetail } from '../transcript/summary.ts'
import { defined } from '../util/defined.ts'
import { pacer, yieldToEventLoop } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import { reasonOf } from '../util/reason.ts'
import type { CachedSession } from './cache/build-cache.ts'
import { type BuildContext, type Outcome, report, type SessionJob } from './context.ts'
import { type Discovery, sessionKey } from './discover.ts'
import { keepOrphaned, publicationKey } from './kept-sessions.ts'
import { kindCounts, unknownKinds } from './report.ts'
import { renderTrees } from './session.ts'
import type { SessionTrees, Transcript } from './transcribe.ts'

/** The sessions of the site. */
export interface RenderedSessions {
  /** Those with files, also those whose rollouts are gone. */
  sessions: CachedSession[]
  /** How many of them were rendered; the others are those of the build before. */
  rendered: number
  /** Sessions that gave no file. */
  failed: number
}

/** Renders the transcripts as they come, then what stands around them. */
export async function render(
  context: BuildContext,
  found: Discovery,
  transcripts: AsyncIterable<Transcript>,
): Promise<RenderedSessions> {
  const { options, site, cache, ahead, outcomes } = context
  const { language, generator } = site
  // With an index of before most shards stay as they are, and which do not is known in the end.
  const isFirstIndex = site.search && !options.dryRun && cache.search() === undefined
  for await (const { job, content, share } of transcripts) {
    const outcome =
      'kept' in content ? keptOutcome(content.kept) : await renderSession(job, content.trees, { context, found })
    outcomes.set(job.thread.id, outcome)
    if (isFirstIndex && share !== undefined && outcome.session !== undefined)
      ahead.add(outcome.session.search, share, { language, generator, cache })
  }
  const all = [...outcomes.values()]
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

function keptOutcome(session: CachedSession): Outcome {
  return { session, isKept: true, diagnostics: session.diagnostics }
}

/** Renders a session. What is wrong with it alone is told and stops nothing else. */
async function renderSession(
  job: SessionJob,
  trees: SessionTrees,
  { context, found }: { context: BuildContext; found: Discovery },
): Promise<Outcome> {
  const { host, cache, details } = context
  const { thread, redactor } = job
  await yieldToEventLoop()
  host.signal.throwIfAborted()
  try {
    const { summary, detail, files, search, diagnostics } = await renderTrees(job, trees, {
      links: found.links,
      build: context,
    })
    const session: CachedSession = {
      key: sessionKey(job),
      summary,
      files,
      search,
      diagnostics,
      publication: publicationKey(thread.id, found.curation, context),
      values: { touched: isTouched(redactor) },
    }
    details.put(detail)
    cache.setSession(thread.id, session)
    return { session, isKept: false, diagnostics }
  } catch (error) {
    host.signal.throwIfAborted()
    // A full disk or a broken template is not this session's fault.
    if (isExpected(error)) throw error
    if (isReadError(error)) return { isKept: false, diagnostics: [readFault(thread, error)] }
    const place = defined({ file: thread.segments[0]?.file.name })
    return { isKept: false, diagnostics: [diagnostic('page-failed', place, `Reason: ${reasonOf(error)}.`)] }
  }
}

/** Whether a session tells values or holds some that are known. */
function isTouched(redactor: Redactor | undefined): boolean {
  const { values, hasKnown } = redactor?.values() ?? { values: new Map(), hasKnown: false }
  return values.size > 0 || hasKnown
}

/** Errors of the file system have a code; a file that vanished has a name of its own. */
function isReadError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'VanishedFileError' || 'code' in error)
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
  const { cache, details, host, site, staging, templates } = context
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
  for (const file of renderSite(templates, summaries, site, detailOf)) {
    files.push(staging.put(file))
    if (pace.isDue()) await pace.pause()
  }
  if (isWhole) cache.setSite({ key, files })
}
