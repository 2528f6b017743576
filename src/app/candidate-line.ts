/** Threads to choose from, one a line. */
import { formatInstant } from '../util/time.ts'
import type { Candidate } from './types.ts'

/** A candidate on one line, but for its id: when it began, where, and its title. */
export function candidateLine({ title, startedAt, project }: Candidate, timeZone: string): string {
  const when = startedAt === undefined ? undefined : formatInstant(startedAt, timeZone)
  const line = title.replace(/\s+/g, ' ').trim()
  const parts = [when, project, line.length > 60 ? `${line.slice(0, 59)}…` : line]
  return parts.filter((part) => part !== undefined).join(' · ')
}
