// Days as people name them in a question, a filter or an option: `yesterday`, `monday`, `last week`, `7d`.

/** The number of days in each unit of an age. */
export const ageDays = { h: 1 / 24, d: 1, w: 7, m: 30, y: 365 }

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** The number of the first day of the month that contains a day, or of the month `later` months after it. */
export function monthOf(number, later = 0) {
  const at = new Date(number * 864e5)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later) / 864e5
}

/** The number of the first day of the year that contains a day, or of the year `later` years after it. */
export function yearOf(number, later = 0) {
  return Date.UTC(new Date(number * 864e5).getUTCFullYear() + later, 0) / 864e5
}

function periods(today) {
  // The epoch was a Thursday.
  const monday = today - ((today + 3) % 7)
  return {
    today: [today, today + 1],
    yesterday: [today - 1, today],
    'this week': [monday, monday + 7],
    'last week': [monday - 7, monday],
    'this month': [monthOf(today), monthOf(today, 1)],
    'last month': [monthOf(today, -1), monthOf(today)],
    'this year': [yearOf(today), yearOf(today, 1)],
    'last year': [yearOf(today, -1), yearOf(today)],
    ...Object.fromEntries(
      weekdays.flatMap((name, at) => [
        [name, dayBefore(monday + at, today)],
        // The name of today's weekday means today, and with `last` the same day a week ago.
        [`last ${name}`, dayBefore(monday + at, today - 1)],
      ]),
    ),
  }
}

/** The last day, `latest` at most, that falls on a weekday; `weekday` is that weekday in the current week. */
function dayBefore(weekday, latest) {
  const found = weekday <= latest ? weekday : weekday - 7
  return [found, found + 1]
}

/**
 * The first day of a named period and the first day after it, as numbers of days since the epoch; `undefined` for any other
 * words. Names are in lower case with single spaces. Weeks begin on Monday.
 */
export function namedDays(words, today) {
  return new Map(Object.entries(periods(today))).get(words)
}

/** Whether a text is, or is the beginning of, a day, a month, a year, an age or a name of days. */
export function mayBeDays(text) {
  const words = text.toLowerCase().replace(/[\s_-]+(?=[a-z])/g, ' ')
  if (/^(?:\d{1,4}|\d{4}-(?:\d|\d\d(?:-\d{0,2})?)?|\d{1,6}[hdwmy])$/.test(words)) return true
  return /^[a-z]/.test(words) && Object.keys(periods(0)).some((name) => name.startsWith(words))
}
