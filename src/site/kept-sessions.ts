/** Sessions whose rollouts have disappeared: with `missing: 'keep'`, their pages, list rows and search records stay. */

import { publishAll } from '../config/publication.ts'
import { diagnostic } from '../diagnostics/codes.ts'
import type { Catalog } from '../rollout/discover/rollout.ts'
import type { ThreadIndex } from '../survey/lineage.ts'
import type { ProjectNames } from '../survey/project.ts'
import { isSelected, readFilters, type ThreadFilter } from '../survey/select.ts'
import type { SessionSummary } from '../transcript/summary.ts'
import { assetPath, threadFolder } from '../transcript/urls.ts'
import { hashKey, sha256 } from '../util/hash.ts'
import { type BuildCache, buildCache, type CachedSession, type SiteSession, summaryKey } from './cache/build-cache.ts'
import { openStandingCache } from './cache/cache-fs.ts'
import { type BuildContext, report } from './context.ts'
import { type Curator, curator } from './curation.ts'
import { isRelated } from './known/families.ts'
import { holdsAny } from './known/session-values.ts'
import { siteFile, siteReport, standingFiles } from './output/site-fs.ts'
import type { StagingArea } from './output/site-staging-fs.ts'
import { reportedPolicy } from './report.ts'

/** What the last build knew about sessions that no longer have a rollout. */
export interface OrphanedSessions {
  sessions: CachedSession[]
  /** The cache with their details and pruned pages. */
  from: BuildCache
}

/**
 * Finds orphaned sessions. After a build with other options, the cache is opened as that build left it, because nothing else
 * knows these sessions.
 */
export function findOrphaned({ threads }: Catalog, { cache, cacheDir, options }: BuildContext): OrphanedSessions {
  if (options.missing !== 'keep') return { sessions: [], from: cache }
  const lastCache = cache.hasSessions() ? undefined : openStandingCache(cacheDir)
  const from = lastCache === undefined ? cache : buildCache(lastCache)
  const knownIds = new Set(threads.map(({ id }) => id))
  return { sessions: from.sessions(knownIds), from }
}

/** The curator for the sessions of a build, including those without a rollout; reports decisions that match no session. */
export function buildCurator(index: ThreadIndex, orphaned: OrphanedSessions, context: BuildContext): Curator {
  const { options } = context
  const curation = curator(options.publication, index, {
    excluded: options.exclude,
    orphaned: orphaned.sessions.map(({ summary }) => summary.threadId),
  })
  for (const item of curation.diagnostics) report(context, item)
  return curation
}

/** What is known of the old site and of the sessions of this one. */
export interface KeepInput {
  /** Ids of all threads that were found. */
  threadIds: readonly string[]
  curation: Curator
  orphaned: OrphanedSessions
  projects: ProjectNames
}

interface Keeping {
  context: BuildContext
  /** Names of the projects of this site. */
  projects: ProjectNames
  curation: Curator
  /** Hashes of the old site's files by path. */
  existingFiles: ReadonlyMap<string, string>
}

/**
 * Keeps what may be kept, and reports it; `built` are the sessions of this build. Pages made under different rules of publication
 * are not kept, because nobody can know what they would show now.
 */
export function keepOrphaned(
  { threadIds, curation, orphaned, projects }: KeepInput,
  built: readonly SiteSession[],
  context: BuildContext,
): CachedSession[] {
  const { options, host } = context
  if (options.missing !== 'keep') return []
  const keeping: Keeping = { context, curation, projects, existingFiles: standingFiles(options.out) }
  const selection = readFilters(options, host.now())
  const wanted = orphaned.sessions.filter((session) => isWanted(session, selection, curation))
  const fitting = wanted.filter((session) => {
    const { threadId } = session.summary
    const isSame = session.publication === publicationKey(threadId, curation, context)
    const fits = isSame && !showsSecret(session, context)
    if (!fits) report(context, diagnostic('lost-session', {}, `Its id is \`${threadId}\`.`))
    return fits
  })
  const folders = new Set([...built, ...fitting].map(({ summary }) => threadFolder(summary.threadId)))
  const kept = fitting.map((session) => keepSession(session, { ...keeping, folders, from: orphaned.from }))
  const knownIds = [...threadIds, ...orphaned.sessions.map(({ summary }) => summary.threadId)]
  keepUnlisted(new Set(knownIds.map(threadFolder)), keeping)
  return kept
}

/**
 * Whether a session shows something that its family has since revealed as a secret; the session cannot be rendered again without
 * it.
 */
function showsSecret({ summary, files }: CachedSession, { options, secrets }: BuildContext): boolean {
  const families = secrets.filter(({ ids, values }) => values.size > 0 && isRelated(summary, ids))
  if (families.length === 0) return false
  const texts = files.flatMap(({ path }) => {
    const text = /\.(?:html|md|json)$/.test(path) ? siteFile(options.out, path)?.toString('utf8') : undefined
    // Syntax colours split words.
    return text === undefined ? [] : [text, text.replace(/<[^>]*>/g, '')]
  })
  return families.some(({ values }) => holdsAny(texts, values))
}

/** Identifies everything that decides which parts of a session are published. */
export function publicationKey(threadId: string, { decision }: Curator, { privacy }: BuildContext): string {
  return hashKey(JSON.stringify([decision(threadId), privacy?.key]))
}

function isWanted({ summary }: CachedSession, selection: ThreadFilter, { isHidden }: Curator): boolean {
  const { threadId: id, cwd, project } = summary
  const cwds = [project.name, ...(cwd === undefined ? [] : [cwd])]
  return !isHidden(id) && isSelected({ ...summary, id, cwds }, selection)
}

interface KeepingSessions extends Keeping {
  /** Folders of all sessions of the site. */
  folders: ReadonlySet<string>
  /** The cache with details and pruned pages of the sessions. */
  from: BuildCache
}

