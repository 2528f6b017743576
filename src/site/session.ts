/** Renders one session: its trees, page by page, into all its files. */

import { pageSettings } from '../config/schema.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import { isExpected, PluginError } from '../diagnostics/errors.ts'
import { assetSink } from '../redact/picture.ts'
import type { ValueReport } from '../redact/session-values.ts'
import type { FileRecord, SearchRecord } from '../render/output.ts'
import { type AddedParts, sessionHooks } from '../render/pages/plugins.ts'
import { sessionView } from '../render/pages/session/session.ts'
import { pathOf, type SessionPage } from '../render/pages/session/session-page.ts'
import { drawTex, loadHighlight } from '../render/transcript/engines-fs.ts'
import { envelopeFoot, envelopeHead } from '../render/transcript/json.ts'
import { renderMarkdownFoot, renderMarkdownHead } from '../render/transcript/markdown.ts'
import { homeLabel, threadBytes } from '../rollout/discover/rollout.ts'
import type { ThreadLink } from '../survey/neighbours.ts'
import { storyRanges } from '../survey/page-cutter.ts'
import { sessionFault } from '../survey/scan.ts'
import type { PagePlan, SessionDetail, SessionSummary } from '../transcript/summary.ts'
import type { Session } from '../transcript/trast.ts'
import { sessionJson, sessionMarkdown, threadFolder } from '../transcript/urls.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { defined } from '../util/own.ts'
import { detailCollector } from './collect/detail.ts'
import { overviewCollector, summarize } from './collect/overview.ts'
import type { PageCollector, SessionContext, SessionJob } from './context.ts'
import type { WrittenPage } from './kept-slices.ts'
import { type OpenSession, put, renderSlice, searchCollector } from './session-slice.ts'
import { slicesOf, type ThreadSlices } from './slices.ts'
import { type PageSpool, pageSpool, spooled } from './spool-fs.ts'

/** The result for a session, as plain data. */
export type SessionResult = RenderedSession | { failure: Diagnostic }

/** A session with files. */
interface RenderedSession {
  summary: SessionSummary
  detail: SessionDetail
  files: FileRecord[]
  /** Pruned pages that were stored for the index. */
  search: SearchRecord[]
  diagnostics: Diagnostic[]
  /** Closed pages show the numbers of the last build, so the next build renders the session again. */
  isAhead?: true
  /** What its redactor learned; absent if nothing is redacted. */
  values?: ValueReport
}

/** Renders sessions one at a time, in this thread or in another. */
export interface SessionRenderer {
  /** Rejects with an expected error, or the reason of an aborted signal. */
  render(job: SessionJob): Promise<SessionResult>
  close(): Promise<void>
}

/** Renders a session. A fault of this session alone is returned as a failure, and leaves none of its own files. */
export async function renderSession(
  job: SessionJob,
  links: ReadonlyMap<string, ThreadLink>,
  build: SessionContext,
): Promise<SessionResult> {
  const { signal } = build.reading
  await yieldToEventLoop()
  signal.throwIfAborted()
  try {
    return await renderTrees(job, links, build)
  } catch (error) {
    signal.throwIfAborted()
    // A full disk or a broken template is not the fault of this session.
    if (isExpected(error) && !(error instanceof PluginError)) throw error
    return { failure: sessionFault(job.thread, error) }
  }
}

async function renderTrees(
  job: SessionJob,
  links: ReadonlyMap<string, ThreadLink>,
  build: SessionContext,
): Promise<RenderedSession> {
  const trees = treesOf(job, build)
  const open = await openSession(job, trees, { links, build })
  try {
    await open.memory?.begin()
    const share = threadBytes(job.thread) / linesBytes(job.facts.pages)
    for await (const { tree, page } of trees.slices) {
      await renderSlice(tree, page.number, open)
      build.passed(linesBytes([page]) * share)
    }
    const { session } = trees
    const detail = open.detail.finish(session, job.facts)
    const { failuresLeft, timeline } = open.overview.overview()
    const summary = summarize(session, {
      ...job,
      errors: open.errors,
      failuresLeft,
      activeMs: timeline?.turnMs,
      prices: build.site.prices,
    })
    const { panels = [], fields = {}, pluginData = {} } = (await open.hooks?.end(summary)) ?? {}
    open.search.addFields(fields)
    const isAhead = await writeSession(session, { detail, panels }, open)
    return {
      summary: open.hooks === undefined ? summary : { ...summary, fields, pluginData },
      detail,
      files: [...open.files.values()],
      search: open.search.records(),
      diagnostics: [...trees.diagnostics(), ...open.failures.values(), ...open.pluginFailures],
      ...defined({ values: job.redactor?.values(), isAhead }),
    }
  } catch (error) {
    // Pictures may belong to other sessions too.
    const folder = `sessions/${threadFolder(job.thread.id)}/`
    build.staging.retract([...open.files.keys()].filter((path) => path.startsWith(folder)))
    throw error
  } finally {
    for (const spool of [open.bodies, open.stories, open.markdown, open.json]) spool.close()
  }
}

