/** One page of a session: everything that is made of its slice before the slice is dropped. */
import type { SearchPage } from '../model/output.ts'
import type { Session } from '../model/trast.ts'
import { assetPath, outputText, sessionPage } from '../model/urls.ts'
import { walk } from '../model/walk.ts'
import { pageLimits } from '../normalize/plugins/limit.ts'
import { pageLimiter } from '../normalize/preset.ts'
import type { RenderContext } from '../render/context.ts'
import { dayOf } from '../render/dates.ts'
import { hiddenNodes } from '../render/hidden.ts'
import { renderBody } from '../render/html.ts'
import { renderMarkdownSlice } from '../render/markdown.ts'
import { renderSearchPage } from '../render/search-page.ts'
import { defined } from '../util/defined.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { failures } from './failed-items.ts'
import type { PageSpool } from './page-spool-fs.ts'
import { put, type SessionTask, type SessionWork } from './session-work.ts'

/** Renders a slice into the bodies of its page and twins, and takes what the head, lists and the index tell of it. */
export async function renderSlice(slice: Session, page: number, work: SessionWork): Promise<void> {
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
function putPictures(slice: Session, work: SessionWork): void {
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
function inspect(slice: Session, work: SessionWork): boolean {
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
