/** Views of the pages of files, with the sessions and turns that changed them. */

import {
  anchorLink,
  fileAnchor,
  filesPath,
  projectFilesPage,
  projectPage,
  relativeLink,
} from '../../transcript/urls.ts'
import { bestOf, compareText } from '../../util/compare.ts'
import { sumBy } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import { joinTexts } from '../../util/text.ts'
import { formatAmount, formatCount } from '../../util/time.ts'
import type { FilesView, FileTurnView, FileView, ProjectFilesView, TouchedFileView } from '../cross-session-views.ts'
import { timeView } from '../dates.ts'
import { firstLine, signedLines } from '../phrases.ts'
import type { SiteInfo } from '../site-info.ts'
import type { ProjectView } from '../views.ts'
import { literalText } from '../visible-text.ts'
import { countFiles, type FileHistory, type FileTurn, folderOf, projectHistory, projectPaths } from './file-history.ts'
import type { PageSource, PageType } from './page-type.ts'
import { pageView } from './page-view.ts'
import { pageSteps } from './projects.ts'
import { cutBytes, cutName } from './rows.ts'

/** Files and turns on one page, so that in any script it stays below 300 kB of gzip. */
const max = { files: 1000, turns: 2000 }
/** Files that the head of the first page names. */
const maxTouched = 12
const textBytes = { title: 110, prompt: 130, note: 100, path: 160 }

/** The pages of each project's files, and the page of the files of all projects. */
export const filesPage: PageType = {
  open({ templates, site, projectParts }): PageSource<FilesPart> {
    const touched = touchedFiles()
    let history = projectHistory(projectPaths([]))
    let [changed, hasEdits] = [0, false]
    return {
      begin({ sessions }) {
        history = projectHistory(projectPaths(sessions.flatMap(({ cwd }) => cwd ?? [])))
        ;[changed, hasEdits] = [0, false]
      },
      add(summary, detail) {
        hasEdits ||= detail.touches.length > 0
        if (detail.touches.some(({ failed }) => failed !== true)) changed++
        history.add(summary, detail)
      },
      end({ slug, name }) {
        const files = history.files()
        const input = { slug, name, files, sessions: changed, omitted: history.omitted() }
        const pages = projectFilesPages(input, site).map(({ path, view }) => ({
          path,
          content: () => templates.render('html/project-files', view),
        }))
        return { pages, part: { ...partOf(input), hasEdits } }
      },
      addPart({ slug, name }, part) {
        if (part.hasEdits) touched.sawEdits()
        if (part.count === 0) return
        projectParts.set(slug, { ...projectParts.get(slug), ...part.short })
        touched.add(slug, name, part)
      },
      *pages() {
        yield { path: filesPath, content: () => templates.render('html/files', touched.view(site)) }
      },
    }
  },
}

/** What other pages show of the files of a project. */
interface FilesPart {
  /** Sessions have edits, even if all of them failed. */
  hasEdits: boolean
  /** Number of files that were changed. */
  count: number
  /** When the last one was changed; empty if that is not known. */
  lastAt: string
  /** Files for the lists of the page of all projects: those changed most, and those changed last. */
  most: TouchedFile[]
  latest: TouchedFile[]
  /** For the page of the project. */
  short: Pick<ProjectView, 'files' | 'allFiles'>
}

/** What the page of a project shows of its files. */
function shortFiles(input: ProjectFilesInput): Pick<ProjectView, 'files' | 'allFiles'> {
  const from = projectPage(input.slug)
  const files = mostTouchedFiles(input, from)
  if (files.length === input.files.length) return { files }
  const text = `All ${formatAmount(countFiles(input.files), 'file')}`
  return { files, allFiles: { text, href: relativeLink(from, projectFilesPage(input.slug)) } }
}

/** The files of one project. */
interface ProjectFilesInput {
  slug: string
  name: string
  /** Sorted by folder and name. */
  files: readonly FileHistory[]
  /** Sessions of the project that changed any. */
  sessions: number
  /** Number of changes that are not listed anywhere. */
  omitted: number
}

/** A file of a project with the number of the page that shows it. */
interface FileOnPage {
  page: number
  file: FileHistory
}

