/** Whether a thread is open in Codex right now (rollout-format 1.2). */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { type ClosedRule, doubtText, openStateOf, openText } from './open/closed-fs.ts'

/** A file that was written within this time may be written on. */
const recentMs = 5 * 60_000

/** A thread that somebody may have open. */
export interface LiveThread {
  /** Absolute path of the rollout. */
  path: string
  /** Absolute path of its Codex home, where it lies in one. */
  home: string | undefined
  threadId: string
}

/**
 * Why it cannot be known whether a thread is closed, as two sentences; `undefined` where nothing speaks against it. Codex keeps the
 * rollout open, and since 0.150 the lock of the thread's writer; one that a killed Codex left behind is open nowhere.
 * Throws `UsageError` where either is open for writing, with the names of the programs.
 */
export function closedDoubt({ path, home, threadId }: LiveThread, rule: Partial<ClosedRule>): string | undefined {
  // Windows only says whether a file is open at all, and we read it ourselves: there the swap alone asks.
  if (process.platform === 'win32') return undefined
  const lock = home === undefined ? undefined : join(home, 'thread-writer-locks', `${threadId}.lock`)
  let doubt: string | undefined
  for (const file of [path, ...(lock === undefined ? [] : [lock])]) {
    const state = openStateOf(file, rule)
    if (state.kind === 'open') throw new UsageError(openText(path, state))
    if (state.kind === 'unknown') doubt ??= doubtText(path, state.reason)
  }
  return doubt
}

/** Whether a file was written within the last five minutes. `now` is in milliseconds since the epoch. */
export function isRecent(path: string, now: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Math.abs(now - stat.mtimeMs) < recentMs
}
