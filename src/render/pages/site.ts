/** The pages around the sessions, type by type, and the small files that hosts and readers look for. */

import type { SessionDetail, SessionSummary } from '../../transcript/summary.ts'
import { publicUrl, searchPagePath } from '../../transcript/urls.ts'
import { groupBy } from '../../util/groups.ts'
import { hashKey } from '../../util/hash.ts'
import { defined, oncePer } from '../../util/own.ts'
import { headersFile, plainPolicy } from '../policy.ts'
import type { SiteInfo } from '../site-info.ts'
import type { Templates } from '../templates.ts'
import type { NotFoundView, SearchView } from '../views.ts'
import { commitPages } from './commits.ts'
import { failuresPage } from './failures.ts'
import { iconFile, llmsFile, publicFiles, robotsFile } from './feed.ts'
import { filesPage } from './files.ts'
import { homePage, topLevelSessions } from './home.ts'
import { dayPages, monthListPage, monthPages } from './months.ts'
import {
  manyPages,
  onePage,
  type PageHooks,
  type PageSource,
  type PagesInput,
  type PageType,
  type ProjectSessions,
  type SitePage,
} from './page-type.ts'
import { pageView } from './page-view.ts'
import { pluginPages } from './plugins.ts'
import { projectListPage, projectPages } from './projects.ts'
import { byStart, catalogFiles } from './rows.ts'
import { statsPage } from './stats.ts'

/** The search page, if the site has a search. */
const searchPage = manyPages<SearchView>('html/search', function* ({ site }) {
  if (!site.search) return
  const view = pageView(searchPagePath, 'Search', site, { description: 'Search all sessions.' })
  yield { path: searchPagePath, view: () => ({ ...view, heading: 'Search all sessions' }) }
})

const notFoundPage = onePage<NotFoundView>('html/not-found', '404.html', ({ site }) => ({
  ...pageView('404.html', 'Page not found', site),
  style: site.plainStyle,
  script: site.plainScript,
  // Only an absolute address is valid at every depth; if it is not known, the script looks for the start page.
  ...(site.siteUrl === undefined
    ? { policy: plainPolicy(site.plainStyle, site.plainScript) }
    : { policy: plainPolicy(site.plainStyle), start: publicUrl(site.siteUrl, 'index.html') }),
}))

/** All page types, in the order of lists of pages. */
const pageTypes: readonly PageType[] = [
  homePage,
  projectListPage,
  filesPage,
  failuresPage,
  commitPages,
  statsPage,
  projectPages,
  monthListPage,
  monthPages,
  dayPages,
  pluginPages,
  { ...searchPage, isUnlisted: true },
  { ...notFoundPage, isUnlisted: true },
]

/** What a build knows about the sessions of a site, and what it keeps of their pages for the next build. */
export interface SiteStore {
  /** Details of a thread; `undefined` if none were kept. */
  detailOf: (threadId: string) => SessionDetail | undefined
  /** Name of everything that pages show of a session; `undefined` if that is not known. */
  nameOf: (summary: SessionSummary) => string | undefined
  /** Path of the file that the previous build made under a key. */
  pathOf: (key: string) => string | undefined
  /** The pages of a project that were made under this key, if all of them still exist; they are then kept. */
  project: (slug: string, key: string) => ProjectPages[] | undefined
  /** Stores the pages of a project, after all of them were consumed. */
  setProject: (slug: string, key: string, made: ProjectPages[]) => void
}

/** What a page type made for a project: the paths of its pages, and the part that pages of all projects need. */
export interface ProjectPages {
  paths: string[]
  part?: unknown
}

/** What the pages of a site are made with. */
interface SiteInput {
  templates: Templates
  site: SiteInfo
  /** What is known about the sessions, and what is kept of their pages (default: nothing). */
  kept?: Partial<SiteStore>
  hooks?: PageHooks | undefined
}

/** A store that knows and keeps nothing. */
const emptyStore: SiteStore = {
  detailOf: () => undefined,
  nameOf: () => undefined,
  pathOf: () => undefined,
  project: () => undefined,
  setProject: () => {},
}

/**
 * All files of a site that belong to no single session, one by one. The order of `summaries` does not matter. Without
 * details of the sessions, the pages of files, failures and stats are empty.
 */
