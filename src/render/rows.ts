/** Sessions as rows of a list. */
import type { SessionSummary } from '../model/summary.ts'
import { dayPage, relativeLink, sessionPage } from '../model/urls.ts'
import { defined } from '../util/defined.ts'
import { formatAmount, formatCount, formatDuration, formatInstant } from '../util/time.ts'
import { dayAnchor, dayOf, dayTitle } from './dates.ts'
import type { DayView, RowView } from './views.ts'
import { firstLine, statusWord } from './words.ts'

/** UTF-8 bytes of texts in a row, so that 200 rows stay far below the budget in any script. */
const titleBytes = 150
const gistBytes = 110
/** The same of a project's name and of a branch. */
export const placeBytes = 60

/** Where the list stands and in which zone its days are. */
export interface ListPlace {
  path: string
  timeZone: string
  /** All sessions are of one project, which the page names. */
  oneProject?: boolean
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
    const view = days.get(day) ?? dayView(day, place.path)
    view.rows.push(rowView(summary, place))
    days.set(day, view)
  }
  return [...days.values()]
}

function dayView(day: string, path: string): DayView {
  const page = dayPage(day)
  const id = dayAnchor(day)
  if (page === path) return { id, heading: 'Sessions', rows: [] }
  return { id, heading: dayTitle(day), href: relativeLink(path, page), rows: [] }
}

function rowView(summary: SessionSummary, { path, timeZone, oneProject }: ListPlace): RowView {
  const { startedAt } = summary
  const { project, added, removed, failed, errors, ...texts } = rowTexts(summary)
  return defined({
    href: relativeLink(path, sessionPage(summary.threadId)),
    time: startedAt === undefined ? undefined : { iso: startedAt, text: formatInstant(startedAt, timeZone, 'time') },
    ...texts,
    project: oneProject ? undefined : project,
    added: added === 0 ? undefined : `+${formatCount(added)}`,
    removed: removed === 0 ? undefined : `\u2212${formatCount(removed)}`,
    failed: failed === 0 ? undefined : `${formatCount(failed)} failed`,
    errors: errors === 0 ? undefined : formatAmount(errors, 'error'),
  })
}

/** What a row says, short enough for a list; for rows that the build writes and those that the script makes. */
interface RowTexts {
  title: string
  project: string
  added: number
  removed: number
  failed: number
  errors: number
  branch?: string
  gist?: string
  duration?: string
  state?: string
  badge?: string
}

/** A session stands in the lists of its day, month and project, and in the catalog. */
const known = new WeakMap<SessionSummary, RowTexts>()

/** The texts of a session's row, cut to their limits. */
export function rowTexts(summary: SessionSummary): RowTexts {
  const texts = known.get(summary) ?? makeTexts(summary)
  known.set(summary, texts)
  return texts
}

function makeTexts(summary: SessionSummary): RowTexts {
  const { startedAt, endedAt, edits, commands, branch } = summary
  const title = cutBytes(firstLine(summary.title, 200), titleBytes)
  const gist = cutBytes(firstLine(summary.firstPrompt ?? '', 200), gistBytes)
  const ms = startedAt === undefined || endedAt === undefined ? 0 : Date.parse(endedAt) - Date.parse(startedAt)
  return defined({
    title,
    project: cutBytes(summary.project.name, placeBytes),
    added: edits.added,
    removed: edits.removed,
    failed: commands.failed,
    errors: summary.errors,
    branch: branch === undefined ? undefined : cutBytes(branch, placeBytes),
    gist: gist === '' || isRepeated(gist, title) ? undefined : gist,
    duration: ms > 0 ? formatDuration(ms) : undefined,
    state: statusWord(summary.status) || undefined,
    badge: badgeOf(summary),
  })
}

function badgeOf(summary: SessionSummary): string | undefined {
  if (summary.gone) return 'source gone'
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
