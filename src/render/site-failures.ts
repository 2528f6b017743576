/** The view of the page of failed commands. */
import { failuresPath, placeLink, programAnchor, relativeLink } from '../model/urls.ts'
import type { SiteInfo } from '../model/view.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import type { FailingView, FailuresView, FailureView } from './across-views.ts'
import type { CommandBook, ProgramFailures, SessionFailure } from './failed-commands.ts'
import { literalText } from './literal.ts'
import { pageView } from './page-view.ts'
import { cutBytes } from './rows.ts'
import { timeOf } from './site-files.ts'
import { firstLine, percentText } from './words.ts'

/** Programs with a list of their failures. */
const mostPrograms = 100
/** Failures in a list: many for the programs that failed most, so that the page stays below 300 kB gzip. */
const mostFailures = { common: 50, rare: 10 }
const commonPrograms = 20
const textBytes = { script: 200, title: 90, name: 60 }

/** The view for `html/failures.eta`. */
export function failuresView({ programs, rest }: CommandBook, site: SiteInfo): FailuresView {
  const all = programs()
  const failing = all.filter(({ failed }) => failed > 0)
  const shown = failing.slice(0, mostPrograms)
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
      failingView(program, rank < commonPrograms ? mostFailures.common : mostFailures.rare, site),
    ),
    remark: remarkOf(failing.slice(mostPrograms), rest.failed),
  }
}

/** Whether a program has a list of its own in the page of failures, by its place among those that failed most. */
export function listsFailures({ failed }: ProgramFailures, rank: number): boolean {
  return failed > 0 && rank < mostPrograms
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
  const { threadId, title, project, script, exitCode, at } = failure
  return {
    href: relativeLink(failuresPath, placeLink(threadId, failure)),
    script: literalText(cutBytes(script, textBytes.script)),
    exit: exitCode === undefined ? 'failed' : `exit ${exitCode}`,
    gist: `${cutBytes(project, textBytes.name)} · ${cutBytes(firstLine(title, 200), textBytes.title)}`,
    ...timeOf(at, timeZone),
  }
}
