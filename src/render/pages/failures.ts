/** Views of the pages of failed commands: the newest of all projects, and all of one project. */

import {
  anchorLink,
  failuresPath,
  programAnchor,
  projectFailuresPage,
  projectPage,
  relativeLink,
} from '../../transcript/urls.ts'
import { compareText } from '../../util/compare.ts'
import { groupBy, sumBy } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import { joinTexts } from '../../util/text.ts'
import { formatAmount, formatCount } from '../../util/time.ts'
import type { FailingView, FailuresView, FailureView } from '../cross-session-views.ts'
import { timeView } from '../dates.ts'
import { callWord, firstLine, percentText } from '../phrases.ts'
import type { SiteInfo } from '../site-info.ts'
import { literalText } from '../visible-text.ts'
import {
  type CommandsPart,
  type CommandTotals,
  commandCollector,
  joinedCommands,
  type ProgramFailures,
  type SessionFailure,
} from './command-runs.ts'
import type { PageSource, PageType, ProjectSessions } from './page-type.ts'
import { pageView } from './page-view.ts'
import { pageSteps, stepsView } from './projects.ts'
import { cutBytes, cutName } from './rows.ts'

/** Programs that the page of all projects lists, and failures of each: more for the programs that failed most often. */
const maxPrograms = 40
const maxNewest = { common: 8, rare: 2 }
const commonPrograms = 6
/** Failures that are listed for one program of a project. */
const maxOfProgram = 300
/** Projects that are named for a program, and on the page of all projects. */
const maxProjects = { program: 4, page: 120 }
/** Bytes of a page's rows as HTML; with what is around them, a page stays below 100 kB. */
const pageLength = 80_000
/** Bytes of a row around its texts. */
const rowLength = 420
const textBytes = { script: 140, title: 90, name: 60, fix: 60 }

/** The page of the failed commands of all projects, and the pages of each project's. */
export const failuresPage: PageType = {
  open({ templates, site, projectParts }): PageSource<FailuresPart> {
    const all = joinedCommands(maxNewest.common)
    const projects: FailingProject[] = []
    const names: string[] = []
    let own = commandCollector(maxOfProgram)
    return {
      begin() {
        own = commandCollector(maxOfProgram)
      },
      add(summary, detail) {
        own.add(summary, detail)
      },
      end(project) {
        const { runs, failed, pages } = projectPages(project, own, site)
        const written = pages.map(({ path, view }) => ({
          path,
          content: () => templates.render('html/failures', view),
        }))
        return { pages: written, part: { runs, failed, commands: own.part(maxNewest.common) } }
      },
      addPart({ slug, name }, { runs, failed, commands }) {
        all.add(commands)
        names.push(name)
        if (failed === 0) return
        const link = { text: 'Failures', href: relativeLink(projectPage(slug), projectFailuresPage(slug)) }
        projectParts.set(slug, { ...projectParts.get(slug), failures: link })
        const programs = commands.programs.flatMap(({ program, failed: count }) =>
          count > 0 ? [[program, count] as const] : [],
        )
        projects.push({ slug, name, runs, failed, programs: new Map(programs) })
      },
      *pages() {
        yield {
          path: failuresPath,
          content: () => templates.render('html/failures', failuresView(all, { projects, names }, site)),
        }
      },
    }
  },
}

/** What the page of all projects needs from one. */
interface FailuresPart {
  runs: number
  failed: number
  commands: CommandsPart
}

/** A project in which commands failed, with numbers in all and by program. */
interface FailingProject {
  slug: string
  name: string
  runs: number
  failed: number
  programs: ReadonlyMap<string, number>
}

/** The page of all projects. */
function failuresView(
  { programs, rest, unfixed }: CommandTotals,
  { projects, names }: { projects: readonly FailingProject[]; names: readonly string[] },
  site: SiteInfo,
): FailuresView {
  const all = programs()
  const shortName = shortNames(names)
  const failing = all.filter(({ failed }) => failed > 0)
  const shown = failing.slice(0, maxPrograms)
  const [runs, failed] = [sum(all, 'runs') + rest.runs, sum(all, 'failed') + rest.failed]
  const fits = capacityOf(pageLength)
  return {
    ...pageView(failuresPath, 'Failures', site, {
      description: 'Commands that failed, by project and program, each in its session, with what fixed it.',
    }),
    heading: 'Failures',
    summary: summaryOf({ runs, failed, unfixed: unfixed() }),
    empty: failing.length === 0,
    // Without any command, commands may have been left out on purpose, so the page does not say that none failed.
    emptyText: runs === 0 ? 'No commands are shown here.' : 'No command failed.',
    byProject: byFailures(projects, ({ failed }) => failed)
      .slice(0, maxProjects.page)
      .map(({ slug, name, failed }) => ({
        text: cutName(name),
        href: relativeLink(failuresPath, projectFailuresPage(slug)),
        count: formatCount(failed),
      })),
    moreProjects: fewerText(projects.length - maxProjects.page, 'project'),
    index: indexOf(shown),
    morePrograms: fewerText(failing.length - maxPrograms, 'program'),
    programs: shown.map((program, rank) => {
      const failures = program.failures.slice(0, rank < commonPrograms ? maxNewest.common : maxNewest.rare)
      const rows = failures.map((failure) => failureView(failure, { from: failuresPath, site, shortName })).filter(fits)
      return { ...failingView(program, rows), ...projectsOf(program.program, projects) }
    }),
    steps: stepsView('', {}),
    remark: remarkOf(failing.slice(maxPrograms), rest.failed),
  }
}

