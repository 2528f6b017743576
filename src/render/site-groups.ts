/** Sessions by project and by month, with the links to their pages. */
import { sumCosts } from '../model/cost.ts'
import type { SessionSummary } from '../model/summary.ts'
import { monthPage, projectPage, relativeLink } from '../model/urls.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { costText } from './cost.ts'
import { dayOf, monthOf, monthTitle } from './dates.ts'
import type { ListPlace } from './rows.ts'
import type { CountView, LinkView, StepsView } from './views.ts'
import { percentText } from './words.ts'

/** Sessions by a key, both in the order of their first appearance. */
export function groupBy(
  summaries: readonly SessionSummary[],
  key: (summary: SessionSummary) => string,
): Map<string, SessionSummary[]> {
  const groups = new Map<string, SessionSummary[]>()
  for (const summary of summaries) {
    const group = groups.get(key(summary))
    if (group === undefined) groups.set(key(summary), [summary])
    else group.push(summary)
  }
  return groups
}

/** Links to the pages of months, newest first, of sorted sessions. */
export function monthLinks(summaries: readonly SessionSummary[], place: ListPlace): CountView[] {
  const groups = groupBy(summaries, ({ startedAt }) => monthOf(startedAt, place.timeZone))
  return [...groups].map(([month, group]) => ({
    text: monthTitle(month),
    href: relativeLink(place.path, monthPage(month)),
    count: formatCount(group.length),
  }))
}

/** Links to the pages of projects, latest activity first, of sorted sessions. */
export function projectLinks(summaries: readonly SessionSummary[], place: ListPlace): CountView[] {
  const groups = groupBy(summaries, ({ project }) => project.slug)
  return [...groups].map(([slug, group]) => ({
    text: group[0]?.project.name ?? slug,
    href: relativeLink(place.path, projectPage(slug)),
    count: formatCount(group.length),
  }))
}

/** Number of sessions by day. */
export function sessionsByDay(summaries: readonly SessionSummary[], timeZone: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { startedAt } of summaries) {
    const day = dayOf(startedAt, timeZone)
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return counts
}

/** What stands before, above and after a list, as links; what is absent gives none. */
export function stepsView<Key = never>(
  label: string,
  { earlier, up, later }: { earlier?: Key | undefined; up?: LinkView | undefined; later?: Key | undefined },
  link?: (key: Key) => LinkView,
): StepsView {
  const side = (key: Key | undefined, rel: 'prev' | 'next') =>
    key === undefined || link === undefined ? [] : [{ rel, ...link(key) }]
  return { label, links: [...side(earlier, 'prev'), ...(up === undefined ? [] : [up]), ...side(later, 'next')] }
}

/**
 * `12 turns · 340 commands, 6 % failed · 44 file edits · 1.20 USD at prices of 2026-11-01`, as far as there are any.
 * A file that two sessions changed is two edits: only the pages of files know which files are the same.
 */
export function totalsText(summaries: readonly SessionSummary[]): string {
  const add = (of: (summary: SessionSummary) => number) => summaries.reduce((sum, summary) => sum + of(summary), 0)
  const turns = add(({ turns }) => turns)
  const commands = add(({ commands: { total } }) => total)
  const failed = add(({ commands: { failed } }) => failed)
  const files = add(({ edits }) => edits.files)
  const commits = add(({ commits = 0 }) => commits)
  const requests = add(({ pullRequests = 0 }) => pullRequests)
  const cost = sumCosts(summaries.flatMap((summary) => (summary.cost === undefined ? [] : [summary.cost])))
  return [
    formatAmount(turns, 'turn'),
    ...(commands === 0
      ? []
      : [`${formatAmount(commands, 'command')}${failed === 0 ? '' : `, ${percentText(failed, commands)} failed`}`]),
    ...(files === 0 ? [] : [formatAmount(files, 'file edit')]),
    ...(commits === 0 ? [] : [formatAmount(commits, 'commit')]),
    ...(requests === 0 ? [] : [formatAmount(requests, 'pull request')]),
    ...(cost === undefined ? [] : [costText(cost)]),
  ].join(' · ')
}
