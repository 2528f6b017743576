/** Sessions as rows of a list. */
import type { SessionSummary } from '../model/summary.ts'
import { relativeLink, sessionPage } from '../model/urls.ts'
import { formatDuration, formatInstant } from '../util/time.ts'
import { dayOf, dayTitle } from './dates.ts'
import type { DayView, RowView } from './views.ts'
import { firstLine } from './words.ts'

/** UTF-8 bytes of a title and of the first words in a row: 200 rows stay far below the budget in any script. */
const titleBytes = 150
const gistBytes = 110

/** Where the list stands and in which zone its days are. */
export interface ListPlace {
  path: string
  timeZone: string
}

/** Newest first; without a start last; then by id. */
export function byStart(a: SessionSummary, b: SessionSummary): number {
  const [from, to] = [a.startedAt ?? '', b.startedAt ?? '']
  if (from !== to) return from < to ? 1 : -1
  return a.threadId < b.threadId ? -1 : 1
}

/** Days of sorted sessions, each with its rows. */
export function dayViews(summaries: readonly SessionSummary[], place: ListPlace): DayView[] {
  const days = new Map<string, DayView>()
  for (const summary of summaries) {
    const day = dayOf(summary.startedAt, place.timeZone)
    const view = days.get(day) ?? { id: `d-${day}`, heading: dayTitle(day), rows: [] }
    view.rows.push(rowView(summary, place))
    days.set(day, view)
  }
  return [...days.values()]
}

function rowView(summary: SessionSummary, { path, timeZone }: ListPlace): RowView {
  const { startedAt, endedAt, edits, commands } = summary
  const title = cutBytes(firstLine(summary.title, 200), titleBytes)
  const gist = cutBytes(firstLine(summary.firstPrompt ?? '', 200), gistBytes)
  const ms = startedAt === undefined || endedAt === undefined ? 0 : Date.parse(endedAt) - Date.parse(startedAt)
  const badge = badgeOf(summary)
  return {
    href: relativeLink(path, sessionPage(summary.threadId)),
    title,
    project: cutBytes(summary.project.name, 60),
    ...(startedAt === undefined ? {} : { time: { iso: startedAt, text: formatInstant(startedAt, timeZone, 'time') } }),
    ...(summary.branch === undefined ? {} : { branch: cutBytes(summary.branch, 60) }),
    ...(gist === '' || isRepeated(gist, title) ? {} : { gist }),
    ...(edits.added === 0 ? {} : { added: `+${edits.added}` }),
    ...(edits.removed === 0 ? {} : { removed: `\u2212${edits.removed}` }),
    ...(commands.failed === 0 ? {} : { failed: `${commands.failed} failed` }),
    ...(ms > 0 ? { duration: formatDuration(ms) } : {}),
    ...(badge === undefined ? {} : { badge }),
  }
}

function badgeOf(summary: SessionSummary): string | undefined {
  if (summary.agent !== undefined) return summary.orphan ? `${summary.agent}, parent missing` : summary.agent
  return summary.archived ? 'archived' : undefined
}

/** Titles are often the prompt itself: saying it twice tells nothing. */
function isRepeated(gist: string, title: string): boolean {
  const [a, b] = [gist, title].map((text) => text.replace(/…$/, '').trim().toLowerCase())
  return a !== undefined && b !== undefined && (a.startsWith(b) || b.startsWith(a))
}

/** A text cut to a number of UTF-8 bytes, with an ellipsis, between code points. */
export function cutBytes(text: string, limit: number): string {
  let bytes = 0
  let length = 0
  for (const character of text) {
    bytes += utf8Length(character.codePointAt(0) ?? 0)
    if (bytes > limit) return `${text.slice(0, length).trimEnd()}…`
    length += character.length
  }
  return text
}

function utf8Length(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