/** Bytes of the lines of pages, which may be compressed in their files; never 0. */
function linesBytes(pages: readonly PagePlan[]): number {
  return pages.reduce((sum, { ranges }) => ranges.reduce((all, { start, end }) => all + end - start, sum), 1)
}

/** The trees of a session, and what is collected while they are made. */
interface SessionTrees extends ThreadSlices {
  /** Pictures of the slice, by name, until it is known which of them it shows. */
  pictures: Map<string, Uint8Array>
  /** Takes the thread's lines; absent if the session gets no page about what the model remembers. */
  memory?: PageCollector
}

/** Makes each tree when it is asked for, so no more than one is in memory. */
function treesOf(job: SessionJob, build: SessionContext): SessionTrees {
  const { thread, facts, neighbours, plan, redactor, live } = job
  const pictures: SessionTrees['pictures'] = new Map()
  const memory = build.memory?.(job, build)
  const slices = slicesOf(thread, facts, {
    ...build.reading,
    neighbours,
    plugins: build.options.plugins,
    assets: assetSink((name, bytes) => pictures.set(name, bytes), { keepsMetadata: redactor === undefined }),
    ...defined({ plan, redactor, memory, live }),
  })
  return { ...slices, pictures, ...defined({ memory }) }
}

async function openSession(
  job: SessionJob,
  { pictures, memory }: SessionTrees,
  { links, build }: { links: ReadonlyMap<string, ThreadLink>; build: SessionContext },
): Promise<OpenSession> {
  const { thread, neighbours } = job
  const { options, site, engine, reading } = build
  const pluginFailures: Diagnostic[] = []
  return {
    job,
    build,
    context: {
      threadId: thread.id,
      ...pageSettings(site),
      threads: (id) => links.get(id),
      engine,
      outputFiles: true,
      ...(options.formats.includes('html') ? { highlight: await loadHighlight(), drawTex } : {}),
      ...defined({ subtitle: job.facts.subtitle, origin: (neighbours.forkedFrom ?? neighbours.parent)?.place }),
    },
    files: new Map(),
    pictures,
    bodies: pageSpool(reading.spoolDir, 'bodies'),
    stories: pageSpool(reading.spoolDir, 'stories'),
    hidden: [],
    overview: overviewCollector(),
    markdown: pageSpool(reading.spoolDir, 'markdown'),
    json: pageSpool(reading.spoolDir, 'json'),
    search: searchCollector(job, build),
    detail: detailCollector(thread.segments[0]?.head.cwd, site.timeZone),
    memory,
    hooks: sessionHooks(options.plugins, job, (item) => pluginFailures.push(item)),
    pluginFailures,
    keptPages: 0,
    errors: 0,
    failures: new Map(),
  }
}

/** `put` for a text file, piece by piece. */
async function putPieces(
  { files, build }: OpenSession,
  path: string,
  pieces: () => Iterable<string | Uint8Array>,
): Promise<void> {
  files.set(path, await build.staging.putPieces(path, pieces, build.reading.signal))
}

// The files that describe the whole session: pages with their heads and receipts, the Markdown twin, the tree.

/** Writes the pages and twins, now that the final numbers are known. Returns `true` if it left closed pages unchanged. */
async function writeSession(
  session: Session,
  { detail, panels }: { detail: SessionDetail; panels: AddedParts['panels'] },
  open: OpenSession,
): Promise<true | undefined> {
  const { job, build, context } = open
  const { formats } = build.options
  const { site } = build
  const closed = closedPages(open)
  if (formats.includes('html')) await writePages(session, { detail, panels, closed }, open)
  if (formats.includes('md')) {
    const matter = { project: job.project.name, files: detail.touches.map(({ path, movedTo }) => movedTo ?? path) }
    const head = renderMarkdownHead(session, context, site.frontMatter ? matter : undefined)
    const foot = renderMarkdownFoot(session, context)
    await putPieces(open, sessionMarkdown(session.threadId), () => around(head, open.markdown, foot))
  }
  if (formats.includes('json')) {
    const [head, foot] = [envelopeHead(session, site.generator), envelopeFoot(session)]
    await putPieces(open, sessionJson(session.threadId), () => around(head, open.json, foot))
  }
  return closed.keptFiles > 0 ? true : undefined
}

