/** The pages around the sessions: home, projects, months, and the small files that hosts and readers look for. */
import type { OutputFile } from '../model/output.ts'
import type { SessionSummary } from '../model/summary.ts'
import type { SiteInfo } from '../model/view.ts'
import { catalogFiles } from './catalog.ts'
import { llmsFile } from './llms.ts'
import { ownSessions } from './own-sessions.ts'
import { pageView, projectsPath } from './page-view.ts'
import { headersFile } from './policy.ts'
import { byStart } from './rows.ts'
import { indexView } from './site-index.ts'
import { dayPages, monthPages } from './site-lists.ts'
import { projectPages, projectsView } from './site-projects.ts'
import { iconFile, publicFiles, robotsFile } from './site-text.ts'
import type { Templates } from './templates.ts'

/** All files of a site that hang on no single session. The order of `summaries` does not matter. */
export function renderSite(templates: Templates, summaries: readonly SessionSummary[], site: SiteInfo): OutputFile[] {
  const sorted = [...summaries].sort(byStart)
  const catalog = catalogFiles(sorted, site.timeZone)
  const projects = projectPages(sorted, site)
  const months = [...monthPages(sorted, site), ...dayPages(sorted, site)]
  const lists: OutputFile[] = [
    { path: 'index.html', content: templates.index(indexView(sorted, site, catalog)) },
    { path: projectsPath, content: templates.projects(projectsView(sorted, site)) },
    ...projects.map(({ path, view }) => ({ path, content: templates.project(view) })),
    ...months.map(({ path, view }) => ({ path, content: templates.list(view) })),
  ]
  return [
    ...lists,
    ...catalog,
    { path: '404.html', content: templates.notFound(pageView('404.html', 'Page not found', site)) },
    { path: 'favicon.svg', content: iconFile },
    { path: 'robots.txt', content: robotsFile(site) },
    { path: 'llms.txt', content: llmsFile(sorted, site) },
    { path: '.nojekyll', content: '' },
    { path: '_headers', content: headersFile },
    ...publicFiles(sorted, { listed: ownSessions(sorted), lists: lists.map(({ path }) => path), site }),
  ]
}
