/** The view of the page of failed commands. */

import type { CommandRuns, FailedCommand, SessionDetail, SessionSummary } from '../../transcript/summary.ts'
import { anchorLink, failuresPath, programAnchor, relativeLink } from '../../transcript/urls.ts'
import type { SiteInfo } from '../../transcript/view.ts'
import { type Best, bestOf, compareText } from '../../util/compare.ts'
import { formatAmount, formatCount } from '../../util/time.ts'
import type { FailingView, FailuresView, FailureView } from '../cross-session-views.ts'
import { callWord, firstLine, percentText } from '../phrases.ts'
import { literalText } from '../visible-text.ts'
import { timeOf } from './files.ts'
import type { PageType } from './page-type.ts'
import { pageView } from './page-view.ts'
import { cutBytes } from './rows.ts'

/** Programs with a list of their failures. */
const maxPrograms = 100
/** Failures in a list: many for the programs that failed most, so that the page stays below 300 kB gzip. */
const maxListed = { common: 50, rare: 10 }
const commonPrograms = 20
const textBytes = { script: 200, title: 90, name: 60 }

/** The page of failed commands. */
export const failuresPage: PageType = {
  open({ templates, site }) {
    const commands = commandCollector(maxFailures)
    return {
      add: commands.add,
      *pages() {
        yield { path: failuresPath, content: templates.render('html/failures', failuresView(commands, site)) }
      },
    }
  },
}

/** The view for `html/failures.eta`. */
function failuresView({ programs, rest }: CommandCollector, site: SiteInfo): FailuresView {
  const all = programs()
  const failing = all.filter(({ failed }) => failed > 0)
  const shown = failing.slice(0, maxPrograms)
  const [runs, failed] = [sum(all, 'runs') + rest.runs, sum(all, 'failed') + rest.failed]
  return {
    ...pageView(failuresPath, 'Failures', site, {
      description: 'Commands that failed, by program, each in its session.',
    }),
    heading: 'Failures',
    summary: `${formatCount(failed)} of ${formatAmount(runs, 'command')} failed${percent(failed, runs)}.`,
    empty: failing.length === 0,
    index: shown.map(({ program, failed: count }) => ({
      text: program,
      href: `#${programAnchor(program)}`,
      count: formatCount(count),
    })),
    programs: shown.map((program, rank) =>
      failingView(program, rank < commonPrograms ? maxListed.common : maxListed.rare, site),
    ),
    remark: remarkOf(failing.slice(maxPrograms), rest.failed),
  }
}

/** Whether a program has a list of its own in the page of failures, by its place among those that failed most. */
export function listsFailures({ failed }: ProgramFailures, rank: number): boolean {
  return failed > 0 && rank < maxPrograms
}

function sum(programs: readonly ProgramFailures[], field: 'runs' | 'failed'): number {
  return programs.reduce((total, program) => total + program[field], 0)
}

/** `, 6 %`; nothing where there is nothing to divide. */
function percent(part: number, whole: number): string {
  return part === 0 || whole === 0 ? '' : `, ${percentText(part, whole)}`
}

function remarkOf(others: readonly ProgramFailures[], unnamed: number): string {
  const failed = sum(others, 'failed')
  const parts = [
    others.length === 0
      ? ''
      : `${formatAmount(others.length, 'more program')} failed ${formatAmount(failed, 'time')} in all.`,
    unnamed === 0 ? '' : `${formatAmount(unnamed, 'failure')} of sessions with very many programs are not named.`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function failingView(program: ProgramFailures, limit: number, site: SiteInfo): FailingView {
  const { program: name, runs, failed } = program
  const failures = program.failures.slice(0, limit)
  const more = failed - failures.length
  return {
    id: programAnchor(name),
    name: literalText(cutBytes(name, textBytes.name)),
    note: `${formatCount(failed)} of ${formatAmount(runs, 'run')} failed${percent(failed, runs)}`,
    failures: failures.map((failure) => failureView(failure, site)),
    more: more <= 0 ? '' : `and ${formatAmount(more, 'older failure')}`,
  }
}

function failureView(failure: SessionFailure, { timeZone }: SiteInfo): FailureView {
  const { threadId, title, project, script, exitCode, outcome, at } = failure
  const exit = [
    outcome === undefined ? '' : callWord({ status: 'failed', outcome }),
    exitCode === undefined ? '' : `exit ${exitCode}`,
  ]
  return {
    href: relativeLink(failuresPath, anchorLink(threadId, failure)),
    script: literalText(cutBytes(script, textBytes.script)),
    exit: exit.filter((part) => part !== '').join(', ') || 'failed',
    gist: `${cutBytes(project, textBytes.name)} · ${cutBytes(firstLine(title, 200), textBytes.title)}`,
    ...timeOf(at, timeZone),
  }
}

// Failed commands of all sessions by program.

/** Failures that are told of one program. */
const maxFailures = 50

/** A failed command and the session it belongs to. */
interface SessionFailure extends FailedCommand {
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

/** Takes sessions in any order. */
interface CommandCollector {
  add: (summary: SessionSummary, detail: SessionDetail) => void
  /** All programs, those that failed most first. */
  programs: () => ProgramFailures[]
  /** Runs of programs that the sessions' details did not name. */
  rest: CommandRuns
}

/** A collector without a command; it keeps the newest `limit` failures of each program. */
export function commandCollector(limit: number): CommandCollector {
  const entries = new Map<string, CommandRuns & { failures: Best<SessionFailure> }>()
  const rest: CommandRuns = { runs: 0, failed: 0, durationMs: 0 }
  const entryOf = (program: string) => {
    const fresh = { runs: 0, failed: 0, durationMs: 0, failures: bestOf(limit, newestFirst) }
    const entry = entries.get(program) ?? fresh
    entries.set(program, entry)
    return entry
  }
  return {
    add({ threadId, title, project, pages }, { programs, failures, omitted }) {
      for (const [program, runs] of Object.entries(programs)) addRuns(entryOf(program), runs)
      addRuns(rest, omitted.programs)
      for (const failure of failures) {
        // A program that is among the rest is not named.
        entries.get(failure.program)?.failures.add({ ...failure, threadId, title, project: project.name, pages })
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
