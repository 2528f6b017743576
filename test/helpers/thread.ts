/** Processes a rollout file with the complete core: survey, scan, render; optionally with other page sizes. */
import { dirname } from 'node:path'
import type { Diagnostic } from '../../src/diagnostics/codes.ts'
import { assetSink } from '../../src/redact/picture.ts'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import type { Thread } from '../../src/rollout/discover/rollout.ts'
import type { LineRange } from '../../src/rollout/read/lines.ts'
import { slicesOf } from '../../src/site/slices.ts'
import type { PageSizes } from '../../src/survey/page-cutter.ts'
import { scanThread } from '../../src/survey/scan.ts'
import { survey } from '../../src/survey/survey.ts'
import type { SegmentReader, ThreadLine } from '../../src/survey/thread-lines.ts'
import type { ScanFacts } from '../../src/transcript/summary.ts'
import type { Session } from '../../src/transcript/trast.ts'

export interface Pages {
  facts: ScanFacts
  /** One tree per page. */
  slices: Session[]
  /** Facts and numbers of the complete thread. */
  session: Session
  diagnostics: Diagnostic[]
}

/** The threads below a path. */
export async function threadsAt(path: string): Promise<Thread[]> {
  const roots = findRoots([path], { env: {}, homeDir: path })
  const { catalog } = await survey(roots, { spoolDir: () => dirname(path) })
  return catalog.threads
}

/** Calls `onLine` for every line of a segment, or of a range of it. */
export function eachLine(reader: SegmentReader, onLine: (line: ThreadLine) => void, range?: LineRange): void {
  const walk = reader.walk(range)
  for (let line = walk.next(); line !== undefined; line = walk.next()) onLine(line)
  walk.close()
}

/** The pages of the only thread at a path. */
export async function transcribePages(path: string, pageSizes?: PageSizes): Promise<Pages> {
  const threads = await threadsAt(path)
  const [thread] = threads
  if (thread === undefined || threads.length > 1) throw new Error(`expected one thread, found ${threads.length}`)
  return pagesOf(thread, dirname(path), pageSizes)
}

/** The pages of a thread; `spool` is a folder for temporary files. */
export async function pagesOf(thread: Thread, spool: string, pageSizes?: PageSizes): Promise<Pages> {
  const options = { spoolDir: () => spool, ...(pageSizes === undefined ? {} : { pageSizes }) }
  const { facts, diagnostics } = await scanThread(thread, options)
  if (facts === undefined) throw new Error(diagnostics.map(({ message }) => message).join(' '))
  const slices: Session[] = []
  const read = slicesOf(thread, facts, { ...options, assets: assetSink(() => {}) })
  for await (const { tree } of read.slices) slices.push(tree)
  return { facts, slices, session: read.session, diagnostics: read.diagnostics() }
}
