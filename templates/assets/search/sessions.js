// What the search knows of each session beside its text: filters and their counts, in sessions.

import { ageDays, namedDays } from './days.js'
import { states } from './grammar.js'

/** Sessions as rows, the newest first. */
export function rowsOf({ sessions }) {
  return sessions.map(
    ([id, date, last, project, models, branch, label, tags, failed, agent, state, fields = {}], number) => ({
      ...{ number, id, date, last: last || date.slice(0, 10), project, model: models, branch, label, tag: tags, state },
      ...Object.fromEntries(Object.entries(fields).map(([name, values]) => [`x-${name}`, values])),
      ...{ errors: failed ? 'yes' : '', agent: agent ? 'yes' : 'no' },
    }),
  )
}

/** Rows with what the reader keeps of their sessions among their tags: `wordsOf` gives that by id; absent where nothing is kept. */
export function withOwnTags(rows, wordsOf) {
  return wordsOf === undefined ? rows : rows.map((row) => ({ ...row, tag: [...row.tag, ...wordsOf(row.id)] }))
}

/** Filters of which the values are counted: our own, and fields of plugins. */
function namesOf(rows) {
  return [...counts, ...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => name.startsWith('x-'))))]
}

const counts = ['project', 'tag', 'model', 'branch', 'label', 'state', 'errors', 'agent']

/** Numbers of sessions by filter and value. */
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

const isoDay = (number) => new Date(number * 864e5).toISOString().slice(0, 10)

/** The first day of what was typed, or its last one; a name that is typed on leaves out nothing. */
function dayOf(typed, isLast) {
  const now = Date.now() / 864e5
  const [, count, unit] = /^(\d+)([hdwmy])$/.exec(typed) ?? []
  if (unit !== undefined) return isoDay(now - count * ageDays[unit])
  if (!/^[a-z]/.test(typed)) return typed
  const days = namedDays(typed.replace(/[\s_-]+/g, ' '), Math.floor(now))
  if (days === undefined) return isLast ? '9' : ''
  return isoDay(isLast ? days[1] - 1 : days[0])
}

/** A day counts to its end, as does a month or a year. */
function isUpTo(date, day) {
  return date.slice(0, day.length) <= day
}

/** Operators, by values in small letters: parts of names, days that begin like what was typed, and states. */
const operators = {
  project: (row, value) => row.project.toLowerCase().includes(value),
  model: (row, value) => row.model.some((name) => name.toLowerCase().includes(value)),
  person: (row, value) => row.label.toLowerCase().includes(value),
  tag: (row, value) => row.tag.some((name) => name.toLowerCase().includes(value)),
  after: (row, value) => row.last >= dayOf(value, false),
  before: (row, value) => row.date !== '' && isUpTo(row.date, dayOf(value, true)),
  is: (row, value) => (value === 'failed' ? row.errors === 'yes' : states[value]?.includes(row.state) === true),
}

/** One of the values of an operator that are not excluded, and none of the others; of several days the last that was typed. */
function passesAll(row, name, values) {
  const test = ({ value }) => operators[name](row, value.toLowerCase())
  if (name === 'after' || name === 'before') return values.slice(-1).every(test)
  const [unwanted, wanted] = [true, false].map((side) => values.filter(({ isExcluded }) => isExcluded === side))
  return (wanted.length === 0 || wanted.some(test)) && !unwanted.some(test)
}

/** Filters of a form: one of the values, or a border of the days on which a session was active, both days included. */
function passes(row, name, values) {
  if (name === 'from') return row.last >= values[0]
  if (name === 'to') return row.date !== '' && row.date.slice(0, 10) <= values[0]
  return values.some((value) => [row[name]].flat().includes(value))
}

/**
 * Rows that pass all filters, as `shown`; `counts` has for each filter the sessions that each value would leave with the
 * other filters as they are.
 */
export function passing(all, { filters, asked }) {
  const rows = all.filter((row) => Object.entries(asked).every(([name, values]) => passesAll(row, name, values)))
  const chosen = Object.entries(filters)
    .map(([name, values]) => [name, [values].flat()])
    .filter(([, values]) => values[0] !== undefined)
  const left = (except) =>
    rows.filter((row) => chosen.every(([name, values]) => name === except || passes(row, name, values)))
  const sums = Object.assign({}, ...namesOf(all).map((name) => counted(left(name), [name])))
  return { shown: left(), counts: sums }
}
