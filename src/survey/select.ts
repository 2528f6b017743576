/** Selects threads: `--project`, `--since`, `--until`, `--id`, `--exclude-id`, `--branch`, `--archived`. */

import { ageDays, monthOf, namedDays, yearOf } from '../../templates/assets/search/days.js'
import type { Settings } from '../config/schema.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import { UsageError } from '../diagnostics/errors.ts'
import type { Thread } from '../rollout/discover/rollout.ts'
import { baseName } from '../util/paths.ts'
import { escapedPattern } from '../util/text.ts'
import { formatAmount, formatInstant, instantsAt } from '../util/time.ts'
import { projectOf } from './project.ts'

/** Filters as typed; empty lists and `undefined` select everything. */
export type Filters = Pick<Settings, 'projects' | 'since' | 'until' | 'ids' | 'exclude' | 'branches' | 'archived'>

/** Filters that every thread passes. */
export const everything: Filters = {
  projects: [],
  since: undefined,
  until: undefined,
  ids: [],
  exclude: [],
  branches: [],
  archived: undefined,
}

/** Filters prepared for testing many threads. */
export interface ThreadFilter {
  /** Lower case. */
  projects: readonly string[]
  /** The thread was active at or after this instant, in milliseconds. */
  since: number | undefined
  /** The thread began before this instant. */
  before: number | undefined
  /** Lower case. */
  ids: readonly string[]
  exclude?: readonly string[]
  branches?: readonly RegExp[]
  archived: boolean | undefined
}

/** The facts that filters test. */
export interface ThreadFacts {
  id: string
  archived: boolean
  /** ISO instants. */
  startedAt?: string
  endedAt?: string
  cwds: readonly string[]
  remote?: string
  branch?: string
}

/** Prepares filters. Throws a `UsageError` for an invalid date, or a period that ends before it begins. */
export function readFilters(filters: Filters & { timeZone: string }, now: number): ThreadFilter {
  const calendar = { now, timeZone: filters.timeZone }
  const since = filters.since === undefined ? undefined : parseMoment(filters.since, calendar).start
  const until = filters.until === undefined ? undefined : parseMoment(filters.until, calendar)
  if (since !== undefined && until !== undefined && since > until.start && since >= until.end)
    throw new UsageError(
      `The period ends before it begins: \`${filters.since}\` (since) is later than \`${filters.until}\` (until).`,
    )
  return {
    projects: filters.projects.map((project) => project.toLowerCase()),
    since,
    before: until?.end,
    ids: filters.ids.map((id) => id.toLowerCase()),
    exclude: filters.exclude,
    branches: filters.branches.map(branchPattern),
    archived: filters.archived,
  }
}

/**
 * Whether a thread passes every kind of filter; for those that can be repeated, one matching value is enough. Dates select
 * threads that were active within them, including those that began before `since`; a thread without any time passes no date
 * filter.
 */
export function isSelected(thread: ThreadFacts, selection: ThreadFilter): boolean {
  if (selection.archived !== undefined && selection.archived !== thread.archived) return false
  const { projects, ids, exclude = [], branches = [] } = selection
  if (beginsWith(thread.id, exclude)) return false
  if (branches.length > 0 && !branches.some((branch) => branch.test(thread.branch ?? ''))) return false
  if (ids.length > 0 && !beginsWith(thread.id, ids)) return false
  if (projects.length > 0 && !projects.some((project) => isOfProject(thread, project))) return false
  return isWithin(thread, selection)
}

/** Whether a thread may be selected, judging by what is known before its scan; this saves the scans of all others. */
export function mayBeSelected(
  { id, archived }: Pick<ThreadFacts, 'id' | 'archived'>,
  selection: ThreadFilter,
): boolean {
  const anyOther = { projects: [], since: undefined, before: undefined, branches: [] }
  return isSelected({ id, archived, cwds: [] }, { ...selection, ...anyOther })
}

/** Whether a thread id begins with one of some texts, in any letter case. */
export function beginsWith(id: string, beginnings: readonly string[]): boolean {
  const lower = id.toLowerCase()
  return beginnings.some((beginning) => lower.startsWith(beginning.toLowerCase()))
}

/** A pattern that matches a whole name in any letter case; `*` stands for any text. */
function branchPattern(name: string): RegExp {
  const parts = name.split(/\*+/).map(escapedPattern)
  return new RegExp(`^${parts.join('.*')}$`, 'is')
}

/** A thread id found by its beginning. */
type Match = { kind: 'one'; id: string } | { kind: 'ambiguous'; candidates: string[] } | { kind: 'none' }

