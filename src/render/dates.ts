/** Days and months as headings. */

import { formatInstant, type InstantStyle } from '../util/time.ts'
import type { TimeView } from './views.ts'

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Key of sessions without a known start. */
export const undated = 'undated'

/** `YYYY-MM-DD` of an instant in a zone, or `undated`. */
export function dayOf(at: string | undefined, timeZone: string): string {
  const day = at === undefined ? undated : formatInstant(at, timeZone, 'day')
  return /^\d{4}-\d\d-\d\d$/.test(day) ? day : undated
}

/** `YYYY-MM` of an instant in a zone, or `undated`. */
export function monthOf(at: string | undefined, timeZone: string): string {
  const day = dayOf(at, timeZone)
  return day === undated ? undated : day.slice(0, 7)
}

/** An instant as templates show it; `undefined` if it is not known. */
export function timeView(at: string | undefined, timeZone: string, style: InstantStyle): TimeView | undefined {
  return at === undefined ? undefined : { iso: at, text: formatInstant(at, timeZone, style) }
}

/** `Thursday, 12 November 2026` of `YYYY-MM-DD`. */
export function dayTitle(day: string): string {
  if (day === undated) return 'Without a date'
  const weekday = weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? ''
  return `${weekday}, ${shortDayTitle(day)}`
}

/** `dayTitle` in pieces; a narrow column omits every second one: `Thu`, `rsday`, `, 12 Nov`, `ember`, ` 2026`. */
export function dayPieces(day: string): string[] {
  return dayTitle(day).split(/(?<=\b[A-Z][a-z]{2})([a-z]*)(?=, | \d{4})/)
}

/** `12 November 2026` of `YYYY-MM-DD`. */
export function shortDayTitle(day: string): string {
  return day === undated ? 'Without a date' : `${Number(day.slice(8, 10))} ${monthTitle(day.slice(0, 7))}`
}

/** Id of a day's heading in a list. */
export function dayAnchor(day: string): string {
  return `d-${day}`
}

/** `November 2026` of `YYYY-MM`. */
export function monthTitle(month: string): string {
  if (month === undated) return 'Without a date'
  return `${months[Number(month.slice(5, 7)) - 1] ?? month} ${month.slice(0, 4)}`
}

/** `Nov` of `YYYY-MM`. */
export function monthShort(month: string): string {
  return monthTitle(month).slice(0, 3)
}

const millisecondsPerDay = 86_400_000

/** Days since 1970-01-01 of `YYYY-MM-DD`, for counting days independently of zones. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / millisecondsPerDay
}

/** `YYYY-MM-DD` of a number of days since 1970-01-01. */
export function dayOfNumber(number: number): string {
  return new Date(number * millisecondsPerDay).toISOString().slice(0, 10)
}
