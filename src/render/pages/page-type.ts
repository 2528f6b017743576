/** What a page type is: it hears of each session once, then gives its pages. `site.ts` lists all page types. */

import type { Neighbours } from '../../survey/neighbours.ts'
import type { SessionOverview } from '../../transcript/overview.ts'
import type { ProjectRef, ScanFacts, SessionDetail, SessionSummary } from '../../transcript/summary.ts'
import type { Session } from '../../transcript/trast.ts'
import type { OutputFile } from '../output.ts'
import type { SiteInfo } from '../site-info.ts'
import type { Templates } from '../templates.ts'
import type { RenderContext } from '../transcript/context.ts'
import type { ProjectView } from '../views.ts'
import type { PageHooks } from './plugins.ts'
import type { PanelView } from './session/views.ts'

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

// What a session page is made of.

/** What a session page is made of. */
export interface SessionPage {
  /** Facts and final stats of the whole thread; its children, where still there, are those of the page. */
  session: Session
  /** Nodes of the page that are not shown (default: counted in the session's children). */
  hidden?: number
  facts: ScanFacts
  project: ProjectRef
  /** Label of the home that holds it: whose session it is. */
  label?: string
  /** 1-based. */
  page: number
  /** The page tells the story of a session of several pages, or a part of it; `page` is then the first that it tells. */
  story?: StoryPlace
  neighbours: Neighbours
  /** What the first page tells of the whole thread; without it that is left out. */
  overview?: SessionOverview
  /** What the whole thread did, among it the files that it changed; without it that is left out. */
  detail?: SessionDetail
  /** There is a page of what the model remembers. */
  remembers?: boolean
  /** Number of items that were pruned from what the model remembers; that page lists them. */
  pruned?: number
  /** What plugins show beside its first page. */
  panels?: readonly PanelView[]
  /** From `renderBody`. */
  body: string
  site: SiteInfo
  context: RenderContext
}

/** Which part of a long story a page tells. */
export interface StoryPlace {
  /** 1-based. */
  part: number
  /** The first page of work that each part tells, in order. */
  starts: readonly number[]
}
