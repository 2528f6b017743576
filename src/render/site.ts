/** The pages around the sessions: home, projects, months, and the small files that hosts and readers look for. */
import type { OutputFile } from '../model/output.ts'
import type { SessionSummary } from '../model/summary.ts'
import { searchPagePath } from '../model/urls.ts'
import type { SiteInfo } from '../model/view.ts'
import { catalogFiles } from './catalog.ts'
import { llmsFile } from './llms.ts'
import { ownSessions } from './own-sessions.ts'
import { pageView, projectsPath } from './page-view.ts'
import { headersFile } from './policy.ts'
import { byStart } from './rows.ts'
import { acrossPages, type DetailOf } from './site-across.ts'
import { indexView } from './site-index.ts'
import { dayPages, monthPages } from './site-lists.ts'
import { type ProjectFiles, projectPages, projectsView } from './site-projects.ts'
import { iconFile, publicFiles, robotsFile } from './site-text.ts'
import type { Templates } from './templates.ts'

/**
 * All files of a site that hang on no single session, one by one. The order of `summaries` does not matter. Without
 * details of the sessions, the pages of files, failures and stats are empty.
 */
export function* renderSite(
  templates: Templates,
  summaries: readonly SessionSummary[],
  site: SiteInfo,
  detailOf: DetailOf = () => undefined,
): Generator<OutputFile> {
  const sorted = [...summaries].sort(byStart)
  const catalog = catalogFiles(sorted, site.timeZone)
  const front: OutputFile[] = [
    { path: 'index.html', content: templates.index(indexView(sorted, site, catalog)) },
    { path: projectsPath, content: templates.projects(projectsView(sorted, site)) },
  ]
  yield* front
  const across = yield* acrossPages({ templates, sorted, site, detailOf })
  const lists = yield* listPages({ templates, sorted, site, projectFiles: across.projectFiles })
  yield* catalog
  if (site.search) {
    const view = {
      ...pageView(searchPagePath, 'Search', site, { description: 'Search all sessions.' }),
      heading: 'Search all sessions',
    }
    yield { path: searchPagePath, content: templates.search(view) }
  }
  yield* [
    { path: '404.html', content: templates.notFound(pageView('404.html', 'Page not found', site)) },
    { path: 'favicon.svg', content: iconFile },
    { path: 'robots.txt', content: robotsFile(site) },
    { path: 'llms.txt', content: llmsFile(sorted, site) },
    { path: '.nojekyll', content: '' },
    { path: '_headers', content: headersFile(site.search) },
  ]
  const paths = [...front.map(({ path }) => path), ...across.paths, ...lists]
  yield* publicFiles(sorted, { listed: ownSessions(sorted), lists: paths, site })
}

interface ListsInput {
  templates: Templates
  sorted: readonly SessionSummary[]
  site: SiteInfo
  projectFiles: ProjectFiles
}

/** The pages of projects, months and days, one after the other: together they hold each session three times. */
function* listPages({ templates, sorted, site, projectFiles }: ListsInput): Generator<OutputFile, string[]> {
  const paths: string[] = []
  const page = (path: string, content: string): OutputFile => {
    paths.push(path)
    return { path, content }
  }
  for (const { path, view } of projectPages(sorted, site, projectFiles)) yield page(path, templates.project(view))
  for (const { path, view } of monthPages(sorted, site)) yield page(path, templates.list(view))
  for (const { path, view } of dayPages(sorted, site)) yield page(path, templates.list(view))
  return paths
}
