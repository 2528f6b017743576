/** The view of the start page. */
import type { SessionSummary } from '../model/summary.ts'
import { dayPage, relativeLink } from '../model/urls.ts'
import type { SiteInfo } from '../model/view.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { calendarView } from './calendar.ts'
import { monthOf, monthTitle } from './dates.ts'
import { filtersView } from './filters.ts'
import { ownSessions } from './own-sessions.ts'
import { pageView } from './page-view.ts'
import { dayViews, type ListPlace } from './rows.ts'
import { monthLinks, projectLinks, sessionsByDay, totalsText } from './site-groups.ts'
import type { IndexView } from './views.ts'

/** Sessions and projects that the start page shows; the rest is behind its links. */
const mostSessions = 200
const mostProjects = 24

/** The view for `html/index.eta`, from sessions sorted by `byStart`; `catalog` names the files of the catalog. */
export function indexView(
  sorted: readonly SessionSummary[],
  site: SiteInfo,
  catalog: readonly { path: string }[],
): IndexView {
  const path = 'index.html'
  const { timeZone } = site
  const place: ListPlace = { path, timeZone }
  const own = ownSessions(sorted)
  const listed = own.slice(0, mostSessions)
  const projects = projectLinks(sorted, place)
  const parts = catalog.map((file) => relativeLink(path, file.path))
  const summary = sorted.length === 0 ? '' : [span(sorted, timeZone), totalsText(sorted)].join(' · ')
  return {
    ...pageView(path, site.title, site, { description: site.description ?? summary }),
    heading: sorted.length === 0 ? site.title : headingOf(sorted.length, projects.length),
    summary,
    calendar: calendarView({
      sessions: sessionsByDay(sorted, timeZone),
      href: (day) => relativeLink(path, dayPage(day)),
    }),
    filters: filtersView(sorted, parts, timeZone),
    days: dayViews(listed, place),
    empty: sorted.length === 0,
    projectLinks: projects.slice(0, mostProjects),
    moreProjects: projects.length > mostProjects,
    months: monthLinks(sorted, place),
    remark: remark(listed.length, own.length, sorted.length - own.length),
  }
}

function headingOf(sessions: number, projects: number): string {
  return `${formatAmount(sessions, 'session')} in ${formatAmount(projects, 'project')}`
}

function span(sorted: readonly SessionSummary[], timeZone: string): string {
  const dated = sorted.filter(({ startedAt }) => startedAt !== undefined)
  const first = monthTitle(monthOf(dated.at(-1)?.startedAt, timeZone))
  const last = monthTitle(monthOf(dated[0]?.startedAt, timeZone))
  return first === last ? first : `${first} to ${last}`
}

function remark(listed: number, own: number, behind: number): string {
  const parts = [
    listed < own ? `The newest ${formatCount(listed)} of ${formatCount(own)} sessions are listed above.` : '',
    behind === 0
      ? ''
      : `${formatAmount(behind, 'sub-agent session')} can be reached from the session that started them.`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}
