/** One slice of a session: everything that is made from it before it is dropped. */

import type { Diagnostic } from '../diagnostics/codes.ts'
import { dayOf } from '../render/dates.ts'
import { wholeFileText } from '../render/omissions.ts'
import type { FileRecord, OutputFile, SearchRecord } from '../render/output.ts'
import type { AddedParts, SessionHooks } from '../render/pages/plugins.ts'
import { hiddenNodes } from '../render/pages/totals.ts'
import type { SiteInfo } from '../render/site-info.ts'
import { failures, type RenderContext } from '../render/transcript/context.ts'
import { runsElsewhere, workScript } from '../render/transcript/hast/story.ts'
import { rememberColours } from '../render/transcript/highlight.ts'
import { bodyTree, writeBody } from '../render/transcript/html.ts'
import { markdownPieces } from '../render/transcript/markdown.ts'
import { rememberBodies } from '../render/transcript/prose/read.ts'
import { homeLabel } from '../rollout/discover/rollout.ts'
import { namesIn } from '../search/blocks.ts'
import { findItems, findScript } from '../search/find-text.ts'
import { type SearchMeta, searchPagePieces, withWords } from '../search/page.ts'
import type { ThreadLink } from '../survey/neighbours.ts'
import { pageLimits } from '../transcript/plugins/limit.ts'
import { pageLimiter } from '../transcript/preset.ts'
import { emptyLines, emptyStats } from '../transcript/slice.ts'
import type { Session } from '../transcript/trast.ts'
import { assetPath, findPath, outputText, sessionPage, workScriptPath } from '../transcript/urls.ts'
import { isAbsent, walk } from '../transcript/view.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import { defined } from '../util/own.ts'
import { type Content, decoded, encodedCopy, unitsOf } from '../util/pieces.ts'
import type { DetailCollector } from './collect/detail.ts'
import type { OverviewCollector } from './collect/overview.ts'
import type { PageCollector, SessionContext, SessionJob } from './context.ts'
import type { KeptSlices, RenderedSlice } from './kept-slices.ts'
import type { PageSpool } from './spool-fs.ts'

/** A session that is being turned into files. */
export interface OpenSession {
  job: SessionJob
  build: SessionContext
  context: RenderContext
  files: Map<string, FileRecord>
  /** Pictures of the slice, by name, until it is known which of them it shows. */
  pictures: Map<string, Uint8Array>
  bodies: PageSpool
  /** What each page contributes to the story of a session with several pages. */
  stories: PageSpool
  hidden: number[]
  overview: OverviewCollector
  markdown: PageSpool
  json: PageSpool
  search: SearchCollector
  detail: DetailCollector
  /** Absent if the session gets no page about what the model remembers. */
  memory: PageCollector | undefined
  /** Session readers of plugins; absent if there are none. */
  hooks: SessionHooks | undefined
  /** Failures of plugins. */
  pluginFailures: Diagnostic[]
  /** Number of closed pages whose texts were kept from the last build, by `keptSlices`. */
  keptPages: number
  errors: number
  /** Items that could not be rendered, each reported once. */
  failures: Map<string, Diagnostic>
}

/** Stages a file of the session. */
export function put({ files, build }: OpenSession, file: OutputFile): void {
  const record = build.staging.put(file)
  files.set(record.path, record)
}

/** Collects what head, lists and numbers need from a slice, and renders it into its page and twins. */
export async function renderSlice(slice: Session, page: number, open: OpenSession): Promise<void> {
  const { job, build } = open
  const { site, reading } = build
  const { formats } = build.options
  await yieldToEventLoop()
  reading.signal.throwIfAborted()
  putPictures(slice, open)
  if (formats.includes('json')) addJson(slice, open.json)
  const failed = inspect(slice, open)
  open.detail.take(slice, page)
  open.overview.take(slice, page)
  open.memory?.slice(slice, page)
  await open.hooks?.page(slice, page)
  const shown: Session = { ...slice, stats: { ...emptyStats(), lines: emptyLines() } }
  delete shown.endedAt
  const { subtitle: _, ...context } = open.context
  const input: SliceInput = { slice: shown, context: { ...context, page }, meta: searchMeta(job, page, site) }
  // When a session continues, usually all of its pages but the last stay unchanged.
  const isClosed = (job.live ?? job.mayGrow) === true && page < job.facts.pages.length
  const kept = isClosed && build.options.plugins.length === 0 ? build.keptSlices : undefined
  const rendered = kept === undefined ? await renderParts(input, open) : await renderOnce(input, open, kept)
  if (formats.includes('md')) open.markdown.add(rendered.markdown)
  if (!formats.includes('html')) return
  open.bodies.add(rendered.body)
  if (rendered.story !== undefined) open.stories.add(rendered.story)
  open.hidden.push(rendered.hidden)
  for (const file of rendered.files) put(open, file)
  if (site.search) open.search.take(slice, { page, html: rendered.search, units: rendered.searchUnits, failed })
}

