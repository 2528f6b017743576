/** The pages around the sessions: home, projects, months, and the small files that hosts and readers look for. */

import type { SessionDetail, SessionSummary } from '../../transcript/summary.ts'
import {
  dayPage,
  failuresPath,
  filesPath,
  monthPage,
  projectFilesPage,
  projectPage,
  relativeLink,
  searchPagePath,
  statsPath,
} from '../../transcript/urls.ts'
import type { SiteInfo } from '../../transcript/view.ts'
import { formatAmount, formatCount } from '../../util/time.ts'
import type { OutputFile } from '../output.ts'
import { headersFile } from '../policy.ts'
import type { Templates } from '../templates.ts'
import type { CountView, ListView } from '../views.ts'
import { dayOf, dayTitle, monthOf, monthTitle, shortDayTitle, undated } from './dates.ts'
import { commandCollector, failuresView } from './failures.ts'
import { iconFile, llmsFile, publicFiles, robotsFile } from './feed.ts'
import { projectHistory, projectPaths } from './file-history.ts'
import { filesView, mostTouchedFiles, type ProjectFilesInput, projectFilesPages } from './files.ts'
import { indexView, ownSessions } from './home.ts'
import { pageView, projectsPath } from './page-view.ts'
import {
  groupBy,
  type ProjectFiles,
  projectPages,
  projectsView,
  sessionsByDay,
  stepsView,
  totalsText,
} from './projects.ts'
import { byStart, catalogFiles, dayViews } from './rows.ts'
import { numbersCollector, statsView } from './stats.ts'

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

// The pages that tell of all sessions: files, failures, stats. Details of sessions are read one after the other.

/** Details of a thread; `undefined` where none were kept. */
type DetailOf = (threadId: string) => SessionDetail | undefined

/** What a site is made from. */
export interface AcrossInput {
  templates: Templates
  /** By `byStart`. */
  sorted: readonly SessionSummary[]
  site: SiteInfo
  detailOf: DetailOf
}

/** What other pages need of these. */
export interface AcrossResult {
  paths: string[]
  projectFiles: ProjectFiles
}

/** Gives the pages one by one, and in the end what other pages need of them. */
function* acrossPages({ templates, sorted, site, detailOf }: AcrossInput): Generator<OutputFile, AcrossResult> {
  const paths: string[] = []
  const page = (path: string, content: string): OutputFile => {
    paths.push(path)
    return { path, content }
  }
  const commands = commandCollector()
  const numbers = numbersCollector(sorted, site.timeZone)
  const listed: Parameters<typeof filesView>[0][number][] = []
  const ofProjects = new Map<string, ReturnType<ProjectFiles>>()
  for (const [slug, group] of groupBy(sorted, ({ project }) => project.slug)) {
    const history = projectHistory(projectPaths(group.flatMap(({ cwd }) => cwd ?? [])))
    let sessions = 0
    for (const summary of group) {
      const detail = detailOf(summary.threadId)
      if (detail === undefined) continue
      if (detail.touches.some(({ failed }) => failed !== true)) sessions++
      history.add(summary, detail)
      commands.add(summary, detail)
      numbers.add(summary, detail)
    }
    const files = history.files()
    if (files.length === 0) continue
    const input = { slug, name: group[0]?.project.name ?? slug, files, sessions, omitted: history.omitted() }
    for (const { path, view } of projectFilesPages(input, site)) yield page(path, templates.projectFiles(view))
    ofProjects.set(slug, shortFiles(input))
    listed.push({ slug, name: input.name, files: files.length, sessions, lastAt: lastChange(input) })
  }
  yield page(filesPath, templates.files(filesView(listed, site)))
  yield page(failuresPath, templates.failures(failuresView(commands, site)))
  yield page(statsPath, templates.stats(statsView(numbers, commands.programs(), site)))
  return { paths, projectFiles: (slug) => ofProjects.get(slug) }
}

function shortFiles(input: ProjectFilesInput): ReturnType<ProjectFiles> {
  const from = projectPage(input.slug)
  return {
    files: mostTouchedFiles(input, from),
    allFiles: {
      text: `All ${formatAmount(input.files.length, 'file')}`,
      href: relativeLink(from, projectFilesPage(input.slug)),
    },
  }
}

function lastChange({ files }: ProjectFilesInput): string | undefined {
  const lasts = files.flatMap(({ turns }) => turns[0]?.at ?? [])
  return lasts.reduce<string | undefined>((last, at) => (last === undefined || at > last ? at : last), undefined)
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
    days: dayViews(listed, { path, timeZone: site.timeZone }),
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
