/** Commands of genuine rollouts: their number, exit codes and success, compared with a count over the raw lines. */
import { expect } from 'vitest'
import type { Command } from '../../src/transcript/trast.ts'
import type { GenuineHome } from '../helpers/genuine-home.ts'
import { all } from '../helpers/slice.ts'

/** How many commands ended with each exit code. */
function tally(commands: readonly { exitCode?: number | undefined }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { exitCode } of commands) {
    const key = String(exitCode)
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

/** Outcomes of commands that end with another code than 0 but did not fail. */
const isNoFailure: ReadonlySet<Command['outcome']> = new Set(['noMatch', 'cutOff', 'stopped'])

/** Commands whose state contradicts their exit code. */
function contradictions(commands: readonly Command[]): string[] {
  return commands
    .filter(({ exitCode, status, outcome, data }) => {
      if (exitCode === undefined) return status === 'completed' && !data?.inferred?.includes('status')
      if (isNoFailure.has(outcome)) return exitCode === 0 || status !== 'completed'
      return exitCode === 0 ? status !== 'completed' : !['failed', 'interrupted', 'declined'].includes(status)
    })
    .map(({ id, exitCode, status }) => `${id}: exit code ${exitCode}, ${status}`)
}

/** Commands of scripts have no line of their own, unless Codex recorded them. */
function isRecorded({ data }: Command): boolean {
  const sources = data?.sources ?? []
  const isOfScript = sources.length === 0 || data?.code !== undefined
  return !isOfScript || sources.some(({ kind }) => kind.startsWith('event_msg'))
}

/** There are as many commands with each exit code as in the raw lines. */
export function expectCommands({ threads }: GenuineHome): void {
  for (const { thread, session, raw } of threads) {
    const commands = all(session, 'command')
    expect(contradictions(commands), thread.id).toEqual([])
    expect(tally(commands.filter(isRecorded)), thread.id).toEqual(tally(raw))
  }
}
