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
  /** How it stands to its neighbour in the tree; may be empty. */
  note: string
  /** Absent where the session has no page here. */
  href?: string
  /** The session that the page shows. */
  here?: boolean
  branches: LineageView[]
  /** Further branches, folded. */
  more: LineageView[]
}

/** A label below a timeline. */
export interface TickView {
  /** Per cent, with the sign. */
  x: string
  anchor: 'start' | 'middle' | 'end'
  text: string
  /** For wide pages only. */
  minor: boolean
  iso: string
}

/** What happened when; places and widths are per cent of the width, with the sign. */
export interface TimelineView {
  /** Turns, turns that were taken back, and on top of them commands and tools. */
  bars: { kind: 'turn' | 'undone' | 'work'; x: string; width: string; href: string; title: string }[]
  /** Moments; `shape` is a path around the middle of 12 by 12 units. */
  marks: { kind: MarkKind; x: string; shape: string; href: string; title: string }[]
  /** Pauses that are drawn shorter than they were; `sign` is the place of the sign that says so, where it has room. */
  breaks: { x: string; width: string; sign?: string; title: string }[]
  ticks: TickView[]
  /** The timeline in words: sums of time, what happened how often, what the drawing does not show. */
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
    /** Place of the last change. */
    href: string
    /** Whether it is new, was moved or deleted. */
    note?: string
    /** Number of changes. */
    count: string
    /** The latest turns that changed it. */
    turns: { text: string; href: string }[]
    /** Number of turns before those, or an empty text. */
    earlier: string
    added?: string
    removed?: string
  }[]
  /** What is not listed, or an empty text. */
  rest: string
}

/** A page of a session; `title` tells what it begins with and may be empty. */
export interface PageLinkView {
  number: number
  href: string
  title: string
}

/** Pages of a session. */
export interface PagerView {
  current: number
  total: number
  /** Link to the first page, on all others. */
  first?: string
  /** Absent at the ends. */
  previous?: PageLinkView
  next?: PageLinkView
  /** Pages near this one, the first and the last; empty for a single page. */
  all: PageLinkView[]
  /** Anchors of the first lines of all pages, for scripts, on the first of several pages; else empty. */
  starts: string
}

/** A line of the receipt. */
export interface ReceiptRowView {
  name: string
  count: string
  /** The same by kind. */
  kinds: { name: string; count: string }[]
}
