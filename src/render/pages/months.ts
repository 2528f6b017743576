/** The pages of months and days, and the list of all months. */

import type { SessionSummary } from '../../transcript/summary.ts'
import { dayPage, monthPage, monthsPath, relativeLink } from '../../transcript/urls.ts'
import { groupBy } from '../../util/groups.ts'
import { formatAmount, formatCount } from '../../util/time.ts'
import { dayOf, dayTitle, monthOf, monthTitle, shortDayTitle, undated } from '../dates.ts'
import type { SiteInfo } from '../site-info.ts'
import type { CountView, ListView, PageView, ProjectRowView } from '../views.ts'
import { manyPages, type PageType } from './page-type.ts'
import { pageView } from './page-view.ts'
import { dot, sessionsByDay, sparkPath, stepsView, sumRow, totalsText } from './projects.ts'
import { dayViews, listContext } from './rows.ts'

/** `html/months.eta` */
interface MonthsView extends PageView {
  heading: string
  summary: string
  /** The newest first, like the months of each. */
  years: { id: string; heading: string; rows: ProjectRowView[] }[]
}

/** The page that lists all months, if there are any. */
export const monthListPage: PageType = manyPages('html/months', function* ({ sorted, site }) {
  if (sorted.length > 0) yield { path: monthsPath, view: () => monthsView(sorted, site) }
})

/** The view for `html/months.eta`: years and their months, the newest first. */
function monthsView(sorted: readonly SessionSummary[], site: SiteInfo): MonthsView {
  const months = groupBy(sorted, ({ startedAt }) => monthOf(startedAt, site.timeZone))
  const years = new Map<string, MonthsView['years'][number]>()
  for (const [month, group] of months) {
    const isDated = month !== undated
    const heading = isDated ? month.slice(0, 4) : monthTitle(month)
    const year = years.get(heading) ?? { id: `y-${isDated ? heading : undated}`, heading, rows: [] }
    years.set(heading, year)
    const href = relativeLink(monthsPath, monthPage(month))
    const drawn = isDated ? sparkPath(byDayOfMonth(group, site.timeZone)) : ''
    year.rows.push(sumRow(group, { href, name: monthTitle(month), spark: drawn }, site))
  }
  return {
    ...pageView(monthsPath, 'Months', site, { description: 'Months and their sessions, the newest first.' }),
    heading: formatAmount(months.size, 'month'),
    summary: `${formatAmount(sorted.length, 'session')}${dot}${totalsText(sorted)}`,
    years: [...years.values()],
  }
}

/** Number of sessions on each day of a month. */
function byDayOfMonth(group: readonly SessionSummary[], timeZone: string): number[] {
  const counts = new Array<number>(31).fill(0)
  for (const [day, count] of sessionsByDay(group, timeZone)) counts[Number(day.slice(8)) - 1] = count
  return counts
}

/** Sessions that the page of a month and the page of a day list. */
const maxOfMonth = 500
const maxOfDay = 2000

/** One page per month; sessions without a date share one. */
export const monthPages: PageType = manyPages('html/list', function* ({ sorted, site, keyOf }) {
  const groups = groupBy(sorted, ({ startedAt }) => monthOf(startedAt, site.timeZone))
  const months = [...groups.keys()].filter((month) => month !== undated)
  for (const [month, group] of groups) {
    const path = monthPage(month)
    const isDated = month !== undated
    const around = isDated ? neighbours(months, months.indexOf(month)) : {}
    const view = (): ListView => {
      const link = (other: string) => ({ text: monthTitle(other), href: relativeLink(path, monthPage(other)) })
      const up = { text: 'All months', href: relativeLink(path, monthsPath) }
      const maxListed = isDated ? maxOfMonth : maxOfDay
      const list = listView({ path, heading: monthTitle(month), group, maxListed }, site)
      const steps = stepsView('Months', { ...around, up }, link)
      return { ...list, steps, moreDays: isDated ? cutDays(path, group, site.timeZone) : [] }
    }
    yield { path, key: keyOf(group, JSON.stringify(around)), view }
  }
})

/** One page per day with sessions. */
export const dayPages: PageType = manyPages('html/list', function* ({ sorted, site, keyOf }) {
  const groups = groupBy(sorted, ({ startedAt }) => dayOf(startedAt, site.timeZone))
  groups.delete(undated)
  const days = [...groups.keys()]
  for (const [index, [day, group]] of [...groups].entries()) {
    const path = dayPage(day)
    const around = neighbours(days, index)
    const view = (): ListView => {
      const link = (other: string) => ({ text: shortDayTitle(other), href: relativeLink(path, dayPage(other)) })
      const month = day.slice(0, 7)
      const up = { text: monthTitle(month), href: relativeLink(path, monthPage(month)) }
      return {
        ...listView({ path, heading: dayTitle(day), group, maxListed: maxOfDay }, site),
        steps: stepsView('Days', { ...around, up }, link),
      }
    }
    yield { path, key: keyOf(group, JSON.stringify(around)), view }
  }
})

/** The neighbours of one entry of a list that is sorted with the latest first. */
function neighbours(all: readonly string[], index: number): { earlier: string | undefined; later: string | undefined } {
  return { earlier: all[index + 1], later: all[index - 1] }
}

/** The sessions of a month or a day; the newest `maxListed` are listed. */
interface SessionList {
  path: string
  heading: string
  group: readonly SessionSummary[]
  maxListed: number
}

function listView({ path, heading, group, maxListed }: SessionList, site: SiteInfo): ListView {
  const summary = `${formatAmount(group.length, 'session')}${dot}${totalsText(group)}`
  const listed = group.slice(0, maxListed)
  const remark = `The newest ${formatCount(maxListed)} of ${formatCount(group.length)} sessions are listed.`
  return {
    ...pageView(path, heading, site, { description: `${heading}: ${summary}` }),
    heading,
    summary,
    steps: stepsView('', {}),
    days: dayViews(listed, listContext(path, site)),
    moreDays: [],
    remark: listed.length < group.length ? remark : '',
  }
}

/** Days whose sessions a month's page does not all list. */
function cutDays(path: string, group: readonly SessionSummary[], timeZone: string): CountView[] {
  const hidden = sessionsByDay(group.slice(maxOfMonth), timeZone)
  return [...sessionsByDay(group, timeZone)]
    .filter(([day]) => hidden.has(day))
    .map(([day, count]) => ({
      text: shortDayTitle(day),
      href: relativeLink(path, dayPage(day)),
      count: formatCount(count),
    }))
}
