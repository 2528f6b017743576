/** Failed commands of all sessions by program. */
import type { CommandRuns, FailedCommand, SessionDetail, SessionSummary } from '../model/summary.ts'
import { type Best, bestOf } from '../util/best-of.ts'
import { compareText } from '../util/compare.ts'

/** Failures that are told of one program. */
const mostFailures = 50

/** A failed command and the session it belongs to. */
export interface SessionFailure extends FailedCommand {
  threadId: string
  title: string
  project: string
}

/** A program with its runs and the newest of its failures. */
export interface ProgramFailures extends CommandRuns {
  program: string
  /** Newest first. */
  failures: SessionFailure[]
}

/** Takes sessions in any order. */
export interface CommandBook {
  add: (summary: SessionSummary, detail: SessionDetail) => void
  /** All programs, those that failed most first. */
  programs: () => ProgramFailures[]
  /** Runs of programs that the sessions' details did not name. */
  rest: CommandRuns
}

/** A book without a command. */
export function commandBook(): CommandBook {
  const entries = new Map<string, CommandRuns & { failures: Best<SessionFailure> }>()
  const rest: CommandRuns = { runs: 0, failed: 0, durationMs: 0 }
  const entryOf = (program: string) => {
    const fresh = { runs: 0, failed: 0, durationMs: 0, failures: bestOf(mostFailures, newestFirst) }
    const entry = entries.get(program) ?? fresh
    entries.set(program, entry)
    return entry
  }
  return {
    add({ threadId, title, project }, { programs, failures, omitted }) {
      for (const [program, runs] of Object.entries(programs)) addRuns(entryOf(program), runs)
      addRuns(rest, omitted.programs)
      for (const failure of failures) {
        // A program that is among the rest is not named.
        entries.get(failure.program)?.failures.add({ ...failure, threadId, title, project: project.name })
      }
    },
    programs: () =>
      [...entries]
        .map(([program, { failures, ...runs }]) => ({ program, ...runs, failures: failures.items() }))
        .sort((a, b) => b.failed - a.failed || b.runs - a.runs || compareText(a.program, b.program)),
    rest,
  }
}

/** Adds runs to others. */
function addRuns(sum: CommandRuns, { runs, failed, durationMs }: CommandRuns): void {
  sum.runs += runs
  sum.failed += failed
  sum.durationMs += durationMs
}

function newestFirst(a: SessionFailure, b: SessionFailure): number {
  return compareText(b.at ?? '', a.at ?? '') || compareText(a.threadId, b.threadId) || compareText(b.anchor, a.anchor)
}
