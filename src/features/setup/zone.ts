/** The time zone that a new configuration file names. */

import { isTimeZone } from '../../util/time.ts'

/** What the system says about its time zone: the variable `TZ`, and what the runtime made of it. */
export interface SystemZone {
  variable: string | undefined
  runtime: string | undefined
}

/** The system's zone, or else UTC. `unknown` is what `TZ` says if that names no zone. */
export function zoneOfSystem({ variable = '', runtime = '' }: SystemZone): { timeZone: string; unknown?: string } {
  // `TZ` may also be the path of a zone's file, with or without a colon before it.
  const named = variable.replace(/^:/, '').replace(/^.*\/zoneinfo\//, '')
  if (named !== '' && !isTimeZone(named)) return { timeZone: 'UTC', unknown: variable }
  if (isTimeZone(runtime)) return { timeZone: runtime }
  return { timeZone: named === '' ? 'UTC' : named }
}
