/** Views of the pages of months and days. */
import type { SessionSummary } from '../model/summary.ts'
import { dayPage, monthPage, relativeLink } from '../model/urls.ts'
import type { SiteInfo } from '../model/view.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { dayOf, dayTitle, monthOf, monthTitle, shortDayTitle, undated } from './dates.ts'
import { pageView } from './page-view.ts'
import { dayViews } from './rows.ts'
import { groupBy, sessionsByDay, stepsView, totalsText } from './site-groups.ts'
import type { CountView, ListView } from './views.ts'

/** Sessions that the page of a month and that of a day list. */
const mostOfMonth = 500
const mostOfDay = 2000

/** A list and the path of its page. */
interface ListPage {
  path: string
  view: ListView
}

/** One page a month, from sessions sorted by `byStart`; those without a date share one. */
export function* monthPages(sorted: readonly SessionSummary[], site: SiteInfo): Generator<ListPage> {
  const groups = groupBy(sorted, ({ startedAt }) => monthOf(startedAt, site.timeZone))
  const months = [...groups.keys()].filter((month) => month !== undated)
  for (const [month, group] of groups) {
    const path = monthPage(month)
    const place = months.indexOf(month)
    const link = (other: string) => ({ text: monthTitle(other), href: relativeLink(path, monthPage(other)) })
    const isDated = month !== undated
    const view = listView(path, monthTitle(month), group, isDated ? mostOfMonth : mostOfDay, site)
    const steps = stepsView('Months', { earlier: months[place + 1], later: months[place - 1] }, link)
    yield { path, view: isDated ? { ...view, steps, moreDays: cutDays(path, group, site.timeZone) } : view }
  }
}

/** One page a day with sessions, from sessions sorted by `byStart`. */
export function* dayPages(sorted: readonly SessionSummary[], site: SiteInfo): Generator<ListPage> {
  const groups = groupBy(sorted, ({ startedAt }) => dayOf(startedAt, site.timeZone))
  groups.delete(undated)
  const days = [...groups.keys()]
  for (const [place, [day, group]] of [...groups].entries()) {
    const path = dayPage(day)
    const month = day.slice(0, 7)
    const link = (other: string) => ({ text: shortDayTitle(other), href: relativeLink(path, dayPage(other)) })
    const up = { text: monthTitle(month), href: relativeLink(path, monthPage(month)) }
    const steps = stepsView('Days', { earlier: days[place + 1], up, later: days[place - 1] }, link)
    yield { path, view: { ...listView(path, dayTitle(day), group, mostOfDay, site), steps } }
  }
}

function listView(
  path: string,
  heading: string,
  group: readonly SessionSummary[],
  most: number,
  site: SiteInfo,
): ListView {
  const summary = `${formatAmount(group.length, 'session')} · ${totalsText(group)}`
  const listed = group.slice(0, most)
  const remark = `The newest ${formatCount(most)} of ${formatCount(group.length)} sessions are listed.`
  return {
    ...pageView(path, heading, site, { description: `${heading}: ${summary}` }),
    heading,
    summary,
    steps: stepsView('', {}),
    days: dayViews(listed, { path, timeZone: site.timeZone }),
    moreDays: [],
    remark: listed.length < group.length ? remark : '',
  }
}

/** Days of which a month's page does not list all sessions. */
function cutDays(path: string, group: readonly SessionSummary[], timeZone: string): CountView[] {
  const hidden = sessionsByDay(group.slice(mostOfMonth), timeZone)
  return [...sessionsByDay(group, timeZone)]
    .filter(([day]) => hidden.has(day))
    .map(([day, count]) => ({
      text: shortDayTitle(day),
      href: relativeLink(path, dayPage(day)),
      count: formatCount(count),
    }))
}
