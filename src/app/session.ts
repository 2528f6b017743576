/** One session: a task with plain input and output that makes all of its files. */
import type { Diagnostic } from '../diagnostics/codes.ts'
import type { FileRecord, SearchRecord } from '../model/output.ts'
import type { SessionDetail, SessionSummary } from '../model/summary.ts'
import { defined } from '../util/defined.ts'
import { assetSink } from './assets.ts'
import { renderThread } from './render-thread.ts'
import { writeSession } from './session-files.ts'
import { renderSlice } from './session-slice.ts'
import { closeSession, openSession, type SessionTask, type SessionTools } from './session-work.ts'
import { summarize } from './summary.ts'

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
export async function buildSession(task: SessionTask, tools: SessionTools): Promise<SessionResult> {
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
