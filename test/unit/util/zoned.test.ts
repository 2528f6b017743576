import { expect, test } from 'vitest'
import { startOfDay } from '../../../src/survey/select.ts'

test.each([
  ['2026-03-14', 'UTC', '2026-03-14T00:00:00.000Z'],
  ['2026-03-14', 'Asia/Kolkata', '2026-03-13T18:30:00.000Z'],
  ['2026-03-14', 'Pacific/Kiritimati', '2026-03-13T10:00:00.000Z'],
  ['2026-03-14', 'Etc/GMT+12', '2026-03-14T12:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  // The clock went from 23:59:59 to 01:00 here, so the day has no midnight.
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['2024-02-29', 'UTC', '2024-02-29T00:00:00.000Z'],
])('%s in %s begins at %s', (day, timeZone, instant) => {
  expect(new Date(startOfDay(day, timeZone) ?? 0).toISOString()).toBe(instant)
})

test.each(['2026-02-29', '2026-00-01', 'today', ''])('%j is no day', (day) => {
  expect(startOfDay(day, 'UTC')).toBeUndefined()
})
