/** Makes all output paths, slugs, anchors and relative links; no other module does. Pure text. */

import { hasDeviceName } from '../util/paths.ts'
import { isUuid } from '../util/time.ts'

/** 32-bit FNV-1a of a text as 8 hex digits: distinguishes slugs that look the same; not for security. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** ASCII words of a text joined by `-`, at most 48 characters, never empty, never a device name. */
export function slugify(text: string): string {
  const slug = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-+|-+$/g, '')
  return slug === '' || hasDeviceName(slug) ? `x-${slug}`.replace(/-$/, '') : slug
}

/** The session folders that occur in paths of a site. */
export function sessionFolders(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>()
  for (const path of paths) {
    const end = path.startsWith('sessions/') ? path.indexOf('/', 9) : -1
    if (end !== -1) folders.add(path.slice(9, end))
  }
  return folders
}

/**
 * Folder name of a thread: its id if that is a lower-case UUID, as Codex writes it, else a safe name with a hash of the
 * whole id, so that ids which differ only in case get different folders.
 */
export function threadFolder(threadId: string): string {
  return isUuid(threadId) && threadId === threadId.toLowerCase()
    ? threadId
    : `${slugify(threadId)}-${shortHash(threadId)}`
}

/** Anchor of a thread that is shown below another one on the same page; followed by `-`, the prefix of the ids in it. */
export function agentAnchor(threadId: string): string {
  return threadFolder(threadId)
}

/** Slug of a project: unique by `key` (remote or folder), readable by `name`. */
export function projectSlug(name: string, key: string): string {
  return `${slugify(name)}-${shortHash(key).slice(0, 6)}`
}

const inSession = (threadId: string, name: string): string => `sessions/${threadFolder(threadId)}/${name}`

/** The first of several pages is the index of its folder. */
const pageFile = (page: number): string => `${page === 1 ? 'index' : page}.html`

/** Path of a thread's page, 1-based. */
export function sessionPage(threadId: string, page = 1): string {
  return inSession(threadId, pageFile(page))
}

/**
 * Path of a session's page with the work that was done. If the session has only one page, that is it; otherwise the work
 * pages are `1.html`, `2.html` and so on, because `index.html` shows the story of the whole session.
 */
export function workPage(threadId: string, page: number, pages: number): string {
  return inSession(threadId, `${pages > 1 ? page : 'index'}.html`)
}

/** Path of the script with the runs of work of a page, 1-based, which can be opened in the session's story. */
export function workScriptPath(threadId: string, page: number): string {
  return inSession(threadId, `work-${page}.js`)
}

/** Path of a part of a long session's story, 1-based. */
export function storyPage(threadId: string, part: number): string {
  return part === 1 ? sessionPage(threadId) : inSession(threadId, `story-${part}.html`)
}

/** Path of the script with the words of a work page, 1-based, which the find function of the session's other pages reads. */
export function findPath(threadId: string, page: number): string {
  return inSession(threadId, `find-${page}.js`)
}

/** An anchor in a thread, and the 1-based page that contains it. */
export interface PageAnchor {
  page: number
  anchor: string
  /** Number of pages of the thread, if the link comes from another thread (default: 1). */
  pages?: number
}

/** Path of the page that contains an anchor of a thread, with the anchor; without `target`, the path of its first page. */
export function anchorLink(threadId: string, target?: PageAnchor): string {
  if (target === undefined) return sessionPage(threadId)
  return `${workPage(threadId, target.page, Math.max(target.page, target.pages ?? 1))}#${target.anchor}`
}

/** Path of the page that shows what the model remembers of a thread. */
export function contextPage(threadId: string): string {
  return inSession(threadId, 'context.html')
}

/** Path of a thread's Markdown twin. */
export function sessionMarkdown(threadId: string): string {
  return inSession(threadId, 'index.md')
}

/** Path of a thread's JSON tree. */
export function sessionJson(threadId: string): string {
  return inSession(threadId, 'index.json')
}

