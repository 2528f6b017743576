/** What the stages of a build share, and what features may add to it: the program hands them in, and each loads on first use. */

import { codeName } from '../config/package-fs.ts'
import { pluginKey, tokensOf } from '../config/plugins.ts'
import { pageSettings } from '../config/schema.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import type { CurationPlan } from '../redact/curate/plan.ts'
import type { KnownValues } from '../redact/known.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { ValueReport } from '../redact/session-values.ts'
import { type Assets, loadAssets } from '../render/assets-fs.ts'
import type { OutputFile } from '../render/output.ts'
import { pluginParts } from '../render/pages/plugins.ts'
import type { SessionPage } from '../render/pages/session/session-page.ts'
import type { SiteInfo } from '../render/site-info.ts'
import type { Templates } from '../render/templates.ts'
import { loadTemplates } from '../render/templates-fs.ts'
import type { Engine } from '../render/transcript/prose/engine.ts'
import { loadEngine } from '../render/transcript/prose/engine-fs.ts'
import type { FoundRoots } from '../rollout/discover/homes-fs.ts'
import type { Segment, Thread } from '../rollout/discover/rollout.ts'
import type { WalkResult } from '../rollout/discover/walk-fs.ts'
import type { Reading } from '../rollout/read/open-fs.ts'
import { type SearchAhead, searchAhead } from '../search/shards.ts'
import type { Neighbours } from '../survey/neighbours.ts'
import { type Privacy, privacyOf, privateDiagnostic } from '../survey/privacy.ts'
import type { ThreadLine } from '../survey/thread-lines.ts'
import type { ProjectRef, ScanFacts, ScannedThread } from '../transcript/summary.ts'
import type { Session } from '../transcript/trast.ts'
import { sha256 } from '../util/hash.ts'
import { defined } from '../util/own.ts'
import { type BuildCache, buildCache, type CachedSession } from './cache/build-cache.ts'
import { waitingFolder } from './cache/cache-folder-fs.ts'
import { openCache } from './cache/cache-fs.ts'
import { withoutInternals } from './curation.ts'
import { type KeptSlices, storedSlices } from './kept-slices.ts'
import type { StagingArea } from './output/site-staging-fs.ts'
import { openStagingArea } from './output/staging-fs.ts'
import type { SessionRequests } from './requests.ts'
import { type DetailStore, detailStore, passingDetailStore } from './spool-fs.ts'
import type { BuildOptions, Host } from './types.ts'

// What features add to a build.

/** A site whose files are sealed on their way to disk. */
export interface Sealing {
  /** Differs where the same files would be sealed otherwise. */
  key: string
  /** The options without what a sealed site cannot have. */
  options: BuildOptions
  /** What is to be said of the password and of options that were left out. */
  diagnostics: Diagnostic[]
  /** A staging area that seals what it takes and hands it to another one. */
  seal: (staging: StagingArea) => Promise<StagingArea>
}

/** Collects a page about a session while it is rendered. */
export interface PageCollector {
  /** Reads what the thread inherits from other files. Before all lines. */
  begin: () => Promise<void>
  /** Takes a line of the thread, in order. */
  line: (line: ThreadLine) => void
  /** Takes the finished tree of a page, in order. */
  slice: (tree: Session, page: number) => void
  /** The page, once all has passed. */
  finish: (session: Session) => Promise<CollectedPage>
}

/** A page that was collected, and what the session page says of it. */
export interface CollectedPage extends Pick<SessionPage, 'remembers' | 'pruned'> {
  /** Absent where there is nothing to tell. */
  file?: OutputFile
}

/** Makes the collector of what the model remembers; `undefined` where the session gets no such page. */
export type MemoryFeature = (job: SessionJob, context: SessionContext) => PageCollector | undefined

/** Features of a build; without one it is as if nobody asked for it. */
export interface BuildFeatures {
  /** Opens the keys of a site with a password. Throws `UsageError` or `ConfigError` where that cannot be. */
  seal?: (options: BuildOptions, cacheDir: string) => Promise<Sealing | undefined>
  memory?: () => Promise<MemoryFeature>
}

// What the stages share.