/** Finds the thread whose id is, or begins with, `prefix`, in any letter case. An empty prefix finds none. */
export function matchThread(ids: Iterable<string>, prefix: string): Match {
  const wanted = prefix.toLowerCase()
  const candidates: string[] = []
  for (const id of ids) {
    if (id.toLowerCase() === wanted) return { kind: 'one', id }
    if (wanted !== '' && id.toLowerCase().startsWith(wanted)) candidates.push(id)
  }
  const [id] = candidates
  if (id === undefined) return { kind: 'none' }
  return candidates.length === 1 ? { kind: 'one', id } : { kind: 'ambiguous', candidates: candidates.sort() }
}

/** Where a thread was looked for: folders and files, and what was wrong with them. */
interface SearchedPlaces {
  places: readonly string[]
  diagnostics: readonly Diagnostic[]
}

/** The threads whose ids begin with `target`, as `matchThread` finds them. Throws a `UsageError` if there are none. */
export function threadsNamed(target: string, found: SearchedPlaces & SurveyedPath, isFolder: boolean): Thread[] {
  const { threads } = found.catalog
  const match = matchThread(
    threads.map(({ id }) => id),
    target,
  )
  if (match.kind === 'none') throw noThread(target, isFolder, found)
  const ids = new Set(match.kind === 'one' ? [match.id] : match.candidates)
  return threads.filter(({ id }) => ids.has(id))
}

/** The error for a `target` that is neither a thread nor a file; it may be the path of a folder. */
function noThread(target: string, isFolder: boolean, { places, diagnostics }: SearchedPlaces): UsageError {
  if (isFolder)
    return new UsageError(
      `\`${target}\` is a folder: name a rollout in it, or look for sessions there with \`--codex-home\`.`,
    )
  // Codex writes the id of a thread into the name of its file.
  const unread = diagnostics.filter(({ level, file }) => level === 'fatal' && isNamed(file, target))
  if (unread.length > 0) return new UsageError(unread.map(({ file, message }) => `\`${file}\`: ${message}`).join(' '))
  const folders = diagnostics.filter(({ ruleId }) => ruleId === 'unreadable-folder')
  const unseen = folders.map(({ file, message }) => ` \`${file}\`: ${message}`).join('')
  return new UsageError(
    `No thread id starts with \`${target}\`, and there is no such file. Looked in ${places.join(', ')}; \`codex-export list\` lists the sessions.${unseen}`,
  )
}

/** The thread of the rollout at a path. Throws `UsageError` where there is none, and for a folder with several. */
export function threadAt(path: string, { catalog: { threads }, diagnostics }: SurveyedPath): Thread {
  const [thread] = threads
  if (thread === undefined) throw noSession(path, diagnostics)
  if (threads.length > 1)
    throw new UsageError(`\`${path}\` holds ${formatAmount(threads.length, 'session')}: name the rollout of one.`)
  return thread
}

/** What was found at a path. */
interface SurveyedPath extends Pick<SearchedPlaces, 'diagnostics'> {
  catalog: { threads: readonly Thread[] }
}

/** What to say of a path at which no session was found, with what is wrong with the file. */
export function noSession(
  path: string,
  diagnostics: readonly Diagnostic[],
  otherwise = 'holds no session',
): UsageError {
  const faults = diagnostics.filter(({ level, file = '' }) => level !== 'info' && baseName(file) === baseName(path))
  const reasons = faults.map(({ message }) => message).join(' ')
  return new UsageError(reasons === '' ? `\`${path}\` ${otherwise}.` : `\`${path}\`: ${reasons}`)
}

function isNamed(file = '', target: string): boolean {
  return file.toLowerCase().includes(`-${target.toLowerCase()}`)
}

/**
 * Whether a thread belongs to a project, given in lower case: by any part of its folders, remote or branch, with either kind of
 * slash, or by the project's name.
 */
export function isOfProject(thread: ThreadFacts, project: string): boolean {
  const values = [...thread.cwds, thread.remote, thread.branch].map((text) => text?.toLowerCase() ?? '')
  if (values.some((text) => text.includes(project) || withSlashes(text).includes(withSlashes(project)))) return true
  return projectOf(thread).name.toLowerCase() === project
}

const withSlashes = (path: string): string => path.replaceAll('\\', '/')

function isWithin(thread: ThreadFacts, { since, before }: ThreadFilter): boolean {
  if (since === undefined && before === undefined) return true
  const start = thread.startedAt ?? thread.endedAt
  const end = thread.endedAt ?? thread.startedAt
  if (start === undefined || end === undefined) return false
  return (since === undefined || Date.parse(end) >= since) && (before === undefined || Date.parse(start) < before)
}

// Dates as people type them for `--since` and `--until`.

const day = 86_400_000

/** What relative dates and dates without a zone refer to. */
interface Calendar {
  /** Milliseconds since the epoch. */
  now: number
  /** IANA time zone in which days begin and end. */
  timeZone: string
}

/** A half-open span of milliseconds since the epoch. */
interface Span {
  start: number
  end: number
}

