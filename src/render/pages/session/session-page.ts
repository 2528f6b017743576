/** What a session page is made of, and the links from it to places of its own thread. */

import type { Neighbours } from '../../../survey/neighbours.ts'
import type { SessionOverview } from '../../../transcript/overview.ts'
import type { ProjectRef, ScanFacts, SessionDetail } from '../../../transcript/summary.ts'
import type { Session } from '../../../transcript/trast.ts'
import { type PageAnchor, relativeLink, storyPage, workPage } from '../../../transcript/urls.ts'
import type { SiteInfo } from '../../site-info.ts'
import type { RenderContext } from '../../transcript/context.ts'
import type { PanelView } from './views.ts'

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
  story?: StoryPosition
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
export interface StoryPosition {
  /** 1-based. */
  part: number
  /** The first page of work that each part tells, in order. */
  starts: readonly number[]
}

// Links from a session page to places of its own thread.

/** Path of a session page: the story of several pages, or a page of work. */
export function pathOf({ session: { threadId }, facts, page, story }: Origin): string {
  return story === undefined ? workPage(threadId, page, facts.pages.length) : storyPage(threadId, story.part)
}

type Origin = Pick<SessionPage, 'session' | 'facts' | 'page' | 'story'>

/** Gives the link to a place among the work; without its file where that is the page itself. */
export function anchorHrefs(origin: Origin): (place: PageAnchor) => string {
  const { session, facts, page, story } = origin
  const path = pathOf(origin)
  return (place) => {
    if (!story && place.page === page) return `#${place.anchor}`
    return `${relativeLink(path, workPage(session.threadId, place.page, facts.pages.length))}#${place.anchor}`
  }
}

/** The same for prompts and turns, all of which stand in a story. */
export function storyHrefs(origin: Origin): (place: PageAnchor) => string {
  const { session, story } = origin
  if (story === undefined) return anchorHrefs(origin)
  const path = pathOf(origin)
  return ({ page, anchor }) => {
    const part = partOf(story, page)
    return `${part === story.part ? '' : relativeLink(path, storyPage(session.threadId, part))}#${anchor}`
  }
}

/** The part of a story that tells a page of work, 1-based. */
export function partOf({ starts }: StoryPosition, page: number): number {
  return Math.max(1, starts.findLastIndex((start) => start <= page) + 1)
}