/** What a build is given. */
export interface BuildInput {
  options: BuildOptions
  host: Host
  features: BuildFeatures
  roots: FoundRoots
  /** What was just found at the roots; without it they are walked. Emptied by a build that walks them again. */
  walks?: WalkResult[]
  cacheDir: string
  /** The site is locked. */
  sealing?: Sealing | undefined
  /** How the cache is opened, where that is not from disk each time. */
  openCache?: typeof openCache
  /** Keeps closed pages of sessions that are being written for the next build of this process, under the site's stamp. */
  keepSlices?: (stamp: string) => KeptSlices
  /** Picks the threads that the site is made of; for `undefined` all are. */
  only?: (threads: readonly Thread[]) => readonly Thread[] | undefined
  /** What readers ask for meanwhile. */
  requests?: SessionRequests
  /** Only some files of the site are made anew: what an interrupted build left waits for a build of all. */
  isUpdate?: true
}

/** What becomes one session of the site. */
export interface SessionJob {
  thread: Thread
  facts: ScanFacts
  project: ProjectRef
  neighbours: Neighbours
  /** What is left out of the session; absent where nothing is. */
  plan?: CurationPlan
  /** The session's own, which has seen its facts; absent where nothing is redacted, or until the session is rendered. */
  redactor?: Redactor
  /** What the redactor is made of. */
  secrets: SessionSecrets
  /** Its file grew just now: the session may still run. */
  live?: true
  /** It is expected to go on: what is made of its closed pages is kept for the next build. */
  mayGrow?: true
  /** Files of other threads that the session begins in, oldest first. */
  history?: readonly Segment[]
}

/** A session as it was read, and what was known of it beside that. */
export interface SessionSecrets {
  raw: ScannedThread
  /** Values that are secret in the family, where they were known before. */
  family?: KnownValues
}

/** What one session is made with, in the thread of the build or in another. */
export interface SessionContext {
  options: BuildOptions
  isLocked: boolean
  /** What every page knows of the site. */
  site: SiteInfo
  templates: Templates
  engine: Engine
  memory: MemoryFeature | undefined
  /** Where the files of the site go. */
  staging: Pick<StagingArea, 'put' | 'putPieces' | 'keepUnchanged' | 'retract'>
  /** Takes the pruned page at a path of the site, for the index. */
  keepPage: (path: string, html: Uint8Array) => void
  /** What was made of closed pages of sessions that go on, by the build before. */
  keptSlices?: KeptSlices
  /** Only some files of the site are made anew; a build of all follows soon. */
  isUpdate?: true
  /** Hears how much of a session's files was rendered since it was last told, in bytes. */
  passed: (bytes: number) => void
  /** How files are read. */
  reading: Reading
}

/** What all stages of a build work with. */
export interface BuildContext
  extends SessionContext,
    Pick<BuildInput, 'host' | 'roots' | 'walks' | 'cacheDir' | 'only'> {
  /** What is replaced; `undefined` where nothing is. */
  privacy: Privacy | undefined
  assets: Assets
  staging: StagingArea
  cache: BuildCache
  /** Takes what was made of a closed page, as the cache keeps it. */
  keepSlice: BuildCache['setSlice']
  /** Names all that the cache's entries depend on beside their keys. */
  stamp: string
  details: DetailStore
  /** Absent where nothing can be asked for. */
  requests?: SessionRequests
  /** Readers may ask for any session until all of them are in place: nothing that is needed for it is let go. */
  isAsked?: true
  /** Shards of the search index that are built while sessions are rendered. */
  ahead: SearchAhead
  /** What became of each session so far, by thread id. */
  outcomes: Map<string, Outcome>
  /** What families in which something changed tell as secrets. */
  secrets: FamilySecrets[]
  /** All that was told so far. */
  diagnostics: Diagnostic[]
}

/** The values that a family tells. */
export interface FamilySecrets {
  /** Ids of its threads, and of those that they name as related, found or not. */
  ids: ReadonlySet<string>
  values: KnownValues
}

/** What became of a session; without `session` it has no files. */
export interface Outcome {
  readonly session?: CachedSession | undefined
  /** It is that of the build before. */
  isKept: boolean
  /** What its redactor learned while it was rendered. */
  values?: ValueReport
  /** Name of its rollout, where lines of kinds that nobody knows are in it. */
  readonly file?: string
  diagnostics: readonly Diagnostic[]
}

