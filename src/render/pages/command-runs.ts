/** Runs of commands by program and the newest failures of each, for the sessions of a project and for all projects. */

import type { CommandRuns, FailedCommand, SessionDetail, SessionSummary } from '../../transcript/summary.ts'
import { type Best, bestOf, compareText } from '../../util/compare.ts'

/** A failed command and the session it belongs to. */
export interface SessionFailure extends FailedCommand {
  threadId: string
  title: string
  project: string
  pages: number
}

/** A program with its runs and the newest of its failures. */
export interface ProgramFailures extends CommandRuns {
  program: string
  /** Newest first. */
  failures: SessionFailure[]
}

/** What was collected so far. */
export interface CommandTotals {
  /** All programs, those that failed most often first. */
  programs: () => ProgramFailures[]
  /** Number of failed commands that nothing fixed later. */
  unfixed: () => number
  /** Runs of programs that the sessions' details did not name. */
  rest: CommandRuns
}

/** Collects sessions in any order. */
interface CommandCollector extends CommandTotals {
  add: (summary: SessionSummary, detail: SessionDetail) => void
  /** The part that `joinedCommands` accepts, with at most `maxFailures` failures of each program; plain JSON. */
  part: (maxFailures: number) => CommandsPart
}

/** The commands of one project. */
export interface CommandsPart {
  /** In the order in which sessions named them. */
  programs: ProgramFailures[]
  /** Failures of programs that no session had named before. */
  unnamed: SessionFailure[]
  left: number
  rest: CommandRuns
}

/** An empty collector that keeps the newest `limit` failures of each program. */
export function commandCollector(limit: number): CommandCollector {
  const table = programTable(limit)
  const unnamed: SessionFailure[] = []
  return {
    ...table.totals,
    add({ threadId, title, project, pages, failuresLeft }, { programs, failures, omitted }) {
      table.addRest(failuresLeft, omitted.programs)
      for (const [program, runs] of Object.entries(programs)) table.addRuns(program, runs)
      for (const failure of failures) {
        const reported = { ...failure, threadId, title, project: project.name, pages }
        if (!table.addFailure(reported)) unnamed.push(reported)
      }
    },
    part: (maxFailures) => ({
      programs: table
        .list()
        .map(({ failures, ...program }) => ({ ...program, failures: failures.slice(0, maxFailures) })),
      unnamed,
      left: table.totals.unfixed(),
      rest: table.totals.rest,
    }),
  }
}

/** The commands of several projects, as if one collector had received all of their sessions. */
export function joinedCommands(limit: number): CommandTotals & { add: (part: CommandsPart) => void } {
  const table = programTable(limit)
  return {
    ...table.totals,
    add({ programs, unnamed, left: unfixed, rest }) {
      table.addRest(unfixed, rest)
      // An earlier project may have named a program that this one has not.
      for (const failure of unnamed) table.addFailure(failure)
      for (const { program, failures, ...runs } of programs) {
        table.addRuns(program, runs)
        for (const failure of failures) table.addFailure(failure)
      }
    },
  }
}

/** Programs, and what belongs to no named program. */
interface ProgramTable {
  totals: CommandTotals
  addRuns: (program: string, runs: CommandRuns) => void
  /** Returns `false` for a program that was not named, because it is part of `rest`. */
  addFailure: (failure: SessionFailure) => boolean
  addRest: (unfixed: number, runs: CommandRuns) => void
  /** Programs in the order in which they were named. */
  list: () => ProgramFailures[]
}

function programTable(limit: number): ProgramTable {
  const entries = new Map<string, CommandRuns & { failures: Best<SessionFailure> }>()
  const rest: CommandRuns = { runs: 0, failed: 0, durationMs: 0 }
  let unfixed = 0
  const list = (): ProgramFailures[] =>
    [...entries].map(([program, { failures, ...runs }]) => ({ program, ...runs, failures: failures.items() }))
  return {
    totals: {
      programs: () =>
        list().sort((a, b) => b.failed - a.failed || b.runs - a.runs || compareText(a.program, b.program)),
      unfixed: () => unfixed,
      rest,
    },
    list,
    addRuns(program, runs) {
      const fresh = { runs: 0, failed: 0, durationMs: 0, failures: bestOf(limit, newestFirst) }
      const entry = entries.get(program) ?? fresh
      entries.set(program, entry)
      addUp(entry, runs)
    },
    addFailure(failure) {
      const entry = entries.get(failure.program)
      entry?.failures.add(failure)
      return entry !== undefined
    },
    addRest(count, runs) {
      unfixed += count
      addUp(rest, runs)
    },
  }
}

/** Adds runs to others. */
function addUp(sum: CommandRuns, { runs, failed, durationMs }: CommandRuns): void {
  sum.runs += runs
  sum.failed += failed
  sum.durationMs += durationMs
}

function newestFirst(a: SessionFailure, b: SessionFailure): number {
  return compareText(b.at ?? '', a.at ?? '') || compareText(a.threadId, b.threadId) || compareText(b.anchor, a.anchor)
}