function projectsOf(
  program: string,
  projects: readonly FailingProject[],
): Pick<FailingView, 'projects' | 'moreProjects'> {
  const count = (project: FailingProject) => project.programs.get(program) ?? 0
  const failing = byFailures(projects, count)
  const shown = failing.slice(0, maxProjects.program)
  const more = failing.length - shown.length
  return {
    projects: shown.map((project) => ({
      text: cutName(project.name),
      href: relativeLink(failuresPath, projectFailuresPage(project.slug)),
      count: formatCount(count(project)),
    })),
    moreProjects: more === 0 ? '' : formatAmount(more, 'more project'),
  }
}

function byFailures(projects: readonly FailingProject[], count: (project: FailingProject) => number): FailingProject[] {
  return projects
    .filter((project) => count(project) > 0)
    .sort((a, b) => count(b) - count(a) || compareText(a.slug, b.slug))
}

/** What a list at the head of a page does not name; empty if it names all. */
function fewerText(more: number, what: string): string {
  return more <= 0 ? '' : `Not listed: ${formatAmount(more, what)} with fewer failures.`
}

/** Returns a function that says, row after row, whether the row still fits in `length` bytes. */
function capacityOf(length: number): (row: FailureView) => boolean {
  let remaining = length
  return ({ script, gist, href, fix }) => {
    remaining -=
      rowLength +
      htmlBytes(script) +
      htmlBytes(gist) +
      href.length +
      htmlBytes(fix?.text ?? '') +
      (fix?.href.length ?? 0)
    return remaining >= 0
  }
}

