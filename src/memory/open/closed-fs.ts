/** Keeps a rollout from being replaced while somebody may write it. */
import { type BigIntStats, statSync } from 'node:fs'
import { basename } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import { holdersText, type OpenProbe, type OpenState, type ProbedFile } from './open-state.ts'
import { openProbe } from './probe-fs.ts'

/** When a rollout counts as closed. */
export interface ClosedRule {
  /** Finds out who has it open; asks this system by default. */
  probe: OpenProbe
  /** What cannot be known counts as closed, because somebody said so. What is known to be open never does. */
  assumeClosed: boolean
}

/** Throws `UsageError` where a file is open for writing, and where that cannot be known and nobody said that it is closed. */
export function requireClosed(path: string, rule: Partial<ClosedRule> = {}): void {
  const state = openStateOf(path, rule)
  if (state.kind === 'open') throw new UsageError(openText(path, state))
  if (state.kind === 'unknown' && rule.assumeClosed !== true) throw new UsageError(doubtText(path, state.reason))
}

/** Whether the file at a path is open for writing. One that is gone is not. */
export function openStateOf(path: string, { probe = openProbe() }: Partial<ClosedRule> = {}): OpenState {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? { kind: 'closed' } : probe(probed(path, stat))
}

/** What is risked where it cannot be known whether a file is closed, as two sentences. */
export function doubtText(path: string, reason: string): string {
  return `It cannot be known whether \`${basename(path)}\` is open in Codex: ${reason}. If it is, what you type there from now on is lost.`
}

/** That a file is open, by whom, and what to do. */
export function openText(path: string, state: Extract<OpenState, { kind: 'open' }>): string {
  const verb = state.by.length > 1 ? 'have' : 'has'
  return `${holdersText(state)} ${verb} \`${basename(path)}\` open: what you type there would go to a file that is removed, and be lost. Close that session first; nothing was changed.`
}

/** A file as a probe wants it. */
export function probed(path: string, { dev, ino, uid, mode }: BigIntStats): ProbedFile {
  return { path, dev, ino, uid: Number(uid), mode: Number(mode) }
}
