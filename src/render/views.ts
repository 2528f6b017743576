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
  /** The user's settings for pages, by their names. */
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
  /** Link to the search page; only valid if `search` is `true`. */
  searchPage: string
  /** Link to the script for the controls and results of the search; loaded on first use. */
  searchScript: string
  /** Link to the script that finds words in a session; loaded on first use. */
  findScript: string
  /** Link to the script with the reader's own stars, tags and notes. */
  curationScript: string
  /** Link to the script with the filters of the start page. */
  filterScript: string
  /** One line about the page, for search engines and link previews. */
  description: string
  /** Absent if the site's address is not known. */
  social?: SocialView
}

/** What link previews, search engines and feed readers need to know about a page. */
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

/** A link of the bar at the top; `current` is the value of `aria-current`: `page` on the page itself, `true` below it. */
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

/** A chapter in the outline: a prompt, or a turn without one. Only the first page has the outcome, from `result` on. */
export interface OutlineView extends LinkView {
  /** It is on this page. */
  here: boolean
  /** Number of its page if it is on another one. */
  page?: number
  /** Its turn was rolled back and is in a fold. */
  rolledBack?: true
  /** BCP 47 tag of the text, if its letters show the language. */
  language?: string
  /** First sentence of the last answer of its turn. */
  result?: { text: string; language?: string }
  /** How long the turn took, lines added and removed, `2 failed commands not fixed`, and how it ended unless it ended well. */
  duration?: string
  added?: string
  removed?: string
  left?: string
  state?: string
}

/** The receipt at the foot of a session page. */
export interface ReceiptView {
  /** The sentence that accounts for every line. */
  summary: string
  /** Counters behind the sentence. */
  rows: ReceiptRowView[]
}

/** `html/session.eta` */
export interface SessionView extends PageView {
  /** Id by which a curation refers to the session; absent if the id was made up. */
  thread?: string
  heading: string
  /** BCP 47 tag of the heading, if its letters show the language. */
  headingLanguage?: string
  /** What a session that still runs waits for. */
  waits?: 'command' | 'tool' | 'answer'
  /** First sentence of the last answer, on the first page. */
  subtitle?: { text: string; language?: string }
  /** Project, branch, start. */
  place: FactView[]
  /** The facts that matter most, of the whole session; empty on later pages, like `details`. */
  facts: FactView[]
  /** The others, by name. */
  details: (FactView & { name: string })[]
  /** The same session in other formats. */
  downloads: LinkView[]
  /** Command line that resumes the session; absent if its id is not one that Codex gave. */
  resume?: string
  /** What plugins show of the whole session; empty on later pages. */
  panels: readonly PanelView[]
  /** The tree of sessions related to this one; empty on later pages and if there are none. */
  relations: LineageView[]
  /** On the first page, if there is something to show. */
  timeline?: TimelineView
  changes?: ChangesView
  outline: OutlineView[]
  /** Whether the outline is shown; the page needs to know at once, so that its columns do not change while it loads. */
  hasOutline: boolean
  /** `Prompts`, or `Requests` if Codex itself made them. */
  outlineWord: string
  /** `12 prompts`; `outlineStart` is the number of the first one in the list. */
  outlineName: string
  outlineStart: number
  /** How many prompts come before and after those of the outline; empty if there are none. */
  earlierPrompts: string
  laterPrompts: string
  pages: PagerView
  /** Absent on all parts of a story but the first. */
  receipt?: ReceiptView
  /** Rendered HTML of the page's turns: already safe, printed raw. */
  body: string
}

/** A session in a list. */
export interface RowView {
  href: string
  title: string
  time?: TimeView
  /** Project (absent on its own page), branch, and the first sentence of the last answer or else the first prompt. */
  project?: string
  branch?: string
  gist?: string
  /** BCP 47 tag of title and gist, if their letters show the language. */
  language?: string
  /** Whose session it is, if homes have labels. */
  person?: string
  /** Values of fields of plugins. */
  fields?: readonly { label: string; text: string }[]
  /** Lines added and removed, for example `+42`; absent if there are none. */
  added?: string
  removed?: string
  /** Failed commands that were not fixed, and errors that the session shows. */
  left?: string
  errors?: string
  duration?: string
  /** How it ended, if it did not end well, for example `interrupted`. */
  state?: string
  /** What kind of thread, for example `sub-agent`; absent for ordinary ones. */
  badge?: string
  /** `★` for a session that somebody starred, then its tags. */
  tags?: readonly string[]
}

