/** Third stage of a build: the pages around the sessions, and what all pages load. */

import type { Diagnostic } from '../diagnostics/codes.ts'
import type { FileRecord } from '../render/output.ts'
import { renderSite } from '../render/pages/site.ts'
import type { SessionDetail } from '../transcript/summary.ts'
import { pacer } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import type { CachedSession } from './cache/build-cache.ts'
import { type BuildContext, report } from './context.ts'
import type { Transcribed } from './transcribe.ts'

/** Pages between two turns of the event loop. */
const maxStep = 8

/**
 * Puts the pages around the sessions and what all pages load: kept where all sessions are those of the build before.
 * Rejects with the signal's reason once it is aborted.
 */
export async function render(context: BuildContext, { sessions, rendered }: Transcribed): Promise<void> {
  const { options, staging, assets, cache, details } = context
  if (options.formats.includes('html')) {
    const key = sha256(sessions.map((session) => `${session.summary.threadId} ${session.key}`).join('\0'))
    const old = rendered === 0 ? cache.site(key) : undefined
    const stands = old?.files.every(({ path, hash }) => staging.keepUnchanged(path, hash)) ?? false
    if (!stands) await renderPages(sessions, key, context)
    for (const file of assets.files) staging.put(file)
  }
  details.close()
}

async function renderPages(sessions: readonly CachedSession[], key: string, context: BuildContext): Promise<void> {
  const { cache, details, host, options, privacy, site, staging, templates } = context
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
  const hooks = {
    plugins: options.plugins,
    redactor: privacy?.redactor(),
    fail: (item: Diagnostic) => {
      // The next build tells it too.
      isWhole = false
      report(context, item)
    },
  }
  for (const file of renderSite(templates, summaries, site, detailOf, hooks)) {
    files.push(staging.put(file))
    if (pace.isDue()) await pace.pause()
  }
  if (isWhole) cache.setSite({ key, files })
}