/** What the texts of a slice are made from: nothing that a later turn changes by itself. */
interface SliceInput {
  slice: Session
  context: RenderContext & { page: number }
  meta: SearchMeta
}

/** Renders a slice; on the way, cuts long texts in it as pages do. */
async function renderParts(
  { slice, context: around, meta }: SliceInput,
  { job, build, failures: found }: OpenSession,
): Promise<RenderedSlice> {
  const { site, reading, options } = build
  // Each step may take tenths of a second for a page of ten thousand records.
  const rest = async (): Promise<void> => {
    await yieldToEventLoop()
    reading.signal.throwIfAborted()
  }
  const hasHtml = options.formats.includes('html')
  const { engine, highlight } = around
  const context = {
    ...{ ...around, engine: rememberBodies(engine), onFailure: failures(found, job.thread) },
    ...(highlight === undefined ? {} : { highlight: rememberColours(highlight) }),
  }
  await rest()
  // Before the cut, because the index takes more of an output than its page shows.
  const search = hasHtml && site.search ? searchPagePieces(slice, context, meta) : []
  await pageLimiter(pageLimits).run(slice)
  await rest()
  const markdown = options.formats.includes('md') ? markdownPieces(slice, context) : []
  if (!hasHtml) return { markdown, body: [], hidden: 0, search: [], searchUnits: 0, files: [] }
  await rest()
  const isParted = job.facts.pages.length > 1
  const parts = isParted
    ? renderParted(slice, context, { job, build })
    : { body: writeBody(bodyTree(slice, context)), files: [] }
  const hidden = hiddenNodes(slice)
  return { markdown, ...parts, hidden, search, searchUnits: unitsOf(search) }
}

/**
 * Renders a slice of a session with several pages: its work, its story, and the scripts that pages load on demand from other
 * pages.
 */
function renderParted(
  slice: Session,
  context: SliceInput['context'],
  { job, build: { site, isLocked } }: Pick<OpenSession, 'job' | 'build'>,
): Pick<RenderedSlice, 'body' | 'story' | 'files'> {
  const { page } = context
  const work = bodyTree(slice, { ...context, half: 'work' })
  const story = bodyTree(slice, { ...context, half: 'story' })
  // In a locked site, links are rewritten when the page is opened, and lead to the work.
  const runs = isLocked ? undefined : runsElsewhere(work, story)
  const files: OutputFile[] = []
  const body = writeBody(work, runs)
  // A page finds its own words; it gets those of the other pages as scripts.
  if (site.search) {
    const pages = page === 1 ? job.facts.pages.length : undefined
    files.push({ path: findPath(slice.threadId, page), content: findScript(findItems(work), pages) })
  }
  if (runs !== undefined) files.push({ path: workScriptPath(slice.threadId, page), content: workScript(runs) })
  return { body, story: writeBody(story), files }
}

/** Writes the pictures that the tree still contains: no byte of any other picture may be in the site. */
function putPictures(slice: Session, open: OpenSession): void {
  const { pictures } = open
  if (pictures.size === 0) return
  walk(slice, (node) => {
    const bytes = node.type === 'image' && node.asset !== undefined ? pictures.get(node.asset) : undefined
    if (node.type === 'image' && node.asset !== undefined && bytes !== undefined)
      put(open, { path: assetPath(node.asset), content: bytes })
  })
  pictures.clear()
}

/** Adds the nodes of a slice to the list of the tree, with a comma between any two. */
function addJson(slice: Session, json: PageSpool): void {
  for (const child of slice.children) json.add(`${json.count() === 0 ? '' : ','}${JSON.stringify(child)}`)
}

/**
 * Counts errors, and writes the full text of outputs that pages cut, to files named by the node's id. Returns whether something
 * failed: an error, a command or a turn.
 */
