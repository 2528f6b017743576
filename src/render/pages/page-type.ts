/** What a page type is: it hears of each session once, then gives its pages. `site.ts` lists all page types. */

import type { PluginList } from '../../config/plugins.ts'
import type { Diagnostic } from '../../diagnostics/codes.ts'
import type { TextRedactor } from '../../redact/strings.ts'
import type { SessionDetail, SessionSummary } from '../../transcript/summary.ts'
import type { OutputFile } from '../output.ts'
import type { SiteInfo } from '../site-info.ts'
import type { Templates } from '../templates.ts'
import type { ProjectView } from '../views.ts'

/** A page of the site. */
export interface SitePage {
  path: string
  /** Names all that its text is made of beside the site and the templates; without it the text is made in each build. */
  key?: string | undefined
  /** Makes the text: only where none of the build before stands for it. */
  content: () => OutputFile['content']
}

/** What pages of all sessions are made from. */
export interface PagesInput {
  templates: Templates
  /** By `byStart`, the newest first. */
  sorted: readonly SessionSummary[]
  site: SiteInfo
  /** Files from which the script of the home page lists all sessions. */
  catalog: readonly SitePage[]
  /** The key of a page that tells of some sessions, and of what else is named; none where not all are known. */
  keyOf: (sessions: readonly SessionSummary[], ...around: string[]) => string | undefined
  /** Plugins that add pages; absent where there are none. */
  hooks?: PageHooks
  /** What pages of files and failures tell the pages of projects, by the project's slug. */
  projectParts: Map<string, Partial<Pick<ProjectView, 'files' | 'allFiles' | 'failures'>>>
}

/** What plugins need to make pages. */
export interface PageHooks {
  plugins: PluginList
  redactor?: TextRedactor | undefined
  fail: (diagnostic: Diagnostic) => void
}

/** The sessions of one project, the newest first. */
export interface ProjectSessions {
  slug: string
  name: string
  sessions: readonly SessionSummary[]
}

/** What is made of the sessions of a project once all of them were added. */
export interface ProjectEnd<Part> {
  /** The pages that only this project has. */
  pages: Iterable<SitePage>
  /** What pages that tell of all projects need of it: plain JSON, for the next build may find it kept. */
  part: Part
}

/**
 * The pages of one type while they are made. Sessions come project by project; no session's detail may be kept. Of a project in which
 * nothing changed only `take` hears.
 */
export interface PageSource<Part = unknown> {
  /** Hears of a project before its sessions. */
  begin?(project: ProjectSessions): void
  /** Takes a session of which details are known. */
  add?(summary: SessionSummary, detail: SessionDetail): void
  end?(project: ProjectSessions): ProjectEnd<Part>
  /** Takes what `end` told of a project, in this build or in the one before. */
  take?(project: ProjectSessions, part: Part): void
  /** Gives the pages that tell of all projects, or of what is in several of them. */
  pages?(): Iterable<SitePage>
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
        yield { path, content: () => input.templates.render(template, view(input)) }
      },
    }),
  }
}

/** A page before its template is filled. */
export interface PageOf<View> extends Pick<SitePage, 'path' | 'key'> {
  /** What the template is given. */
  view: () => View
}

/** A page type with pages of their own. */
export function manyPages<View extends object>(
  template: string,
  views: (input: PagesInput) => Iterable<PageOf<View>>,
): PageType {
  return {
    open: (input) => ({
      *pages() {
        for (const { view, ...page } of views(input))
          yield { ...page, content: () => input.templates.render(template, view()) }
      },
    }),
  }
}
