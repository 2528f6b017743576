/** One session: a task with plain input and output that makes all of its files. */
import type { PluggableList } from 'unified'
import type { SiteFormat } from '../config/settings.ts'
import type { CurationPlan } from '../curate/plan.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import type { MemoryFacts } from '../model/memory.ts'
import type { FileRecord, OutputFile, SearchPage, SearchRecord } from '../model/output.ts'
import type { Segment, Thread } from '../model/rollout.ts'
import type { ProjectRef, ScanFacts, SessionDetail, SessionSummary } from '../model/summary.ts'
import type { Session } from '../model/trast.ts'
import {
  assetPath,
  contextPage,
  outputText,
  sessionCard,
  sessionJson,
  sessionMarkdown,
  sessionPage,
} from '../model/urls.ts'
import type { Neighbours, PagePlace, SiteInfo, ThreadLink } from '../model/view.ts'
import { walk } from '../model/walk.ts'
import { pageLimits } from '../normalize/plugins/limit.ts'
import { pageLimiter } from '../normalize/preset.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { CardFacts } from '../render/card/card.ts'
import { sessionCardFacts } from '../render/card/session-card.ts'
import type { RenderContext } from '../render/context.ts'
import { contextView } from '../render/context-page.ts'
import { dayOf } from '../render/dates.ts'
import { hiddenNodes } from '../render/hidden.ts'
import { loadHighlight } from '../render/highlight/engine-fs.ts'
import { renderBody } from '../render/html.ts'
import { renderMarkdownFoot, renderMarkdownHead, renderMarkdownSlice } from '../render/markdown.ts'
import type { Engine } from '../render/prose/engine.ts'
import { renderSearchPage } from '../render/search-page.ts'
import type { Templates } from '../render/templates.ts'
import { sessionView } from '../render/view.ts'
import { defined } from '../util/defined.ts'
import { assetSink } from './assets.ts'
import type { MemoryCollector } from './context-collector.ts'
import { envelopeFoot, envelopeHead } from './json-tree.ts'
import { type OverviewCollector, overviewCollector } from './overview.ts'
import { type PageSpool, pageSpool, spooled } from './page-spool-fs.ts'
import { renderThread } from './render-thread.ts'
import { type DetailCollector, detailCollector } from './session-detail.ts'
import { rememberedBy, sessionMemory, sessionPruned, withPruned } from './session-memory.ts'
import { summarize } from './summary.ts'