/** The pages of a project's files with their paths. */
function projectFilesPages(input: ProjectFilesInput, site: SiteInfo): { path: string; view: ProjectFilesView }[] {
  const placed = filesOnPages(input.files)
  const count = placed.at(-1)?.page ?? 0
  return Array.from({ length: count }, (_, index) => {
    const page = index + 1
    const path = projectFilesPage(input.slug, page)
    const files = placed.filter((item) => item.page === page).map(({ file }) => file)
    const href = (number: number) => relativeLink(path, projectFilesPage(input.slug, number))
    const view: ProjectFilesView = {
      ...pageView(path, `Files of ${input.name}${page === 1 ? '' : `, page ${page}`}`, site, {
        description: `Files of ${input.name} that were touched, with the sessions and turns that did.`,
      }),
      heading: `Files of ${input.name}`,
      project: { text: input.name, href: relativeLink(path, projectPage(input.slug)) },
      summary: summaryOf(input),
      most: page === 1 && input.files.length > maxTouched ? mostTouchedFiles(input, path, placed) : [],
      folders: foldersOf(files, path, site),
      steps: pageSteps('Pages of these files', { page, count }, href),
      remark: remarkOf(page, count, input.omitted),
    }
    return { path, view }
  })
}

/** Files that most turns changed, with links from the page at `from`. */
function mostTouchedFiles(
  { slug, files }: ProjectFilesInput,
  from: string,
  placed: readonly FileOnPage[] = filesOnPages(files),
): { text: string; href: string; note: string }[] {
  return [...placed]
    .sort((a, b) => b.file.count - a.file.count)
    .slice(0, maxTouched)
    .map(({ page, file: { path, count } }) => ({
      text: literalText(cutName(path, textBytes.path)),
      href: `${relativeLink(from, projectFilesPage(slug, page))}#${fileAnchor(path)}`,
      note: formatAmount(count, 'turn'),
    }))
}

/** Cuts sorted files into pages. */
function filesOnPages(files: readonly FileHistory[]): FileOnPage[] {
  let page = 1
  let filled = 0
  let turns = 0
  return files.map((file) => {
    const isFull = filled === max.files || turns + file.turns.length > max.turns
    if (isFull && filled > 0) {
      page++
      filled = 0
      turns = 0
    }
    filled++
    turns += file.turns.length
    return { page, file }
  })
}

function summaryOf({ files, sessions }: ProjectFilesInput): string {
  const sum = (of: (file: FileHistory) => number) => sumBy(files, of)
  const [added, removed] = [sum((file) => file.added), sum((file) => file.removed)]
  return `${formatAmount(countFiles(files), 'file')} changed in ${formatAmount(sessions, 'session')} · +${formatCount(added)} \u2212${formatCount(removed)}`
}

function remarkOf(page: number, count: number, omitted: number): string {
  const parts = [
    count > 1 ? `Page ${page} of ${formatCount(count)}.` : '',
    omitted > 0 ? `${formatAmount(omitted, 'older change')} of very long sessions are not listed.` : '',
  ]
  return joinTexts(parts, ' ')
}

function foldersOf(files: readonly FileHistory[], path: string, site: SiteInfo): ProjectFilesView['folders'] {
  const folders = new Map<string, FileView[]>()
  for (const file of files) {
    const name = folderOf(file.path)
    const views = folders.get(name) ?? []
    folders.set(name, views)
    views.push(fileView(file, path, site))
  }
  return [...folders].map(([name, views]) => ({ name: literalText(cutName(name, textBytes.path)), files: views }))
}

function fileView(file: FileHistory, path: string, site: SiteInfo): FileView {
  const { turns, count, sessions } = file
  const rest = count - turns.length
  return {
    id: fileAnchor(file.path),
    name: literalText(cutName(file.path.slice(folderOf(file.path).length), textBytes.path)),
    note: `${formatAmount(count, 'turn')}${count === sessions ? '' : ` in ${formatAmount(sessions, 'session')}`}`,
    ...defined({ last: timeView(turns[0]?.at, site.timeZone, 'day') }),
    ...signedLines(file),
    turns: turns.map((turn) => turnView(turn, path, site)),
    more: rest === 0 ? '' : `and ${formatAmount(rest, 'older turn')}`,
  }
}

function turnView(turn: FileTurn, path: string, { timeZone }: SiteInfo): FileTurnView {
  const { threadId, title, at, prompt, note } = turn
  const words = cutBytes(firstLine(prompt ?? '', 200), textBytes.prompt)
  const number = turn.turn === 0 ? 'Before the first turn' : `Turn ${turn.turn}`
  return {
    href: relativeLink(path, anchorLink(threadId, turn)),
    title: cutBytes(firstLine(title, 200), textBytes.title),
    gist: words === '' ? number : `${number} · “${words}”`,
    ...defined({ time: timeView(at, timeZone, 'minute') }),
    ...(note === undefined ? {} : { note: cutBytes(note, textBytes.note) }),
    ...signedLines(turn),
  }
}

