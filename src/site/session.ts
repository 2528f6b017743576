/** One session: a task with plain input and output that makes all of its files. */

import type { PriceTable } from '../config/prices.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import type { FileRecord, SearchPage, SearchRecord } from '../render/output.ts'
import { hiddenNodes } from '../render/pages/cost.ts'
import { dayOf } from '../render/pages/dates.ts'
import { sessionView } from '../render/pages/session.ts'
import type { RenderContext } from '../render/transcript/context.ts'
import { renderBody } from '../render/transcript/html.ts'
import { envelopeFoot, envelopeHead } from '../render/transcript/json.ts'
import { renderMarkdownFoot, renderMarkdownHead, renderMarkdownSlice } from '../render/transcript/markdown.ts'
import type { Thread } from '../rollout/discover/rollout.ts'
import { renderSearchPage } from '../search/page.ts'
import { agentWord } from '../survey/neighbours.ts'
import { costOf } from '../transcript/cost.ts'
import { pageLimits } from '../transcript/plugins/limit.ts'
import { pageLimiter } from '../transcript/preset.ts'
import { sumUsage } from '../transcript/stats.ts'
import type { ProjectRef, ScanFacts, SessionDetail, SessionSummary } from '../transcript/summary.ts'
import type { Session, Usage } from '../transcript/trast.ts'
import { assetPath, outputText, sessionJson, sessionMarkdown, sessionPage } from '../transcript/urls.ts'
import type { Neighbours } from '../transcript/view.ts'
import { walk } from '../transcript/walk.ts'
import { defined } from '../util/defined.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { assetSink } from './assets.ts'
import {
  closeSession,
  failures,
  type OpenSession,
  openSession,
  put,
  putPieces,
  type SessionJob,
  type SessionServices,
} from './open-session.ts'
import { type PageSpool, spooled } from './page-spool-fs.ts'
import { renderThread } from './transcribe.ts'

/** What a task gives back. */
export interface SessionResult {
  summary: SessionSummary
  detail: SessionDetail
  files: FileRecord[]
  /** Pruned pages that were handed to the index. */
  search: SearchRecord[]
  diagnostics: Diagnostic[]
}

/** Renders a session into files. Throws what reading throws. */
export async function buildSession(task: SessionJob, tools: SessionServices): Promise<SessionResult> {
  const { thread, facts } = task
  const work = await openSession(task, tools)
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
    await writeSession(session, detail, work)
    const { project, neighbours } = task
    const summary = summarize(session, {
      thread,
      facts,
      project,
      neighbours,
      errors: work.errors,
      prices: task.site.prices,
    })
    return {
      summary,
      detail,
      files: [...work.files.values()],
      search: work.search,
      diagnostics: [...diagnostics, ...work.failures.values()],
    }
  } finally {
    closeSession(work)
  }
}

// The files of a session that tell of the whole of it: pages with their heads and receipts, Markdown twin, tree.

/** Writes the pages and twins, now that the final numbers are known. */
async function writeSession(session: Session, detail: SessionDetail, work: OpenSession): Promise<void> {
  const { task, tools, context, bodies, hidden } = work
  const { formats, facts, project, neighbours, site } = task
  if (formats.includes('html')) {
    const overview = work.overview.overview()
    const memory = await work.memory?.finish(session)
    const { remembers = false, pruned = 0, file } = memory ?? {}
    for (const [index, hiddenCount] of hidden.entries()) {
      await yieldToEventLoop()
      tools.signal.throwIfAborted()
      const page = index + 1
      const view = sessionView({
        session,
        facts,
        project,
        page,
        neighbours,
        overview,
        detail,
        remembers,
        pruned,
        hidden: hiddenCount,
        body: bodies.get(index),
        site,
        context: { ...context, page },
      })
      put(work, { path: sessionPage(session.threadId, page), content: tools.templates.render('html/session', view) })
    }
    if (file !== undefined) put(work, file)
  }
  if (formats.includes('md')) {
    const [head, foot] = [renderMarkdownHead(session, context), renderMarkdownFoot(session, context)]
    await putPieces(work, sessionMarkdown(session.threadId), () => around(head, work.markdown, foot))
  }
  if (formats.includes('json')) {
    const [head, foot] = [envelopeHead(session, site.generator), envelopeFoot(session)]
    await putPieces(work, sessionJson(session.threadId), () => around(head, work.json, foot))
  }
}

