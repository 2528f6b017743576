/** What the parts of a session page are made from. */

import type { SessionOverview } from '../../transcript/overview.ts'
import type { ProjectRef, ScanFacts, SessionDetail } from '../../transcript/summary.ts'
import type { Session } from '../../transcript/trast.ts'
import type { Neighbours, SiteInfo } from '../../transcript/view.ts'
import type { RenderContext } from '../transcript/context.ts'
import type { PanelView } from './session-views.ts'

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
