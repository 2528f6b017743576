/** Days and months as headings. */
import { formatInstant } from '../util/time.ts'

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Key of what has no known start. */
const undated = 'undated'

/** `YYYY-MM-DD` of an instant in a zone, else `undated`. */
export function dayOf(at: string | undefined, timeZone: string): string {
  const day = at === undefined ? undated : formatInstant(at, timeZone, 'day')
  return /^\d{4}-\d\d-\d\d$/.test(day) ? day : undated
}

/** `YYYY-MM` of an instant in a zone, else `undated`. */
export function monthOf(at: string | undefined, timeZone: string): string {
  const day = dayOf(at, timeZone)
  return day === undated ? undated : day.slice(0, 7)
}

/** `Thursday, 12 November 2026` of `YYYY-MM-DD`. */
export function dayTitle(day: string): string {
  if (day === undated) return 'Without a date'
  const weekday = weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? ''
  return `${weekday}, ${Number(day.slice(8, 10))} ${monthTitle(day.slice(0, 7))}`
}

/** `November 2026` of `YYYY-MM`. */
export function monthTitle(month: string): string {
  if (month === undated) return 'Without a date'
  return `${months[Number(month.slice(5, 7)) - 1] ?? month} ${month.slice(0, 4)}`
}
