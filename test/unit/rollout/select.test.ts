import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import {
  everything,
  type Filters,
  isSelected,
  matchThread,
  readFilters,
  type ThreadFacts,
} from '../../../src/survey/select.ts'

const now = Date.parse('2026-03-14T12:00:00Z')

const thread: ThreadFacts = {
  id: '0198C0DE-0000-7000-8000-000000000001',
  archived: false,
  startedAt: '2026-03-10T08:00:00.000Z',
  endedAt: '2026-03-12T23:30:00.000Z',
  cwds: ['/home/ada/Engine', '/tmp/other'],
  remote: 'https://example.com/ada/difference.git',
  branch: 'Feature/Cards',
}

/** Whether the thread passes filters that are read in a time zone. */
function passes(filters: Partial<Filters>, facts: Partial<ThreadFacts> = {}, timeZone = 'UTC'): boolean {
  return isSelected({ ...thread, ...facts }, readFilters({ ...everything, ...filters, timeZone }, now))
}

test('without filters every thread passes', () => {
  expect(passes({})).toBe(true)
  const selection = readFilters({ ...everything, timeZone: 'UTC' }, now)
  expect(isSelected({ id: 'x', archived: true, cwds: [] }, selection)).toBe(true)
})

describe('projects', () => {
  test.each(['engine', 'ADA/ENG', 'difference', 'cards', '/tmp'])('%s matches a folder, remote or branch', (name) => {
    expect(passes({ projects: [name] })).toBe(true)
  })

  test('one of several is enough', () => {
    expect(passes({ projects: ['nothing'] })).toBe(false)
    expect(passes({ projects: ['nothing', 'engine'] })).toBe(true)
    expect(
      isSelected(
        { id: 'x', archived: false, cwds: [] },
        readFilters({ ...everything, projects: ['a'], timeZone: 'UTC' }, now),
      ),
    ).toBe(false)
  })
})

describe('ids and archive', () => {
  test('ids match by their beginning in any letter case', () => {
    expect(passes({ ids: ['0198c0'] })).toBe(true)
    expect(passes({ ids: ['98c0'] })).toBe(false)
    expect(passes({ ids: ['ffff', '0198C0DE'] })).toBe(true)
  })

  test('excluded ids remove threads, even if they are also included', () => {
    expect(passes({ exclude: ['0198c0DE'] })).toBe(false)
    expect(passes({ exclude: ['ffff'], ids: ['0198'] })).toBe(true)
    expect(passes({ exclude: ['0198'], ids: ['0198'] })).toBe(false)
  })

  test.each([
    ['feature/cards', true],
    ['feature/*', true],
    ['*cards', true],
    ['*', true],
    ['feature', false],
    ['feature/card.', false],
    ['feature/*/x', false],
  ])('branch %s matches the whole name: %s', (name, expected) => {
    expect(passes({ branches: ['main', name] })).toBe(expected)
  })

  test('a thread without a branch matches no branch', () => {
    const { branch: _, ...nowhere } = thread
    const selection = readFilters({ ...everything, branches: ['main'], timeZone: 'UTC' }, now)
    expect(isSelected(nowhere, selection)).toBe(false)
  })

  test('archived threads can be selected alone or left out', () => {
    expect([true, false].map((archived) => passes({ archived: true }, { archived }))).toEqual([true, false])
    expect([true, false].map((archived) => passes({ archived: false }, { archived }))).toEqual([false, true])
  })

  test('every kind of filter must pass', () => {
    expect(passes({ projects: ['engine'], ids: ['ffff'] })).toBe(false)
  })
})

