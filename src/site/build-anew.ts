/** A Codex home to a static site, staged and swapped in at once. */

import type { Diagnostic } from '../diagnostics/codes.ts'
import { loadAssets, loadSearchScript, loadWorker } from '../render/assets-fs.ts'
import type { FileRecord, OutputFile, SearchPage, SearchRecord } from '../render/output.ts'
import { renderSite } from '../render/pages/site.ts'
import type { Templates } from '../render/templates.ts'
import { loadTemplates } from '../render/templates-fs.ts'
import { loadEngine } from '../render/transcript/prose/engine-fs.ts'
import type { FoundRoots } from '../rollout/discover/homes-fs.ts'
import { privacyOf, privateDiagnostic } from '../survey/privacy.ts'
import type { SessionDetail } from '../transcript/summary.ts'
import type { SiteInfo } from '../transcript/view.ts'
import { defined } from '../util/defined.ts'
import { pacer } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import { buildCache, type CachedSession } from './cache/build-cache.ts'
import { waitingFolder } from './cache/cache-dir-fs.ts'
import { openCache } from './cache/cache-fs.ts'
import { saveLastHomes } from './cache/last-build-fs.ts'
import { withoutInternals } from './curation.ts'
import { detailStore, passingDetailStore } from './detail-store.ts'
import type { BuildFeatures, Sealing } from './features.ts'
import { type SearchAhead, searchAhead, stageSearch } from './index-search.ts'
import { buildCurator, findOrphaned, keepOrphaned, publicationKey } from './kept-sessions.ts'
import { builtHomes, readSources, refuseRemoval, withdrawn } from './losses.ts'
import type { SessionJob } from './open-session.ts'
import type { StagingArea } from './output/site-staging-fs.ts'
import { openStagingArea } from './output/staging-fs.ts'
import { countLevel, kindCounts, reportText } from './report.ts'
import { type BuildContext, sessionKey } from './session-outcome.ts'
import { buildSessions, scanThreads, surveyRoots } from './sessions.ts'
import type { BuildOptions, BuildResult, Host } from './types.ts'
import { unknownKinds } from './unknown-kinds.ts'

/** What a build from the ground up is given. */
export interface BuildInput {
  options: BuildOptions
  host: Host
  features: BuildFeatures
  roots: FoundRoots
  cacheDir: string
  /** The site is locked. */
  sealing?: Sealing | undefined
}

/** Builds the site, keeping what did not change. Throws as `build` does; the old site then stands. */
export async function buildAnew(input: BuildInput): Promise<BuildResult> {
  const { host } = input
  const stage = await openSealed(input)
  const ahead = searchAhead(host.signal)
  try {
    return await buildInto(stage, ahead, input)
  } finally {
    await ahead.close()
    await stage.abort({ forNext: host.signal.aborted })
  }
}

/** The stage of the output folder, or before it one that seals. */
async function openSealed({ options, cacheDir, sealing }: BuildInput): Promise<StagingArea> {
  const { out, dryRun } = options
  const stage = await openStagingArea(out, { dryRun, waiting: waitingFolder(cacheDir) })
  if (sealing === undefined) return stage
  try {
    return await sealing.seal(stage)
  } catch (error) {
    await stage.abort()
    throw error
  }
}

async function buildInto(
  stage: StagingArea,
  ahead: SearchAhead,
  { options, host, features, roots, cacheDir, sealing }: BuildInput,
): Promise<BuildResult> {
  const { appearance, dryRun } = options
  const [templates, assets, engine] = await Promise.all([
    loadTemplates(appearance.templatesDir),
    loadAssets(appearance.templatesDir, { locked: sealing !== undefined }),
    loadEngine(),
  ])
  const site = siteOf(options, assets)
  const privacy = privacyOf(options, host)
  const stamp = sha256(JSON.stringify([appearance.generator, site, options.formats, templates.key, privacy?.key]))
  const cache = buildCache(openCache(cacheDir, stamp, { keepsLog: !dryRun }))
  const diagnostics: Diagnostic[] = []
  const work = openWork(stage, { options, host, privacy, cache, diagnostics })
  for (const item of sealing?.diagnostics ?? []) work.report(item)
  const found = await surveyRoots(roots, work)
  const { catalog, places } = found
  const orphaned = findOrphaned(catalog, work, cacheDir)
  const curation = buildCurator(catalog, orphaned, work)
  const threads = await scanThreads(catalog, work, curation)
  const sources = readSources({ roots, survey: found, read: threads.read, cacheDir })
  if (options.allowRemoval !== true && options.missing !== 'keep') refuseRemoval(sources, options)
  // With an index of before most shards stay as they are, and which do not is known in the end.
  const isFirstIndex = site.search && !dryRun && cache.search() === undefined
  const rendered = await buildSessions(threads, {
    work,
    publication: (id) => publicationKey(id, curation, work),
    catalog,
    task: { site, formats: options.formats },
    tools: {
      ...{ engine, templates, plugins: appearance.plugins, memory: await features.memory?.() },
      ...stageTools(stage, work),
    },
    // What a plugin does is not known from its name, so that its sessions are always rendered anew.
    keep: (task) => (appearance.plugins.length > 0 ? undefined : keepSession(task, work, stage)),
    retract: (paths) => stage.retract(paths),
    built: ({ search: pages }, share) => {
      if (isFirstIndex) ahead.add(pages, share, { language: site.language, generator: site.generator, cache })
    },
  })
  const { sessions } = rendered
  const old = keepOrphaned({ orphaned, work, curation, catalog, stage, built: sessions })
  sessions.push(...old)
  for (const item of unknownKinds(kindCounts(sessions, catalog))) work.report(item)
  if (options.formats.includes('html')) {
    const isUnchanged = rendered.kept + old.length === sessions.length
    await stageSite({ sessions, templates, site, stage, work, unchanged: isUnchanged })
    for (const file of assets.files) stage.put(file)
  }
  work.details.close()
  const searched = site.search ? await search(sessions, { work, stage, site, ahead, locked: sealing !== undefined }) : 0
  const failed = threads.failed + rendered.failed
  const pages = sessions.reduce((sum, { summary }) => sum + summary.pages, 0)
  stage.put({
    path: 'build-report.json',
    content: reportText({
      options,
      catalog,
      sessions,
      failed,
      pages,
      diagnostics,
      homes: builtHomes(sources, sessions),
    }),
  })
  // Last, for it bears the hash of all the rest.
  if (site.offline) stage.put(await loadWorker(stage.digest(), appearance.templatesDir))
  host.progress.stage(dryRun ? 'Planning the site' : 'Writing the site')
  host.signal.throwIfAborted()
  const plan = await stage.commit()
  if (!dryRun) {
    work.cache.save()
    saveLastHomes(cacheDir, sources.homes)
  }
  return {
    out: options.out,
    sessions: sessions.length,
    rendered: sessions.length - rendered.kept - old.length,
    pages: [...plan.written, ...plan.kept].filter((path) => path.endsWith('.html')).length,
    failed,
    warnings: countLevel(diagnostics, 'warning'),
    written: plan.written.length,
    kept: plan.kept.length,
    removed: plan.removed.length,
    withdrawn: withdrawn(plan, sources),
    searched,
    places,
    diagnostics,
  }
}

