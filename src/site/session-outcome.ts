/** One session of a build: what it is made from, and what became of it. */

import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { isExpected } from '../diagnostics/errors.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { Catalog } from '../rollout/discover/rollout.ts'
import { historyOf, type ThreadIndex } from '../survey/lineage.ts'
import type { Privacy } from '../survey/privacy.ts'
import { projectOf } from '../survey/project.ts'
import { readFault } from '../survey/scan.ts'
import type { Neighbours, ThreadLink } from '../transcript/view.ts'
import { defined } from '../util/defined.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import { reasonOf } from '../util/reason.ts'
import { type BuildCache, type CachedSession, threadKey } from './cache/build-cache.ts'
import type { CuratedThread } from './curation.ts'
import type { DetailStore } from './detail-store.ts'
import type { SessionJob, SessionServices } from './open-session.ts'
import { buildSession } from './session.ts'
import type { BuildOptions, Host } from './types.ts'

/** What the stages share. */
export interface BuildContext {
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

/** What became of a session; without `session` it has no files. */
export interface Outcome {
  session?: CachedSession
  /** It is that of the build before. */
  isKept: boolean
  diagnostics: readonly Diagnostic[]
}

/** What the sessions of a build know of each other. */
export interface Surroundings {
  stage: SessionBuild
  neighbours: Map<string, Neighbours>
  links: Map<string, ThreadLink>
  index: ThreadIndex
}

/** What is to be rendered of a thread. */
export function jobOf({ thread, facts, plan }: CuratedThread, { stage, neighbours, index }: Surroundings): SessionJob {
  return {
    ...stage.task,
    thread,
    facts,
    neighbours: neighbours.get(thread.id) ?? { forks: [], agents: [] },
    project: projectOf(facts.remote, facts.cwds[0]),
    ...defined({ plan }),
    history: historyOf(thread, index),
  }
}

/** What rendering needs beside the threads. */
export interface SessionBuild {
  work: BuildContext
  /** Names what decides what of a session is published. */
  publication: (threadId: string) => string
  tools: Omit<SessionServices, 'threads' | 'redactor'>
  /** Takes files back that a session has put, before they are made anew. */
  retract: (paths: readonly string[]) => void
  task: Pick<SessionJob, 'site' | 'formats'>
  catalog: Catalog
  /** The session of the build before, where nothing that it depends on has changed and all its files stand. */
  keep: (task: SessionJob) => CachedSession | undefined
  /** Hears of each session with files, in the order of their start, and what share of all bytes was read by then. */
  built: (session: CachedSession, share: number) => void
}

/** Identity of everything that a session's files depend on beside the cache's stamp. */
export function sessionKey({ thread, facts, neighbours, project, plan }: SessionJob): string {
  const around = [facts.inherited, facts.base, neighbours, project, plan].map((value) => JSON.stringify(value))
  return sha256([threadKey(thread), ...around].join('\0')).slice(0, 24)
}

/** Renders a session. What is wrong with it alone is told and stops nothing else. */
export async function renderSession(
  { redactor }: Pick<CuratedThread, 'redactor'>,
  task: SessionJob,
  { stage, links }: Surroundings,
): Promise<Outcome> {
  const { work, publication } = stage
  const { host, cache, details } = work
  await yieldToEventLoop()
  host.signal.throwIfAborted()
  try {
    const tools: SessionServices = { ...stage.tools, threads: (id) => links.get(id), ...defined({ redactor }) }
    const { summary, detail, files, search, diagnostics } = await buildSession(task, tools)
    const session: CachedSession = {
      key: sessionKey(task),
      summary,
      files,
      search,
      diagnostics,
      publication: publication(task.thread.id),
      values: { touched: isTouched(redactor) },
    }
    details.put(detail)
    cache.setSession(task.thread.id, session)
    return { session, isKept: false, diagnostics }
  } catch (error) {
    host.signal.throwIfAborted()
    // A full disk or a broken template is not this session's fault.
    if (isExpected(error)) throw error
    if (isReadError(error)) return { isKept: false, diagnostics: [readFault(task.thread, error)] }
    const place = defined({ file: task.thread.segments[0]?.file.name })
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
