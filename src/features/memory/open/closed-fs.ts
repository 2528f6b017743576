/** Prevents a rollout from being replaced while somebody may be writing it. */

import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { UsageError } from '../../../diagnostics/errors.ts'
import { holdersText, type OpenProbe, type OpenState } from './open-state.ts'
import { openProbe, probed } from './probe-fs.ts'

/** When a rollout counts as closed. */
export interface ClosedRule {
  /** Finds out who has it open; default: asks this system. */
  probe?: OpenProbe
  /**
   * If it cannot be found out, the rollout counts as closed, because the user said so. A rollout known to be open never
   * does.
   */
  assumeClosed?: boolean
}

/**
 * Throws a `UsageError` if a file is open for writing, or if that cannot be found out and the user did not say that it is
 * closed.
 */
export function requireClosed(path: string, rule: ClosedRule): void {
  const state = openStateOf(path, rule)
  if (state.kind === 'open') throw new UsageError(openText(path, state))
  if (state.kind === 'unknown' && rule.assumeClosed !== true) throw new UsageError(doubtText(path, state.reason))
}

/** Whether the file at a path is open for writing. A missing file is not. */
function openStateOf(path: string, { probe = openProbe() }: ClosedRule): OpenState {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? { kind: 'closed' } : probe(probed(path, stat))
}

/** The risk if it cannot be found out whether a file is closed, as two sentences. */
function doubtText(path: string, reason: string): string {
  return `Cannot tell whether \`${basename(path)}\` is open in Codex: ${reason}. If it is, everything you type there from now on is lost.`
}

/** The message that a file is open, in which program, and what to do. */
export function openText(path: string, state: Extract<OpenState, { kind: 'open' }>): string {
  const verb = state.by.length > 1 ? 'have' : 'has'
  return `${holdersText(state)} ${verb} \`${basename(path)}\` open: what you type there would go to a removed file and be lost. Close that session first. Nothing was changed.`
}

// Whether a thread is open in Codex right now (rollout-format 1.2).

/** A file that was written within this time may still be written to. */
const recentMs = 5 * 60_000

/** A thread that somebody may have open. */
interface LiveThread {
  /** Absolute path of the rollout. */
  path: string
  /** Absolute path of its Codex home, if it is in one. */
  home: string | undefined
  threadId: string
}

/**
 * Why it cannot be found out whether a thread is closed, as two sentences; `undefined` if nothing suggests that it is
 * open. Codex keeps the rollout open, and since 0.150 also the lock of the thread's writer; a lock that a killed Codex
 * left is open nowhere. Throws a `UsageError` that names the programs if either is open for writing.
 */
export function closedDoubt({ path, home, threadId }: LiveThread, rule: ClosedRule): string | undefined {
  // Windows only says whether a file is open at all, and this process is reading it. There, only the swap checks.
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

/** Whether a file was written within five minutes of `now`, which is in milliseconds since the epoch. */
export function isRecent(path: string, now: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Math.abs(now - stat.mtimeMs) < recentMs
}
