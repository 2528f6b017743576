/** The files of a session that tell of the whole of it: pages with their heads and receipts, Markdown twin, tree. */
import type { SessionDetail } from '../model/summary.ts'
import type { Session } from '../model/trast.ts'
import { sessionJson, sessionMarkdown, sessionPage } from '../model/urls.ts'
import { renderMarkdownFoot, renderMarkdownHead } from '../render/markdown.ts'
import { sessionView } from '../render/view.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { envelopeFoot, envelopeHead } from './json-tree.ts'
import { type PageSpool, spooled } from './page-spool-fs.ts'
import { put, putPieces, type SessionWork } from './session-work.ts'

/** Writes the pages and twins, now that the final numbers are known. */
export async function writeSession(session: Session, detail: SessionDetail, work: SessionWork): Promise<void> {
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
      put(work, { path: sessionPage(session.threadId, page), content: tools.templates.session(view) })
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
