/** Whether a thread is open in Codex right now, as far as the disk tells (rollout-format 1.2). */
import { readFileSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'

/** A file that was written within this time may be written on. */
const recentMs = 5 * 60_000

/** What is looked at. */
export interface LiveInputs {
  /** Absolute path of the rollout. */
  path: string
  /** Absolute path of its Codex home, where it lies in one. */
  home: string | undefined
  threadId: string
  /** Milliseconds since the epoch. */
  now: number
}

/** Signs that somebody writes the rollout, each the end of "The session may be open: …". */
export function liveSigns({ path, home, threadId, now }: LiveInputs): string[] {
  const signs: string[] = []
  if (home !== undefined && isLocked(home, threadId)) signs.push('Codex holds its writer lock')
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat !== undefined && Math.abs(now - stat.mtimeMs) < recentMs) signs.push('it was written in the last 5 minutes')
  return signs
}

/** Codex leaves the lock file behind when it is killed; where the system lists its locks, only a held one counts. */
function isLocked(home: string, threadId: string): boolean {
  const stat = statSync(join(home, 'thread-writer-locks', `${threadId}.lock`), { throwIfNoEntry: false })
  return stat !== undefined && (isHeld(stat) ?? true)
}

/** `undefined` where the system does not tell. */
function isHeld({ ino }: Stats): boolean | undefined {
  try {
    return readFileSync('/proc/locks', 'utf8').includes(`:${ino} `)
  } catch {
    return undefined
  }
}
