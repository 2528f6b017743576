/** Activity of a year as a calendar: weeks as columns, one square per day. */

import { compareText } from '../../util/compare.ts'
import { sumBy } from '../../util/groups.ts'
import { formatAmount } from '../../util/time.ts'
import { dayNumber, dayOfNumber, monthShort, shortDayTitle, undated } from '../dates.ts'
import { fullestSpan } from '../plots.ts'
import type { CalendarDayView, CalendarView } from '../views.ts'

/** Sizes and positions of squares in pixels; 53 weeks are as wide as a list. */
const side = 14
const step = 17
const left = 30
const top = 20
const weeks = 53

/** Columns that a month's name needs. */
const labelColumns = 2

/** Sessions by day; `href` gives the link of a day. */
interface Activity {
  sessions: ReadonlyMap<string, number>
  href: (day: string) => string
}

/**
 * The calendar of the year up to the newest day with sessions, ignoring days far from most others; `undefined` if no
 * session has a date.
 */
export function calendarView({ sessions, href }: Activity): CalendarView | undefined {
  const [, newest] = fullestSpan(sessions)
  if (newest === undefined) return undefined
  const last = dayNumber(newest)
  const first = last - weekday(last) - (weeks - 1) * 7
  const levelOf = levels([...sessions].filter(([day]) => day !== undated && day <= newest && dayNumber(day) >= first))
  const days: CalendarDayView[] = []
  const empty: string[] = []
  for (let number = first; number <= last; number++) {
    const day = dayOfNumber(number)
    const count = sessions.get(day) ?? 0
    const [x, y] = [left + Math.floor((number - first) / 7) * step, top + weekday(number) * step]
    if (count === 0) empty.push(`M${x + 1} ${y + 1}h${side - 2}v${side - 2}h${2 - side}z`)
    else days.push({ x, y, level: levelOf(count), href: href(day), title: dayText(count, day), newest: day === newest })
  }
  return {
    width: left + weeks * step,
    height: top + 7 * step,
    side,
    months: monthLabels(first),
    weekdays: ['Mon', 'Wed', 'Fri'].map((text, index) => ({ text, y: top + 2 * index * step + side - 3 })),
    empty: empty.join(''),
    days,
    summary: summary(sessions, dayOfNumber(first), newest),
  }
}

/** 0 for Monday to 6 for Sunday. */
function weekday(number: number): number {
  return (number + 3) % 7
}

/** Level 1 to 4 of a count, by the quartiles of the days with sessions; up to four different counts get the top levels. */
function levels(days: readonly (readonly [string, number])[]): (count: number) => number {
  const counts = days.map(([, count]) => count).sort((a, b) => a - b)
  const distinct = [...new Set(counts)]
  if (distinct.length <= 4) return (count) => 5 - distinct.length + distinct.indexOf(count)
  const quartiles = [1, 2, 3].map((part) => counts[Math.ceil((counts.length * part) / 4) - 1] ?? 0)
  return (count) => 1 + quartiles.filter((quartile) => count > quartile).length
}

/** A name above the first week of each month, unless it would run into the next name. */
function monthLabels(first: number): { text: string; x: number }[] {
  const labels: { text: string; column: number }[] = []
  for (let column = 0; column < weeks; column++) {
    const month = dayOfNumber(first + column * 7).slice(0, 7)
    const text = monthShort(month)
    if (labels.at(-1)?.text !== text) labels.push({ text, column })
  }
  return labels
    .filter(({ column }, index) => (labels[index + 1]?.column ?? weeks) - column >= labelColumns)
    .map(({ text, column }) => ({ text, x: left + column * step }))
}

function dayText(count: number, day: string): string {
  return `${formatAmount(count, 'session')} on ${shortDayTitle(day)}`
}

/** `214 sessions on 87 days in the year to 21 November 2026; peak: 14 on 3 March 2026; 1 session dated later.` */
function summary(sessions: ReadonlyMap<string, number>, from: string, to: string): string {
  const all = [...sessions].filter(([day]) => day >= from && day !== undated).sort(([a], [b]) => compareText(a, b))
  const days = all.filter(([day]) => day <= to)
  const total = sumBy(days, ([, count]) => count)
  const later = sumBy(all, ([, count]) => count) - total
  const [busiest, highest] = days.reduce((best, day) => (day[1] >= best[1] ? day : best), ['', 0])
  const span = `${formatAmount(total, 'session')} on ${formatAmount(days.length, 'day')} in the year to ${shortDayTitle(to)}`
  const peak = days.length < 2 || highest < 2 ? '' : `; peak: ${highest} on ${shortDayTitle(busiest)}`
  return `${span}${peak}${later === 0 ? '' : `; ${formatAmount(later, 'session')} dated later`}.`
}
