/** Weeks and months as equal steps of a plot. */
import { dayNumber, dayOf, dayOfNumber, monthOf, monthTitle, shortDayTitle, undated } from '../dates.ts'

/** Weeks that are plotted one by one; a longer history goes by months. */
const mostWeeks = 104
/** Months that are plotted; what is older is left out. */
const mostMonths = 120

/** Steps from the first to the newest instant, without gaps, oldest first. */
export interface Steps {
  unit: 'week' | 'month'
  /** First day of each step, `YYYY-MM-DD`. */
  starts: string[]
  /** Index of an instant's step; `undefined` for one without a date or before the first step. */
  indexOf: (at: string | undefined) => number | undefined
}

/** Steps over the span of some instants in a zone. */
export function stepsOver(instants: readonly (string | undefined)[], timeZone: string): Steps {
  const days = [...new Set(instants.map((at) => dayOf(at, timeZone)))].filter((day) => day !== undated).sort()
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return { unit: 'week', starts: [], indexOf: () => undefined }
  const weeks = weeksBetween(first, last)
  const isLong = weeks > mostWeeks
  const starts = isLong ? monthStarts(first, last) : weekStarts(first, weeks)
  const places = new Map(starts.map((start, index) => [start, index]))
  const startOf = (at: string | undefined): string => {
    const day = dayOf(at, timeZone)
    if (day === undated) return day
    return isLong ? `${monthOf(at, timeZone)}-01` : mondayOf(day)
  }
  return { unit: isLong ? 'month' : 'week', starts, indexOf: (at) => places.get(startOf(at)) }
}

/** `Week of 3 November 2026` or `November 2026`. */
export function stepTitle(start: string, unit: Steps['unit']): string {
  return unit === 'week' ? `Week of ${shortDayTitle(start)}` : monthTitle(start.slice(0, 7))
}

/** Monday of a day's week. 1970-01-01 was a Thursday. */
function mondayOf(day: string): string {
  const number = dayNumber(day)
  return dayOfNumber(number - ((number + 3) % 7))
}

function weeksBetween(first: string, last: string): number {
  return (dayNumber(mondayOf(last)) - dayNumber(mondayOf(first))) / 7 + 1
}

function weekStarts(first: string, count: number): string[] {
  const start = dayNumber(mondayOf(first))
  return Array.from({ length: count }, (_, index) => dayOfNumber(start + 7 * index))
}

function monthStarts(first: string, last: string): string[] {
  const [from, to] = [monthNumber(first), monthNumber(last)]
  const start = Math.max(from, to - mostMonths + 1)
  return Array.from({ length: to - start + 1 }, (_, index) => {
    const number = start + index
    const year = String(Math.floor(number / 12)).padStart(4, '0')
    return `${year}-${String((number % 12) + 1).padStart(2, '0')}-01`
  })
}

function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}