function inspect(slice: Session, open: OpenSession): boolean {
  let failed = false
  const maxLength = pageLimits.output?.maxLength ?? Number.POSITIVE_INFINITY
  walk(slice, (item) => {
    if (isAbsent(item)) return false
    if (item.type === 'error') open.errors++
    failed ||= item.type === 'error' || ((item.type === 'command' || item.type === 'turn') && item.status === 'failed')
    if (item.type === 'output' && item.value.length > maxLength) {
      put(open, { path: outputText(slice.threadId, item.id), content: wholeFileText(item) })
    }
    return undefined
  })
  return failed
}

// What a session contributes to the search index: a pruned page per slice, and what the search filters by.

/** Collects slice by slice. */
interface SearchCollector {
  /** Stores the pruned page of a slice in the cache, where the search stage finds it. `failed`: something in it failed. */
  take: (slice: Session, pruned: { page: number; html: Content; units: number; failed: boolean }) => void
  /** Takes fields of plugins: the search filters by those that it knows, and finds the session by their values. */
  addFields: (fields: AddedParts['fields']) => void
  records: () => SearchRecord[]
}

/** A collector that has seen no slices. */
export function searchCollector(
  { thread, facts, project }: SessionJob,
  { site, keepPage }: SessionContext,
): SearchCollector {
  let records: SearchRecord[] = []
  /** The first page, kept until it is known which words plugins add to it. */
  let first: Uint8Array = new Uint8Array()
  const { startedAt, endedAt } = facts
  const tags = facts.star ? ['★', ...(facts.tags ?? [])] : facts.tags
  return {
    take(slice, { page, html, units, failed }) {
      const path = sessionPage(slice.threadId, page)
      const bytes = encodedCopy(html)
      if (page === 1 && site.pluginParts !== undefined) first = bytes
      keepPage(path, bytes)
      records.push({
        ...{ path, hash: sha256(bytes), day: dayOf(startedAt, site.timeZone), size: units },
        facts: {
          ...{ project: project.name, models: slice.models, failed, isAgent: slice.lineage.parentId !== undefined },
          ...defined({
            startedAt,
            endedAt,
            branch: slice.git?.branch,
            label: homeLabel(thread),
            tags,
            state: facts.state,
          }),
          ...namesIn(slice),
        },
      })
    },
    addFields(fields) {
      const searchable =
        site.pluginParts?.fields.filter(({ name, search }) => search && fields[name] !== undefined) ?? []
      if (searchable.length === 0) return
      const own = Object.fromEntries(searchable.map(({ name }) => [name, fields[name] ?? []]))
      records = records.map((record) => {
        const facts = { ...record.facts, fields: own }
        if (record.path !== sessionPage(thread.id)) return { ...record, facts }
        const html = withWords(decoded(first), Object.values(own).flat())
        const bytes = encodedCopy(html)
        keepPage(record.path, bytes)
        return { ...record, facts, hash: sha256(bytes), size: html.length }
      })
    },
    records: () => records,
  }
}

/** What the index contains besides the text of a page. */
function searchMeta({ facts, project, thread }: SessionJob, page: number, { searchOutputs }: SiteInfo): SearchMeta {
  const { title, startedAt, tags = [] } = facts
  const words = page === 1 ? [thread.id, ...tags] : []
  return { title, project: project.name, words, ...defined({ outputs: searchOutputs, startedAt }) }
}

/** `renderParts` for a page that usually was rendered before. Failed items are tried and reported again each time. */
async function renderOnce(input: SliceInput, open: OpenSession, kept: KeptSlices): Promise<RenderedSlice> {
  const { slice, context, meta } = input
  const { thread, facts } = open.job
  const { threads, origin, page } = context
  const { stats: _, ...shown } = slice
  const pages = page === 1 ? facts.pages.length : 0
  const sliceKey = { threadId: thread.id, page, key: sha256(JSON.stringify([shown, meta, origin, pages])) }
  const cached = kept.get(sliceKey, threads)
  if (cached !== undefined) {
    open.keptPages++
    return cached
  }
  const asked = new Map<string, ThreadLink | undefined>()
  const noting = (id: string): ThreadLink | undefined => {
    const link = threads(id)
    asked.set(id, link)
    return link
  }
  const failed = new Map<string, Diagnostic>()
  const rendered = await renderParts(
    { ...input, context: { ...context, threads: noting } },
    { ...open, failures: failed },
  )
  for (const [id, item] of failed) open.failures.set(id, item)
  if (failed.size === 0) kept.set(sliceKey, rendered, asked)
  return rendered
}
