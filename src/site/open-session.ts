/** What is known of a session, and what was made of it, while its slices pass. */

import type { PluggableList } from 'unified'
import type { SiteFormat } from '../config/settings.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type { CurationPlan } from '../redact/curate/plan.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { FileRecord, OutputFile, SearchPage, SearchRecord } from '../render/output.ts'
import type { Templates } from '../render/templates.ts'
import type { RenderContext } from '../render/transcript/context.ts'
import { loadHighlight } from '../render/transcript/highlight-fs.ts'
import type { Engine } from '../render/transcript/prose/engine.ts'
import type { Segment, Thread } from '../rollout/discover/rollout.ts'
import type { ProjectRef, ScanFacts } from '../transcript/summary.ts'
import type { TrastNode } from '../transcript/trast.ts'
import type { Neighbours, PageAnchor, SiteInfo, ThreadLink } from '../transcript/view.ts'
import { defined } from '../util/defined.ts'
import { reasonOf } from '../util/reason.ts'
import type { PageCollector } from './features.ts'
import { type OverviewCollector, overviewCollector } from './overview.ts'
import { type PageSpool, pageSpool } from './page-spool-fs.ts'
import { type DetailCollector, detailCollector } from './session-detail.ts'

/** What is to be rendered. */
export interface SessionJob {
  thread: Thread
  facts: ScanFacts
  project: ProjectRef
  neighbours: Neighbours
  site: SiteInfo
  formats: readonly SiteFormat[]
  /** What is left out of the session; absent where nothing is. */
  plan?: CurationPlan
  /** Files of other threads that the session begins in, oldest first. */
  history?: readonly Segment[]
}

/** What a task needs of its surroundings. */
export interface SessionServices {
  engine: Engine
  templates: Templates
  plugins: PluggableList
  /** The session's own, which has seen its facts; absent where nothing is redacted. */
  redactor?: Redactor
  threads: (id: string) => ThreadLink | undefined
  /** Takes a file of the site; several sessions may hand over the same asset. */
  put: (file: OutputFile) => FileRecord
  /** Takes a text file piece by piece; `pieces` is called for each pass over it. */
  putPieces: (path: string, pieces: () => Iterable<string>) => Promise<FileRecord>
  /** Takes a pruned page for the search index. */
  index: (page: SearchPage) => SearchRecord
  spoolDir: () => string
  signal: AbortSignal
  /** The collector of what the model remembers; absent where no session gets such a page. */
  memory?: ((task: SessionJob, tools: SessionServices) => PageCollector | undefined) | undefined
}

/** A session on its way into files. */
export interface OpenSession {
  task: SessionJob
  tools: SessionServices
  context: RenderContext
  files: Map<string, FileRecord>
  /** Pictures of the slice, by name, until it is known which of them it shows. */
  pictures: Map<string, Uint8Array>
  bodies: PageSpool
  hidden: number[]
  overview: OverviewCollector
  markdown: PageSpool
  json: PageSpool
  search: SearchRecord[]
  detail: DetailCollector
  /** Absent where the session gets no page of what the model remembers. */
  memory?: PageCollector
  errors: number
  /** Items that could not be rendered, told once each. */
  failures: Map<string, Diagnostic>
}

/** Begins a session. Close it when it is done with. */
export async function openSession(task: SessionJob, tools: SessionServices): Promise<OpenSession> {
  const { thread, site } = task
  return {
    task,
    tools,
    context: {
      threadId: thread.id,
      timeZone: site.timeZone,
      threads: tools.threads,
      engine: tools.engine,
      ...(task.formats.includes('html') ? { highlight: await loadHighlight() } : {}),
      ...defined({ prices: site.prices, origin: originOf(task.neighbours) }),
    },
    files: new Map(),
    pictures: new Map(),
    bodies: pageSpool(tools.spoolDir, 'bodies'),
    hidden: [],
    overview: overviewCollector(),
    markdown: pageSpool(tools.spoolDir, 'markdown'),
    json: pageSpool(tools.spoolDir, 'json'),
    search: [],
    detail: detailCollector(thread.segments[0]?.head.cwd),
    errors: 0,
    failures: new Map(),
    ...defined({ memory: tools.memory?.(task, tools) }),
  }
}

/** Gives back what the session held on disk. */
export function closeSession({ bodies, markdown, json }: OpenSession): void {
  for (const spool of [bodies, markdown, json]) spool.close()
}

/** Hands over a file of the session. */
export function put({ files, tools }: OpenSession, file: OutputFile): void {
  const record = tools.put(file)
  files.set(record.path, record)
}

/** Hands over a text file of the session, piece by piece. */
export async function putPieces(
  { files, tools }: OpenSession,
  path: string,
  pieces: () => Iterable<string>,
): Promise<void> {
  files.set(path, await tools.putPieces(path, pieces))
}

function originOf({ forkedFrom, parent }: Neighbours): PageAnchor | undefined {
  return (forkedFrom ?? parent)?.place
}

// Items that could not be rendered, as diagnostics.

/** Takes the items of a thread that fail into `found`, each once, however many formats it fails in. */
export function failures(
  found: Map<string, Diagnostic>,
  { segments }: Thread,
): (node: TrastNode, error: unknown) => void {
  return (node, error) => {
    const source = node.data?.sources?.[0]
    const place = defined({ file: segments[source?.file ?? 0]?.file.name, line: source?.line })
    found.set(node.id, diagnostic('item-failed', place, `Item \`${node.id}\` (${node.type}): ${reasonOf(error)}.`))
  }
}
