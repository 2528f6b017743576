import { afterEach, expect, test, vi } from 'vitest'
import { templatesFolder } from '../../../src/config/package-fs.ts'
import { everything, isSelected, readFilters } from '../../../src/survey/select.ts'

const { passing, rowsOf } = await import(`${templatesFolder}assets/search/sessions.js`)

/** A session of several days, one of an evening, and one without a time. */
const rows = rowsOf({
  sessions: [
    ['long', '2026-07-30 21:37', '2026-08-11', 'shop', [], '', '', [], 0, 0, ''],
    ['short', '2026-07-30 20:00', '2026-07-30', 'shop', [], '', '', [], 0, 0, ''],
    ['never', '', '', 'shop', [], '', '', [], 0, 0, ''],
  ],
})

const asked = (name: string, ...values: string[]) => ({
  filters: {},
  asked: { [name]: values.map((value) => ({ value, isExcluded: false })) },
})

test.each([
  ['after:2026-07-31', asked('after', '2026-07-31'), ['long']],
  ['after:2026-07', asked('after', '2026-07'), ['long', 'short']],
  ['before:2026-07-30', asked('before', '2026-07-30'), ['long', 'short']],
  ['before:2026-07-29', asked('before', '2026-07-29'), []],
  ['before:2026-08 before:2026-07-29', asked('before', '2026-08', '2026-07-29'), []],
  ['before:2026-07-29 before:2026-08', asked('before', '2026-07-29', '2026-08'), ['long', 'short']],
  ['after:2026-07-31 after:2026-07', asked('after', '2026-07-31', '2026-07'), ['long', 'short']],
  ['after:2026-07 after:2026-07-31', asked('after', '2026-07', '2026-07-31'), ['long']],
  ['after:999999y', asked('after', '999999y'), ['long', 'short']],
  ['before:999999y', asked('before', '999999y'), []],
  ['days of the form', { filters: { from: ['2026-08-01'], to: ['2026-08-02'] }, asked: {} }, ['long']],
])('%s selects sessions that were active then, as `--since` and `--until` do', (_, narrowing, ids) => {
  expect(passing(rows, narrowing).shown.map(({ id }: { id: string }) => id)).toEqual(ids)
})

afterEach(() => {
  vi.useRealTimers()
})

/** Sessions of one day each, over the year before Saturday 14 March 2026, and some days around it. */
const now = Date.parse('2026-03-14T12:00:00Z')
const days = Array.from({ length: 470 }, (_, back) => new Date(now - (back - 20) * 864e5).toISOString().slice(0, 10))
const daily = rowsOf({ sessions: days.map((day) => [day, `${day} 09:00`, day, 'shop', [], '', '', [], 0, 0, '']) })

test.each([
  ...[
    'today',
    'yesterday',
    'this week',
    'last week',
    'This-Month',
    'last month',
    'this year',
    'last year',
    '2025',
    '2026-02',
  ],
  ...['monday', 'saturday', 'last saturday', 'sunday', '2026-03-10', '3d', '2w', '2m', '1y'],
])('%s means the same days in a question on a site as in `--since` and `--until`', (words) => {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  for (const [name, option] of [
    ['after', 'since'],
    ['before', 'until'],
  ] as const) {
    const narrowed = readFilters({ ...everything, [option]: words, timeZone: 'UTC' }, now)
    const isAge = /^\d+[dwmy]$/.test(words)
    const selected = days.filter((day) => {
      // An age is an instant, but a site knows only days.
      const at = isAge ? `${day}T12:00:00Z` : `${day}T09:00:00Z`
      return isSelected({ id: day, archived: false, cwds: [], startedAt: at, endedAt: at }, narrowed)
    })
    expect(passing(daily, asked(name, words)).shown.map(({ id }: { id: string }) => id)).toEqual(selected)
  }
})

test.each([
  ['Asia/Tokyo', '2026-03-14T20:00:00Z', '2026-03-15'],
  ['America/Los_Angeles', '2026-03-15T03:00:00Z', '2026-03-14'],
  ['UTC', '2026-03-14T20:00:00Z', '2026-03-14'],
  ['Not/AZone', '2026-03-14T20:00:00Z', '2026-03-14'],
])('today is the day of the site’s time zone %s', (timeZone, instant, day) => {
  vi.useFakeTimers({ now: Date.parse(instant), toFake: ['Date'] })
  for (const words of ['today', '0d']) {
    const narrowed = { ...asked('after', words), timeZone }
    const newest = passing(daily, narrowed).shown.map(({ id }: { id: string }) => id)
    expect(newest.at(-1)).toBe(day)
  }
})

test('an incomplete name of a day excludes nothing', () => {
  expect(passing(rows, asked('after', 'yest')).shown).toHaveLength(3)
  expect(passing(rows, asked('before', 'yest')).shown).toHaveLength(2)
})
