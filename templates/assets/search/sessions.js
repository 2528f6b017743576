// What the search knows of each session in addition to its text: filters, and the number of sessions for each of their values.

import { ageDays, namedDays } from './days.js'
import { states } from './grammar.js'

/** The sessions as rows, newest first. */
export function rowsOf({ sessions }) {
  return sessions.map(
    ([id, date, last, project, models, branch, label, tags, failed, agent, state, fields = {}], number) => ({
      ...{ number, id, date, last: last || date.slice(0, 10), project, model: models, branch, label, tag: tags, state },
      ...Object.fromEntries(Object.entries(fields).map(([name, values]) => [`x-${name}`, values])),
      ...{ errors: failed ? 'yes' : '', agent: agent ? 'yes' : 'no' },
    }),
  )
}

/** The rows with the reader's own star and tags added to their tags; `wordsOf`, absent if there are none, returns them by id. */
export function withOwnTags(rows, wordsOf) {
  return wordsOf === undefined ? rows : rows.map((row) => ({ ...row, tag: [...row.tag, ...wordsOf(row.id)] }))
}

/** The filters whose values are counted: our own, and fields of plugins. */
function namesOf(rows) {
  return [...counts, ...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => name.startsWith('x-'))))]
}

const counts = ['project', 'tag', 'model', 'branch', 'label', 'state', 'errors', 'agent']

/** The number of sessions by filter and value. */
export function counted(rows, names = namesOf(rows)) {
  const sums = {}
  for (const row of rows) {
    for (const name of names) {
      for (const value of new Set([row[name] ?? ''].flat())) {
        if (value === '') continue
        // A branch may be called `constructor`.
        sums[name] ??= Object.create(null)
        sums[name][value] = (sums[name][value] ?? 0) + 1
      }
    }
  }
  return sums
}

/** A day by its number; one before the first that dates can have becomes that one. */
const isoDay = (number) => new Date(Math.max(number * 864e5, -864e13)).toISOString().slice(0, 10)

/** The current time in a zone as a number of days since the epoch, because rows have days of the site's zone. */
function daysNow(timeZone) {
  const now = Date.now()
  try {
    // Swedish writes `2026-03-14 09:26:53`.
    const local = Date.parse(`${new Date(now).toLocaleString('sv', { timeZone }).replace(' ', 'T')}Z`)
    return (local || now) / 864e5
  } catch {
    // This browser does not know the zone.
    return now / 864e5
  }
}

/** The first or the last day of a period that was typed; for an incomplete name, a day that excludes nothing. */
function dayOf(typed, isLast, now) {
  const [, count, unit] = /^(\d+)([hdwmy])$/.exec(typed) ?? []
  if (unit !== undefined) return isoDay(now - count * ageDays[unit])
  if (!/^[a-z]/.test(typed)) return typed
  const days = namedDays(typed.replace(/[\s_-]+/g, ' '), Math.floor(now))
  if (days === undefined) return isLast ? '9' : ''
  return isoDay(isLast ? days[1] - 1 : days[0])
}

/** Whether a date is not later than the end of a day, a month or a year. */
function isUpTo(date, day) {
  return date.slice(0, day.length) <= day
}

/** The tests of operators, whose values are in lower case: parts of names, beginnings of days, and states. */
const operators = {
  project: (row, value) => row.project.toLowerCase().includes(value),
  model: (row, value) => row.model.some((name) => name.toLowerCase().includes(value)),
  person: (row, value) => row.label.toLowerCase().includes(value),
  tag: (row, value) => row.tag.some((name) => name.toLowerCase().includes(value)),
  after: (row, value, now) => row.last >= dayOf(value, false, now),
  before: (row, value, now) => row.date !== '' && isUpTo(row.date, dayOf(value, true, now)),
  is: (row, value) => (value === 'failed' ? row.errors === 'yes' : states[value]?.includes(row.state) === true),
}

/** Whether a row has one of an operator's values and none of its excluded ones; of several days, the last one counts. */
function passesAll(row, [name, values], now) {
  const test = ({ value }) => operators[name](row, value.toLowerCase(), now)
  if (name === 'after' || name === 'before') return values.slice(-1).every(test)
  const [unwanted, wanted] = [true, false].map((side) => values.filter(({ isExcluded }) => isExcluded === side))
  return (wanted.length === 0 || wanted.some(test)) && !unwanted.some(test)
}

/** Whether a row passes a filter of the form: it has one of the values, or was active from or up to a day, inclusively. */
function passes(row, name, values) {
  if (name === 'from') return row.last >= values[0]
  if (name === 'to') return row.date !== '' && row.date.slice(0, 10) <= values[0]
  return values.some((value) => [row[name]].flat().includes(value))
}

/**
 * `shown` are the rows that pass all filters and operators; `counts` has, for each filter, the number of sessions that each of
 * its values would leave with the other filters unchanged. Days such as `today` are those of `timeZone`.
 */
export function passing(all, { filters, asked, timeZone = 'UTC' }) {
  const now = daysNow(timeZone)
  const rows = all.filter((row) => Object.entries(asked).every((one) => passesAll(row, one, now)))
  const chosen = Object.entries(filters)
    .map(([name, values]) => [name, [values].flat()])
    .filter(([, values]) => values[0] !== undefined)
  const left = (except) =>
    rows.filter((row) => chosen.every(([name, values]) => name === except || passes(row, name, values)))
  const sums = Object.assign({}, ...namesOf(all).map((name) => counted(left(name), [name])))
  return { shown: left(), counts: sums }
}
