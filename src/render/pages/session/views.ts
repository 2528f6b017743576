/** Parts of a session page's view: plain values, ready to print. `docs/templates.md` explains each field. */

import type { MarkKind } from '../../../transcript/overview.ts'

/** A bar whose parts are shares of a whole. */
export interface BarView {
  /** The same in words. */
  text: string
  /** `x` and `width` are per cent, with the sign. */
  parts: { kind: 'fresh' | 'cached' | 'output' | 'reasoning'; x: string; width: string }[]
}

/** What a plugin shows beside a session. */
export interface PanelView {
  heading: string
  /** Sanitised HTML, printed raw. */
  body: string
}

/** A session in the tree of those that belong together. */
export interface LineageView {
  text: string
  /** Its relation to its neighbour in the tree; may be empty. */
  note: string
  /** Absent if the session has no page here. */
  href?: string
  /** It is the session that the page shows. */
  here?: boolean
  branches: LineageView[]
  /** Further branches, in a fold. */
  more: LineageView[]
}

/** A label below a timeline. */
export interface TickView {
  /** Per cent, with the sign. */
  x: string
  anchor: 'start' | 'middle' | 'end'
  text: string
  /** Shown on wide pages only. */
  minor: boolean
  iso: string
}

/** What happened when; positions and widths are per cent of the whole width, with the sign. */
export interface TimelineView {
  /** Turns, turns that were rolled back, and on top of them commands and tools. */
  bars: { kind: 'turn' | 'undone' | 'work'; x: string; width: string; href: string; title: string }[]
  /** Moments; `shape` is a path of 12 by 12 units, horizontally centred on 0. */
  marks: { kind: MarkKind; x: string; shape: string; href: string; title: string }[]
  /** Pauses that are drawn shorter than they were; `sign` is the position of the symbol for it, if there is space for one. */
  breaks: { x: string; width: string; sign?: string; title: string }[]
  ticks: TickView[]
  /** The timeline in words: sums of time, how often things happened, what the drawing does not show. */
  summary: string
}

/** Files that the session changed, the latest first. */
export interface ChangesView {
  /** `3 files` */
  summary: string
  added?: string
  removed?: string
  rows: {
    path: string
    /** Link to the last change. */
    href: string
    /** Says if it is new, was moved or deleted. */
    note?: string
    /** Number of changes. */
    count: string
    /** The latest turns that changed it. */
    turns: { text: string; href: string }[]
    /** Number of turns before those; empty if there are none. */
    earlier: string
    added?: string
    removed?: string
  }[]
  /** What is not listed; empty if everything is. */
  rest: string
}

/** A page of a session; `title` says what it begins with and may be empty. */
interface PageLinkView {
  number: number
  href: string
  title: string
}

/** Pages of a session. */
export interface PagerView {
  current: number
  total: number
  /** Link from a work page to `index.html`, if the session has several pages. */
  first?: string
  /** Absent at the ends. */
  previous?: PageLinkView
  next?: PageLinkView
  /** Pages near this one, the first and the last; empty for a single page. */
  all: PageLinkView[]
  /** Anchors of the first lines of all pages, for scripts; empty except on the first of several pages. */
  starts: string
}

/** A line of the receipt. */
export interface ReceiptRowView {
  name: string
  count: string
  /** The count by kind. */
  kinds: { name: string; count: string }[]
}
