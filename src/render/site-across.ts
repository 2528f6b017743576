/** The pages that tell of all sessions: files, failures, stats. Details of sessions are read one after the other. */
import type { OutputFile } from '../model/output.ts'
import type { SessionDetail, SessionSummary } from '../model/summary.ts'
import { failuresPath, filesPath, projectFilesPage, projectPage, relativeLink, statsPath } from '../model/urls.ts'
import type { SiteInfo } from '../model/view.ts'
import { formatAmount } from '../util/time.ts'
import { commandBook } from './failed-commands.ts'
import { projectHistory } from './file-history.ts'
import { numbersBook } from './numbers-book.ts'
import { projectPaths } from './project-roots.ts'
import { failuresView } from './site-failures.ts'
import { filesView, mostTouchedFiles, type ProjectFilesInput, projectFilesPages } from './site-files.ts'
import { groupBy } from './site-groups.ts'
import type { ProjectFiles } from './site-projects.ts'
import { statsView } from './site-stats.ts'
import type { Templates } from './templates.ts'

/** Details of a thread; `undefined` where none were kept. */
export type DetailOf = (threadId: string) => SessionDetail | undefined

/** What a site is made from. */
export interface AcrossInput {
  templates: Templates
  /** By `byStart`. */
  sorted: readonly SessionSummary[]
  site: SiteInfo
  detailOf: DetailOf
}

/** What other pages need of these. */
export interface AcrossResult {
  paths: string[]
  projectFiles: ProjectFiles
}

/** Gives the pages one by one, and in the end what other pages need of them. */
export function* acrossPages({ templates, sorted, site, detailOf }: AcrossInput): Generator<OutputFile, AcrossResult> {
  const paths: string[] = []
  const page = (path: string, content: string): OutputFile => {
    paths.push(path)
    return { path, content }
  }
  const commands = commandBook()
  const numbers = numbersBook(sorted, site.timeZone)
  const listed: Parameters<typeof filesView>[0][number][] = []
  const ofProjects = new Map<string, ReturnType<ProjectFiles>>()
  for (const [slug, group] of groupBy(sorted, ({ project }) => project.slug)) {
    const history = projectHistory(projectPaths(group.flatMap(({ cwd }) => cwd ?? [])))
    let sessions = 0
    for (const summary of group) {
      const detail = detailOf(summary.threadId)
      if (detail === undefined) continue
      if (detail.touches.some(({ failed }) => failed !== true)) sessions++
      history.add(summary, detail)
      commands.add(summary, detail)
      numbers.add(summary, detail)
    }
    const files = history.files()
    if (files.length === 0) continue
    const input = { slug, name: group[0]?.project.name ?? slug, files, sessions, omitted: history.omitted() }
    for (const { path, view } of projectFilesPages(input, site)) yield page(path, templates.projectFiles(view))
    ofProjects.set(slug, shortFiles(input))
    listed.push({ slug, name: input.name, files: files.length, sessions, lastAt: lastChange(input) })
  }
  yield page(filesPath, templates.files(filesView(listed, site)))
  yield page(failuresPath, templates.failures(failuresView(commands, site)))
  yield page(statsPath, templates.stats(statsView(numbers, commands.programs(), site)))
  return { paths, projectFiles: (slug) => ofProjects.get(slug) }
}

function shortFiles(input: ProjectFilesInput): ReturnType<ProjectFiles> {
  const from = projectPage(input.slug)
  return {
    files: mostTouchedFiles(input, from),
    allFiles: {
      text: `All ${formatAmount(input.files.length, 'file')}`,
      href: relativeLink(from, projectFilesPage(input.slug)),
    },
  }
}

function lastChange({ files }: ProjectFilesInput): string | undefined {
  const lasts = files.flatMap(({ turns }) => turns[0]?.at ?? [])
  return lasts.reduce<string | undefined>((last, at) => (last === undefined || at > last ? at : last), undefined)
}
