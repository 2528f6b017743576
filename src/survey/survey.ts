/** Survey: which threads there are, from file names and heads only. */

import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type { FoundRoots } from '../rollout/discover/homes-fs.ts'
import type { Catalog, RolloutFile, SessionHead, Thread } from '../rollout/discover/rollout.ts'
import { type FoundFiles, findFiles } from '../rollout/discover/thread-names-fs.ts'
import { decodeHead } from '../rollout/parse/head.ts'
import { type HeadReading, readHead } from '../rollout/read/head-fs.ts'
import { VanishedFileError } from '../rollout/read/source.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { append } from '../util/groups.ts'
import { reasonOf } from '../util/reason.ts'
import { buildCatalog, type CatalogEntry } from './catalog.ts'
import { findOldCopies, foldOldCopies, isBare, type OldCopies } from './old-copies.ts'

/** Files between two turns of the event loop: some milliseconds of work. */
const batch = 64

/** How to survey. */
export interface SurveyOptions {
  /** Gives an existing folder for temporary files. */
  spoolDir: () => string
  /** What lies at the roots, where that is known. */
  found?: FoundFiles
  /** Heads of files that did not change since they were read: spares opening them. */
  knownHead?: (file: RolloutFile) => HeadReading | undefined
  /** Takes the heads that were read, for the next survey. */
  keepHead?: (file: RolloutFile, reading: HeadReading) => void
  /** Gives what is known of unmarked copies among these threads, else what `find` finds by reading them. */
  oldCopies?: (bare: readonly Thread[], find: () => Promise<OldCopies>) => Promise<OldCopies>
  /** Gives the id of a thread as it may be told; asked for ids that were made from names of files. */
  publicId?: (id: string) => string
  /** Aborts between two files; the survey then throws `signal.reason`. */
  signal?: AbortSignal
}

/** Everything that a survey learned. */
export interface Survey {
  catalog: Catalog
  diagnostics: Diagnostic[]
  /** What was looked at, for a message when there is nothing. */
  places: string[]
}

/** Finds all threads below some roots. A file that cannot be read gives a diagnostic, the others go on. */
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
  return { catalog: { threads, files: files.length }, diagnostics, places }
}

/** A head whose id may stand in addresses. Only names of files are words of people; recorded ids are Codex's own. */
function withPublicId(head: SessionHead, { publicId }: SurveyOptions): SessionHead {
  return head.idFrom === 'path' && publicId !== undefined ? { ...head, threadId: publicId(head.threadId) } : head
}

/** Texts of heads that many have in common are one: of thousands of sessions they would weigh megabytes. */
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
  const bare = threads.filter(isBare)
  const find = () => findOldCopies(bare, spoolDir)
  const needed = bare.length > 1
  const copies = needed ? await (oldCopies?.(bare, find) ?? find()) : { resumed: [], saves: [] }
  return foldOldCopies(threads, copies)
}

async function tryHead(file: RolloutFile, options: SurveyOptions): Promise<HeadReading> {
  try {
    const reading = await readHead(file, { decodeHead, spoolDir: options.spoolDir })
    options.keepHead?.(file, reading)
    return reading
  } catch (error) {
    const rule = error instanceof VanishedFileError ? 'vanished-file' : 'unreadable-file'
    return { diagnostics: [diagnostic(rule, { file: file.name }, `Reason: ${reasonOf(error)}.`)] }
  }
}
