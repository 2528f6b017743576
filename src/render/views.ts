/** What templates are given: plain values, ready to print. `docs/templates.md` explains each field. */

import type { PageSettings } from '../config/schema.ts'
import type {
  BarView,
  ChangesView,
  LineageView,
  PagerView,
  PanelView,
  ReceiptRowView,
  TimelineView,
} from './pages/session/views.ts'

/** Fields of every page. */
export interface PageView {
  /** Title of the document. */
  title: string
  siteTitle: string
  /** What the user set for pages, by the names of the settings. */
  settings: PageSettings
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
  /** A service worker keeps visited pages. */
  offline: boolean
  /** Link of the page that searches; leads somewhere only where `search` is `true`. */
  searchPage: string
  /** Link of the script that makes controls and answers of the search; loaded on first use. */
  searchScript: string
  /** Link of the script that finds words in a session; loaded on first use. */
  findScript: string
  /** Link of the script with the reader's own stars, tags and notes. */
  curationScript: string
  /** Link of the script with the filters of the start page. */
  filterScript: string
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
  /** Open Graph properties. */
  properties: { property: string; content: string }[]
}

/** A short text of a header; parts of it may be links or code. */
export interface FactView {
  parts: {
    text: string
    href?: string
    code?: boolean
    strong?: boolean
    tone?: 'good' | 'bad'
    /** The link leads to another site. */
    foreign?: boolean
    /** The text is this instant. */
    iso?: string
  }[]
  bar?: BarView
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

/** A chapter in the outline: a prompt, or a turn without one. What came of it stands on the first page only. */
export interface OutlineView extends LinkView {
  /** It stands in this page. */
  here: boolean
  /** Number of the page where it stands otherwise. */
  page?: number
  /** A rollback removed its turn: it stands in a fold. */
  rolledBack?: true
  /** BCP 47 tag of the text, where its letters tell it. */
  language?: string
  /** What the last answer of its turn says first. */
  result?: { text: string; language?: string }
  /** Time that the turn took, lines that it added and removed, `2 failed commands not fixed`, and how it ended where not well. */
  duration?: string
  added?: string
  removed?: string
  left?: string
  state?: string
}

/** The receipt at the foot of a session page. */
export interface ReceiptView {
  /** The sentence that says what became of every line. */
  summary: string
  /** Counters behind the sentence. */
  rows: ReceiptRowView[]
}

/** `html/session.eta` */
export interface SessionView extends PageView {
  /** Its id, by which a curation names it; absent where that was made up. */
  thread?: string
  heading: string
  /** Language of the heading where it is Chinese, Japanese or Korean. */
  headingLanguage?: string
  /** What a session that still runs waits for. */
  waits?: 'command' | 'tool' | 'answer'
  /** What the last answer says first, on the first page. */
  subtitle?: { text: string; language?: string }
  /** Project, branch, start. */
  place: FactView[]
  /** The facts that matter most, of the whole session; empty on later pages, like `details`. */
  facts: FactView[]
  /** The others, by name. */
  details: (FactView & { name: string })[]
  /** The same session in other formats. */
  downloads: LinkView[]
  /** A command line that goes on with the session; absent where Codex did not give it its id. */
  resume?: string
  /** What plugins show of the whole session; empty on later pages. */
  panels: readonly PanelView[]
  /** The tree of sessions around this one; empty on later pages and where there are none. */
  relations: LineageView[]
  /** On the first page, as far as there is something to tell. */
  timeline?: TimelineView
  changes?: ChangesView
  outline: OutlineView[]
  /** Whether the outline is shown, which the page says before all else: its columns stand from the start. */
  hasOutline: boolean
  /** `Prompts`, or `Requests` of Codex itself. */
  outlineWord: string
  /** `12 prompts`, and the number of the first of the list. */
  outlineName: string
  outlineStart: number
  /** How many prompts stand before and behind those of the outline; empty where there are none. */
  earlierPrompts: string
  laterPrompts: string
  pages: PagerView
  /** Absent on later parts of a story. */
  receipt?: ReceiptView
  /** Rendered HTML of the page's turns: already safe, printed raw. */
  body: string
}

/** A session in a list. */
export interface RowView {
  href: string
  title: string
  time?: TimeView
  /** Project (absent on its own page), branch, and what its last answer says first, else the words that began it. */
  project?: string
  branch?: string
  gist?: string
  /** BCP 47 tag of title and gist, where their letters tell it. */
  language?: string
  /** Whose session it is, where homes have labels. */
  person?: string
  /** Values of fields of plugins. */
  fields?: readonly { label: string; text: string }[]
  /** Lines added and removed, for example `+42`; absent where there are none. */
  added?: string
  removed?: string
  /** Failed commands, and errors that the session shows. */
  left?: string
  errors?: string
  duration?: string
  /** How it ended, where it did not end well, for example `interrupted`. */
  state?: string
  /** What kind of thread, for example `sub-agent`; absent for ordinary ones. */
  badge?: string
  /** `★` for a session that stands out, then its tags. */
  tags?: readonly string[]
}

/** Sessions of one day. */
export interface DayView {
  id: string
  /** Of its title; where days stand in a column, every second piece is left out. */
  heading: string[]
  /** Link to the page of the day; absent on that page, which shows no heading but its own. */
  href?: string
  rows: RowView[]
}

/** A link with a number of sessions. */
export interface CountView extends LinkView {
  count: string
}

/** A day with sessions in the calendar. */
export interface CalendarDayView {
  href: string
  /** `3 sessions on 12 November 2026` */
  title: string
  /** Place of its square in pixels. */
  x: number
  y: number
  /** 1 to 4: which quarter of the days it belongs to. */
  level: number
  /** The newest day: where the keyboard begins. */
  newest: boolean
}

/** Sessions per day, the year up to the newest. */
export interface CalendarView {
  width: number
  height: number
  /** Side of a square. */
  side: number
  months: { text: string; x: number }[]
  weekdays: { text: string; y: number }[]
  /** Path of the squares of days without a session. */
  empty: string
  days: CalendarDayView[]
  /** The same in one sentence. */
  summary: string
}

/** Links to what stands beside a list: before, above and after it. */
export interface StepsView {
  /** Name of the links as a whole. */
  label: string
  links: (LinkView & { rel?: 'prev' | 'next' })[]
}

/** A choice of the filters: `name` is the word in the address. */
export interface ChoiceView {
  name: string
  label: string
  /** What it says when nothing is chosen. */
  any: string
  options: { value: string; text: string }[]
}

/** The filters of the start page; the script finds all sessions in `parts`. */
export interface FiltersView {
  /** Links to the parts of the catalog, newest sessions first, with a space between them. */
  parts: string
  choices: ChoiceView[]
  checks: { name: string; text: string }[]
  /** What the field for words is called, which says what it looks at. */
  hint: string
  /** Orders of the list; the one without a value is that of the page. */
  sorts: { value: string; text: string }[]
}

/** `html/index.eta` */
export interface IndexView extends PageView {
  heading: string
  summary: string
  /** Link to the commits and pull requests, where there are any. */
  commits?: LinkView
  calendar: CalendarView | undefined
  filters: FiltersView
  days: DayView[]
  /** Nothing was found: the page says where to point the tool. */
  empty: boolean
  projectLinks: CountView[]
  moreProjects: boolean
  /** The newest twelve. */
  months: CountView[]
  /** Link to all of them, where there are more. */
  allMonths?: string
  /** What the list of days does not show, or an empty text. */
  remark: string
}

/** `html/list.eta`: pages of a month or a day. */
export interface ListView extends PageView {
  heading: string
  summary: string
  steps: StepsView
  days: DayView[]
  /** Days of the month of which not all sessions are listed. */
  moreDays: CountView[]
  remark: string
}

/** `html/project.eta`: a page of a project. */
export interface ProjectView extends PageView {
  heading: string
  summary: string
  /** Absent, like all but the list of sessions, on every page but the first. */
  calendar: CalendarView | undefined
  /** Branches and models with the number of their sessions, most first. */
  lists: { id: string; heading: string; items: { text: string; count: string }[]; rest: string }[]
  /** Files that were touched most. */
  files: { text: string; href: string; note: string }[]
  /** Link to all files of the project, where `files` does not name them all. */
  allFiles?: LinkView
  /** Link to the commands that failed in it, where any did. */
  failures?: LinkView
  steps: StepsView
  days: DayView[]
  remark: string
}

/** `html/search.eta` */
export interface SearchView extends PageView {
  heading: string
}

/** A project in the list of all of them. */
export interface ProjectRowView {
  href: string
  name: string
  /** Number of its sessions, and of their tokens. */
  count: string
  tokens: string
  /** Lines added and removed, failed commands not fixed. */
  notes: { text: string; tone?: 'good' | 'bad' }[]
  /** Day of the newest session. */
  last?: TimeView
  /** Path of a column a week, of the half year up to the newest session of the site, or a day; in 104 by 18 units. */
  spark: string
  /** What the list may be sorted by, by the values of `sorts`. */
  sizes: Record<string, number>
}

/** `html/not-found.eta` */
export interface NotFoundView extends PageView {
  /** Its style sheet itself, printed raw, and a script that links the start page, for where `start` is absent. */
  style: string
  script: string
  /** Absolute address of the start page; absent where the address of the site is not known. */
  start?: string
}

/** `html/projects.eta` */
export interface ProjectsView extends PageView {
  heading: string
  /** Orders of the list; the one without a value is that of the rows. */
  sorts: { value: string; text: string }[]
  /** Latest activity first. */
  rows: ProjectRowView[]
}

/** `html/single.eta` */
export interface SingleView extends SessionView {
  /** Style sheet and script themselves, printed raw: no text of a transcript is in them. */
  style: string
  script: string
  /** Sub-agents of all levels, each behind the thread that started it. */
  agents: AgentView[]
}

/** A sub-agent below the session that started it, in the same page. */
export interface AgentView
  extends Pick<SessionView, 'heading' | 'place' | 'facts' | 'details' | 'receipt' | 'downloads' | 'body'> {
  id: string
  /** The session that started it, at the call that did. */
  origin?: LinkView
}

/** Fields of `html/lock.eta`. */
export interface LockView {
  /** Content Security Policy. */
  policy: string
  /** Prefix from the page to the site's root: empty or `../`. */
  root: string
  css: string
  js: string
  /** Keyed name of what is sealed in the page. */
  name: string
  /** Base64. */
  salt: string
  /** Rounds of PBKDF2. */
  rounds: number
  /** Value that the right password alone gives. */
  check: string
  /** What is sealed in the page, base64. */
  sealed: string
}