/**
 * Writes the pages of a session: each slice, then the parts of the story if there are several pages, and the page about what the
 * model remembers.
 */
async function writePages(
  session: Session,
  { detail, panels, closed }: { detail: SessionDetail; panels: AddedParts['panels']; closed: ClosedPages },
  open: OpenSession,
): Promise<void> {
  const { job, build, context, bodies, stories, hidden } = open
  const { facts, project, neighbours } = job
  const { site, templates, reading } = build
  const overview = open.overview.overview()
  const memory = await open.memory?.finish(session)
  const { remembers = false, pruned = 0, file } = memory ?? {}
  const reported = { overview, detail, panels, remembers, pruned, ...defined({ label: homeLabel(job.thread) }) }
  const whole = { session, facts, project, neighbours, site, ...reported }
  type Written = Pick<SessionPage, 'page' | 'hidden' | 'story'> & { to: number; body: () => Uint8Array[] }
  const write = async ({ to, body, ...place }: Written): Promise<void> => {
    await yieldToEventLoop()
    reading.signal.throwIfAborted()
    const isClosed = place.story?.part !== 1 && to < facts.pages.length
    const path = pathOf({ session, facts, ...place })
    if (isClosed && closed.tryKeep(path)) return
    const view = (text: string) =>
      sessionView({ ...whole, ...place, body: text, context: { ...context, page: place.page } })
    put(open, { path, content: templates.renderAround('html/session', view, body()) })
    if (isClosed) closed.noteWritten(path)
  }
  for (const [index, count] of hidden.entries())
    await write({ page: index + 1, to: index + 1, hidden: count, body: () => [bodies.get(index)] })
  const ranges = stories.count() === 0 ? [] : storyRanges(facts.pages)
  const starts = ranges.map(({ from }) => from + 1)
  for (const [index, { from, to }] of ranges.entries()) {
    const body = () => Array.from({ length: to - from }, (_, at) => stories.get(from + at))
    const count = hidden.slice(from, to).reduce((sum, number) => sum + number, 0)
    await write({ page: from + 1, to, hidden: count, body, story: { part: index + 1, starts } })
  }
  if (file !== undefined) put(open, file)
}

/** Files of pages in which later turns change nothing but numbers. */
interface ClosedPages {
  /** Whether the file of such a page stays unchanged until the next build. */
  tryKeep(path: string): boolean
  /** Called when the file of such a page was written. */
  noteWritten(path: string): void
  /** How many files stay unchanged. */
  readonly keptFiles: number
}

/**
 * Decides which closed pages an update leaves unchanged. It leaves them only if the texts of all of them are unchanged, and so is
 * what they say about the session and later pages, apart from numbers and new turns. A secret that a new turn reveals is
 * therefore replaced in all pages at once.
 */
function closedPages({ job, build, files, keptPages }: OpenSession): ClosedPages {
  const { thread, facts, project, neighbours } = job
  const written = job.live ? build.keptSlices?.written?.(thread.id) : undefined
  const mayKeep = build.isUpdate === true && keptPages > 0 && keptPages === facts.pages.length - 1
  // A build without a watch needs none of this.
  const shown = written && {
    around: JSON.stringify([facts.title, project, neighbours, facts.pages.length]),
    outline: facts.outline.map((entry) => JSON.stringify(entry)),
  }
  const isAsShown = ({ around, outline }: WrittenPage): boolean =>
    around === shown?.around && outline.every((entry, index) => entry === shown.outline[index])
  let keptFiles = 0
  return {
    tryKeep(path) {
      const previous = mayKeep ? written?.get(path) : undefined
      if (previous === undefined || !isAsShown(previous) || !build.staging.keepUnchanged(path, previous.hash))
        return false
      files.set(path, { path, hash: previous.hash })
      keptFiles++
      return true
    },
    noteWritten(path) {
      const record = files.get(path)
      if (record !== undefined && shown !== undefined) written?.set(path, { ...record, ...shown })
    },
    get keptFiles() {
      return keptFiles
    },
  }
}

function* around(head: string, spool: PageSpool, foot: string): Generator<string | Uint8Array> {
  yield head
  yield* spooled(spool)
  yield foot
}
