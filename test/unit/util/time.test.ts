import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatAmount,
  formatBytes,
  formatCount,
  formatDuration,
  formatInstant,
  isTimeZone,
  timeOf,
} from '../../../src/util/time.ts'

describe('timeOf', () => {
  it.each([
    ['1970-01-01T00:00:01Z', 1000],
    ['soon', undefined],
    [undefined, undefined],
  ])('reads %s as %s', (iso, expected) => {
    expect(timeOf(iso)).toBe(expected)
  })
})

describe('formatInstant', () => {
  it.each([
    ['day', '2026-03-14'],
    ['time', '09:26'],
    ['minute', '2026-03-14 09:26'],
    ['second', '2026-03-14 09:26:53'],
  ] as const)('shows the %s of an instant', (style, text) => {
    expect(formatInstant('2026-03-14T09:26:53.589Z', 'UTC', style)).toBe(text)
  })

  it('shows an instant in the given time zone, even across the date line', () => {
    expect(formatInstant('2026-03-14T23:30:00.000Z', 'Asia/Tokyo')).toBe('2026-03-15 08:30')
  })

  it('follows the summer time of the zone', () => {
    expect(formatInstant('2026-01-14T12:00:00.000Z', 'Europe/Berlin', 'time')).toBe('13:00')
    expect(formatInstant('2026-07-14T12:00:00.000Z', 'Europe/Berlin', 'time')).toBe('14:00')
  })

  it('writes midnight as 00 and gives the same text with and without the UTC short cut', () => {
    expect(formatInstant('2026-03-14T00:05:00.000Z', 'Etc/UTC')).toBe('2026-03-14 00:05')
    expect(formatInstant('2026-03-14T00:05:00+00:00', 'UTC')).toBe('2026-03-14 00:05')
  })

  it('agrees with the formatter of the runtime at any instant, even where clocks change', () => {
    const zone = fc.constantFrom(
      ...['Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Africa/Monrovia', 'Asia/Gaza'],
      ...['America/St_Johns', 'Pacific/Apia', 'Pacific/Chatham', 'Asia/Pyongyang', 'Antarctica/Troll', 'UTC'],
    )
    // Many instants are in the months in which clocks change.
    const anywhere = fc.integer({ min: Date.UTC(1950, 0), max: Date.UTC(2090, 0) })
    const nearChange = fc
      .record({
        year: fc.integer({ min: 1970, max: 2040 }),
        month: fc.constantFrom(2, 3, 8, 9, 10, 11),
        rest: fc.integer({ min: 0, max: 31 * 86_400_000 }),
      })
      .map(({ year, month, rest }) => Date.UTC(year, month) + rest)
    fc.assert(
      fc.property(zone, fc.oneof(anywhere, nearChange), (timeZone, time) => {
        const style = { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23', timeZone } as const
        // Swedish instants have our format.
        const expected = new Intl.DateTimeFormat('sv-SE', style).format(time)
        expect(formatInstant(new Date(time).toISOString(), timeZone, 'second')).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('returns a text that is no instant unchanged', () => {
    expect(formatInstant('yesterday', 'UTC')).toBe('yesterday')
  })
})

describe('isTimeZone', () => {
  it('distinguishes zones from other text', () => {
    expect(isTimeZone('Europe/Lisbon')).toBe(true)
    expect(isTimeZone('Mars/Olympus')).toBe(false)
  })
})

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [340, '340 ms'],
    [1000, '1 s'],
    [6420, '6.4 s'],
    [59_949, '59.9 s'],
    [59_960, '1 min'],
    [123_000, '2 min 3 s'],
    [3_600_000, '1 h'],
    [3_900_000, '1 h 5 min'],
    [86_399_999, '1 d'],
    [266_400_000, '3 d 2 h'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})

describe('counts and sizes', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1_234_567, '1,234,567'],
  ])('%d is written %s', (count, text) => {
    expect(formatCount(count)).toBe(text)
  })

  it('puts a noun in the right number', () => {
    expect(formatAmount(1, 'turn')).toBe('1 turn')
    expect(formatAmount(0, 'turn')).toBe('0 turns')
    expect(formatAmount(2, 'query', 'queries')).toBe('2 queries')
  })

  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1,023 bytes'],
    [1024, '1 KiB'],
    [16 * 1024, '16 KiB'],
    [1_258_291, '1.2 MiB'],
    [1_048_570, '1 MiB'],
    [5 * 1024 ** 4, '5 TiB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })
})
