/** Views of the pages of projects and of the list of all projects. */

import { sumCosts } from '../../transcript/cost.ts'
import type { SessionSummary } from '../../transcript/summary.ts'
import { dayPage, monthPage, projectPage, relativeLink } from '../../transcript/urls.ts'
import { countBy, groupBy, sumBy } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import { joinTexts } from '../../util/text.ts'
import { formatAmount, formatCount, formatInstant } from '../../util/time.ts'
import { dayAnchor, dayNumber, dayOf, monthOf, monthTitle, timeView, undated } from '../dates.ts'
import { failuresLeft, formatCompact, percentText } from '../phrases.ts'
import { fullestSpan } from '../plots.ts'
import type { SiteInfo } from '../site-info.ts'
import type { CountView, DayView, LinkView, ProjectRowView, ProjectsView, ProjectView, StepsView } from '../views.ts'
import { calendarView } from './calendar.ts'
import { manyPages, onePage, type PagesInput, type PageType } from './page-type.ts'
import { pageView, projectsPath } from './page-view.ts'
import { cutName, dayViews, type ListContext, listContext } from './rows.ts'
import { costText } from './totals.ts'

/** Sessions on one page of a project. */
const sessionsOfPage = 500

/** Branches or models that a project's page names. */
const maxNames = 12

/** The pages of all projects. */
export const projectPages: PageType = manyPages('html/project', function* ({ sorted, site, keyOf, projectParts }) {
  for (const [slug, group] of groupBy(sorted, ({ project }) => project.slug)) {
    const count = Math.ceil(group.length / sessionsOfPage)
    const key = keyOf(group)
    for (let page = 1; page <= count; page++) {
      const path = projectPage(slug, page)
      yield {
        path,
        key,
        view: () => projectView(path, { slug, group, page, count, parts: projectParts.get(slug), site }),
      }
    }
  }
})

interface PageInput {
  slug: string
  /** All sessions of the project. */
  group: readonly SessionSummary[]
  /** 1-based. */
  page: number
  count: number
  /** What the page types of files and failures add to the project's page. */
  parts: Partial<ProjectView> | undefined
  site: SiteInfo
}

function projectView(path: string, { slug, group, page, count, parts, site }: PageInput): ProjectView {
  const name = group[0]?.project.name ?? slug
  const listed = group.slice((page - 1) * sessionsOfPage, page * sessionsOfPage)
  const days = dayViews(listed, { ...listContext(path, site), oneProject: true })
  const isFirst = page === 1
  const view: ProjectView = {
    ...pageView(path, isFirst ? name : `${name}, page ${page}`, site, {
      description: `${name}: ${formatAmount(group.length, 'session')}, ${totalsText(group)}`,
    }),
    heading: name,
    summary: isFirst ? [span(group, site), formatAmount(group.length, 'session'), totalsText(group)].join(dot) : '',
    calendar: isFirst ? calendarOf(group, days, { path, site }) : undefined,
    lists: isFirst ? namesIn(group).filter(({ items }) => items.length > 0) : [],
    files: [],
    steps: pageSteps('Pages of this project', { page, count }, (number) =>
      relativeLink(path, projectPage(slug, number)),
    ),
    days,
    remark: count > 1 ? `Page ${page} of ${formatCount(count)}, ${formatAmount(group.length, 'session')} in all.` : '',
  }
  return isFirst ? { ...view, ...parts } : view
}

/** The project's year, if it has more than one day. A day links its rows on this page, or the page of the day if not here. */
function calendarOf(
  group: readonly SessionSummary[],
  days: readonly DayView[],
  { path, site }: { path: string; site: SiteInfo },
): ProjectView['calendar'] {
  const sessions = sessionsByDay(group, site.timeZone)
  if (sessions.size < 2) return undefined
  const here = new Set(days.map(({ id }) => id))
  return calendarView({
    sessions,
    href: (day) => (here.has(dayAnchor(day)) ? `#${dayAnchor(day)}` : relativeLink(path, dayPage(day))),
  })
}

/** The branches and models of a project. */
function namesIn(group: readonly SessionSummary[]): ProjectView['lists'] {
  const branches = group.flatMap(({ branch }) => branch ?? [])
  const models = group.flatMap((summary) => summary.models)
  return [countedList('branches', 'Branches', branches), countedList('models', 'Models', models)]
}

