/**
 * What the stages of a build share, and what features may add to it: the program passes the features in, and each loads on first
 * use.
 */

import { codeName } from '../config/package-fs.ts'
import { pluginKey, tokensOf } from '../config/plugins.ts'
import { pageSettings } from '../config/schema.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import type { CurationPlan } from '../redact/curate/plan.ts'
import type { KnownValues } from '../redact/known/values.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { ValueReport } from '../redact/session-values.ts'
import { type Assets, loadAssets } from '../render/assets-fs.ts'
import type { OutputFile } from '../render/output.ts'
import { pluginParts } from '../render/pages/plugins.ts'
import type { SessionPage } from '../render/pages/session/session-page.ts'
import type { SiteInfo } from '../render/site-info.ts'
import type { Templates } from '../render/templates.ts'
import { loadTemplates, unusedThemeFiles } from '../render/templates-fs.ts'
import { loadEngine } from '../render/transcript/engines-fs.ts'
import type { Engine } from '../render/transcript/prose/engine.ts'
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

/** A locked site, whose files are sealed before they reach the disk. */
export interface Sealing {
  /** Changes if the same files would be sealed differently. */
  key: string
  /** The options without those that a locked site cannot have. */
  options: BuildOptions
  /** Remarks on the password and on options that were dropped. */
  diagnostics: Diagnostic[]
  /** Makes a staging area that seals the files it takes and passes them to another one. */
  seal: (staging: StagingArea) => Promise<StagingArea>
}

/** Collects an additional page about a session while the session is rendered. */
export interface PageCollector {
  /** Reads what the thread inherits from other files; called before all lines. */
  begin: () => Promise<void>
  /** Takes the lines of the thread in order. */
  line: (line: ThreadLine) => void
  /** Takes the finished trees of pages in order. */
  slice: (tree: Session, page: number) => void
  /** Makes the page after all lines and trees. */
  finish: (session: Session) => Promise<CollectedPage>
}

/** A collected page, and what the session page says about it. */
interface CollectedPage extends Pick<SessionPage, 'remembers' | 'pruned'> {
  /** Absent if there is nothing to show. */
  file?: OutputFile
}

/** Makes the collector of what the model remembers; `undefined` if the session gets no such page. */
export type MemoryFeature = (job: SessionJob, context: SessionContext) => PageCollector | undefined

/** Features of a build; a build without a feature behaves as if nobody asked for it. */
export interface BuildFeatures {
  /** Opens the keys of a site with a password. Throws a `UsageError` or a `ConfigError` if that is not possible. */
  seal?: (options: BuildOptions, cacheDir: string) => Promise<Sealing | undefined>
  memory?: () => Promise<MemoryFeature>
}

// What the stages share.

/** The input of a build. */
export interface BuildInput {
  options: BuildOptions
  host: Host
  features: BuildFeatures
  roots: FoundRoots
  /** What was just found at the roots; without it, the build walks them. A build that has to walk them again empties it. */
  walks?: WalkResult[]
  cacheDir: string
  /** Present if the site is locked. */
  sealing?: Sealing | undefined
  /** How the cache is opened, if not from disk each time. */
  openCache?: typeof openCache
  /** Keeps closed pages of sessions that are being written, for the next build of this process, under the site's stamp. */
  keepSlices?: (stamp: string) => KeptSlices
  /** Picks the threads that the site is made of; `undefined` means all. */
  only?: (threads: readonly Thread[]) => readonly Thread[] | undefined
  /** Sessions that readers ask for during the build. */
  requests?: SessionRequests
  /** Only some files of the site are rewritten: what an interrupted build left waits for a full build. */
  isUpdate?: true
}

/** What a session of the site is made from. */
export interface SessionJob {
  thread: Thread
  facts: ScanFacts
  project: ProjectRef
  neighbours: Neighbours
  /** What is omitted from the session; absent if nothing is. */
  plan?: CurationPlan
  /** The session's own redactor, which has seen its facts; absent if nothing is redacted, or until the session is rendered. */
  redactor?: Redactor
  /** What the redactor is made from. */
  secrets: SessionSecrets
  /** Its file has just grown, so the session may still be running. */
  live?: true
  /** The session is expected to continue: what is made of its closed pages is kept for the next build. */
  mayGrow?: true
  /** Files of other threads in which the session begins, oldest first. */
  history?: readonly Segment[]
}

