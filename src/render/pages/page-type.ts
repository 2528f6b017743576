/** Page types: each is given every session once, then returns its pages. `site.ts` lists all page types. */

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
  /** Key of all that the content depends on beside site and templates; without it the content is made in each build. */
  key?: string | undefined
  /** Makes the content; called only if the content of the previous build cannot be kept. */
  content: () => OutputFile['content']
}

/** What pages of all sessions are made from. */
export interface PagesInput {
  templates: Templates
  /** Sorted by `byStart`, the newest first. */
  sorted: readonly SessionSummary[]
  site: SiteInfo
  /** Files from which the script of the home page lists all sessions. */
  catalog: readonly SitePage[]
  /** Key of a page that depends on some sessions and on `around`; `undefined` if not all of the sessions are known. */
  keyOf: (sessions: readonly SessionSummary[], ...around: string[]) => string | undefined
  /** Plugins that add pages; absent if there are none. */
  hooks?: PageHooks
  /** What the page types of files and failures add to the pages of projects, by the project's slug. */
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

/** What results from the sessions of a project after all of them were added. */
interface ProjectEnd<Part> {
  /** The pages that only this project has. */
  pages: Iterable<SitePage>
  /** What pages about all projects need from it; plain JSON, because it may be kept for the next build. */
  part: Part
}

/**
 * The pages of one type while they are made. Sessions come project by project; no session's detail may be kept. For a
 * project in which nothing changed, only `addPart` is called.
 */
export interface PageSource<Part = unknown> {
  /** Called for a project before its sessions. */
  begin?(project: ProjectSessions): void
  /** Adds a session whose details are known. */
  add?(summary: SessionSummary, detail: SessionDetail): void
  end?(project: ProjectSessions): ProjectEnd<Part>
  /** Adds the part that `end` returned for a project, in this build or an earlier one. */
  addPart?(project: ProjectSessions, part: Part): void
  /** Returns the pages that are about all projects, or about several of them. */
  pages?(): Iterable<SitePage>
}

/** One page type. */
export interface PageType {
  /** Its pages are left out of lists of pages, such as the sitemap: they are found in other ways. */
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
interface PageOf<View> extends Pick<SitePage, 'path' | 'key'> {
  /** Makes the view that the template is filled with. */
  view: () => View
}

/** A page type with any number of pages. */
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