/** Names with their count, most first; equal counts in the given order, which is newest first. */
function countedList(id: string, heading: string, names: readonly string[]): ProjectView['lists'][number] {
  const sorted = [...countBy(names, (name) => name)].sort(([, a], [, b]) => b - a)
  const items = sorted.slice(0, maxNames).map(([name, count]) => ({ text: cutName(name), count: formatCount(count) }))
  const more = sorted.length - items.length
  return { id, heading, items, rest: more === 0 ? '' : `and ${formatCount(more)} more` }
}

/** `2026-03-14`, or `2025-12-01 to 2026-03-14`; empty if nothing has a date. */
function span(group: readonly SessionSummary[], { timeZone }: SiteInfo): string {
  const dated = group.flatMap(({ startedAt }) => startedAt ?? [])
  const [last, first] = [dated[0], dated.at(-1)].map((at) => at && formatInstant(at, timeZone, 'day'))
  if (first === undefined || last === undefined) return ''
  return first === last ? first : `${first} to ${last}`
}

/** The page that lists all projects. */
export const projectListPage: PageType = onePage('html/projects', projectsPath, projectsView)

/** The view for `html/projects.eta`: projects in the order of their newest session. */
function projectsView({ sorted, site }: PagesInput): ProjectsView {
  const groups = [...groupBy(sorted, ({ project }) => project.slug)]
  const [, newest = undated] = fullestSpan(sessionsByDay(sorted, site.timeZone))
  return {
    ...pageView(projectsPath, 'Projects', site, { description: 'Projects and their sessions, latest activity first.' }),
    heading: formatAmount(groups.length, 'project'),
    sorts: [
      { value: '', text: 'Latest first' },
      { value: 'sessions', text: 'Most sessions first' },
      { value: 'active', text: 'Longest active first' },
      { value: 'changes', text: 'Most changes first' },
      { value: 'tokens', text: 'Most tokens first' },
    ],
    rows: groups.map(([slug, group]) => {
      const name = cutName(group[0]?.project.name ?? slug)
      const drawn = sparkPath(byWeek(group, newest, site.timeZone))
      return sumRow(group, { href: relativeLink(projectsPath, projectPage(slug)), name, spark: drawn }, site)
    }),
  }
}

/** A row that sums up sessions, the newest first: those of a project or of a month. */
export function sumRow(
  group: readonly SessionSummary[],
  head: Pick<ProjectRowView, 'href' | 'name' | 'spark'>,
  { timeZone }: SiteInfo,
): ProjectRowView {
  const sum = (of: (summary: SessionSummary) => number) => sumBy(group, of)
  const [added, removed] = [sum(({ edits }) => edits.added), sum(({ edits }) => edits.removed)]
  const tokens = sum(({ usage }) => usage?.total ?? 0)
  const lastAt = group.find(({ startedAt }) => startedAt !== undefined)?.startedAt
  return {
    ...head,
    count: formatAmount(group.length, 'session'),
    tokens: tokens === 0 ? '' : `${formatCompact(tokens)} tokens`,
    notes: notes({ added, removed, left: sum((summary) => summary.failuresLeft) }),
    ...defined({ last: timeView(lastAt, timeZone, 'day') }),
    sizes: {
      sessions: group.length,
      active: sum(({ activeMs = 0 }) => activeMs),
      changes: added + removed,
      tokens,
    },
  }
}

/** Weeks of a spark, and the size of its drawing. */
const spark = { weeks: 26, width: 104, height: 18 }

/** Number of a day's week; `NaN` for `undated`. */
function weekOf(day: string): number {
  return Math.floor((dayNumber(day) + 3) / 7)
}

/** Sessions in each week of a spark, which ends with the week of the `newest` day. */
function byWeek(group: readonly SessionSummary[], newest: string, timeZone: string): number[] {
  const counts = new Array<number>(spark.weeks).fill(0)
  const first = weekOf(newest) - spark.weeks + 1
  for (const { startedAt } of group) {
    const column = weekOf(dayOf(startedAt, timeZone)) - first
    const count = counts[column]
    if (count !== undefined) counts[column] = count + 1
  }
  return counts
}