function* around(head: string, spool: PageSpool, foot: string): Generator<string> {
  yield head
  yield* spooled(spool)
  yield foot
}

// One page of a session: everything that is made of its slice before the slice is dropped.

/** Renders a slice into the bodies of its page and twins, and takes what the head, lists and the index tell of it. */
async function renderSlice(slice: Session, page: number, work: OpenSession): Promise<void> {
  const { task, tools } = work
  const { formats } = task
  // Each step may take tenths of a second for a page of ten thousand records.
  const rest = async (): Promise<void> => {
    await yieldToEventLoop()
    tools.signal.throwIfAborted()
  }
  await rest()
  putPictures(slice, work)
  if (formats.includes('json')) addJson(slice, work.json)
  const failed = inspect(slice, work)
  work.detail.take(slice, page)
  work.overview.take(slice, page)
  work.memory?.slice(slice, page)
  await pageLimiter(pageLimits).run(slice)
  const context = { ...work.context, page, onFailure: failures(work.failures, task.thread) }
  await rest()
  if (formats.includes('md')) work.markdown.add(renderMarkdownSlice(slice, context))
  if (!formats.includes('html')) return
  await rest()
  work.bodies.add(renderBody(slice, context))
  work.hidden.push(hiddenNodes(slice))
  await rest()
  if (task.site.search) work.search.push(work.tools.index(searchPage(slice, { ...context, page }, task, failed)))
}

function searchPage(
  slice: Session,
  context: RenderContext & { page: number },
  { facts, project, thread, site }: SessionJob,
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
function putPictures(slice: Session, work: OpenSession): void {
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
function inspect(slice: Session, work: OpenSession): boolean {
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

// The small record of a built thread that index pages and the cache keep.

/** What a summary is made from, beside the finished session. */
export interface SummaryInput {
  thread: Thread
  facts: ScanFacts
  project: ProjectRef
  neighbours: Neighbours
  errors: number
  prices: PriceTable | undefined
}

/** Makes the summary of a rendered thread. */
function summarize(
  session: Session,
  { thread, facts, project, neighbours, errors, prices }: SummaryInput,
): SessionSummary {
  const { lines, turns, messages, commands, edits, usage, commits, pullRequests } = session.stats
  return {
    threadId: session.threadId,
    title: session.title,
    archived: session.archived,
    status: session.status,
    project,
    models: session.models,
    turns,
    messages,
    commands,
    edits,
    errors,
    pages: Math.max(1, facts.pages.length),
    lines,
    ...defined({
      startedAt: session.startedAt,
      endedAt: session.endedAt,
      branch: session.git?.branch,
      cwd: session.cwd,
      version: session.client.version,
      originator: session.client.originator,
      firstPrompt: facts.firstPrompt,
      usage: total(usage),
      cost: prices === undefined ? undefined : costOf(usage, prices),
      commits: commits?.length,
      pullRequests: pullRequests?.length,
      parentId: neighbours.parent?.threadId,
      forkedFromId: neighbours.forkedFrom?.threadId,
      agent: agentWord(thread.segments[0]?.head.agent),
      orphan: neighbours.parent?.built === false ? true : undefined,
    }),
  }
}

function total(usage: Record<string, Usage>): Usage | undefined {
  return Object.values(usage).reduce<Usage | undefined>((sum, item) => sumUsage(sum, item), undefined)
}
