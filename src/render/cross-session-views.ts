/** What the templates of files, failures and stats are given. `docs/templates.md` explains each field. */

import type { LinkView, PageView, StepsView, TimeView } from './views.ts'

/** A file of a project, in the list of those of all projects. */
export interface TouchedFileView extends LinkView {
  project: string
  /** Number of turns that changed it. */
  note: string
  added?: string
  removed?: string
  /** Day of the last change. */
  last?: TimeView
}

/** `html/files.eta`: the files of all projects that sessions changed most, and last. */
export interface FilesView extends PageView {
  heading: string
  /** Nothing was changed: the page says so with `emptyText`. */
  empty: boolean
  emptyText: string
  summary: string
  /** All projects with changed files, the latest change first, each with the number of its files. */
  byProject: (LinkView & { count: string })[]
  lists: { id: string; heading: string; files: TouchedFileView[] }[]
}

/** One turn that changed a file. */
export interface FileTurnView {
  href: string
  time?: TimeView
  title: string
  /** Number and prompt of the turn. */
  gist: string
  note?: string
  added?: string
  removed?: string
}

/** A file with the turns that changed it, newest first. */
export interface FileView {
  id: string
  name: string
  note: string
  /** Day of the last change. */
  last?: TimeView
  added?: string
  removed?: string
  turns: FileTurnView[]
  /** How many more turns there are; empty if there are none. */
  more: string
}

/** `html/project-files.eta`: a page of the files of one project. */
export interface ProjectFilesView extends PageView {
  heading: string
  project: LinkView
  summary: string
  /** Files that most turns changed; on the first page only. */
  most: (LinkView & { note: string })[]
  /** `name` is the folder with a trailing slash; empty for the project's own folder. */
  folders: { name: string; files: FileView[] }[]
  steps: StepsView
  remark: string
}

/** A program whose commands failed. */
export interface FailingView {
  id: string
  name: string
  /** How many of its runs failed. */
  note: string
  failures: FailureView[]
  /** Links to the pages of projects, which list older failures; most failures first. */
  projects: (LinkView & { count: string })[]
  /** How many other projects there are; empty if there are none. */
  moreProjects: string
  more: string
}

/** A failed command; `gist` names its session, and is empty if the row above is of the same session. */
export interface FailureView {
  href: string
  script: string
  exit: string
  gist: string
  time?: TimeView
  /** The command that fixed it, with a link to it. */
  fix?: LinkView
}

/** `html/failures.eta`: the newest failures of all projects, or a page of those of one. */
export interface FailuresView extends PageView {
  heading: string
  summary: string
  /** Nothing failed: the page says so with `emptyText`. */
  empty: boolean
  emptyText: string
  /** The project whose failures these are; absent on the page of all projects. */
  project?: LinkView
  /** Projects with failures, most first, on the page of all projects. */
  byProject: (LinkView & { count: string })[]
  /** How many projects `byProject` does not name; empty if it names all. */
  moreProjects: string
  /** Programs of the page by number of failures, for the list at its head. */
  index: (LinkView & { count: string })[]
  /** How many programs `index` does not name; empty if it names all. */
  morePrograms: string
  programs: FailingView[]
  steps: StepsView
  remark: string
}

/** `html/commits.eta`: commits and pull requests, newest first. */
export interface CommitsView extends PageView {
  heading: string
  summary: string
  rows: {
    /** Link to the command that made it. */
    href: string
    /** Subject of the commit, or name of the request. */
    label: string
    /** Project, turn and session. */
    place: string
    /** Start of the hash, or number of the request. */
    name: string
    /** Address on a known host. */
    remote?: string
    time?: TimeView
  }[]
  steps: StepsView
  remark: string
}

/** Bars over time. Horizontal positions and sizes are percentages of the width, vertical ones are pixels. */
export interface PlotView {
  id: string
  heading: string
  /** The same in words. */
  summary: string
  height: number
  lines: { y: number; text: string }[]
  /** `tone` is a class: `s0` to `s7` for series, `bad` for failures. */
  bars: { x: string; y: string; width: string; height: string; tone: string; title: string }[]
  ticks: { x: string; text: string }[]
  /** Series with their sums, as stacked from the bottom up; empty for a single one. */
  series: { tone: string; name: string; total: string }[]
  /** The same numbers as a table, newest first. */
  columns: string[]
  rows: { name: string; cells: string[] }[]
}

/** Areas stacked over the turns of a session. */
export interface AreaPlotView extends Omit<PlotView, 'bars'> {
  /** Pixels above the plotted field, and its width in units of its own. */
  top: number
  width: number
  /** From the bottom up; `points` form a polygon in a field that is `width` units wide and begins below `top`. */
  areas: { tone: string; points: string }[]
  /** A horizontal line that the areas should stay below. */
  limit?: { y: number; text: string }
  /** Sudden drops, as vertical lines. */
  marks: { x: string; href: string; title: string }[]
}

/** `html/context.eta` */
export interface ContextView extends PageView {
  heading: string
  session: { text: string; href: string }
  summary: string
  plot: AreaPlotView
  /** Compactions, oldest first. */
  drops: { text: string; change: string; href?: string }[]
  totals: { columns: string[]; rows: { name: string; cells: string[] }[]; remark: string }
  /** The totals by tool and by file. */
  shares: {
    id: string
    heading: string
    columns: string[]
    rows: { name: string; cells: string[] }[]
    /** What is not listed. */
    remark: string
  }[]
  /** The largest items, the largest first. */
  largest: ContextView['items']
  itemsHeading: string
  /** Oldest first. If `text` is empty because it may not be shown, `about` describes the item instead. */
  items: { tone: string; text: string; about: string; tokens: string; href?: string }[]
  /** What the list leaves out; empty if it is complete. */
  rest: string
  /** What the last compaction removed; absent if there was none. */
  dropped?: NonNullable<ContextView['pruned']>
  /** What was pruned from the rollout; absent if nothing was. */
  pruned?: { id: string; heading: string; remark: string; items: ContextView['items'] }
}

/** Bars of named things, as a table. */
export interface BarsView {
  id: string
  heading: string
  columns: string[]
  rows: BarView[]
  remark: string
}

/** One bar; widths are percentages. */
export interface BarView {
  name: string
  href?: string
  width: string
  /** The failed part of the bar. */
  bad?: string
  cells: string[]
}

/** `html/stats.eta` */
export interface StatsView extends PageView {
  heading: string
  summary: string
  empty: boolean
  /** Sums over all sessions. */
  totals: { name: string; value: string; note: string }[]
  plots: PlotView[]
  bars: BarsView[]
  /** Prices per million tokens (fresh input, cached input, output) of the models that were used. */
  prices: { name: string; cells: string[]; date: string; source?: LinkView }[]
}
