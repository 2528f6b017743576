/** Third stage of a build: the pages around the sessions, and what all pages load. */

import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type { SitePage } from '../render/pages/page-type.ts'
import { renderSite, type SiteStore } from '../render/pages/site.ts'
import { pacer } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import { defined } from '../util/own.ts'
import type { KeyedFile, SiteSession } from './cache/build-cache.ts'
import { type BuildContext, report } from './context.ts'
import type { Transcribed } from './transcribe.ts'

/** Pages to render between two turns of the event loop. */
const maxStep = 8

/**
 * Stages the pages around the sessions and what all pages load; pages are kept if all sessions are those of the last build.
 * Rejects with the signal's reason if it is aborted.
 */
export async function render(context: BuildContext, { sessions, rendered }: Transcribed): Promise<void> {
  const { options, staging, assets, cache, details } = context
  if (options.formats.includes('html')) {
    const key = sha256(sessions.map((session) => `${session.summary.threadId} ${session.key}`).join('\0'))
    const old = rendered === 0 ? cache.site(key) : undefined
    const isUnchanged = old?.files.every(({ path, hash }) => staging.keepUnchanged(path, hash)) ?? false
    if (!isUnchanged) await renderPages(sessions, key, context)
    for (const file of assets.files) staging.put(file)
  }
  details.close()
}

async function renderPages(sessions: readonly SiteSession[], key: string, context: BuildContext): Promise<void> {
  const { cache, host, options, privacy, site, staging, templates } = context
  const store = siteStore(sessions, context)
  const pace = pacer(maxStep, host.signal)
  const hooks = {
    plugins: options.plugins,
    redactor: privacy?.redactor(),
    fail: (item: Diagnostic) => {
      // The next build must report it too.
      store.isComplete = false
      report(context, item)
    },
  }
  const summaries = sessions.map(({ summary }) => summary)
  for (const { content, ...page } of renderSite(summaries, { templates, site, kept: store, hooks })) {
    if (store.tryKeep(page)) continue
    store.noteFile({ ...staging.put({ path: page.path, content: content() }), ...defined({ key: page.key }) })
    if (pace.isDue()) await pace.pause()
  }
  if (store.isComplete) cache.setSite({ key, files: store.files, projects: store.projects })
}

/** What is known for the pages around the sessions, and their files so far. */
interface PageStore extends SiteStore {
  /** Whether nothing is missing in the pages, so that the next build may reuse them. */
  isComplete: boolean
  files: KeyedFile[]
  /** Slugs of projects for which data is kept. */
  projects: string[]
  /** Keeps a page of the last build if it was made from the same data. */
  tryKeep: (page: Pick<SitePage, 'path' | 'key'>) => boolean
  noteFile: (file: KeyedFile) => void
}

function siteStore(sessions: readonly SiteSession[], context: BuildContext): PageStore {
  const { cache, details, host, options, staging } = context
  const keys = new Map(sessions.map((session) => [session.summary, session.summaryKey]))
  const old = cache.lastSite()?.files ?? []
  const oldByPath = new Map(old.map((file) => [file.path, file]))
  const oldByKey = new Map(old.map(({ key, path }) => [key, path]))
  const taken = new Set<string>()
  const missing = new Set<string>()
  const reportMissing = (threadId: string): void => {
    store.isComplete = false
    if (!missing.has(threadId)) report(context, diagnostic('missing-detail', {}, `Its id is \`${threadId}\`.`))
    missing.add(threadId)
  }
  const store: PageStore = {
    isComplete: true,
    files: [],
    projects: [],
    detailOf(threadId) {
      host.signal.throwIfAborted()
      const detail = details.get(threadId)
      if (detail === undefined) reportMissing(threadId)
      return detail
    },
    nameOf(summary) {
      const detail = details.hashOf(summary.threadId)
      return detail && `${keys.get(summary)} ${detail}`
    },
    pathOf: (key) => oldByKey.get(key),
    project(slug, key) {
      const kept = cache.project(slug, key)
      const isUnchanged = kept?.every(({ paths }) => paths.every((path) => store.tryKeep({ path, key })))
      if (isUnchanged) store.projects.push(slug)
      return isUnchanged ? kept : undefined
    },
    setProject(slug, key, made) {
      if (options.dryRun) return
      cache.setProject(slug, key, made)
      store.projects.push(slug)
    },
    tryKeep({ path, key }) {
      const file = oldByPath.get(path)
      if (file === undefined || key === undefined || file.key !== key) return false
      if (!staging.keepUnchanged(path, file.hash)) return false
      store.noteFile(file)
      return true
    },
    noteFile(file) {
      if (!taken.has(file.path)) store.files.push(file)
      taken.add(file.path)
    },
  }
  return store
}
