/** One thread on its way into what `show` writes. */
import type { ShowFormat } from '../config/settings.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import type { SessionOverview } from '../model/overview.ts'
import type { SessionDetail } from '../model/summary.ts'
import type { Session } from '../model/trast.ts'
import type { Neighbours } from '../model/view.ts'
import type { RenderContext } from '../render/context.ts'
import { hiddenNodes } from '../render/hidden.ts'
import { defined } from '../util/defined.ts'
import { assetSink } from './assets.ts'
import type { CuratedThread } from './curation.ts'
import { failures } from './failed-items.ts'
import { overviewCollector } from './overview.ts'
import { type PageSpool, pageSpool } from './page-spool-fs.ts'
import { prefixIds } from './prefix-ids.ts'
import { renderThread } from './render-thread.ts'
import { detailCollector } from './session-detail.ts'
import { sliceIn } from './show-formats.ts'
import type { PictureShelf } from './show-pictures.ts'
import type { Look } from './types.ts'

/** A thread that is to be shown. */
export interface ShowTask extends CuratedThread {
  neighbours: Neighbours
  context: RenderContext
  /** Before the ids of its items; empty for the first thread of a document. */
  prefix: string
}

/** A thread of which all is known and whose slices wait in a spool. */
export interface ShownThread extends ShowTask {
  /** Facts and statistics of the whole thread, without children. */
  session: Session
  slices: PageSpool
  /** Nodes that are not shown. */
  hidden: number
  overview: SessionOverview
  detail: SessionDetail
  diagnostics: Diagnostic[]
}

/** What showing needs of its surroundings. */
export interface ShowTools {
  format: ShowFormat
  look: Look
  shelf: PictureShelf
  spoolDir: () => string
  signal: AbortSignal
}

/** Renders the slices of a thread into a spool, which the caller closes. Throws what reading throws. */
export async function showThread(task: ShowTask, tools: ShowTools): Promise<ShownThread> {
  const { thread, facts, redactor, plan, neighbours, context, prefix } = task
  const { format, look, shelf, spoolDir, signal } = tools
  const slices = pageSpool(spoolDir, `show-${prefix}slices`)
  const [overview, detail] = [overviewCollector(), detailCollector(thread.segments[0]?.head.cwd)]
  const failed = new Map<string, Diagnostic>()
  const guarded = { ...context, onFailure: failures(failed, thread) }
  let hidden = 0
  let data: Session['data']
  try {
    const { session, diagnostics } = await renderThread(thread, facts, {
      spoolDir,
      signal,
      neighbours,
      plugins: look.plugins,
      ...defined({ redactor, plan }),
      assets: assetSink(shelf.store, redactor === undefined),
      onSlice(slice) {
        data ??= slice.data
        prefixIds(slice, prefix)
        hidden += hiddenNodes(slice)
        overview.take(slice, 1)
        detail.take(slice, 1)
        slices.add(sliceIn[format](slice, guarded))
        shelf.clear()
      },
    })
    if (data !== undefined) session.data = data
    const leftOut = shelf.leftOut()
    if (leftOut > 0) session.stats.omitted = { ...session.stats.omitted, picture: leftOut }
    const collected = { overview: overview.overview(), detail: detail.finish(session, facts) }
    return { ...task, session, slices, hidden, diagnostics: [...diagnostics, ...failed.values()], ...collected }
  } catch (error) {
    slices.close()
    throw error
  }
}
