/** What templates are given: plain values, ready to print. `docs/templates.md` explains each field. */

/** Fields of every page. */
export interface PageView {
  /** Title of the document. */
  title: string
  siteTitle: string
  language: string
  generator: string
  /** Content Security Policy. */
  policy: string
  /** Prefix from the page to the site's root: empty or `../../`. */
  root: string
  css: string
  js: string
  /** Links of the header. */
  home: string
  projects: string
  /** Links of the bar at the top. */
  nav: NavView[]
  /** The site has a search index. */
  search: boolean
  /** One line about the page, for search engines and link previews. */
  description: string
  /** Absent where the site's address is not known. */
  social?: SocialView
}

/** What other places show of a page. */
export interface SocialView {
  /** Absolute address of the page. */
  url: string
  /** Absolute address of the site's feed. */
  feed: string
  /** Kind of preview on Twitter. */
  card: 'summary' | 'summary_large_image'
  /** Open Graph properties. */
  properties: { property: string; content: string }[]
}

/** A short text of a header; parts of it may be links or code. */
export interface FactView {
  parts: { text: string; href?: string; code?: boolean; strong?: boolean; tone?: 'good' | 'bad'; foreign?: boolean }[]
}

/** A link of the bar at the top; `current` is the value of `aria-current`: the page itself, or one below it. */
export interface NavView extends LinkView {
  current?: 'page' | 'true'
}

/** An instant for `<time>`. */
export interface TimeView {
  iso: string
  text: string
}

/** A link with a text. */
export interface LinkView {
  text: string
  href: string
}

/** Threads that belong to this one, under a heading. */
export interface RelationView {
  heading: string
  items: { text: string; note?: string; href?: string }[]
}

/** A prompt in the outline. */
export interface OutlineView extends LinkView {
  /** It stands in this page. */
  here: boolean
}

/** The receipt at the foot of a session page. */
export interface ReceiptView {
  /** The sentence that says what became of every line. */
  summary: string
  /** Counters behind the sentence. */
  details: { name: string; counts: { name: string; count: string }[] }[]
  /** The same session in other formats. */
  downloads: LinkView[]
}

/** `html/session.eta` */
export interface SessionView extends PageView {
  heading: string
  facts: FactView[]
  relations: RelationView[]
  outline: OutlineView[]
  /** Pages of the thread; `previous` and `next` are absent at the ends. */
  pages: { current: number; total: number; previous?: string; next?: string; all: { number: number; href: string }[] }
  receipt: ReceiptView
  /** Rendered HTML of the page's turns: already safe, printed raw. */
  body: string
}

/** A session in a list. */
export interface RowView {
  href: string
  title: string
  time?: TimeView
  /** Project, branch, and the words that began it. */
  project: string
  branch?: string
  gist?: string
  /** Lines added and removed, for example `+42`; absent where there are none. */
  added?: string
  removed?: string
  failed?: string
  duration?: string
  /** What kind of thread, for example `sub-agent`; absent for ordinary ones. */
  badge?: string
}

/** Sessions of one day. */
export interface DayView {
  id: string
  heading: string
  rows: RowView[]
}

/** `html/index.eta` */
export interface IndexView extends PageView {
  heading: string
  summary: string
  days: DayView[]
  /** Nothing was found: the page says where to point the tool. */
  empty: boolean
  projectLinks: (LinkView & { count: string })[]
  moreProjects: boolean
  months: (LinkView & { count: string })[]
  /** What the list of days does not show, or an empty text. */
  remark: string
}

/** `html/list.eta`: pages of a project or a month. */
export interface ListView extends PageView {
  heading: string
  summary: string
  days: DayView[]
  months: (LinkView & { count: string })[]
  remark: string
}

/** `html/projects.eta` */
export interface ProjectsView extends PageView {
  heading: string
  projectLinks: (LinkView & { count: string; last: string })[]
}

/** `html/single.eta` */
export interface SingleView extends SessionView {
  /** The style sheet itself, printed raw: no text of a transcript is in it. */
  style: string
}
