// Days as people name them in a question, a filter or an option: `yesterday`, `monday`, `last week`, `7d`.

/** How many days an age has, by its unit. */
export const ageDays = { h: 1 / 24, d: 1, w: 7, m: 30, y: 365 }

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** Number of the first day of the month around a day, or of one so many months later. */
export function monthOf(number, later = 0) {
  const at = new Date(number * 864e5)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later) / 864e5
}

/** Number of the first day of the year around a day, or of one so many years later. */
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
        // Today counts as its own weekday, unless the one before is asked for.
        [`last ${name}`, dayBefore(monday + at, today - 1)],
      ]),
    ),
  }
}

/** The latest day of a weekday up to a day. */
function dayBefore(weekday, latest) {
  const found = weekday <= latest ? weekday : weekday - 7
  return [found, found + 1]
}

/**
 * The first day of a named period and the first behind it, in small letters with single blanks, as numbers of days since the
 * epoch. Weeks begin on Monday. Nothing for other words.
 */
export function namedDays(words, today) {
  return new Map(Object.entries(periods(today))).get(words)
}

/** Whether a text is a day, a month, a year, an age or a name of days, as far as it is typed. */
export function mayBeDays(text) {
  const words = text.toLowerCase().replace(/[\s_-]+(?=[a-z])/g, ' ')
  if (/^(?:\d{1,4}|\d{4}-(?:\d|\d\d(?:-\d{0,2})?)?|\d{1,6}[hdwmy])$/.test(words)) return true
  return /^[a-z]/.test(words) && Object.keys(periods(0)).some((name) => name.startsWith(words))
}
