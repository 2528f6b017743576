/** The pages around the sessions, type by type, and the small files that hosts and readers look for. */

import type { SessionDetail, SessionSummary } from '../../transcript/summary.ts'
import { dayPage, monthPage, publicUrl, relativeLink, searchPagePath } from '../../transcript/urls.ts'
import type { SiteInfo } from '../../transcript/view.ts'
import { defined } from '../../util/own.ts'
import { formatAmount, formatCount } from '../../util/time.ts'
import type { OutputFile } from '../output.ts'
import { headersFile, plainPolicy } from '../policy.ts'
import type { Templates } from '../templates.ts'
import type { CountView, ListView, NotFoundView, SearchView } from '../views.ts'
import { commitPages } from './commits.ts'
import { dayOf, dayTitle, monthOf, monthTitle, shortDayTitle, undated } from './dates.ts'
import { failuresPage } from './failures.ts'
import { iconFile, llmsFile, publicFiles, robotsFile } from './feed.ts'
import { filesPage } from './files.ts'
import { homePage, ownSessions } from './home.ts'
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
import { groupBy, projectListPage, projectPages, sessionsByDay, stepsView, totalsText } from './projects.ts'
import { byStart, catalogFiles, dayViews, listContext } from './rows.ts'
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
  policy: plainPolicy(site.plainStyle),
  // Only an absolute address leads there from every depth.
  ...defined({ start: site.siteUrl === undefined ? undefined : publicUrl(site.siteUrl, 'index.html') }),
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

// Views of the pages of months and days.

/** Sessions that the page of a month and that of a day list. */
const maxOfMonth = 500
const maxOfDay = 2000

/** A list and the path of its page. */
interface ListPage {
  path: string
  view: ListView
}

/** One page a month, from sessions sorted by `byStart`; those without a date share one. */
function* monthPages(sorted: readonly SessionSummary[], site: SiteInfo): Generator<ListPage> {
  const groups = groupBy(sorted, ({ startedAt }) => monthOf(startedAt, site.timeZone))
  const months = [...groups.keys()].filter((month) => month !== undated)
  for (const [month, group] of groups) {
    const path = monthPage(month)
    const place = months.indexOf(month)
    const link = (other: string) => ({ text: monthTitle(other), href: relativeLink(path, monthPage(other)) })
    const isDated = month !== undated
    const view = listView(path, monthTitle(month), group, isDated ? maxOfMonth : maxOfDay, site)
    const steps = stepsView('Months', { earlier: months[place + 1], later: months[place - 1] }, link)
    yield { path, view: isDated ? { ...view, steps, moreDays: cutDays(path, group, site.timeZone) } : view }
  }
}

/** One page a day with sessions, from sessions sorted by `byStart`. */
function* dayPages(sorted: readonly SessionSummary[], site: SiteInfo): Generator<ListPage> {
  const groups = groupBy(sorted, ({ startedAt }) => dayOf(startedAt, site.timeZone))
  groups.delete(undated)
  const days = [...groups.keys()]
  for (const [place, [day, group]] of [...groups].entries()) {
    const path = dayPage(day)
    const month = day.slice(0, 7)
    const link = (other: string) => ({ text: shortDayTitle(other), href: relativeLink(path, dayPage(other)) })
    const up = { text: monthTitle(month), href: relativeLink(path, monthPage(month)) }
    const steps = stepsView('Days', { earlier: days[place + 1], up, later: days[place - 1] }, link)
    yield { path, view: { ...listView(path, dayTitle(day), group, maxOfDay, site), steps } }
  }
}

function listView(
  path: string,
  heading: string,
  group: readonly SessionSummary[],
  maxListed: number,
  site: SiteInfo,
): ListView {
  const summary = `${formatAmount(group.length, 'session')} · ${totalsText(group)}`
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

/** Days of which a month's page does not list all sessions. */
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
