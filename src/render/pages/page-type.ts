/** What a page type is: it hears of each session once, then gives its pages. `site.ts` lists all page types. */
import type { SessionDetail, SessionSummary } from '../../transcript/summary.ts'
import type { SiteInfo } from '../../transcript/view.ts'
import type { OutputFile } from '../output.ts'
import type { Templates } from '../templates.ts'
import type { ProjectView } from '../views.ts'
import type { PageHooks } from './plugins.ts'

/** What pages of all sessions are made from. */
export interface PagesInput {
  templates: Templates
  /** By `byStart`, the newest first. */
  sorted: readonly SessionSummary[]
  site: SiteInfo
  /** Files from which the script of the home page lists all sessions. */
  catalog: readonly OutputFile[]
  /** Plugins that add pages; absent where there are none. */
  hooks?: PageHooks
  /** What pages of files and failures tell the pages of projects, by the project's slug. */
  projectParts: Map<string, Partial<Pick<ProjectView, 'files' | 'allFiles' | 'failures'>>>
}

/** The sessions of one project, the newest first. */
export interface ProjectSessions {
  slug: string
  name: string
  sessions: readonly SessionSummary[]
}

/** The pages of one type while they are made. Sessions come project by project; no session's detail may be kept. */
export interface PageSource {
  /** Hears of a project before its sessions. */
  begin?: (project: ProjectSessions) => void
  /** Takes a session of which details are known. */
  add?: (summary: SessionSummary, detail: SessionDetail) => void
  /** Gives the pages that only this project has. */
  end?: (project: ProjectSessions) => Iterable<OutputFile>
  /** Gives the pages that tell of all projects. */
  pages?: () => Iterable<OutputFile>
}

/** One page type. */
export interface PageType {
  /** Readers and search engines find its pages by other ways than lists of pages. */
  isUnlisted?: true
  open: (input: PagesInput) => PageSource
}

/** A page type with one page. */
export function onePage<View extends object>(
  template: string,
  path: string,
  view: (input: PagesInput) => View,
): PageType {
  return {
    open: (input) => ({
      *pages() {
        yield { path, content: input.templates.render(template, view(input)) }
      },
    }),
  }
}

/** A page type with pages of their own, each with its path and what its template is given. */
export function manyPages<View extends object>(
  template: string,
  views: (input: PagesInput) => Iterable<{ path: string; view: View }>,
): PageType {
  return {
    open: (input) => ({
      *pages() {
        for (const { path, view } of views(input)) yield { path, content: input.templates.render(template, view) }
      },
    }),
  }
}