/** Path that draws counts as columns; the highest fills the height of the drawing. */
export function sparkPath(counts: readonly number[]): string {
  const step = Math.floor(spark.width / counts.length)
  const highest = Math.max(...counts)
  return counts
    .map((count, column) => {
      if (count === 0) return ''
      const height = Math.max(3, Math.round((count / highest) * spark.height))
      return `M${column * step} ${spark.height}v-${height}h${step - 1}v${height}z`
    })
    .join('')
}

function notes({ added, removed, left }: Record<'added' | 'removed' | 'left', number>): ProjectRowView['notes'] {
  return [
    ...(added === 0 ? [] : [{ text: `+${formatCount(added)}`, tone: 'good' as const }]),
    ...(removed === 0 ? [] : [{ text: `\u2212${formatCount(removed)}`, tone: 'bad' as const }]),
    ...(left === 0 ? [] : [{ text: failuresLeft(left), tone: 'bad' as const }]),
  ]
}

// Sessions by project and by month, with the links to their pages.

/** Links to the pages of months, newest first, of sorted sessions. */
export function monthLinks(summaries: readonly SessionSummary[], context: ListContext): CountView[] {
  const groups = groupBy(summaries, ({ startedAt }) => monthOf(startedAt, context.timeZone))
  return [...groups].map(([month, group]) => ({
    text: monthTitle(month),
    href: relativeLink(context.path, monthPage(month)),
    count: formatCount(group.length),
  }))
}

/** Links to the pages of projects, latest activity first, of sorted sessions. */
export function projectLinks(summaries: readonly SessionSummary[], context: ListContext): CountView[] {
  const groups = groupBy(summaries, ({ project }) => project.slug)
  return [...groups].map(([slug, group]) => ({
    text: cutName(group[0]?.project.name ?? slug),
    href: relativeLink(context.path, projectPage(slug)),
    count: formatCount(group.length),
  }))
}

/** Number of sessions by day. */
export function sessionsByDay(summaries: readonly SessionSummary[], timeZone: string): Map<string, number> {
  return countBy(summaries, ({ startedAt }) => dayOf(startedAt, timeZone))
}

/** Links to the lists before, above and after a list; absent ones are left out. */
export function stepsView<Key = never>(
  label: string,
  { earlier, up, later }: { earlier?: Key | undefined; up?: LinkView | undefined; later?: Key | undefined },
  link?: (key: Key) => LinkView,
): StepsView {
  const side = (key: Key | undefined, rel: 'prev' | 'next') =>
    key === undefined || link === undefined ? [] : [{ rel, ...link(key) }]
  return { label, links: [...side(earlier, 'prev'), ...(up === undefined ? [] : [up]), ...side(later, 'next')] }
}

/** Links from one of several pages, numbered from 1, to the ones before and after it. */
export function pageSteps(
  label: string,
  { page, count }: { page: number; count: number },
  hrefOf: (number: number) => string,
): StepsView {
  const steps = { earlier: page > 1 ? page - 1 : undefined, later: page < count ? page + 1 : undefined }
  return stepsView(label, steps, (number) => ({ text: `Page ${number}`, href: hrefOf(number) }))
}

/** Separator of facts; a line never begins with it. */
export const dot = '\u00A0· '

/**
 * `12 turns · 340 commands, 6 % failed · 844 lines changed · 1.20 USD at prices of 2026-11-01`; only the turns may be zero.
 */
export function totalsText(summaries: readonly SessionSummary[]): string {
  const add = (of: (summary: SessionSummary) => number) => sumBy(summaries, of)
  const turns = add(({ turns }) => turns)
  const commands = add(({ commands: { total } }) => total)
  const failed = add(({ commands: { failed } }) => failed)
  const lines = add(({ edits: { added, removed } }) => added + removed)
  const commits = add(({ commits = 0 }) => commits)
  const requests = add(({ pullRequests = 0 }) => pullRequests)
  const cost = sumCosts(summaries.flatMap((summary) => (summary.cost === undefined ? [] : [summary.cost])))
  const failedShare = failed === 0 ? '' : `, ${percentText(failed, commands)} failed`
  return joinTexts(
    [
      formatAmount(turns, 'turn'),
      commands === 0 ? '' : `${formatAmount(commands, 'command')}${failedShare}`,
      lines === 0 ? '' : `${formatAmount(lines, 'line')} changed`,
      commits === 0 ? '' : formatAmount(commits, 'commit'),
      requests === 0 ? '' : formatAmount(requests, 'pull request'),
      cost && costText(cost),
    ],
    dot,
  )
}