/** UTF-8 bytes that a text takes in HTML, at most. */
function htmlBytes(text: string): number {
  return Buffer.byteLength(text) + 5 * (text.match(/[&<>"']/g)?.length ?? 0)
}

function indexOf(programs: readonly ProgramFailures[]): FailuresView['index'] {
  return programs.map(({ program, failed }) => ({
    text: cutBytes(program, textBytes.name),
    href: `#${programAnchor(program)}`,
    count: formatCount(failed),
  }))
}

/** Whether a program has a list of its own on the page of failures; `rank` is its position by number of failures. */
export function listsFailures({ failed }: ProgramFailures, rank: number): boolean {
  return failed > 0 && rank < maxPrograms
}

/** `165 of 1,902 commands failed, 9 %; 97 were not fixed.` */
function summaryOf({ runs, failed, unfixed }: { runs: number; failed: number; unfixed: number }): string {
  const what = `${formatCount(failed)} of ${formatAmount(runs, 'command')} failed${percent(failed, runs)}`
  if (failed === 0) return `${what}.`
  return unfixed === 0
    ? `${what}; all were fixed later.`
    : `${what}; ${formatCount(unfixed)} ${unfixed === 1 ? 'was' : 'were'} not fixed.`
}

function sum(programs: readonly ProgramFailures[], field: 'runs' | 'failed'): number {
  return sumBy(programs, (program) => program[field])
}

/** `, 6 %`; empty if either number is zero. */
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
  return joinTexts(parts, ' ')
}

function failingView(program: ProgramFailures, failures: FailureView[]): FailingView {
  const { program: name, runs, failed } = program
  return {
    id: programAnchor(name),
    name: literalText(cutBytes(name, textBytes.name)),
    note: `${formatCount(failed)} of ${formatAmount(runs, 'run')} failed${percent(failed, runs)}`,
    failures,
    projects: [],
    moreProjects: '',
    more: '',
  }
}

function failureView(failure: SessionFailure, { from, site, above, shortName }: RowContext): FailureView {
  const { threadId, title, project, script, exitCode, outcome, at, fix, pages } = failure
  const named = cutBytes(firstLine(title, 200), textBytes.title)
  const whole = shortName ? `${shortName(project)} · ${named}` : named
  // The row above says it if it is of the same session.
  const gist = above?.threadId === threadId ? '' : whole
  return {
    href: relativeLink(from, anchorLink(threadId, failure)),
    script: literalText(cutBytes(script, textBytes.script)),
    // The outcome says more than the exit code that a signal or a time limit left.
    exit:
      outcome === undefined && exitCode !== undefined
        ? `exit ${exitCode}`
        : callWord({ status: 'failed', ...defined({ outcome }) }),
    gist,
    ...defined({ time: timeView(at, site.timeZone, 'minute') }),
    ...(fix === undefined
      ? {}
      : {
          fix: {
            text: literalText(cutBytes(fix.script, textBytes.fix)),
            href: relativeLink(from, anchorLink(threadId, { ...fix, pages })),
          },
        }),
  }
}

/**
 * Short names of projects: their last part, because beside a title there is little space. If several of them end in it, the nearest
 * part before it that only one of these has follows; of a host, the first such word.
 */
function shortNames(names: readonly string[]): (project: string) => string {
  const namesByEnd = groupBy(new Set(names), lastPart)
  return (project) => {
    const end = lastPart(project)
    const others = (namesByEnd.get(end) ?? []).filter((name) => name !== project).map(partsOf)
    if (others.length === 0 || end === project) return cutName(end)
    const own = partsOf(project).findLast((part) => !others.some((parts) => parts.includes(part)))
    if (own === undefined) return cutName(project)
    const taken = others.flatMap(([host = '']) => host.split('.'))
    const word = own === partsOf(project)[0] ? own.split('.').find((each) => !taken.includes(each)) : own
    return cutName(`${end} (${word || own})`)
  }
}

function partsOf(name: string): string[] {
  return name.split('/')
}

function lastPart(name: string): string {
  return name.replace(/^.*\/(?=[^/])/, '')
}

/** The page of a row, and the failure of the row above it. */
interface RowContext {
  from: string
  site: SiteInfo
  /** Names projects; only on the page of all projects. */
  shortName?: (project: string) => string
  above?: SessionFailure | undefined
}

// The pages of one project: program by program, the newest failures first, cut where a page is full.

interface ProjectFailures {
  runs: number
  failed: number
  pages: { path: string; view: FailuresView }[]
}

function projectPages(
  { slug, name }: ProjectSessions,
  { programs, rest, unfixed }: CommandTotals,
  site: SiteInfo,
): ProjectFailures {
  const all = programs()
  const failing = all.filter(({ failed }) => failed > 0)
  const [runs, failed] = [sum(all, 'runs') + rest.runs, sum(all, 'failed') + rest.failed]
  const pages = failed === 0 ? [] : cutPages(failing, slug, site)
  const summary = summaryOf({ runs, failed, unfixed: unfixed() })
  const view = (index: number, rows: FailingView[]): { path: string; view: FailuresView } => {
    const page = index + 1
    const path = projectFailuresPage(slug, page)
    const heading = `Failures in ${name}`
    const href = (number: number) => relativeLink(path, projectFailuresPage(slug, number))
    return {
      path,
      view: {
        ...pageView(path, page === 1 ? heading : `${heading}, page ${page}`, site, {
          description: `Commands that failed in ${name}, by program, with what fixed them.`,
        }),
        heading,
        summary,
        empty: false,
        emptyText: '',
        project: { text: name, href: relativeLink(path, projectPage(slug)) },
        byProject: [],
        moreProjects: '',
        index: indexOverPages(failing, pages, { slug, path }),
        morePrograms: fewerText(failing.length - maxPrograms, 'program'),
        programs: rows,
        steps: pageSteps('Pages of these failures', { page, count: pages.length }, href),
        remark: page === pages.length ? remarkOf([], rest.failed) : '',
      },
    }
  }
  return { runs, failed, pages: pages.map((rows, index) => view(index, rows)) }
}

/** Programs with a link to their first failure, on whichever page that is. */
function indexOverPages(
  programs: readonly ProgramFailures[],
  pages: readonly FailingView[][],
  { slug, path }: { slug: string; path: string },
): FailuresView['index'] {
  return indexOf(programs.slice(0, maxPrograms)).map((link) => {
    const page = 1 + pages.findIndex((rows) => rows.some(({ id }) => `#${id}` === link.href))
    const target = projectFailuresPage(slug, page)
    return target === path ? link : { ...link, href: `${relativeLink(path, target)}${link.href}` }
  })
}

/** Cuts the failures of programs into pages; a program that continues on the next page says so there. */
function cutPages(programs: readonly ProgramFailures[], slug: string, site: SiteInfo): FailingView[][] {
  const pages: FailingView[][] = [[]]
  let fits = capacityOf(pageLength)
  for (const program of programs) {
    let view = failingView(program, [])
    pages.at(-1)?.push(view)
    let above: SessionFailure | undefined
    for (const failure of program.failures) {
      let row = failureView(failure, { from: projectFailuresPage(slug, pages.length), site, above })
      if (!fits(row)) {
        fits = capacityOf(pageLength)
        const from = projectFailuresPage(slug, pages.length + 1)
        row = failureView(failure, { from, site })
        fits(row)
        if (view.failures.length === 0) pages.at(-1)?.pop()
        else view = { ...failingView(program, []), note: 'continued' }
        pages.push([view])
      }
      view.failures.push(row)
      above = failure
    }
    const more = program.failed - program.failures.length
    view.more = more <= 0 ? '' : `and ${formatAmount(more, 'older failure')}`
  }
  return pages
}
