/**
 * A build: five stages over one context, for all sessions, or first for the newest ones; or the first two stages for the sessions
 * that changed. Loading this module takes longer than finding out that nothing changed.
 */

import { existsSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { pluginKey } from '../config/plugins.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import { loadWorker } from '../render/assets-fs.ts'
import { type Thread, threadBytes } from '../rollout/discover/rollout.ts'
import { compareText } from '../util/compare.ts'
import { sumBy } from '../util/groups.ts'
import { formatAmount } from '../util/time.ts'
import { saveLastHomes } from './cache/cache-folder-fs.ts'
import { type BuildContext, type BuildInput, closeBuild, openBuild, type SessionJob } from './context.ts'
import { aheadKey, type Discovery, discover, jobOf, scannedThreads, sessionKey } from './discover.ts'
import { index } from './index-search.ts'
import { findFamilies } from './known/families.ts'
import { builtHomes, withdrawn } from './losses.ts'
import { manifestName } from './output/paths.ts'
import { render } from './render.ts'
import { countLevel, reportText } from './report.ts'
import { sessionSource } from './requested-sessions-fs.ts'
import { siteSessions, type Transcribed, transcribe, transcribeSessions } from './transcribe.ts'
import type { BuildResult } from './types.ts'
import { isCrowd } from './workload.ts'

/** Runs the stages in order; `begin` is called before them. */
export async function runStages(
  input: BuildInput,
  begin: (context: BuildContext) => void = () => {},
): Promise<BuildResult> {
  const context = await openBuild(input)
  try {
    begin(context)
    let found: Discovery | undefined
    found = await discover(context, (all) => {
      context.requests?.open(sessionSource(context, all, () => found))
    })
    const { places, sources, isPart, unreadable } = found
    const counts = { found: found.catalog.threads.length, files: found.catalog.files }
    const rendered = await transcribe(context, found)
    // What heads and scans contained is in the summaries by now; for thousands of sessions, it weighs as much as these.
    if (context.requests === undefined) {
      found = undefined
      context.outcomes.clear()
    }
    const count = rendered.outcomes.filter(({ isKept }) => !isKept).length
    /** Called after much memory has been released. Without many rendered sessions the heap is not full, so nothing is done. */
    const noteMemoryReleased = (): void => {
      if (isCrowd(count)) input.host.crowded?.()
    }
    noteMemoryReleased()
    const transcribed = siteSessions(context, rendered)
    rendered.outcomes.splice(0)
    await render(context, transcribed)
    const searched = await index(context, transcribed)
    // What has been staged by now becomes the site.
    await context.requests?.close()
    return await write(context, {
      ...counts,
      places,
      sources,
      isPart,
      unreadable,
      transcribed,
      searched,
      noteMemoryReleased,
    })
  } finally {
    await context.requests?.close()
    await closeBuild(context)
  }
}

// Last stage: the report, and the swap of the old site for the new one.

/** What the report contains. */
interface Written extends Pick<Discovery, 'places' | 'sources' | 'isPart' | 'unreadable'> {
  /** Number of threads and files that were found. */
  found: number
  files: number
  transcribed: Transcribed
  /** Number of pages in the search index. */
  searched: number
  /** Called after much memory has been released. */
  noteMemoryReleased: () => void
}

/** Puts the site in place, and returns what the build did. */
async function write(
  context: BuildContext,
  { found, files, places, sources, isPart, unreadable, transcribed, searched, noteMemoryReleased }: Written,
): Promise<BuildResult> {
  const { sessions } = transcribed
  const { options, host, site, staging, cache, outcomes, diagnostics } = context
  const { out, dryRun } = options
  const failed = unreadable + transcribed.failed
  const pages = sumBy(sessions, ({ summary }) => summary.pages)
  const homes = builtHomes(sources, sessions)
  const content = reportText({ options, files, sessions, failed, pages, diagnostics, homes })
  staging.put({ path: 'build-report.json', content })
  const built = sessions.length
  // Their content is in files by now, and the swap needs memory for each file.
  sessions.splice(0)
  outcomes.clear()
  noteMemoryReleased()
  // Staged last, because it contains the hash of all other files.
  if (site.offline) staging.put(await loadWorker(staging.digest(), options.templatesDir))
  host.progress.stage(dryRun ? 'Planning the site' : 'Writing the site')
  host.signal.throwIfAborted()
  const plan = await staging.commit()
  if (!dryRun) {
    cache.save()
    // A part of the site does not show what homes have lost.
    if (!isPart) saveLastHomes(context.cacheDir, sources.homes)
  }
  return {
    out,
    sessions: built,
    rendered: transcribed.rendered,
    pages: [...plan.written, ...plan.kept].filter((path) => path.endsWith('.html')).length,
    failed,
    warnings: countLevel(diagnostics, 'warning'),
    written: plan.written.length,
    kept: plan.kept.length,
    removed: plan.removed.length,
    withdrawn: withdrawn(plan, sources),
    searched,
    places,
    found,
    diagnostics,
  }
}

// The first site of a large archive: before the full site, a small one of the newest sessions, complete in itself.

/** How a build is run by a caller that shows the site meanwhile, or builds it again and again. */
export interface BuildRunOptions extends Pick<BuildInput, 'openCache' | 'keepSlices' | 'requests'> {
  /**
   * Sizes of the rollouts, at most, from which small sites are made before the full one (default: one site of the newest month).
   */
  partBytes?: readonly number[]
  /** Bytes of rollouts that must be left over for a small site to be worthwhile (default 32 MiB). */
  minRestBytes?: number
  /** Called when the folders and everything that pages are made with have been opened: the build has begun. */
  opened?: () => void
  /** Called when a small site is in place. */
  placed?: () => void
}

/**
 * Builds a site. If there is none yet and the archive is large, small sites of the newest sessions are put in place before the
 * rest is built; an existing site is replaced once. Throws as `build` does.
 */
export async function buildInSteps(given: BuildInput, runOptions: BuildRunOptions): Promise<BuildResult> {
  const { options, host } = given
  const { out, dryRun, plugins } = options
  const { opened } = runOptions
  // Plugins without keys would have everything rendered twice, and the keys of a locked site are made for a single build.
  const isFirst = !dryRun && pluginKey(plugins) !== undefined && given.sealing === undefined
  if (!isFirst || existsSync(join(out, manifestName))) return runStages(given, opened)
  // Files grow between the first step and the last, so each step walks the homes itself; the earlier result would weigh as much
  // as the catalog.
  const { walks, ...input } = given
  walks?.splice(0)
  const { partBytes = [Number.POSITIVE_INFINITY], minRestBytes = 32 << 20 } = runOptions
  let rendered = 0
  let placed = 0
  for (const maxBytes of partBytes) {
    const diagnostics: Diagnostic[] = []
    let isPart = false
    const only: BuildInput['only'] = (threads) => {
      const newest = newestThreads(threads, { maxBytes, minRestBytes })
      isPart = newest !== undefined && newest.length > placed
      return isPart ? newest : undefined
    }
    const part = await runStages(
      { ...input, host: { ...host, report: (item) => diagnostics.push(item) }, only },
      opened,
    )
    rendered += part.rendered
    if (!isPart) {
      for (const item of diagnostics) host.report(item)
      return placed > 0 ? inOneStep(part, rendered) : part
    }
    placed = part.sessions
    const count = formatAmount(placed, 'session')
    host.progress.done(`The newest ${count} can be read by now: open ${join(out, 'index.html')}. The others follow.`)
    runOptions.placed?.()
  }
  const whole = await runStages(input)
  return inOneStep(whole, rendered + whole.rendered)
}

/** The result as if the build had been one step: the files of small sites were only steps towards those of the full one. */
function inOneStep(result: BuildResult, rendered: number): BuildResult {
  return { ...result, rendered, written: result.written + result.kept, kept: 0, removed: 0 }
}

/**
 * The newest threads of the newest month, with all their families, according to the heads; `undefined` if the others are too few
 * to make a separate site worthwhile.
 */
export function newestThreads(
  threads: readonly Thread[],
  { maxBytes, minRestBytes }: { maxBytes: number; minRestBytes: number },
): Thread[] | undefined {
  const startOf = ({ segments }: Thread): string => segments[0]?.head.startedAt ?? segments[0]?.file.stamp ?? ''
  const sorted = threads.toSorted((a, b) => compareText(startOf(b), startOf(a)))
  const month = sorted[0] === undefined ? '' : startOf(sorted[0]).slice(0, 7)
  const families = findFamilies(threads, [])
  const ids = new Set<string>()
  let bytes = 0
  for (const thread of sorted) {
    if (ids.has(thread.id)) continue
    if (!startOf(thread).startsWith(month) || (ids.size > 0 && bytes + threadBytes(thread) > maxBytes)) break
    for (const one of families.get(thread.id) ?? [thread]) {
      ids.add(one.id)
      bytes += threadBytes(one)
    }
  }
  const rest = sumBy(threads, threadBytes) - bytes
  return rest < minRestBytes || rest < bytes ? undefined : threads.filter(({ id }) => ids.has(id))
}

// Updates: the changed sessions of an existing site, without the pages around them. A watch does this between two builds.

/** If more sessions than this changed, a full build is better. */
const maxUpdated = 100

/**
 * Renders the sessions that changed and puts their pages in place. All other files stay unchanged until the next build, even if
 * they mention these sessions. Returns the number of sessions that it rendered. Throws as `build` does.
 */
export async function update(input: BuildInput): Promise<number> {
  const context = await openBuild({ ...input, isUpdate: true })
  try {
    return await updateSessions(context)
  } finally {
    await closeBuild(context)
  }
}

async function updateSessions(context: BuildContext): Promise<number> {
  const { host, options, outcomes, site, staging } = context
  const found = await discover(context)
  const wanted = changedFamilies(found, context)
  if (wanted.length === 0 || wanted.length > maxUpdated) return 0
  await transcribeSessions(context, { ...found, wanted })
  const rendered = [...outcomes.values()].filter(({ isKept, session }) => !isKept && session !== undefined).length
  if (rendered === 0) return 0
  const manifest = join(options.out, manifestName)
  const stats = statSync(manifest, { throwIfNoEntry: false })
  // Somebody removed the site. These sessions are only a part of it, so the next build makes it again.
  if (stats === undefined) return 0
  staging.keepFolder('')
  staging.retract(['sw.js'])
  if (site.offline) staging.put(await loadWorker(staging.digest(), options.templatesDir))
  host.signal.throwIfAborted()
  await staging.commit()
  // By this time, the next build finds out which files somebody else changed, and this update has not looked at them.
  utimesSync(manifest, stats.atime, stats.mtime)
  return rendered
}

/** Sessions that would be rendered, with all their families, because a secret that one session reveals is replaced in all. */
function changedFamilies(found: Discovery, { cache }: BuildContext): Discovery['wanted'] {
  const { catalog, wanted } = found
  const isKnown = (job: SessionJob): boolean =>
    [sessionKey, aheadKey].some((keyOf) => cache.session(job.thread.id, keyOf(job)) !== undefined)
  const changed = wanted.filter((item) => !isKnown(jobOf(item, found)))
  if (changed.length === 0) return []
  const families = findFamilies(catalog.threads, scannedThreads(found))
  const ids = new Set(changed.flatMap(({ thread: { id } }) => [id, ...(families.get(id) ?? []).map((one) => one.id)]))
  return wanted.filter(({ thread }) => ids.has(thread.id))
}
