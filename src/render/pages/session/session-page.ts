/** What a session page is made of, and the links from it to anchors of its own thread. */

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
  /** Facts and final stats of the whole thread; its children, if still present, are those of the page. */
  session: Session
  /** Number of nodes of the page that are hidden (default: counted in the session's children). */
  hidden?: number
  facts: ScanFacts
  project: ProjectRef
  /** Label of the home that contains it: whose session it is. */
  label?: string
  /** 1-based. */
  page: number
  /** The page has the story of a session of several pages, or a part of it; `page` is then the first page that it covers. */
  story?: StoryPosition
  neighbours: Neighbours
  /** What the first page shows of the whole thread. */
  overview: SessionOverview
  /** What the whole thread did, including the files that it changed. */
  detail: SessionDetail
  /** A page of what the model remembers exists. */
  remembers?: boolean
  /** Number of items that were pruned from what the model remembers, which that page lists. */
  pruned?: number
  /** What plugins show on its first page. */
  panels?: readonly PanelView[]
  /** From `renderBody`. */
  body: string
  site: SiteInfo
  context: RenderContext
}

/** Which part of a long story a page has. */
interface StoryPosition {
  /** 1-based. */
  part: number
  /** The first work page that each part covers, in order. */
  starts: readonly number[]
}

// Links from a session page to anchors of its own thread.

/** Path of a session page: a part of the story of several pages, or a work page. */
export function pathOf({ session: { threadId }, facts, page, story }: Origin): string {
  return story === undefined ? workPage(threadId, page, facts.pages.length) : storyPage(threadId, story.part)
}

type Origin = Pick<SessionPage, 'session' | 'facts' | 'page' | 'story'>

/** Makes links to anchors on work pages; only the fragment if that is the page itself. */
export function anchorHrefs(origin: Origin): (target: PageAnchor) => string {
  const { session, facts, page, story } = origin
  const path = pathOf(origin)
  return (target) => {
    if (!story && target.page === page) return `#${target.anchor}`
    return `${relativeLink(path, workPage(session.threadId, target.page, facts.pages.length))}#${target.anchor}`
  }
}

/** Makes links to prompts and turns, which a story always contains: in the story if there is one, else like `anchorHrefs`. */
export function storyHrefs(origin: Origin): (target: PageAnchor) => string {
  const { session, story } = origin
  if (story === undefined) return anchorHrefs(origin)
  const path = pathOf(origin)
  return ({ page, anchor }) => {
    const part = partOf(story, page)
    return `${part === story.part ? '' : relativeLink(path, storyPage(session.threadId, part))}#${anchor}`
  }
}

/** The part of a story that covers a work page, 1-based. */
export function partOf({ starts }: StoryPosition, page: number): number {
  return Math.max(1, starts.findLastIndex((start) => start <= page) + 1)
}
