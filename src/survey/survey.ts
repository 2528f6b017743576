/** Finds out which threads there are and what their heads say, from file names and heads only. */

import type { Diagnostic } from '../diagnostics/codes.ts'
import { type FoundRoots, findRoots, type Root, type RootInputs } from '../rollout/discover/homes-fs.ts'
import type { Catalog, RolloutFile, SessionHead, Thread } from '../rollout/discover/rollout.ts'
import { type FoundFiles, findFiles } from '../rollout/discover/thread-names-fs.ts'
import { decodeHead } from '../rollout/parse/head.ts'
import { type HeadReading, readHead } from '../rollout/read/head-fs.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { append } from '../util/groups.ts'
import { defined } from '../util/own.ts'
import { buildCatalog, type CatalogEntry } from './catalog.ts'
import { findOldCopies, foldOldCopies, hasNoEnvelope, type OldCopies } from './old-copies.ts'
import type { Privacy } from './privacy.ts'
import { faultDiagnostic } from './scan.ts'
import { isSelected, type ThreadFilter } from './select.ts'

/** Files to read between two turns of the event loop: some milliseconds of work. */
const batch = 64

/** Options of a survey. */
export interface SurveyOptions {
  /** Returns an existing folder for temporary files. */
  spoolDir: () => string
  /** The files at the roots, if they are known already. */
  found?: FoundFiles
  /** Heads of files that have not changed since they were read; these files are not opened. */
  knownHead?: (file: RolloutFile) => HeadReading | undefined
  /** Stores a head that was read, for the next survey. */
  keepHead?: (file: RolloutFile, reading: HeadReading) => void
  /** Returns what is known of unmarked copies among these threads, or else what `find` finds by reading them. */
  oldCopies?: (bare: readonly Thread[], find: () => Promise<OldCopies>) => Promise<OldCopies>
  /** Returns a publishable form of a thread's id; called for ids that were made from file names. */
  publicId?: (id: string) => string
  /** Aborts between two files; the survey then throws `signal.reason`. */
  signal?: AbortSignal
}

/** The result of a survey. */
export interface Survey {
  catalog: Catalog
  diagnostics: Diagnostic[]
  roots: readonly Root[]
  /** Where it looked, for a message if there are no threads. */
  places: string[]
}

/** What surveys the homes of a call. */
interface HomeSurveyor extends RootInputs {
  signal: AbortSignal
  progress: { stage: (name: string) => void }
}

/** Surveys the homes that a call names. Throws as `findRoots` does. */
export function surveyHomes(
  homes: Parameters<typeof findRoots>[0],
  host: HomeSurveyor,
  options: Pick<SurveyOptions, 'spoolDir' | 'publicId'>,
): Promise<Survey> {
  const roots = findRoots(homes, host)
  host.progress.stage('Looking for sessions')
  return survey(roots, { ...options, signal: host.signal })
}

/** Finds all threads below the roots. A file that cannot be read gives a diagnostic and does not stop the others. */
export async function survey({ roots, places }: FoundRoots, options: SurveyOptions): Promise<Survey> {
  const { files, names, ...found } = options.found ?? findFiles(roots)
  const diagnostics = [...found.diagnostics]
  const entries: CatalogEntry[] = []
  const shared = new Map<string, string>()
  for (const [index, file] of files.entries()) {
    if (index % batch === 0) await yieldToEventLoop()
    options.signal?.throwIfAborted()
    const { head, diagnostics: faults } = options.knownHead?.(file) ?? (await tryHead(file, options))
    if (head !== undefined) {
      shareTexts(head, shared)
      entries.push({ file, head: withPublicId(head, options) })
    }
    append(diagnostics, faults)
  }
  const { catalog, diagnostics: copies } = buildCatalog(entries, names)
  const { threads, diagnostics: saves } = await foldCopies(catalog.threads, options)
  append(diagnostics, copies)
  append(diagnostics, saves)
  return { catalog: { threads, files: files.length }, diagnostics, roots, places }
}

/** A head whose id may be used in addresses. Only file names contain words of people; recorded ids come from Codex. */
function withPublicId(head: SessionHead, { publicId }: SurveyOptions): SessionHead {
  return head.idFrom === 'path' && publicId !== undefined ? { ...head, threadId: publicId(head.threadId) } : head
}

/** Shares equal texts among heads: for thousands of sessions, copies would take megabytes. */
function shareTexts(head: SessionHead, shared: Map<string, string>): void {
  const share = (text: string): string => {
    const one = shared.get(text)
    if (one === undefined) shared.set(text, text)
    return one ?? text
  }
  if (head.cwd !== undefined) head.cwd = share(head.cwd)
  const { git } = head
  if (git?.remote !== undefined) git.remote = share(git.remote)
  if (git?.branch !== undefined) git.branch = share(git.branch)
}

async function foldCopies(threads: readonly Thread[], { spoolDir, oldCopies }: SurveyOptions) {
  const bare = threads.filter(hasNoEnvelope)
  const find = () => findOldCopies(bare, spoolDir)
  const needed = bare.length > 1
  const copies = needed ? await (oldCopies?.(bare, find) ?? find()) : { resumed: [], saves: [], diagnostics: [] }
  return foldOldCopies(threads, copies)
}

async function tryHead(file: RolloutFile, options: SurveyOptions): Promise<HeadReading> {
  try {
    const reading = await readHead(file, { decodeHead, spoolDir: options.spoolDir })
    options.keepHead?.(file, reading)
    return reading
  } catch (error) {
    return { diagnostics: [faultDiagnostic(error, { file: file.name })] }
  }
}

// What heads say, as it may be shown.

/** What the head of a thread says, in publishable form. */
export interface HeadFacts {
  /** ISO instant. */
  startedAt?: string
  cwds: readonly string[]
  remote?: string
}

/**
 * What the heads of selected threads say, as far as heads can show which are selected, by thread id. Each folder is redacted only
 * once: an archive has thousands of heads, but few folders.
 */
export function headFacts(
  threads: readonly Thread[],
  selection: ThreadFilter,
  privacy: Privacy | undefined,
): Map<string, HeadFacts> {
  // Only a scan shows until when a thread was active.
  const sinceEver = { ...selection, since: undefined }
  const shown = new Map<string, Pick<HeadFacts, 'cwds' | 'remote'>>()
  const locationOf = ({ cwd, git }: Partial<SessionHead>): Pick<HeadFacts, 'cwds' | 'remote'> => {
    const key = JSON.stringify([cwd, git?.remote])
    const cached = shown.get(key)
    if (cached !== undefined) return cached
    const own = privacy?.redactor()
    const cwds = cwd === undefined ? [] : [cwd]
    own?.learn(cwds, [])
    const text = (value: string): string => own?.text(value) ?? value
    const location = { cwds: cwds.map(text), ...defined({ remote: git?.remote && text(git.remote) }) }
    shown.set(key, location)
    return location
  }
  return new Map(
    threads.flatMap(({ id, archived, segments }) => {
      const { cwd, git, startedAt } = segments[0]?.head ?? {}
      const raw = defined({ cwds: cwd === undefined ? [] : [cwd], remote: git?.remote, branch: git?.branch, startedAt })
      if (!isSelected({ id, archived, ...raw }, sinceEver)) return []
      return [[id, { ...locationOf(segments[0]?.head ?? {}), ...defined({ startedAt }) }]]
    }),
  )
}