/** Sessions of one day. */
export interface DayView {
  id: string
  /** Pieces of its title; where days are in a narrow column, every second piece is omitted. */
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
  /** Position of its square in pixels. */
  x: number
  y: number
  /** 1 to 4: its quartile among the days, by number of sessions. */
  level: number
  /** It is the newest day, at which the keyboard starts. */
  newest: boolean
}

/** Sessions per day in the year up to the newest one. */
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

/** Links from a list to the ones before and after it and to the one above. */
export interface StepsView {
  /** Name of the links as a whole. */
  label: string
  links: (LinkView & { rel?: 'prev' | 'next' })[]
}

/** A choice of the filters: `name` is its parameter in the address. */
export interface ChoiceView {
  name: string
  label: string
  /** Its text when nothing is chosen. */
  any: string
  options: { value: string; text: string }[]
}

/** The filters of the start page; the script finds all sessions in `parts`. */
export interface FiltersView {
  /** Links to the parts of the catalog, newest sessions first, with a space between them. */
  parts: string
  choices: ChoiceView[]
  checks: { name: string; text: string }[]
  /** Label of the text field, which says what it searches. */
  hint: string
  /** Sort orders of the list; the one without a value is that of the page. */
  sorts: { value: string; text: string }[]
}

/** `html/index.eta` */
export interface IndexView extends PageView {
  heading: string
  summary: string
  /** Link to the commits and pull requests, if there are any. */
  commits?: LinkView
  calendar: CalendarView | undefined
  filters: FiltersView
  days: DayView[]
  /** Nothing was found: the page says where to point the tool. */
  empty: boolean
  projectLinks: CountView[]
  moreProjects: boolean
  /** The newest twelve months. */
  months: CountView[]
  /** Link to all months, if there are more. */
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
  /** Days of the month whose sessions are not all listed. */
  moreDays: CountView[]
  remark: string
}

/** `html/project.eta`: a page of a project. */
export interface ProjectView extends PageView {
  heading: string
  summary: string
  /** Absent on every page but the first, like everything except the list of sessions. */
  calendar: CalendarView | undefined
  /** Branches and models with the number of their sessions, most first. */
  lists: { id: string; heading: string; items: { text: string; count: string }[]; rest: string }[]
  /** Files that most turns changed. */
  files: { text: string; href: string; note: string }[]
  /** Link to all files of the project, if `files` does not name them all. */
  allFiles?: LinkView
  /** Link to the commands that failed in it, if any did. */
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
  /** Path in 104 by 18 units: a column per week of the half year up to the site's newest session, or per day of a month. */
  spark: string
  /** Numbers that the list may be sorted by, keyed by the values of `sorts`. */
  sizes: Record<string, number>
}

/** `html/not-found.eta` */
export interface NotFoundView extends PageView {
  /** Its style sheet and, for sites without `start`, a script that finds the start page; both printed raw. */
  style: string
  script: string
  /** Absolute address of the start page; absent if the address of the site is not known. */
  start?: string
}

/** `html/projects.eta` */
export interface ProjectsView extends PageView {
  heading: string
  /** Sort orders of the list; the one without a value is that of the rows. */
  sorts: { value: string; text: string }[]
  /** Latest activity first. */
  rows: ProjectRowView[]
}

/** `html/single.eta` */
export interface SingleView extends SessionView {
  /** Style sheet and script, printed raw: they contain no text of a transcript. */
  style: string
  script: string
  /** Sub-agents of all levels, each after the thread that started it. */
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
  /** Keyed name of the content that is sealed in the page. */
  name: string
  /** Base64. */
  salt: string
  /** Rounds of PBKDF2. */
  rounds: number
  /** Value that only the right password yields. */
  check: string
  /** The sealed content, base64. */
  sealed: string
}