function openWork(
  stage: StagingArea,
  {
    diagnostics,
    ...rest
  }: Pick<BuildContext, 'options' | 'host' | 'privacy' | 'cache'> & { diagnostics: Diagnostic[] },
): BuildContext {
  const { options, host, privacy, cache } = rest
  const spoolDir = () => stage.tempDir()
  return {
    ...rest,
    details: options.dryRun ? passingDetailStore(cache, spoolDir) : detailStore(cache),
    spoolDir,
    report: (found) => {
      const item = privateDiagnostic(found, privacy)
      diagnostics.push(item)
      host.report(item)
    },
  }
}

/** Where the files of sessions go. */
function stageTools(stage: StagingArea, work: BuildContext) {
  return {
    put: (file: OutputFile) => stage.put(file),
    putPieces: (path: string, pieces: () => Iterable<string>) => stage.putPieces(path, pieces, work.host.signal),
    index: (page: SearchPage) => keepPage(page, work),
    spoolDir: work.spoolDir,
    signal: work.host.signal,
  }
}

/** Gives a pruned page to the cache, where the search stage finds it. */
function keepPage({ path, day, html }: SearchPage, { cache, options }: BuildContext): SearchRecord {
  if (!options.dryRun) cache.setPage(path, html)
  return { path, hash: sha256(html), day, size: html.length }
}

function siteOf(
  { appearance, search, searchOutputs, offline, formats, publication }: BuildOptions,
  { css, js, searchJs }: Pick<SiteInfo, 'css' | 'js' | 'searchJs'>,
): SiteInfo {
  const { title, timeZone, language, generator, prices, siteUrl: url, description } = appearance
  return {
    title,
    timeZone,
    language,
    generator,
    ...defined({
      prices,
      url,
      description,
      searchOutputs,
      offline,
      withoutInternals: withoutInternals(publication),
    }),
    search: search && formats.includes('html'),
    markdown: formats.includes('md'),
    json: formats.includes('json'),
    css,
    js,
    searchJs,
  }
}

/** The session of the build before, where its key is the same and every file of it still stands. */
function keepSession(task: SessionJob, { cache }: BuildContext, stage: StagingArea): CachedSession | undefined {
  const known = cache.session(task.thread.id, sessionKey(task))
  if (known === undefined || !known.files.every(({ path, hash }) => stage.keepUnchanged(path, hash))) return undefined
  return cache.keepBlobs(task.thread.id, known) ? known : undefined
}

interface SearchContext {
  work: BuildContext
  stage: StagingArea
  site: SiteInfo
  ahead: SearchAhead
  locked: boolean
}

async function search(
  sessions: readonly CachedSession[],
  { work, stage, site, ahead, locked }: SearchContext,
): Promise<number> {
  const { host, options } = work
  host.progress.stage('Indexing for search')
  const { searched, diagnostics } = await stageSearch({
    pages: sessions.flatMap((session) => session.search),
    language: site.language,
    generator: site.generator,
    script: await loadSearchScript(options.appearance.templatesDir, { locked }),
    stage,
    cache: work.cache,
    signal: host.signal,
    dryRun: options.dryRun,
    ahead,
  })
  for (const item of diagnostics) work.report(item)
  return searched
}

// The pages around the sessions: kept where no session changed, else rendered anew.

/** What the pages are made of. */
export interface SiteInput {
  sessions: readonly CachedSession[]
  templates: Templates
  site: SiteInfo
  stage: StagingArea
  work: BuildContext
  /** All sessions are those of the build before. */
  unchanged: boolean
}

/** Pages between two turns of the event loop. */
const maxStep = 8

/** Puts the pages into the stage. Rejects with the signal's reason once it is aborted. */
async function stageSite({ sessions, templates, site, stage, work, unchanged }: SiteInput): Promise<void> {
  const { cache, details, host } = work
  const key = sha256(sessions.map((session) => `${session.summary.threadId} ${session.key}`).join('\0'))
  const old = unchanged ? cache.site(key) : undefined
  if (old?.files.every(({ path, hash }) => stage.keepUnchanged(path, hash))) return
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
    files.push(stage.put(file))
    if (pace.isDue()) await pace.pause()
  }
  if (isWhole) cache.setSite({ key, files })
}