/**
 * The span that a date means: a whole day (`2026-03-14`, `yesterday`, `monday` for the latest one), a month (`2026-03`) or year,
 * a period (`last week`; weeks begin on Monday), a minute or second of the zone (`2026-03-14 09:26`), an instant with its own zone
 * (`2026-03-14T09:26:53Z`), or an age (`12h`, `7d`, `2w`, `3m` of 30 days, `3 days ago`). Throws a `UsageError` for anything
 * else; its text must suit a flag, a variable, a configuration file, a query and a program.
 */
function parseMoment(written: string, calendar: Calendar): Span {
  const text = written.trim()
  const words = text.toLowerCase().replace(/[\s_-]+(?=[a-z])/g, ' ')
  const instant = parseAge(words, calendar) ?? parseInstant(text)
  if (instant !== undefined) return { start: instant, end: instant + 1 }
  const days = daysByName(words, calendar) ?? writtenDays(text)
  const span = days === undefined ? localSpan(text, calendar.timeZone) : spanOf(days, calendar.timeZone)
  if (span !== undefined) return span
  throw new UsageError(
    `Cannot read the date \`${text}\`: expected a day such as \`2026-03-14\` or \`yesterday\`, a period such as ` +
      '`last week` or `2026-03`, a time such as `2026-03-14 09:26` or `2026-03-14T09:26:53Z`, or an age such as `12h`, `7d` or `2 weeks ago`.',
  )
}

/** The first day of a period and the first day after it, as numbers of days since the epoch. */
type Days = readonly [first: number, next: number]

function spanOf([first, next]: Days, timeZone: string): Span | undefined {
  const [start, end] = [startOfDay(nameOfDay(first), timeZone), startOfDay(nameOfDay(next), timeZone)]
  return start === undefined || end === undefined ? undefined : { start, end }
}

const nameOfDay = (number: number): string => new Date(number * day).toISOString().slice(0, 10)

/** `2026-03-14`, `2026-03` or `2026`; `undefined` for a day that does not exist. */
function writtenDays(text: string): Days | undefined {
  if (!/^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(text)) return undefined
  const first = Date.parse(`${text}-01-01`.slice(0, 10)) / day
  if (Number.isNaN(first) || !nameOfDay(first).startsWith(text)) return undefined
  if (text.length === 4) return [first, yearOf(first, 1)]
  return [first, text.length === 7 ? monthOf(first, 1) : first + 1]
}

/** Days and periods by name, relative to today in the zone. */
function daysByName(words: string, { now, timeZone }: Calendar): Days | undefined {
  return namedDays(words, Date.parse(`${formatInstant(new Date(now).toISOString(), timeZone, 'day')}T00:00:00Z`) / day)
}

const longUnits: Readonly<Record<string, string>> = { hour: 'h', day: 'd', week: 'w', month: 'm', year: 'y' }

function parseAge(words: string, { now }: Calendar): number | undefined {
  const short = /^(\d{1,6})([hdwmy])$/.exec(words)
  const [, count, unit = ''] = short ?? /^(\d{1,6}) (hour|day|week|month|year)s? ago$/.exec(words) ?? []
  return count === undefined ? undefined : now - Number(count) * (ageDays[longUnits[unit] ?? unit] ?? 1) * day
}

/** An instant with a zone. `undefined` for one on a day that does not exist. */
function parseInstant(written: string): number | undefined {
  const text = written.replace(/^(\S+)\s+(\S+)\s*/, '$1T$2')
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)) return undefined
  // `Date.parse` reads 30 February as 2 March.
  if (writtenDays(text.slice(0, 10)) === undefined) return undefined
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? undefined : instant
}

/** A minute or second as clocks of the zone show it, which happens twice when they are put back. */
function localSpan(text: string, timeZone: string): Span | undefined {
  const [, date = '', time = '', second] = /^(\d{4}-\d\d-\d\d)(?:T|\s+)(\d\d:\d\d)(:\d\d)?$/.exec(text) ?? []
  if (writtenDays(date) === undefined) return undefined
  const [first, last] = instantsAt(`${date}T${time}${second ?? ':00'}`, timeZone)
  if (first === undefined) return undefined
  return { start: first, end: (last ?? first) + (second === undefined ? 60_000 : 1000) }
}

// Days of a time zone as instants.

const hour = 3_600_000

/**
 * The first millisecond of a day (`YYYY-MM-DD`) in a zone; `undefined` for a day that does not exist. Also correct if clocks
 * change at midnight.
 */
export function startOfDay(day: string, timeZone: string): number | undefined {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return undefined
  // Zones range from UTC-12 to UTC+14; within 15 hours of UTC midnight, the local day changes to `day` exactly once.
  let before = midnight - 15 * hour
  let after = midnight + 15 * hour
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (formatInstant(new Date(middle).toISOString(), timeZone, 'day') < day) before = middle
    else after = middle
  }
  return after
}