/** Tells a diagnostic to the host and keeps it for the report of the build. */
export function report({ privacy, diagnostics, host }: BuildContext, found: Diagnostic): void {
  const item = privateDiagnostic(found, privacy)
  diagnostics.push(item)
  host.report(item)
}

/** Opens the output folder, the cache and what pages are made with. Throws as `build` does. Close it in any case. */
export async function openBuild(input: BuildInput): Promise<BuildContext> {
  const staging = await openSealed(input)
  try {
    const context = await contextOf(input, staging)
    for (const item of input.sealing?.diagnostics ?? []) report(context, item)
    return context
  } catch (error) {
    await staging.abort({ forNext: input.host.signal.aborted })
    throw error
  }
}

/** Ends what still goes on. A site that was not written stays as it was. */
export async function closeBuild({ ahead, staging, host, cache }: BuildContext): Promise<void> {
  await ahead.close()
  cache.close()
  await staging.abort({ forNext: host.signal.aborted })
}

/** The staging area of the output folder, or before it one that seals. */
async function openSealed({ options, cacheDir, sealing, isUpdate }: BuildInput): Promise<StagingArea> {
  const { out, dryRun } = options
  const staging = await openStagingArea(out, { dryRun, ...(!isUpdate && { waiting: waitingFolder(cacheDir) }) })
  if (sealing === undefined) return staging
  try {
    return await sealing.seal(staging)
  } catch (error) {
    await staging.abort()
    throw error
  }
}

async function contextOf(input: BuildInput, staging: StagingArea): Promise<BuildContext> {
  const { options, host, features, roots, cacheDir, sealing } = input
  const { templatesDir, dryRun } = options
  const [templates, assets, engine, memory] = await Promise.all([
    loadTemplates(templatesDir),
    loadAssets(templatesDir, { locked: sealing !== undefined, tokens: tokensOf(options) }),
    loadEngine(),
    features.memory?.(),
  ])
  const site = siteOf(options, assets)
  const privacy = privacyOf(options, host)
  // What plugins made is nothing to a build without them, or with others; where it cannot be told what they do, `transcribe`
  // keeps no session.
  const plugged = pluginKey(options.plugins)
  const stamp = sha256(
    JSON.stringify([codeName(), site, options.formats, templates.key, privacy?.key, plugged ?? 'unknown']),
  )
  const cache = buildCache((input.openCache ?? openCache)(cacheDir, stamp, { keepsLog: !dryRun, fromDisk: true }))
  const spoolDir = () => staging.tempDir()
  const keepSlice: BuildContext['keepSlice'] = (...slice) => {
    if (!dryRun) cache.setSlice(...slice)
  }
  // What is made for a reader must be what the build finds then; a sealed file nobody could read.
  const mayAsk = plugged !== undefined && sealing === undefined && !dryRun && options.formats.includes('html')
  return {
    ...{ options, host, roots, cacheDir, isLocked: sealing !== undefined },
    ...defined({
      walks: input.walks,
      only: input.only,
      isUpdate: input.isUpdate,
    }),
    ...(mayAsk && input.requests !== undefined && { requests: input.requests, isAsked: true }),
    ...{ privacy, site, templates, assets, engine, memory, staging, cache, stamp },
    keepPage: (path, html) => {
      if (!dryRun) cache.setPage(path, html)
    },
    keepSlice,
    keptSlices: input.keepSlices?.(stamp) ?? storedSlices(cache.slice, keepSlice),
    passed: (bytes) => host.progress.tick(0, bytes),
    details: dryRun ? passingDetailStore(cache, spoolDir) : detailStore(cache),
    ahead: searchAhead(host.signal),
    reading: { spoolDir, signal: host.signal },
    outcomes: new Map(),
    secrets: [],
    diagnostics: [],
  }
}

function siteOf(options: BuildOptions, { page }: Assets): SiteInfo {
  const { generator, search, formats, publication, plugins } = options
  return {
    ...pageSettings(options),
    ...page,
    generator,
    search: search && formats.includes('html'),
    markdown: formats.includes('md'),
    json: formats.includes('json'),
    ...defined({ withoutInternals: withoutInternals(publication), pluginParts: pluginParts(plugins) }),
  }
}
