/** What the renderer knows about the site around a page. */

import type { PriceTable } from '../config/prices.ts'

/** A thread that other pages may link to. */
export interface ThreadLink {
  title: string
  /** The thread has a page in this site. */
  built: boolean
}

/** Settings of every page. */
export interface SiteInfo {
  title: string
  /** IANA zone for shown times; default `UTC`. */
  timeZone: string
  language: string
  /** `codex-export x.y.z` */
  generator: string
  /** Absolute address under which the site is public, with a slash at its end: feed, sitemap and link previews need it. */
  url?: string
  /** One sentence about the site, in the user's words. */
  description?: string
  /** Prices that the user gave. */
  prices?: PriceTable
  /** The site has a search index. */
  search: boolean
  /** Outputs of commands and tools are in it. */
  searchOutputs?: boolean
  /** A service worker keeps visited pages. */
  offline?: boolean
  /** Pages have a Markdown twin, a JSON tree. */
  /** Nothing that only the machine of the sessions can use, such as the command that resumes one. */
  withoutInternals?: boolean
  markdown: boolean
  json: boolean
  /** File names of the style sheet and script below `assets/`, with content hash. */
  css: string
  js: string
  /** The script with controls and answers of the search. */
  searchJs: string
}

/** Links around one thread. */
export interface Neighbours {
  /** Who started this thread; its place is the call that did. */
  parent?: NamedThread
  /** Who started the parent, and so on upwards, nearest first; at most three. */
  above?: NamedThread[]
  /** Whose history this thread goes on from; its place is the last inherited turn. */
  forkedFrom?: NamedThread
  forks: { threadId: string; title: string }[]
  /** Threads that this one started; `callId` is that of the call where one names it. */
  agents: { threadId: string; title: string; role?: string; callId?: string }[]
}

/** A thread that another one names. */
export interface NamedThread {
  threadId: string
  title?: string
  built: boolean
  place?: PageAnchor
}

/** An anchor of a thread and the page that holds it, 1-based. */
export interface PageAnchor {
  page: number
  anchor: string
}