/** What is to be rendered. */
export interface SessionTask {
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
export interface SessionTools {
  engine: Engine
  templates: Templates
  plugins: PluggableList
  /** The session's own, which has seen its facts; absent where nothing is redacted. */
  redactor?: Redactor
  threads: (id: string) => ThreadLink | undefined
  /** Takes a file of the site; several sessions may hand over the same asset. */
  put: (file: OutputFile) => FileRecord
  /** Takes a text file piece by piece; `pieces` is called for each pass over it. */
  putPieces: (path: string, pieces: () => Iterable<string>) => FileRecord
  /** Draws the picture for previews of links as a PNG; absent where the site has none. */
  paint?: (card: CardFacts) => Uint8Array
  /** Takes a pruned page for the search index. */
  index: (page: SearchPage) => SearchRecord
  spoolDir: () => string
  signal: AbortSignal
}

/** What a task gives back. */
export interface SessionResult {
  summary: SessionSummary
  detail: SessionDetail
  files: FileRecord[]
  /** Pruned pages that were handed to the index. */
  search: SearchRecord[]
  diagnostics: Diagnostic[]
}

interface Work {
  task: SessionTask
  tools: SessionTools
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
  /** Absent where the site has no page of the session's memory. */
  memory?: MemoryCollector
  /** What was pruned from the rollout, where the page of its memory tells it. */
  pruned?: MemoryFacts['pruned']
  errors: number
}

/** Renders a session into files. Throws what reading throws. */
export async function buildSession(task: SessionTask, tools: SessionTools): Promise<SessionResult> {
  const { thread, facts } = task
  const work: Work = {
    task,
    tools,
    context: {
      threadId: thread.id,
      timeZone: task.site.timeZone,
      threads: tools.threads,
      engine: tools.engine,
      ...(task.formats.includes('html') ? { highlight: await loadHighlight() } : {}),
      ...defined({ prices: task.site.prices, origin: originOf(task.neighbours) }),
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
    ...defined({ memory: sessionMemory(task, tools) }),
  }
  try {
    await work.memory?.begin(tools.spoolDir)
    const { session, diagnostics } = await renderThread(thread, facts, {
      ...tools,
      neighbours: task.neighbours,
      ...defined({ plan: task.plan }),
      assets: assetSink((name, bytes) => work.pictures.set(name, bytes), tools.redactor === undefined),
      ...defined({ onLine: work.memory?.line }),
      onSlice: (slice, page) => renderSlice(slice, page.number, work),
    })
    const detail = work.detail.finish(session, facts)
    if (work.memory !== undefined) work.pruned = await sessionPruned(thread, tools)
    finish(session, detail, work)
    const { project, neighbours } = task
    const summary = summarize(session, {
      thread,
      facts,
      project,
      neighbours,
      errors: work.errors,
      prices: task.site.prices,
    })
    return { summary, detail, files: [...work.files.values()], search: work.search, diagnostics }
  } finally {
    for (const spool of [work.bodies, work.markdown, work.json]) spool.close()
  }
}

function originOf({ forkedFrom, parent }: Neighbours): PagePlace | undefined {
  return (forkedFrom ?? parent)?.place
}

function put({ files, tools }: Work, file: OutputFile): void {
  const record = tools.put(file)
  files.set(record.path, record)
}

async function renderSlice(slice: Session, page: number, work: Work): Promise<void> {
  const { task } = work
  const { formats } = task
  putPictures(slice, work)
  if (formats.includes('json')) addJson(slice, work.json)
  const failed = inspect(slice, work)
  work.detail.take(slice, page)
  work.overview.take(slice, page)
  work.memory?.slice(slice, page)
  await pageLimiter(pageLimits).run(slice)
  const context = { ...work.context, page }
  if (formats.includes('md')) work.markdown.add(renderMarkdownSlice(slice, context))
  if (!formats.includes('html')) return
  work.bodies.add(renderBody(slice, context))
  work.hidden.push(hiddenNodes(slice))
  if (task.site.search) work.search.push(work.tools.index(searchPage(slice, { ...context, page }, task, failed)))
}

function searchPage(
  slice: Session,
  context: RenderContext & { page: number },
  { facts, project, thread, site }: SessionTask,
  errors: boolean,
): SearchPage {
  const label = thread.segments[0]?.file.home
  const html = renderSearchPage(slice, context, {
    title: facts.title,
    project: project.name,
    models: slice.models,
    errors,
    ...defined({
      outputs: site.searchOutputs,
      startedAt: facts.startedAt,
      branch: slice.git?.branch,
      label: label === '' ? undefined : label,
    }),
  })
  return { path: sessionPage(slice.threadId, context.page), day: dayOf(facts.startedAt, site.timeZone), html }
}

/** Writes the pictures that the tree still names: no byte of others may be in the site. */
function putPictures(slice: Session, work: Work): void {
  const { pictures } = work
  if (pictures.size === 0) return
  walk(slice, (node) => {
    const bytes = node.type === 'image' && node.asset !== undefined ? pictures.get(node.asset) : undefined
    if (node.type === 'image' && node.asset !== undefined && bytes !== undefined)
      put(work, { path: assetPath(node.asset), content: bytes })
  })
  pictures.clear()
}

/** Adds the nodes of a slice to the tree's list: a comma stands between all of them. */
function addJson(slice: Session, json: PageSpool): void {
  for (const child of slice.children) json.add(`${json.count() === 0 ? '' : ','}${JSON.stringify(child)}`)
}

/**
 * Counts errors and writes the whole text of outputs that pages cut; they share files by the node's id. Gives whether
 * something failed: an error, a command, a turn.
 */
function inspect(slice: Session, work: Work): boolean {
  let failed = false
  const longest = pageLimits.output?.longest ?? Number.POSITIVE_INFINITY
  walk(slice, (item) => {
    if (item.data?.inherited || item.data?.visibility === 'hidden') return false
    if (item.type === 'error') work.errors++
    failed ||= item.type === 'error' || ((item.type === 'command' || item.type === 'turn') && item.status === 'failed')
    if (item.type === 'output' && item.value.length > longest) {
      put(work, { path: outputText(slice.threadId, item.id), content: item.value })
    }
    return undefined
  })
  return failed
}

/** Writes the pages and twins, now that the final numbers are known. */
function finish(session: Session, detail: SessionDetail, work: Work): void {
  const { task, tools, context, bodies, hidden } = work
  const { formats, facts, project, neighbours, site } = task
  if (formats.includes('html')) {
    const overview = work.overview.overview()
    const memory = withPruned(work)
    for (const [index, hiddenCount] of hidden.entries()) {
      const page = index + 1
      const view = sessionView({
        session,
        facts,
        project,
        page,
        neighbours,
        overview,
        detail,
        ...rememberedBy(memory),
        hidden: hiddenCount,
        body: bodies.get(index),
        site,
        context: { ...context, page },
      })
      put(work, { path: sessionPage(session.threadId, page), content: tools.templates.session(view) })
    }
    if (memory !== undefined) {
      const view = contextView({ session, memory, project, site })
      put(work, { path: contextPage(session.threadId), content: tools.templates.context(view) })
    }
    const picture = tools.paint?.(sessionCardFacts(session, project, site))
    if (picture !== undefined) put(work, { path: sessionCard(session.threadId), content: picture })
  }
  if (formats.includes('md')) {
    const [head, foot] = [renderMarkdownHead(session, context), renderMarkdownFoot(session, context)]
    putPieces(work, sessionMarkdown(session.threadId), () => around(head, work.markdown, foot))
  }
  if (formats.includes('json')) {
    const [head, foot] = [envelopeHead(session, site.generator), envelopeFoot(session)]
    putPieces(work, sessionJson(session.threadId), () => around(head, work.json, foot))
  }
}

function* around(head: string, spool: PageSpool, foot: string): Generator<string> {
  yield head
  yield* spooled(spool)
  yield foot
}

function putPieces({ files, tools }: Work, path: string, pieces: () => Iterable<string>): void {
  files.set(path, tools.putPieces(path, pieces))
}
