/** The view of the start page. */
import type { SessionSummary } from '../model/summary.ts'
import type { SiteInfo } from '../model/view.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { monthOf, monthTitle } from './dates.ts'
import { pageView } from './page-view.ts'
import { dayViews, type ListPlace } from './rows.ts'
import { monthLinks, projectLinks, totalsText } from './site-groups.ts'
import type { IndexView } from './views.ts'

/** Sessions and projects that the start page shows; the rest is behind its links. */
const mostSessions = 200
const mostProjects = 24

/** The view for `html/index.eta`, from sessions sorted by `byStart`. */
export function indexView(sorted: readonly SessionSummary[], site: SiteInfo): IndexView {
  const path = 'index.html'
  const place: ListPlace = { path, timeZone: site.timeZone }
  const own = ownSessions(sorted)
  const listed = own.slice(0, mostSessions)
  const projects = projectLinks(sorted, place)
  return {
    ...pageView(path, site.title, site),
    heading: sorted.length === 0 ? site.title : headingOf(sorted.length, projects.length),
    summary: sorted.length === 0 ? '' : [span(sorted, site.timeZone), totalsText(sorted)].join(' · '),
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

/** Sessions but for sub-agents, which are found on the page of the session that started them. */
function ownSessions(sorted: readonly SessionSummary[]): SessionSummary[] {
  const ids = new Set(sorted.map(({ threadId }) => threadId))
  return sorted.filter(({ agent, parentId }) => agent === undefined || parentId === undefined || !ids.has(parentId))
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
