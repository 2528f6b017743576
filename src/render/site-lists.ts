/** Views of the pages of projects and months. */
import type { SessionSummary } from '../model/summary.ts'
import { monthPage, projectPage } from '../model/urls.ts'
import type { SiteInfo } from '../model/view.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { monthOf, monthTitle } from './dates.ts'
import { pageView, projectsPath } from './page-view.ts'
import { dayViews } from './rows.ts'
import { groupBy, monthLinks, projectLinks, totalsText } from './site-groups.ts'
import type { ListView, ProjectsView } from './views.ts'

/** Sessions that a project's page lists; older ones are in the months. */
const mostSessions = 500

/** A view with the slug or month that names its page. */
interface Keyed {
  key: string
  view: ListView
}

/** One page a project, from sessions sorted by `byStart`. */
export function projectViews(sorted: readonly SessionSummary[], site: SiteInfo): Keyed[] {
  return [...groupBy(sorted, ({ project }) => project.slug)].map(([key, group]) => {
    const name = group[0]?.project.name ?? key
    const view = listView(projectPage(key), name, group, site)
    const listed = view.days.reduce((sum, { rows }) => sum + rows.length, 0)
    if (listed === group.length) return { key, view: { ...view, months: [] } }
    const remark = `The newest ${formatCount(listed)} of ${formatCount(group.length)} sessions are listed; older ones are in the months.`
    return { key, view: { ...view, remark } }
  })
}

/** One page a month, with all its sessions, from sessions sorted by `byStart`. */
export function monthViews(sorted: readonly SessionSummary[], site: SiteInfo): Keyed[] {
  return [...groupBy(sorted, ({ startedAt }) => monthOf(startedAt, site.timeZone))].map(([key, group]) => {
    const view = listView(monthPage(key), monthTitle(key), group, site, Number.POSITIVE_INFINITY)
    return { key, view: { ...view, months: [] } }
  })
}

function listView(
  path: string,
  heading: string,
  group: readonly SessionSummary[],
  site: SiteInfo,
  most: number = mostSessions,
): ListView {
  const place = { path, timeZone: site.timeZone }
  return {
    ...pageView(path, heading, site),
    heading,
    summary: `${formatAmount(group.length, 'session')} · ${totalsText(group)}`,
    days: dayViews(group.slice(0, most), place),
    months: monthLinks(group, place),
    remark: '',
  }
}

/** The view for `html/projects.eta`. */
export function projectsView(sorted: readonly SessionSummary[], site: SiteInfo): ProjectsView {
  const links = projectLinks(sorted, { path: projectsPath, timeZone: site.timeZone })
  return {
    ...pageView(projectsPath, 'Projects', site),
    heading: formatAmount(links.length, 'project'),
    projectLinks: links,
  }
}