describe('dates', () => {
  test.each<[Partial<Filters>, boolean]>([
    [{ since: '2026-03-12' }, true],
    [{ since: '2026-03-13' }, false],
    [{ until: '2026-03-10' }, true],
    [{ until: '2026-03-09' }, false],
    [{ since: '2026-03-11', until: '2026-03-11' }, true],
    [{ since: '2026-03-12T23:30:00Z' }, true],
    [{ since: '2026-03-12T23:30:00.001Z' }, false],
    [{ until: '2026-03-10T09:00+01:00' }, true],
    [{ until: '2026-03-10T08:59+01:00' }, false],
    [{ since: '2d' }, true],
    [{ since: '36h' }, false],
    [{ until: '1w' }, false],
    [{ since: '1w', until: '4d' }, true],
  ])('%j', (filters, expected) => {
    expect(passes(filters)).toBe(expected)
  })

  test('days are those of the time zone', () => {
    const late = { since: '2026-03-13' }
    expect(passes(late, {}, 'Europe/Berlin')).toBe(true)
    expect(passes(late, {}, 'America/New_York')).toBe(false)
  })

  // The time is noon on Saturday, 14 March 2026.
  test.each([
    ['today', '2026-03-14', '2026-03-14'],
    ['Yesterday', '2026-03-13', '2026-03-13'],
    ['this week', '2026-03-09', '2026-03-15'],
    ['last-week', '2026-03-02', '2026-03-08'],
    ['this month', '2026-03-01', '2026-03-31'],
    ['last month', '2026-02-01', '2026-02-28'],
    ['2026-02', '2026-02-01', '2026-02-28'],
    ['2025', '2025-01-01', '2025-12-31'],
    ['last year', '2025-01-01', '2025-12-31'],
    ['monday', '2026-03-09', '2026-03-09'],
    ['saturday', '2026-03-14', '2026-03-14'],
    ['last saturday', '2026-03-07', '2026-03-07'],
    ['sunday', '2026-03-08', '2026-03-08'],
  ])('%s begins on %s and ends on %s', (words, first, last) => {
    for (const timeZone of ['UTC', 'America/New_York']) {
      const all = { ...everything, timeZone }
      const { since, before } = readFilters({ ...all, since: words, until: words }, now)
      expect({ since, before }).toEqual({
        since: readFilters({ ...all, since: first }, now).since,
        before: readFilters({ ...all, until: last }, now).before,
      })
    }
  })

  test.each([
    ['3 days ago', '3d'],
    [' 2026-03-12 ', '2026-03-12'],
    [' 2026-03-12T09:26:53Z', '2026-03-12T09:26:53Z'],
    ['2026-03-12 09:26:53Z', '2026-03-12T09:26:53Z'],
    ['2026-03-12 09:26:53 +01:00', '2026-03-12T08:26:53Z'],
    ['2026-03-12  09:26', '2026-03-12T09:26:00Z'],
    ['1 week ago', '1w'],
    ['12 hours ago', '12h'],
    ['30 days ago', '1m'],
    ['2 months ago', '60d'],
    ['1 year ago', '365d'],
  ])('%s is %s', (words, short) => {
    const all = { ...everything, timeZone: 'UTC' }
    expect(readFilters({ ...all, since: words }, now)).toEqual(readFilters({ ...all, since: short }, now))
  })

  test.each([
    ['2026-03-12 09:26', '2026-03-12T13:26:00Z', '2026-03-12T13:27:00Z'],
    ['2026-03-12T09:26', '2026-03-12T13:26:00Z', '2026-03-12T13:27:00Z'],
    ['2026-03-12 09:26:53', '2026-03-12T13:26:53Z', '2026-03-12T13:26:54Z'],
    // Clocks skip this time, and show the other one twice.
    ['2026-03-08 02:30', '2026-03-08T07:30:00Z', '2026-03-08T07:31:00Z'],
    ['2025-11-02 01:30', '2025-11-02T05:30:00Z', '2025-11-02T06:31:00Z'],
  ])('%s is a time of the zone, as lists show it', (text, start, end) => {
    const all = { ...everything, timeZone: 'America/New_York' }
    expect(readFilters({ ...all, since: text, until: text }, now)).toMatchObject({
      since: Date.parse(start),
      before: Date.parse(end),
    })
  })

  test('a thread passes a date filter with one known time, and with none it does not', () => {
    const { startedAt: _, endedAt: __, ...timeless } = thread
    const filters = { ...everything, since: '2020-01-01', timeZone: 'UTC' }
    expect(isSelected(timeless, readFilters(filters, now))).toBe(false)
    const started = { ...timeless, startedAt: '2026-03-10T08:00:00.000Z' }
    expect(isSelected(started, readFilters(filters, now))).toBe(true)
  })

  test.each([
    'yesterdays',
    'next week',
    '5 eons ago',
    'constructor',
    '2026-02-30',
    '2026-02-30T09:26:53Z',
    '2026-13-01',
    '2026-3-1',
    '2026-03-14T09',
    '2026-03-14 25:00',
    '2026-02-30 09:26',
    '2026-03-14 09:26 or so',
    '7',
    'd7',
    '7x',
    '',
  ])('%j is a usage error', (text) => {
    expect(() => passes({ since: text })).toThrow(UsageError)
    expect(() => passes({ until: text })).toThrow(`Cannot read the date \`${text}\`: expected a day`)
  })

  test.each([
    ['2026-03-14', '2026-03-13'],
    ['2026-03', '2026-02-28'],
    ['2d', '5d'],
    ['2026-03-14 09:31', '2026-03-14 09:30'],
  ])('a period from %j to %j is a usage error', (since, until) => {
    const read = (): unknown => readFilters({ ...everything, since, until, timeZone: 'UTC' }, now)
    expect(read).toThrow(UsageError)
    expect(read).toThrow(`The period ends before it begins: \`${since}\` (since) is later than \`${until}\` (until).`)
  })

  test.each([
    ['2026-03-14', '2026-03-14'],
    ['2026-03-14', '2026-03'],
    ['5d', '5d'],
    ['2026-03-14T09:30:00Z', '2026-03-14T09:30:00Z'],
  ])('a period from %j to %j is read', (since, until) => {
    expect(() => readFilters({ ...everything, since, until, timeZone: 'UTC' }, now)).not.toThrow()
  })
})

describe('matchThread', () => {
  const ids = ['abcd-2', 'abcd-1', 'abcd', 'ef']

  test('finds a thread by any unambiguous beginning of its id, in any letter case', () => {
    expect(matchThread(ids, 'E')).toEqual({ kind: 'one', id: 'ef' })
  })

  test('takes a whole id even if others begin with it', () => {
    expect(matchThread(ids, 'ABCD')).toEqual({ kind: 'one', id: 'abcd' })
  })

  test('lists all ids with an ambiguous beginning in order', () => {
    expect(matchThread(ids, 'abc')).toEqual({ kind: 'ambiguous', candidates: ['abcd', 'abcd-1', 'abcd-2'] })
  })

  test('finds nothing if no id begins with the text or if it is empty', () => {
    expect(matchThread(ids, 'b')).toEqual({ kind: 'none' })
    expect(matchThread(ids, '')).toEqual({ kind: 'none' })
  })
})
