/** The view of the start page. */

import type { SessionSummary } from '../../transcript/summary.ts'
import type { Status } from '../../transcript/trast.ts'
import { commitsPage, dayPage, monthsPath, relativeLink } from '../../transcript/urls.ts'
import { joinTexts } from '../../util/text.ts'
import { formatAmount, formatCount } from '../../util/time.ts'
import { monthOf, monthTitle } from '../dates.ts'
import type { ChoiceView, FiltersView, IndexView } from '../views.ts'
import { calendarView } from './calendar.ts'
import { madeBy } from './commits.ts'
import { onePage, type PagesInput, type PageType } from './page-type.ts'
import { pageView } from './page-view.ts'
import { dot, monthLinks, projectLinks, sessionsByDay, totalsText } from './projects.ts'
import { cutName, dayViews, fieldName, type ListContext, listContext } from './rows.ts'

/** Sessions, projects and months that the start page shows; its links lead to the rest. */
const maxSessions = 200
const maxProjects = 8
const maxMonths = 12

/** The start page. */
export const homePage: PageType = onePage('html/index', 'index.html', indexView)

/** The view for `html/index.eta`. */
function indexView({ sorted, site, catalog }: PagesInput): IndexView {
  const path = 'index.html'
  const { timeZone } = site
  const context = listContext(path, site)
  const topLevel = topLevelSessions(sorted)
  const listed = topLevel.slice(0, maxSessions)
  const projects = projectLinks(sorted, context)
  const months = monthLinks(sorted, context)
  const parts = catalog.map((file) => relativeLink(path, file.path))
  const summary = sorted.length === 0 ? '' : [span(sorted, timeZone), totalsText(sorted)].join(dot)
  return {
    ...pageView(path, site.title, site, { description: site.description ?? summary }),
    heading: sorted.length === 0 ? site.title : headingOf(sorted.length, projects.length),
    summary,
    ...(madeBy(sorted) === 0
      ? {}
      : { commits: { text: 'Commits and pull requests', href: relativeLink(path, commitsPage()) } }),
    calendar: calendarView({
      sessions: sessionsByDay(sorted, timeZone),
      href: (day) => relativeLink(path, dayPage(day)),
    }),
    filters: filtersView(sorted, parts, context),
    days: dayViews(listed, context),
    empty: sorted.length === 0,
    projectLinks: projects.slice(0, maxProjects),
    moreProjects: projects.length > maxProjects,
    months: months.slice(0, maxMonths),
    ...(months.length > maxMonths ? { allMonths: relativeLink(path, monthsPath) } : {}),
    remark: remark(listed.length, topLevel.length, sorted.length - topLevel.length),
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

function remark(listed: number, topLevel: number, subAgents: number): string {
  const parts = [
    listed < topLevel ? `The newest ${formatCount(listed)} of ${formatCount(topLevel)} sessions are listed above.` : '',
    subAgents === 0
      ? ''
      : `${formatAmount(subAgents, 'sub-agent session')} can be reached from the ${subAgents === 1 ? 'session that started it' : 'sessions that started them'}.`,
  ]
  return joinTexts(parts, ' ')
}

// The options of the filters on the start page. The script adds the rest after it has loaded the catalog.

/** Options of a choice in the page, taken from the newest sessions. */
const maxOptions = 50

const statusNames: Readonly<Record<Status, string>> = {
  completed: 'Completed',
  failed: 'Failed',
  declined: 'Declined',
  interrupted: 'Interrupted',
  running: 'Still running',
  unfinished: 'Unfinished',
  unknown: 'End not known',
}

/** The filters over sorted sessions; `parts` are links to the parts of the catalog. */
export function filtersView(
  sorted: readonly SessionSummary[],
  parts: string[],
  { timeZone, fields = [] }: Pick<ListContext, 'timeZone'> & Partial<Pick<ListContext, 'fields'>>,
): FiltersView {
  const hasPeople = sorted.some(({ label }) => label !== undefined)
  const hasTags = sorted.some((summary) => tagChoices(summary).length > 0)
  const person = ({ label }: SessionSummary): [string, string][] =>
    label === undefined ? [] : [[cutName(label), cutName(label)]]
  return {
    parts: parts.join(' '),
    choices: [
      choice(sorted, { name: 'project', label: 'Project', any: 'Any project' }, ({ project }) => [
        [project.slug, cutName(project.name)],
      ]),
      ...(hasPeople ? [choice(sorted, { name: 'person', label: 'Person', any: 'Any person' }, person)] : []),
      ...(hasTags ? [choice(sorted, { name: 'tag', label: 'Tag', any: 'Any tag' }, tagChoices)] : []),
      choice(sorted, { name: 'model', label: 'Model', any: 'Any model' }, ({ models }) =>
        models.map((model) => [model, cutName(model)]),
      ),
      choice(sorted, { name: 'branch', label: 'Branch', any: 'Any branch' }, ({ branch }) =>
        branch === undefined ? [] : [[cutName(branch), cutName(branch)]],
      ),
      choice(sorted, { name: 'month', label: 'Month', any: 'Any month' }, ({ startedAt }) => {
        const month = monthOf(startedAt, timeZone)
        return [[month, monthTitle(month)]]
      }),
      choice(sorted, { name: 'status', label: 'State', any: 'Any state' }, ({ status }) => [
        [status, statusNames[status]],
      ]),
      ...fields
        .filter(({ filter }) => filter)
        .map(({ name, label }) =>
          choice(sorted, { name: fieldName(name), label, any: `Any ${label.toLowerCase()}` }, (summary) =>
            (summary.fields?.[name] ?? []).map((value) => [value, value]),
          ),
        ),
    ],
    checks: [
      { name: 'errors', text: 'Something failed' },
      { name: 'edits', text: 'Files edited' },
    ],
    hint: `Filter by title, project${hasPeople ? ', person' : ''} or branch`,
    sorts: [
      { value: '', text: 'Newest first' },
      { value: 'active', text: 'Longest active first' },
      { value: 'changes', text: 'Most changes first' },
      { value: 'tokens', text: 'Most tokens first' },
    ],
  }
}

function tagChoices({ star, tags = [] }: SessionSummary): [value: string, text: string][] {
  return [...(star ? ['★'] : []), ...tags].map((tag) => [tag, tag === '★' ? '★ Starred' : tag])
}

function choice(
  sorted: readonly SessionSummary[],
  words: Omit<ChoiceView, 'options'>,
  of: (summary: SessionSummary) => [value: string, text: string][],
): ChoiceView {
  const options = new Map<string, string>()
  for (const summary of sorted) {
    for (const [value, text] of of(summary)) options.set(value, options.get(value) ?? text)
    if (options.size >= maxOptions) break
  }
  return { ...words, options: [...options].map(([value, text]) => ({ value, text })) }
}

// Which sessions are listed by themselves.

/** Sessions without the sub-agents whose parent is among them: the page of the parent links those. */
export function topLevelSessions(sessions: readonly SessionSummary[]): SessionSummary[] {
  const ids = new Set(sessions.map(({ threadId }) => threadId))
  return sessions.filter(({ agent, parentId }) => agent === undefined || parentId === undefined || !ids.has(parentId))
}
