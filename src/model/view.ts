/** What the render room is told about the site around a page. */

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
  /** The site has a search index. */
  search: boolean
  /** Pages have a Markdown twin, a JSON tree. */
  markdown: boolean
  json: boolean
  /** File names of the style sheet and script below `assets/`, with content hash. */
  css: string
  js: string
}

/** Links around one thread. */
export interface Neighbours {
  parent?: { threadId: string; title?: string; built: boolean }
  forkedFrom?: { threadId: string; title?: string; built: boolean }
  forks: { threadId: string; title: string }[]
  agents: { threadId: string; title: string; role?: string }[]
}
