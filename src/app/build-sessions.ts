/** The reading stages of a build: which threads there are, which are wanted, and the files of each. */
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { isExpected } from '../diagnostics/errors.ts'
import type { FoundRoots } from '../discover/homes-fs.ts'
import { isSelected, readFilters, type Selection } from '../discover/select.ts'
import type { Catalog, Thread } from '../model/rollout.ts'
import type { ScanFacts } from '../model/summary.ts'
import { defined } from '../util/defined.ts'
import { sha256 } from '../util/hash.ts'
import { reasonOf } from '../util/reason.ts'
import { breathe } from './breathe.ts'
import { type BuildCache, type CachedSession, threadKey } from './build-cache.ts'
import { type CuratedThread, type Curator, curatedThread } from './curation.ts'
import type { DetailStore } from './detail-store.ts'
import { ancestors, baseChain, scanWithLineage, type ThreadIndex, threadIndex } from './lineage.ts'
import { findNeighbours, threadLinks } from './neighbours.ts'
import { isPublicValue, type Privacy, publicIds } from './privacy.ts'
import { projectOf } from './project.ts'
import { readFault, type Scan } from './scan.ts'
import { buildSession } from './session.ts'
import type { SessionTask, SessionTools } from './session-work.ts'
import { type Survey, survey } from './survey.ts'
import type { BuildOptions, Host } from './types.ts'

/** What the stages share. */
export interface BuildWork {
  options: BuildOptions
  host: Host
  /** What is replaced; `undefined` where nothing is. */
  privacy: Privacy | undefined
  cache: BuildCache
  details: DetailStore
  spoolDir: () => string
  /** Tells a diagnostic to the host and keeps it for the report. */
  report: (item: Diagnostic) => void
}

/** Surveys the roots; heads of unchanged files come from the cache. */
export async function surveyRoots(
  roots: FoundRoots,
  { privacy, host, cache, spoolDir, report }: BuildWork,
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
  failed: number
}

/** Scans all threads and picks the wanted ones. Threads that cannot be read count as failed. */
export async function scanThreads(catalog: Catalog, work: BuildWork, curation: Curator): Promise<ScannedThreads> {
  const { options, host, privacy } = work
  const { filters } = options
  const selection = readFilters(filters, { now: host.now(), timeZone: filters.timeZone })
  host.progress.stage('Reading sessions', catalog.threads.length)
  const index = threadIndex(catalog.threads)
  const scanned: CuratedThread[] = []
  const read = new Set<string>()
  let failed = 0
  for (const thread of catalog.threads) {
    const { facts, diagnostics } = await scanOnce(thread, index, work)
    if (facts !== undefined && facts.lines > 0) read.add(thread.id)
    if (facts === undefined) {
      failed++
      for (const item of diagnostics) work.report(item)
    } else if (isWanted(thread, facts, selection, curation))
      scanned.push(curatedThread(thread, facts, { curation, privacy }))
    host.progress.tick()
  }
  return { scanned, read, failed }
}

function isWanted(thread: Thread, facts: ScanFacts, selection: Selection, { isHidden }: Curator): boolean {
  return !isHidden(thread.id) && isSelected({ id: thread.id, archived: thread.archived, ...facts }, selection)
}

async function scanOnce(thread: Thread, index: ThreadIndex, work: BuildWork): Promise<Scan> {
  const { privacy, cache, host, spoolDir } = work
  const ancestorKey = (facts: ScanFacts) => ancestors(thread, facts, index).map(threadKey).join(' ')
  const known = cache.scan(thread, ancestorKey)
  if (known !== undefined) return known
  await breathe()
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
  failed: number
}

/** Makes the files of every wanted thread, or keeps those of the build before. */
export async function buildSessions(
  scanned: readonly CuratedThread[],
  { work, publication, tools, task, catalog, keep, built }: SessionStage,
): Promise<BuiltSessions> {
  const { host, report } = work
  const { neighbours, diagnostics } = findNeighbours(scanned, new Set(catalog.threads.map(({ id }) => id)))
  for (const item of diagnostics) report(item)
  const threads = threadLinks(scanned)
  const index = threadIndex(catalog.threads)
  host.progress.stage('Rendering sessions', scanned.length)
  const sessions: CachedSession[] = []
  const allBytes = scanned.reduce((sum, { thread }) => sum + bytesOf(thread), 0)
  let bytes = 0
  let failed = 0
  for (const { thread, facts, redactor, plan } of scanned) {
    bytes += bytesOf(thread)
    const around = neighbours.get(thread.id) ?? { forks: [], agents: [] }
    const whole: SessionTask = {
      ...task,
      thread,
      facts,
      neighbours: around,
      project: projectOf(facts.remote, facts.cwds[0]),
      ...defined({ plan }),
      history: baseChain(thread, index)?.links.map(({ segment }) => segment) ?? [],
    }
    const session =
      keep(whole) ??
      (await renderSession(whole, { work, publication, tools: { ...tools, threads, ...defined({ redactor }) } }))
    if (session === undefined) failed++
    else {
      sessions.push(session)
      built(session, bytes / allBytes)
      for (const item of session.diagnostics) report(item)
    }
    host.progress.tick()
  }
  return { sessions, failed }
}

function bytesOf({ segments }: Thread): number {
  return segments.reduce((sum, { file }) => sum + file.bytes, 0)
}

/** What rendering needs beside the threads. */
export interface SessionStage {
  work: BuildWork
  /** Names what decides what of a session is published. */
  publication: (threadId: string) => string
  tools: Omit<SessionTools, 'threads' | 'redactor'>
  task: Pick<SessionTask, 'site' | 'formats'>
  catalog: Catalog
  /** The session of the build before, where nothing that it depends on has changed and all its files stand. */
  keep: (task: SessionTask) => CachedSession | undefined
  /** Hears of each session with files, in the order of their start, and what share of all bytes was read by then. */
  built: (session: CachedSession, share: number) => void
}

/** Identity of everything that a session's files depend on beside the cache's stamp. */
export function sessionKey({ thread, facts, neighbours, project, plan }: SessionTask): string {
  const around = [facts.inherited, facts.base, neighbours, project, plan].map((value) => JSON.stringify(value))
  return sha256([threadKey(thread), ...around].join('\0')).slice(0, 24)
}

async function renderSession(
  task: SessionTask,
  { work, publication, tools }: Pick<SessionStage, 'work' | 'publication'> & { tools: SessionTools },
): Promise<CachedSession | undefined> {
  const { host, cache, details, report } = work
  await breathe()
  host.signal.throwIfAborted()
  try {
    const { summary, detail, files, search, diagnostics } = await buildSession(task, tools)
    const session: CachedSession = {
      key: sessionKey(task),
      summary,
      files,
      search,
      diagnostics,
      publication: publication(task.thread.id),
    }
    details.put(detail)
    cache.setSession(task.thread.id, session)
    return session
  } catch (error) {
    host.signal.throwIfAborted()
    // A full disk or a broken template is not this session's fault.
    if (isExpected(error)) throw error
    if (isReadError(error)) report(readFault(task.thread, error))
    else
      report(
        diagnostic('page-failed', defined({ file: task.thread.segments[0]?.file.name }), `Reason: ${reasonOf(error)}.`),
      )
    return undefined
  }
}

/** Errors of the file system have a code; a file that vanished has a name of its own. */
function isReadError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'VanishedFileError' || 'code' in error)
}