// The page of all projects.

/** Files in each list of the page of all projects. */
const maxListed = 50

/** A file of a project, as the page of all projects shows it. */
interface TouchedFile extends Pick<FileHistory, 'path' | 'count' | 'added' | 'removed'> {
  /** Page of the project's files that shows it. */
  page: number
  lastAt: string
}

const byCount = (a: TouchedFile, b: TouchedFile): number => b.count - a.count || latestFirst(a, b)
const latestFirst = (a: TouchedFile, b: TouchedFile): number =>
  compareText(b.lastAt, a.lastAt) || compareText(a.path, b.path)

/** Sums up the files of one project. */
function partOf(input: ProjectFilesInput): Omit<FilesPart, 'hasEdits'> {
  const most = bestOf(maxListed, byCount)
  const latest = bestOf(maxListed, latestFirst)
  let last = ''
  for (const { page, file } of filesOnPages(input.files)) {
    const { path, count, added, removed, turns } = file
    const lastAt = turns[0]?.at ?? ''
    if (lastAt > last) last = lastAt
    most.add({ page, path, count, added, removed, lastAt })
    latest.add({ page, path, count, added, removed, lastAt })
  }
  return {
    count: countFiles(input.files),
    lastAt: last,
    most: most.items(),
    latest: latest.items(),
    short: shortFiles(input),
  }
}

/** A file of some project. */
interface ListedFile extends TouchedFile {
  slug: string
  project: string
}

/** Collects the files of all projects and keeps those that were changed most and last. */
interface TouchedFiles {
  add: (slug: string, name: string, part: FilesPart) => void
  sawEdits: () => void
  view: (site: SiteInfo) => FilesView
}

function touchedFiles(): TouchedFiles {
  const bySlug = (a: ListedFile, b: ListedFile) => compareText(a.slug, b.slug) || compareText(a.path, b.path)
  const byTime = (a: ListedFile, b: ListedFile) => compareText(b.lastAt, a.lastAt) || bySlug(a, b)
  const most = bestOf<ListedFile>(maxListed, (a, b) => b.count - a.count || byTime(a, b))
  const latest = bestOf<ListedFile>(maxListed, byTime)
  const projects: { slug: string; name: string; files: number; lastAt: string }[] = []
  let hasEdits = false
  return {
    sawEdits() {
      hasEdits = true
    },
    add(slug, project, part) {
      for (const file of part.most) most.add({ ...file, slug, project })
      for (const file of part.latest) latest.add({ ...file, slug, project })
      projects.push({ slug, name: project, files: part.count, lastAt: part.lastAt })
    },
    view: (site) => ({
      ...pageView(filesPath, 'Files', site, { description: 'Files that sessions changed most, and last.' }),
      heading: 'Files',
      empty: projects.length === 0,
      // Without any edit, edits may have been left out on purpose, so the page does not say that nothing changed.
      emptyText: hasEdits ? 'No session changed a file by an edit.' : 'No edits are shown here.',
      summary: `Edits changed ${formatAmount(sumOf(projects), 'file')} in ${formatAmount(projects.length, 'project')}. Files that only commands wrote are not listed.`,
      byProject: [...projects]
        .sort((a, b) => compareText(b.lastAt, a.lastAt) || compareText(a.slug, b.slug))
        .map(({ slug, name, files }) => ({
          text: cutName(name, textBytes.note),
          href: relativeLink(filesPath, projectFilesPage(slug)),
          count: formatCount(files),
        })),
      lists: [
        { id: 'most', heading: 'Most changed', files: most.items().map((file) => touchedFileView(file, site)) },
        { id: 'latest', heading: 'Latest', files: latest.items().map((file) => touchedFileView(file, site)) },
      ],
    }),
  }
}

function sumOf(projects: readonly { files: number }[]): number {
  return sumBy(projects, ({ files }) => files)
}

function touchedFileView(
  { slug, project, page, path, count, lastAt, ...lines }: ListedFile,
  site: SiteInfo,
): TouchedFileView {
  return {
    text: literalText(cutName(path, textBytes.path)),
    href: `${relativeLink(filesPath, projectFilesPage(slug, page))}#${fileAnchor(path)}`,
    project: cutName(project, textBytes.note),
    note: formatAmount(count, 'turn'),
    ...signedLines(lines),
    ...defined({ last: timeView(lastAt === '' ? undefined : lastAt, site.timeZone, 'day') }),
  }
}
