/** Dates as people type them for `--since` and `--until`. */
import { UsageError } from '../diagnostics/errors.ts'
import { startOfDay } from '../util/zoned.ts'

const day = 86_400_000
const units: Readonly<Record<string, number>> = { h: day / 24, d: day, w: 7 * day }

/** What relative and zoneless dates refer to. */
export interface Calendar {
  /** Milliseconds since the epoch. */
  now: number
  /** IANA zone of days. */
  timeZone: string
}

/**
 * The half-open span of milliseconds that a date means: a whole day (`2026-03-14`), an instant with zone
 * (`2026-03-14T09:26:53Z`), or so long ago (`12h`, `7d`, `2w`). Throws `UsageError` for anything else; `option` is
 * named there.
 */
export function parseMoment(text: string, option: string, calendar: Calendar): { start: number; end: number } {
  const [, count, unit = ''] = text.match(/^(\d{1,6})([hdw])$/) ?? []
  const instant = count === undefined ? parseInstant(text) : calendar.now - Number(count) * (units[unit] ?? day)
  if (instant !== undefined) return { start: instant, end: instant + 1 }
  const start = /^\d{4}-\d\d-\d\d$/.test(text) ? startOfDay(text, calendar.timeZone) : undefined
  if (start === undefined) {
    throw new UsageError(
      `Cannot read \`${text}\` given to \`${option}\`: expected a day such as \`2026-03-14\`, ` +
        'an instant such as `2026-03-14T09:26:53Z`, or an age such as `12h`, `7d` or `2w`.',
    )
  }
  const next = new Date(Date.parse(`${text}T00:00:00Z`) + day).toISOString().slice(0, 10)
  return { start, end: startOfDay(next, calendar.timeZone) ?? start + day }
}

/** Without a zone the instant would depend on the machine. */
function parseInstant(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)) return undefined
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? undefined : instant
}