export function* renderSite(
  summaries: readonly SessionSummary[],
  { templates, site, kept, hooks }: SiteInput,
): Generator<SitePage> {
  const store = { ...emptyStore, ...kept }
  const sorted = [...summaries].sort(byStart)
  const keyOf = keysOf(store)
  const catalog = catalogFiles(sorted, site, { keyOf, pathOf: store.pathOf })
  const input = { templates, sorted, site, catalog, keyOf, projectParts: new Map(), ...defined({ hooks }) }
  const lists = yield* renderPages(input, store)
  yield* catalog
  yield* [
    { path: 'favicon.svg', content: () => iconFile },
    { path: 'robots.txt', content: () => robotsFile(site) },
    { path: 'llms.txt', content: () => llmsFile(sorted, site) },
    { path: '.nojekyll', content: () => '' },
    { path: '_headers', content: () => headersFile(site) },
  ]
  for (const { path, content } of publicFiles(sorted, { listed: topLevelSessions(sorted), lists, site }))
    yield { path, content: () => content }
}

/** Makes keys from the names of sessions; each name is computed once. */
function keysOf({ nameOf }: SiteStore): PagesInput['keyOf'] {
  const name = oncePer(nameOf)
  return (sessions, ...around) => {
    const names: string[] = []
    for (const session of sessions) {
      const nameOfOne = name(session)
      if (nameOfOne === undefined) return undefined
      names.push(nameOfOne)
    }
    return hashKey([...around, ...names].join('\n'))
  }
}

/** A page type while its pages are made. */
interface OpenType {
  source: PageSource
  isUnlisted: boolean
  /** Paths of the pages that it made. */
  paths: string[]
}

/** Yields the pages of all types; returns the paths of those that belong in lists of pages. */
function* renderPages(input: PagesInput, store: SiteStore): Generator<SitePage, string[]> {
  const types = pageTypes.map(
    ({ open, isUnlisted = false }): OpenType => ({ source: open(input), isUnlisted, paths: [] }),
  )
  for (const [slug, sessions] of groupBy(input.sorted, ({ project }) => project.slug)) {
    const project = { slug, name: sessions[0]?.project.name ?? slug, sessions }
    const key = input.keyOf(sessions, 'project')
    const kept = key === undefined ? undefined : store.project(slug, key)
    const made = kept ?? (yield* renderProject(types, project, { key, store }))
    for (const [index, pages] of made.entries()) addPages(types[index], project, pages)
  }
  for (const { source, paths } of types) {
    for (const page of source.pages?.() ?? []) {
      if (page.path.endsWith('.html')) paths.push(page.path)
      yield page
    }
  }
  return types.flatMap(({ isUnlisted, paths }) => (isUnlisted ? [] : paths))
}

function addPages(type: OpenType | undefined, project: ProjectSessions, { paths, part }: ProjectPages): void {
  type?.paths.push(...paths)
  if (part !== undefined) type?.source.addPart?.(project, part)
}

/** Adds the sessions of a project, whose details are read one after the other; `false` if some are missing. */
function addSessions(types: readonly OpenType[], { sessions }: ProjectSessions, { detailOf }: SiteStore): boolean {
  let isComplete = true
  for (const summary of sessions) {
    const detail = detailOf(summary.threadId)
    if (detail === undefined) isComplete = false
    else for (const { source } of types) source.add?.(summary, detail)
  }
  return isComplete
}

/** The pages of one project. Nothing is kept for other builds if details of a session are missing. */
function* renderProject(
  types: readonly OpenType[],
  project: ProjectSessions,
  { key, store }: { key: string | undefined; store: SiteStore },
): Generator<SitePage, ProjectPages[]> {
  for (const { source } of types) source.begin?.(project)
  const ownKey = addSessions(types, project, store) ? key : undefined
  const made: ProjectPages[] = []
  for (const { source } of types) {
    const { pages = [], part } = source.end?.(project) ?? {}
    const paths: string[] = []
    for (const page of pages) {
      paths.push(page.path)
      yield { ...page, key: ownKey }
    }
    made.push({ paths, ...defined({ part }) })
  }
  if (ownKey !== undefined) store.setProject(project.slug, ownKey, made)
  return made
}
