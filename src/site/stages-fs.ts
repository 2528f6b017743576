/**
 * A build: five stages over one context, for all sessions, for the newest ones first, or the first two for those that changed. To
 * load it takes longer than to see that nothing changed.
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

/** The stages in their order; `begin` is called before them. */
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
    // What heads and scans told stands in summaries by now; of thousands of sessions it weighs as much as these.
    if (context.requests === undefined) {
      found = undefined
      context.outcomes.clear()
    }
    const count = rendered.outcomes.filter(({ isKept }) => !isKept).length
    /** Called where much was let go; of sessions that were not rendered the heap is not full. */
    const settle = (): void => {
      if (isCrowd(count)) input.host.crowded?.()
    }
    settle()
    const transcribed = siteSessions(context, rendered)
    rendered.outcomes.splice(0)
    await render(context, transcribed)
    const searched = await index(context, transcribed)
    // What is staged by now becomes the site.
    await context.requests?.close()
    return await write(context, { ...counts, places, sources, isPart, unreadable, transcribed, searched, settle })
  } finally {
    await context.requests?.close()
    await closeBuild(context)
  }
}

// Last stage: the report, and the swap of the new site for the old one.

/** What the report tells. */
interface Written extends Pick<Discovery, 'places' | 'sources' | 'isPart' | 'unreadable'> {
  /** Threads that were found, and files. */
  found: number
  files: number
  transcribed: Transcribed
  /** Pages in the search index. */
  searched: number
  /** Called where much was let go. */
  settle: () => void
}

/** Puts the site in place, and tells what the build did. */
async function write(
  context: BuildContext,
  { found, files, places, sources, isPart, unreadable, transcribed, searched, settle }: Written,
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
  // What they told is in files by now, and the swap needs memory for each of these.
  sessions.splice(0)
  outcomes.clear()
  settle()
  // Last, for it bears the hash of all the rest.
  if (site.offline) staging.put(await loadWorker(staging.digest(), options.templatesDir))
  host.progress.stage(dryRun ? 'Planning the site' : 'Writing the site')
  host.signal.throwIfAborted()
  const plan = await staging.commit()
  if (!dryRun) {
    cache.save()
    // A part says nothing of what homes have lost.
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

// The first site of a large archive: a small one of the newest sessions, complete in itself, before the one of all.

/** How a build is run by who shows the site meanwhile, or builds it again and again. */
export interface BuildRunOptions extends Pick<BuildInput, 'openCache' | 'keepSlices' | 'requests'> {
  /** Sizes of the rollouts that small sites before the whole one are made of, at most (default: one of the newest month). */
  partBytes?: readonly number[]
  /** A small site pays where rollouts of so many bytes are left (default 32 MiB). */
  minRestBytes?: number
  /** Hears that a small site is in place. */
  placed?: () => void
}

/**
 * Builds a site. Where there is none yet and the archive is large, small ones of the newest sessions are put in place before the
 * rest is built; a site that stands is replaced once. Throws as `build` does.
 */
export async function buildInSteps(given: BuildInput, runOptions: BuildRunOptions): Promise<BuildResult> {
  const { options, host } = given
  const { out, dryRun, plugins } = options
  // Plugins without keys would render everything twice; keys of a locked site are made for one build.
  const isFirst = !dryRun && pluginKey(plugins) !== undefined && given.sealing === undefined
  if (!isFirst || existsSync(join(out, manifestName))) return runStages(given)
  // From the first step to the last, files grow. What was found before would weigh as much as the catalog.
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
    const part = await runStages({ ...input, host: { ...host, report: (item) => diagnostics.push(item) }, only })
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

/** What a build did as if it had been one step: files of small sites were no more than steps to those of the whole one. */
function inOneStep(result: BuildResult, rendered: number): BuildResult {
  return { ...result, rendered, written: result.written + result.kept, kept: 0, removed: 0 }
}

/**
 * The newest threads of the newest month, with all of their families, as the heads tell them; `undefined` where the others are
 * not worth a site of its own before them.
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

// The sessions of a standing site that changed, without the pages around them: what a watch does between two builds.

/** More changed sessions than that are worth a whole build. */
const maxUpdated = 100

/**
 * Renders the sessions that changed and puts their pages in place; all other files stay as they are until the next build, though
 * they tell of the sessions. Gives the number of sessions that it rendered. Throws as `build` does.
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
  staging.keepFolder('')
  staging.retract(['sw.js'])
  if (site.offline) staging.put(await loadWorker(staging.digest(), options.templatesDir))
  host.signal.throwIfAborted()
  const manifest = join(options.out, manifestName)
  const { atime, mtime } = statSync(manifest)
  await staging.commit()
  // The next build finds out by this time which files somebody else changed: it has not looked at them since.
  utimesSync(manifest, atime, mtime)
  return rendered
}

/** Sessions that would be rendered anew, with all of their families: what one of them tells as a secret is replaced in all. */
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