/** A session as it was read, and which secrets were known in advance. */
interface SessionSecrets {
  raw: ScannedThread
  /** Values that are secret in the family, if they were known in advance. */
  family?: KnownValues
}

/** What one session is made with, in the build's own thread or in another. */
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
  /** Stores the pruned page for a path of the site, for the search index. */
  keepPage: (path: string, html: Uint8Array) => void
  /** What the last build made of closed pages of sessions that continue. */
  keptSlices?: KeptSlices
  /** Only some files of the site are rewritten; a full build follows soon. */
  isUpdate?: true
  /** Called with the number of bytes of a session's files that were rendered since the last call. */
  passed: (bytes: number) => void
  /** How files are read. */
  reading: Reading
}

/** What all stages of a build work with. */
export interface BuildContext
  extends SessionContext,
    Pick<BuildInput, 'host' | 'roots' | 'walks' | 'cacheDir' | 'only'> {
  /** What is redacted; `undefined` if nothing is. */
  privacy: Privacy | undefined
  assets: Assets
  staging: StagingArea
  cache: BuildCache
  /** Stores what was made of a closed page, in the form that the cache keeps. */
  keepSlice: BuildCache['setSlice']
  /** Identifies everything that the cache's entries depend on besides their keys. */
  stamp: string
  details: DetailStore
  /** Absent if nothing can be asked for. */
  requests?: SessionRequests
  /** Readers may ask for any session until all are in place, so nothing needed for them is released. */
  isAsked?: true
  /** Shards of the search index that are built while sessions are rendered. */
  ahead: SearchAhead
  /** The outcome of each session so far, by thread id. */
  outcomes: Map<string, Outcome>
  /** The secret values of families in which something changed. */
  secrets: FamilySecrets[]
  /** All diagnostics that were reported so far. */
  diagnostics: Diagnostic[]
}

/** The secret values that a family reveals. */
interface FamilySecrets {
  /** Ids of its threads, and of the threads that they name as related, whether these were found or not. */
  ids: ReadonlySet<string>
  values: KnownValues
}

/** What became of a session; without `session`, it has no files. */
export interface Outcome {
  readonly session?: CachedSession | undefined
  /** Whether it was kept from the last build. */
  isKept: boolean
  /** What its redactor learned while it was rendered. */
  values?: ValueReport
  /** Name of its rollout, if that contains lines of unknown kinds. */
  readonly file?: string
  diagnostics: readonly Diagnostic[]
}

/** Reports a diagnostic to the host, and keeps it for the build report. */
export function report({ privacy, diagnostics, host }: BuildContext, found: Diagnostic): void {
  const item = privateDiagnostic(found, privacy)
  diagnostics.push(item)
  host.report(item)
}

/** Opens the output folder, the cache and what pages are made with. Throws as `build` does. The caller closes it in any case. */
export async function openBuild(input: BuildInput): Promise<BuildContext> {
  const staging = await openSealed(input)
  try {
    const context = await contextOf(input, staging)
    for (const item of input.sealing?.diagnostics ?? []) report(context, item)
    const { templatesDir, plugins } = input.options
    if (templatesDir !== undefined)
      for (const item of await unusedThemeFiles(templatesDir, plugins.length > 0)) report(context, item)
    return context
  } catch (error) {
    await staging.abort({ forNext: input.host.signal.aborted })
    throw error
  }
}

/** Ends what is still running. A site that was not written stays as it was. */
export async function closeBuild({ ahead, staging, host, cache }: BuildContext): Promise<void> {
  await ahead.close()
  cache.close()
  await staging.abort({ forNext: host.signal.aborted })
}

/** The staging area of the output folder, or one in front of it that seals. */
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
  // A build without plugins, or with others, cannot use what plugins made. If it cannot be known what they do, `transcribe` keeps
  // no session.
  const plugged = pluginKey(options.plugins)
  const stamp = sha256(
    JSON.stringify([codeName(), site, options.formats, templates.key, privacy?.key, plugged ?? 'unknown']),
  )
  const cache = buildCache((input.openCache ?? openCache)(cacheDir, stamp, { keepsLog: !dryRun, fromDisk: true }))
  const spoolDir = () => staging.tempDir()
  const keepSlice: BuildContext['keepSlice'] = (...slice) => {
    if (!dryRun) cache.setSlice(...slice)
  }
  // What is made for a reader must be reusable by the build, and nobody could read a sealed file.
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
