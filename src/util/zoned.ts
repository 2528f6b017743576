/** Days of a time zone as instants. */
import { formatInstant } from './time.ts'

const hour = 3_600_000

/**
 * The first millisecond of a day (`YYYY-MM-DD`) in a zone, or `undefined` for a day that no calendar has. Right also
 * where clocks change at midnight.
 */
export function startOfDay(day: string, timeZone: string): number | undefined {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return undefined
  // Zones lie between UTC-12 and UTC+14; within that span the local day changes to `day` exactly once.
  let before = midnight - 15 * hour
  let after = midnight + 15 * hour
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (formatInstant(new Date(middle).toISOString(), timeZone, 'day') < day) before = middle
    else after = middle
  }
  return after
}