function keepSession(session: CachedSession, keeping: KeepingSessions): CachedSession {
  const { context, projects } = keeping
  const { summary } = session
  const { slug, name } = summary.project
  const files = session.files.flatMap(({ path, hash }) => {
    const marked = path.endsWith('.html') ? keepPage(path, hash, keeping) : undefined
    if (marked !== undefined) return [marked]
    return context.staging.keep(path, hash) ? [{ path, hash }] : []
  })
  const hasSearch = carry(session, keeping.from, context)
  const { key } = session
  const orphaned: SessionSummary = {
    ...summary,
    project: { slug, name: projects.get(slug) ?? name },
    sourceMissing: true,
  }
  const next: CachedSession = {
    ...session,
    // Lists say that the source is missing, so they are rendered again.
    key: key.startsWith(orphanMark) ? key : orphanMark + key,
    summary: orphaned,
    summaryKey: summaryKey(orphaned),
    files,
    search: hasSearch ? session.search : [],
    diagnostics: [],
  }
  if (!context.options.dryRun) context.cache.setSession(summary.threadId, next)
  report(context, diagnostic('kept-session', {}, `Its id is \`${summary.threadId}\`.`))
  return next
}

const orphanMark = 'gone '

/** Stages the page with the notice, and keeps what it loads; `undefined` if its bytes cannot be read or have changed. */
function keepPage(path: string, hash: string, { context, folders, existingFiles }: KeepingSessions) {
  const { options, staging } = context
  const bytes = siteFile(options.out, path)
  if (bytes === undefined || sha256(bytes) !== hash) return undefined
  const html = bytes.toString('utf8')
  keepAssets(html, existingFiles, staging)
  return staging.put({ path, content: markOrphaned(html, (folder) => folders.has(folder)) })
}

/** Copies details and pruned pages to the cache of this build. */
function carry(session: CachedSession, from: BuildCache, { cache, options }: BuildContext): boolean {
  const { threadId } = session.summary
  if (from === cache || options.dryRun) return from.keepBlobs(threadId, session)
  const detail = from.detail(threadId)
  if (detail !== undefined) cache.setDetail(detail)
  const pages = session.search.map(({ path }) => ({ path, html: from.page(path) }))
  for (const { path, html } of pages) if (html !== undefined) cache.setPage(path, html)
  return detail !== undefined && pages.every(({ html }) => html !== undefined)
}

// Pages of sessions that only the output folder knows, because the cache was lost.

/**
 * Keeps such pages if the old site says that it was made under the same rules, and reports each session. `knownFolders` are the folders
 * of sessions that are handled elsewhere.
 */
function keepUnlisted(knownFolders: ReadonlySet<string>, keeping: Keeping): void {
  const { context, curation, existingFiles } = keeping
  const named = [...existingFiles.keys()].map((path) => /^sessions\/([^/]+)\/index\.html$/.exec(path)?.[1])
  const folders = named.filter(
    (folder) => folder !== undefined && !knownFolders.has(folder) && !curation.isHidden(folder),
  )
  if (folders.length === 0) return
  const mayStay = isSameSite(context)
  for (const folder of folders) {
    const path = `sessions/${folder}/`
    if (mayStay) keepFolder(path, keeping)
    report(context, diagnostic(mayStay ? 'unlisted-session' : 'lost-session', {}, `Its pages are in \`${path}\`.`))
  }
}

function keepFolder(folder: string, { context, existingFiles }: Keeping): void {
  const { options, staging } = context
  for (const [path, hash] of existingFiles) {
    if (!path.startsWith(folder) || !staging.keep(path, hash) || !path.endsWith('.html')) continue
    keepAssets(siteFile(options.out, path)?.toString('utf8') ?? '', existingFiles, staging)
  }
}

/** Keeps the files below `assets/` that a page loads. */
function keepAssets(html: string, existingFiles: ReadonlyMap<string, string>, staging: StagingArea): void {
  for (const name of assetsOf(html)) {
    const hash = existingFiles.get(assetPath(name))
    if (hash !== undefined) staging.keep(assetPath(name), hash)
  }
}

/** Whether the old site shows and redacts the same as this one, as far as its report says. */
function isSameSite({ options }: BuildContext): boolean {
  const { visibility } = options.publication ?? publishAll
  const old = siteReport(options.out)
  const own = { redacted: options.redact !== false, personal: reportedPolicy(options), visibility }
  return Object.entries(own).every(([key, value]) => JSON.stringify(old[key]) === JSON.stringify(value))
}

// Pages of sessions whose rollouts have disappeared cannot be rendered again, so changes are edited into them.

/** Where the notice goes in a page: after the title in `partials/head.eta`. Text from a transcript contains no markup. */
const heading = /<header class="head">\s[\s\S]*?<h1>[\s\S]*?<\/h1>\n/
const notice =
  '<p class="gone" role="note"><b>Source gone.</b> The rollout of this session is no longer there; this page is kept as it was.</p>'

/**
 * A kept page with a notice after its title, if its template has the built-in head, and without links to sessions that no longer
 * have a page. `isBuilt` is called with folders of sessions. Applying it twice changes nothing.
 */
export function markOrphaned(html: string, isBuilt: (folder: string) => boolean): string {
  const noticed = html.includes(notice) ? html : html.replace(heading, (head) => `${head}${notice}\n`)
  return noticed.replace(/ href="\.\.\/([\w-]+)\/[^"]*"/g, (link, folder: string) => (isBuilt(folder) ? link : ''))
}

/** Names of the files below `assets/` that a page loads. */
export function assetsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/"(?:\.\.\/)*assets\/([\w.-]+)"/g)].map(([, name = '']) => name))
}
