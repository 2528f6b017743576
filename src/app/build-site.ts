/** The pages around the sessions: kept where no session changed, else rendered anew. */
import type { FileRecord } from '../model/output.ts'
import type { SessionDetail } from '../model/summary.ts'
import type { SiteInfo } from '../model/view.ts'
import { renderSite } from '../render/site.ts'
import type { Templates } from '../render/templates.ts'
import { pacer } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import type { Stage } from '../write/site-stage-fs.ts'
import type { CachedSession } from './build-cache.ts'
import type { BuildWork } from './session-outcome.ts'

/** What the pages are made of. */
export interface SiteInput {
  sessions: readonly CachedSession[]
  templates: Templates
  site: SiteInfo
  stage: Stage
  work: BuildWork
  /** All sessions are those of the build before. */
  unchanged: boolean
}

/** Pages between two turns of the event loop. */
const maxStep = 8

/** Puts the pages into the stage. Rejects with the signal's reason once it is aborted. */
export async function stageSite({ sessions, templates, site, stage, work, unchanged }: SiteInput): Promise<void> {
  const { cache, details, host } = work
  const key = sha256(sessions.map((session) => `${session.summary.threadId} ${session.key}`).join('\0'))
  const old = unchanged ? cache.site(key) : undefined
  if (old?.files.every(({ path, hash }) => stage.keepUnchanged(path, hash))) return
  let isWhole = true
  const detailOf = (threadId: string): SessionDetail | undefined => {
    host.signal.throwIfAborted()
    const detail = details.get(threadId)
    if (detail === undefined) isWhole = false
    return detail
  }
  const summaries = sessions.map(({ summary }) => summary)
  const files: FileRecord[] = []
  const pace = pacer(maxStep, host.signal)
  for (const file of renderSite(templates, summaries, site, detailOf)) {
    files.push(stage.put(file))
    if (pace.isDue()) await pace.pause()
  }
  if (isWhole) cache.setSite({ key, files })
}
