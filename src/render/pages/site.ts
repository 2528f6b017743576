/** The pages around the sessions, type by type, and the small files that hosts and readers look for. */

import type { SessionDetail, SessionSummary } from '../../transcript/summary.ts'
import { publicUrl, searchPagePath } from '../../transcript/urls.ts'
import type { SiteInfo } from '../../transcript/view.ts'
import { defined } from '../../util/own.ts'
import type { OutputFile } from '../output.ts'
import { headersFile, plainPolicy } from '../policy.ts'
import type { Templates } from '../templates.ts'
import type { NotFoundView, SearchView } from '../views.ts'
import { commitPages } from './commits.ts'
import { failuresPage } from './failures.ts'
import { iconFile, llmsFile, publicFiles, robotsFile } from './feed.ts'
import { filesPage } from './files.ts'
import { homePage, ownSessions } from './home.ts'
import { dayPages, monthListPage, monthPages } from './months.ts'
import {
  manyPages,
  onePage,
  type PageSource,
  type PagesInput,
  type PageType,
  type ProjectSessions,
} from './page-type.ts'
import { pageView } from './page-view.ts'
import { type PageHooks, pluginPages } from './plugins.ts'
import { groupBy, projectListPage, projectPages } from './projects.ts'
import { byStart, catalogFiles } from './rows.ts'
import { statsPage } from './stats.ts'

/** The page of the search, where there is one. */
const searchPage = manyPages<SearchView>('html/search', function* ({ site }) {
  if (!site.search) return
  const view = pageView(searchPagePath, 'Search', site, { description: 'Search all sessions.' })
  yield { path: searchPagePath, view: { ...view, heading: 'Search all sessions' } }
})

const notFoundPage = onePage<NotFoundView>('html/not-found', '404.html', ({ site }) => ({
  ...pageView('404.html', 'Page not found', site),
  style: site.plainStyle,
  script: site.plainScript,
  // Only an absolute address leads there from every depth; where it is not known, the script looks for the site.
  ...(site.siteUrl === undefined
    ? { policy: plainPolicy(site.plainStyle, site.plainScript) }
    : { policy: plainPolicy(site.plainStyle), start: publicUrl(site.siteUrl, 'index.html') }),
}))

/** All page types, in the order in which lists of pages name them. Files come before projects, which tell of them. */
const pageTypes: readonly PageType[] = [
  homePage,
  projectListPage,
  filesPage,
  failuresPage,
  commitPages,
  statsPage,
  manyPages('html/project', ({ sorted, site, projectParts }) =>
    projectPages(sorted, site, (slug) => projectParts.get(slug)),
  ),
  monthListPage,
  manyPages('html/list', ({ sorted, site }) => monthPages(sorted, site)),
  manyPages('html/list', ({ sorted, site }) => dayPages(sorted, site)),
  pluginPages,
  { ...searchPage, isUnlisted: true },
  { ...notFoundPage, isUnlisted: true },
]

/** Details of a thread; `undefined` where none were kept. */
type DetailOf = (threadId: string) => SessionDetail | undefined

/**
 * All files of a site that hang on no single session, one by one. The order of `summaries` does not matter. Without
 * details of the sessions, the pages of files, failures and stats are empty.
 */
export function* renderSite(
  templates: Templates,
  summaries: readonly SessionSummary[],
  site: SiteInfo,
  detailOf: DetailOf = () => undefined,
  hooks?: PageHooks,
): Generator<OutputFile> {
  const sorted = [...summaries].sort(byStart)
  const catalog = catalogFiles(sorted, site.timeZone, site.pluginParts?.fields)
  const input = { templates, sorted, site, catalog, projectParts: new Map(), ...defined({ hooks }) }
  const lists = yield* renderPages(input, detailOf)
  yield* catalog
  yield* [
    { path: 'favicon.svg', content: iconFile },
    { path: 'robots.txt', content: robotsFile(site) },
    { path: 'llms.txt', content: llmsFile(sorted, site) },
    { path: '.nojekyll', content: '' },
    { path: '_headers', content: headersFile(site) },
  ]
  yield* publicFiles(sorted, { listed: ownSessions(sorted), lists, site })
}

/** A page type while its pages are made. */
interface OpenType {
  source: PageSource
  isUnlisted: boolean
  /** Of the pages that it gave. */
  paths: string[]
}

/** The pages of all types, and the paths of those that lists name. */
function* renderPages(input: PagesInput, detailOf: DetailOf): Generator<OutputFile, string[]> {
  const types = pageTypes.map(
    ({ open, isUnlisted = false }): OpenType => ({ source: open(input), isUnlisted, paths: [] }),
  )
  for (const [slug, sessions] of groupBy(input.sorted, ({ project }) => project.slug))
    yield* renderProject(types, { slug, name: sessions[0]?.project.name ?? slug, sessions }, detailOf)
  for (const { source, paths } of types) yield* listed(source.pages?.() ?? [], paths)
  return types.flatMap(({ isUnlisted, paths }) => (isUnlisted ? [] : paths))
}

/** The pages of one project. Details of sessions are read one after the other. */
function* renderProject(
  types: readonly OpenType[],
  project: ProjectSessions,
  detailOf: DetailOf,
): Generator<OutputFile> {
  for (const { source } of types) source.begin?.(project)
  for (const summary of project.sessions) {
    const detail = detailOf(summary.threadId)
    if (detail !== undefined) for (const { source } of types) source.add?.(summary, detail)
  }
  for (const { source, paths } of types) yield* listed(source.end?.(project) ?? [], paths)
}

function* listed(pages: Iterable<OutputFile>, paths: string[]): Generator<OutputFile> {
  for (const page of pages) {
    if (page.path.endsWith('.html')) paths.push(page.path)
    yield page
  }
}
