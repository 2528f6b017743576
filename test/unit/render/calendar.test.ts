import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayNumber, dayOfNumber } from '../../../src/render/dates.ts'
import { calendarView } from '../../../src/render/pages/calendar.ts'
import type { CalendarView } from '../../../src/render/views.ts'

function calendar(sessions: Record<string, number>): CalendarView {
  const view = calendarView({ sessions: new Map(Object.entries(sessions)), href: (day) => `${day}.html` })
  if (view === undefined) throw new Error('no calendar')
  return view
}

/** Days without a session. */
const emptySquares = (view: CalendarView) => view.empty.split('M').length - 1
const dayAt = (view: CalendarView, day: string) => view.days.find(({ href }) => href === `${day}.html`)

describe('the calendar of activity', () => {
  it('is absent if no session has a date', () => {
    expect(calendarView({ sessions: new Map(), href: () => '' })).toBeUndefined()
    expect(calendarView({ sessions: new Map([['undated', 3]]), href: () => '' })).toBeUndefined()
  })

  it('ends with the newest day and begins on the Monday 52 weeks before its week', () => {
    // 12 November 2026 is a Thursday: 52 complete weeks and four days.
    const view = calendar({ '2026-11-12': 1, '2025-11-10': 1, '2025-11-09': 1 })
    expect(view.days.map(({ href }) => href)).toEqual(['2025-11-10.html', '2026-11-12.html'])
    expect(view.days.length + emptySquares(view)).toBe(52 * 7 + 4)
  })

  it('puts weeks in columns and days of the week in rows', () => {
    const view = calendar({ '2026-11-12': 1, '2026-11-09': 1, '2026-11-05': 1, '2026-11-08': 1 })
    const [thursday, monday, before, sunday] = ['12', '09', '05', '08'].map((day) => dayAt(view, `2026-11-${day}`))
    expect(monday?.x).toBe(thursday?.x)
    expect(before?.y).toBe(thursday?.y)
    expect(before?.x).toBeLessThan(thursday?.x ?? 0)
    expect(monday?.y).toBeLessThan(thursday?.y ?? 0)
    expect(sunday).toMatchObject({ x: before?.x, y: (monday?.y ?? 0) + 6 * 17 })
  })

  it('describes each day in words, with one session or many', () => {
    const view = calendar({ '2026-11-12': 3, '2026-11-11': 1 })
    expect(view.days.map(({ title }) => title)).toEqual([
      '1 session on 11 November 2026',
      '3 sessions on 12 November 2026',
    ])
    expect(view.days.map(({ newest }) => newest)).toEqual([false, true])
  })

  it('levels days by quarters, so that one busy day does not make all others pale', () => {
    const counts = [1, 2, 3, 4, 5, 6, 7, 900]
    const view = calendar(Object.fromEntries(counts.map((count, index) => [`2026-11-0${index + 1}`, count])))
    expect(view.days.map(({ level }) => level)).toEqual([1, 1, 2, 2, 3, 3, 4, 4])
  })

  it('gives few different counts a level each, the strongest ones', () => {
    const view = calendar({ '2026-11-12': 3, '2026-11-11': 1, '2026-11-10': 1, '2026-11-09': 1, '2026-11-08': 2 })
    expect(view.days.map(({ level }) => level)).toEqual([3, 2, 2, 2, 4])
  })

  it('ignores days before its year in the levels and the summary', () => {
    const view = calendar({ '2026-11-12': 2, '2026-11-11': 1, '2020-01-01': 700, undated: 9 })
    expect(view.summary).toBe('3 sessions on 2 days in the year to 12 November 2026; peak: 2 on 12 November 2026.')
    expect(view.days.map(({ level }) => level)).toEqual([3, 4])
  })

  it('ends before days far from most others, and counts them', () => {
    const view = calendar({ '2026-11-12': 2, '2026-11-11': 1, '2099-01-01': 1, '2099-01-02': 1 })
    expect(view.days.map(({ title, level }) => [title, level])).toEqual([
      ['1 session on 11 November 2026', 3],
      ['2 sessions on 12 November 2026', 4],
    ])
    expect(view.summary).toBe(
      '3 sessions on 2 days in the year to 12 November 2026; peak: 2 on 12 November 2026; 2 sessions dated later.',
    )
  })

  it('names months above their first complete week, and keeps names apart', () => {
    const { months } = calendar({ '2026-11-12': 1 })
    expect(months.map(({ text }) => text).join(' ')).toBe('Nov Dec Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov')
    const gaps = months.slice(1).map(({ x }, index) => x - (months[index]?.x ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2 * 17)
  })

  it('shows every day of its year once and within its bounds, for any days of ten years', () => {
    const day = fc.integer({ min: dayNumber('2030-04-01'), max: dayNumber('2040-03-31') }).map(dayOfNumber)
    fc.assert(
      fc.property(fc.dictionary(day, fc.integer({ min: 1, max: 50 }), { minKeys: 1 }), (sessions) => {
        const view = calendar(sessions)
        const newest = Object.keys(sessions).sort().at(-1) ?? ''
        expect(view.days.at(-1)).toMatchObject({ href: `${newest}.html`, newest: true })
        const squares = view.days.length + emptySquares(view)
        expect(squares).toBeGreaterThan(52 * 7)
        expect(squares).toBeLessThanOrEqual(53 * 7)
        const places = new Set(view.days.map(({ x, y }) => `${x} ${y}`))
        expect(places.size).toBe(view.days.length)
        for (const { x, y } of view.days) {
          expect(x + view.side).toBeLessThanOrEqual(view.width)
          expect(y + view.side).toBeLessThanOrEqual(view.height)
        }
      }),
    )
  })
})