/** Path of the full text of a long output, by the id of its node. */
export function outputText(threadId: string, nodeId: string): string {
  const name = nodeId.replace(/[^a-z0-9.-]/gi, '-')
  return inSession(threadId, `${hasDeviceName(name.toLowerCase()) ? `x-${name}` : name}.txt`)
}

/** Path of a project's page, 1-based: a busy project has several. */
export function projectPage(slug: string, page = 1): string {
  return `projects/${slug}/${pageFile(page)}`
}

/** The list of months. */
export const monthsPath = 'months/index.html'

/** Path of a month's page, `month` as `YYYY-MM`. */
export function monthPage(month: string): string {
  return `months/${month}/index.html`
}

/** Path of a day's page, `day` as `YYYY-MM-DD`. Items without a date are on one page, that of their "month". */
export function dayPage(day: string): string {
  const [, month, date] = /^(\d{4}-\d\d)-(\d\d)$/.exec(day) ?? []
  return month === undefined ? monthPage(day) : `months/${month}/${date}.html`
}

/** The page that lists the projects whose files sessions changed. */
export const filesPath = 'files/index.html'
/** The page of failed commands of all projects. */
export const failuresPath = 'failures/index.html'
/** Path of a page of the commits and pull requests that sessions made, 1-based. */
export function commitsPage(page = 1): string {
  return `commits/${pageFile(page)}`
}

/** The statistics page. */
export const statsPath = 'stats/index.html'

/** Path of the page for searching all sessions. */
export const searchPagePath = 'search/index.html'

/** Path of a page with the files that sessions of a project touched, 1-based. */
export function projectFilesPage(slug: string, page = 1): string {
  return `files/${slug}/${pageFile(page)}`
}

/** Path of a page with the commands that failed in a project, 1-based. */
export function projectFailuresPage(slug: string, page = 1): string {
  return `failures/${slug}/${pageFile(page)}`
}

/** Anchor of a file on its project's files pages, by its path there. */
export function fileAnchor(path: string): string {
  const name = path.split(/[/\\]/).findLast((part) => part !== '') ?? path
  return `f-${slugify(name)}-${shortHash(path)}`
}

/** Anchor of a program on pages of failed commands. */
export function programAnchor(program: string): string {
  return `p-${slugify(program)}-${shortHash(program)}`
}

/** Path of a file below `assets/`. */
export function assetPath(name: string): string {
  return `assets/${name}`
}

/** Path of a file of the search index, by its path in the index's folder. */
export function searchFile(name: string): string {
  return `pagefind/${name}`
}

/** Relative link between two paths of the site. It always names the file. */
export function relativeLink(from: string, to: string): string {
  // Fast path: most links stay within their session's folder, and the memory page has hundreds of them.
  const folder = from.slice(0, from.lastIndexOf('/') + 1)
  if (to.startsWith(folder)) return to.slice(folder.length)
  const base = from.split('/').slice(0, -1)
  const target = to.split('/')
  let common = 0
  while (common < base.length && common < target.length - 1 && base[common] === target[common]) common++
  return [...base.slice(common).map(() => '..'), ...target.slice(common)].join('/')
}

/** Absolute address of a path of the site; `base` is the site's address, ending with a slash. */
export function publicUrl(base: string, path: string): string {
  return base + path
}

/** Anchor of an item: `l<line>`; in later segments it is preceded by eight digits of the rollout id. */
export function itemAnchor(line: number, rolloutId?: string): string {
  return rolloutId === undefined ? `l${line}` : `${rolloutId.replaceAll('-', '').slice(-8)}-l${line}`
}

/** Anchor of what was pruned, on the memory page. */
export const prunedAnchor = 'pruned'

/** Anchor of a turn: the last 12 digits of its id if that is a UUID, else the anchor of its first line. */
export function turnAnchor(turnId: string | undefined, line: number, rolloutId?: string): string {
  const lower = turnId?.toLowerCase()
  return lower !== undefined && isUuid(lower) ? `t-${lower.slice(-12)}` : itemAnchor(line, rolloutId)
}
