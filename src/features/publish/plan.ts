/** What a publish is asked to do, what it changes at a host and in which order, and what it reports. */

import type { PublishTarget } from '../../config/publish.ts'
import type { Settings } from '../../config/schema.ts'
import { isDrastic, RemovalError } from '../../diagnostics/errors.ts'
import type { Finding } from '../../diagnostics/finding.ts'
import { installRank } from '../../render/output.ts'
import { manifestName, obstaclesTo } from '../../site/output/paths.ts'
import { sessionFolders } from '../../transcript/urls.ts'
import { compareText } from '../../util/compare.ts'

/** A file of the site, with the mark by which a host compares contents. */
export interface SiteFile {
  path: string
  /** Bytes. */
  size: number
  /** A digest of its content, of the kind that the host has too. */
  mark: string
}

/** The files at a host. */
interface HostState {
  /** Marks by path: at least those of the site's paths and of all paths in `owned`. */
  marks: ReadonlyMap<string, string>
  /** Paths that were published from here before: only these may be replaced or removed. */
  owned: ReadonlySet<string>
}

/** What a publish changes. All lists are in code unit order. */
export interface PublishPlan {
  added: SiteFile[]
  changed: SiteFile[]
  kept: SiteFile[]
  removed: string[]
  /** Somebody else's files at paths where the site has a file. */
  foreign: string[]
}

/** Compares a site with the files at its host. */
export function planPublish(files: readonly SiteFile[], { marks, owned }: HostState): PublishPlan {
  const plan: PublishPlan = { added: [], changed: [], kept: [], removed: [], foreign: [] }
  for (const file of files.toSorted((a, b) => compareText(a.path, b.path))) {
    const mark = marks.get(file.path)
    if (mark === undefined) plan.added.push(file)
    else if (mark === file.mark) plan.kept.push(file)
    else if (owned.has(file.path)) plan.changed.push(file)
    else plan.foreign.push(file.path)
  }
  const paths = new Set(files.map(({ path }) => path))
  plan.removed = [...owned].filter((path) => marks.has(path) && !paths.has(path)).sort(compareText)
  return plan
}

/** Whether a plan changes nothing. */
export function isIdle({ added, changed, removed }: PublishPlan): boolean {
  return added.length + changed.length + removed.length === 0
}

/** The steps of a publish. Files of one group may go in any order; each group waits for the one before it. */
interface PublishOrder {
  /** Old files that are in the way: where a new one needs a folder, or below a path where a new file goes. */
  clear: string[]
  put: SiteFile[][]
  /** Groups from what leads to pages down to what pages load. */
  remove: string[][]
}

/**
 * Orders a plan so that, wherever the publish ends, every page that a reader can reach has what it loads. First come
 * files that nothing links to yet, then changed ones from what pages load to what leads to them, then the manifest, then
 * removals. A new start page comes just before the manifest, because pages that an interrupted publish left there may
 * link to files that never arrived.
 */
export function orderPublish({ added, changed, kept, removed }: PublishPlan): PublishOrder {
  const blocks = obstaclesTo([...added, ...changed, ...kept].map(({ path }) => path))
  const [start, others] = [added.filter(isStart), added.filter((file) => !isStart(file))]
  const manifest = [...added, ...changed].filter(isManifest)
  return {
    clear: removed.filter(blocks),
    put: [...byRank(others), ...byRank(changed), start, manifest].filter((group) => group.length > 0),
    remove: inRanks(
      removed.filter((path) => !blocks(path)),
      (path) => path,
    ).reverse(),
  }
}

/** Groups of equal rank, without the manifest: it says which files are ours, so it comes only after them. */
function byRank(files: readonly SiteFile[]): SiteFile[][] {
  const pages = files.filter((file) => !isManifest(file))
  return inRanks(pages, ({ path }) => path)
}

function inRanks<T>(items: readonly T[], pathOf: (item: T) => string): T[][] {
  const ranks = [...new Set(items.map((item) => installRank(pathOf(item))))].sort((a, b) => a - b)
  return ranks.map((rank) => items.filter((item) => installRank(pathOf(item)) === rank))
}

function isStart({ path }: SiteFile): boolean {
  return path === 'index.html'
}

function isManifest({ path }: SiteFile): boolean {
  return path === manifestName
}

// Sessions that a publish would remove, compared with what was published at the same target before.

/** Throws a `RemovalError` if a plan removes so many of the published sessions that it looks like an accident. */
export function refuseWithdrawal({ added, changed, kept, removed }: PublishPlan, target: string): void {
  const pathsOf = (files: PublishPlan['added']): string[] => files.map(({ path }) => path)
  const next = [...pathsOf(added), ...pathsOf(changed), ...pathsOf(kept)]
  refuseFewer(sessionFolders([...pathsOf(changed), ...pathsOf(kept), ...removed]), sessionFolders(next), target)
}

/** The same for a target that cannot be asked: `before` and `now` are folders of sessions. */
export function refuseFewer(before: ReadonlySet<string>, now: ReadonlySet<string>, target: string): void {
  const lost = [...before].filter((folder) => !now.has(folder)).length
  const loss = { source: target, had: before.size, has: now.size, lost }
  if (isDrastic(loss)) throw new RemovalError([loss], 'Nothing was published.')
}

// The options and the result of `publish`.

/** Settings that `publish` uses as they are. */
type PublishSettings = Pick<
  Settings,
  | 'out'
  | 'siteUrl'
  | 'to'
  | 'endpoint'
  | 'region'
  | 'scanners'
  | 'waivers'
  | 'allowFindings'
  | 'allowUnredacted'
  | 'allowRemoval'
  | 'replace'
  | 'dryRun'
>

/** Options of `publish`. */
export interface PublishOptions extends PublishSettings {
  readonly target: PublishTarget
  readonly branch: string | undefined
  /** Keep earlier versions of the site in the history of the branch. */
  readonly history: boolean
  /** `Name <mail>`; a neutral name if absent. */
  readonly author: string | undefined
  /** Name of the workflow file without its extension. */
  readonly name: string | undefined
  readonly pathStyle: boolean
  /** Absolute working folder: its repository has the remote, and gets the workflow. */
  readonly cwd: string
  /** Asks a yes-or-no question; `undefined` if nobody can be asked. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined
}

/** What changes at the host. */
export interface PublishedFiles {
  /** Files that are sent. */
  added: Pick<SiteFile, 'path' | 'size'>[]
  changed: Pick<SiteFile, 'path' | 'size'>[]
  removed: string[]
  /** Number of files that stay as they are. */
  kept: number
}

/** A session that was not public there before. */
export interface PublicSession {
  /** Empty if the page is locked. */
  title: string
  path: string
  /** Present if the site's address is known. */
  url?: string
}

/** What a publish did or, with `dryRun` or `refused`, what it would have done. */
export interface PublishResult {
  target: PublishTarget
  /** The target for people, without credentials. */
  place: string
  dryRun: boolean
  /** The audit found something that was not allowed: nothing was published, or with `dryRun` nothing would be. */
  refused: boolean
  /** What the audit found, of every level. */
  findings: Finding[]
  /** Absent if this command itself sends no file of the site. */
  files?: PublishedFiles
  sessions: {
    /** Number of sessions of the site. */
    total: number
    added: PublicSession[]
    changed: number
    /** Paths of the first pages of sessions that were removed. */
    removed: string[]
  }
  /** Public address of the site, if known. */
  address?: string
  /** Id of the new commit. */
  commit?: string
  /** What was done besides sending files, one sentence each. */
  done: string[]
  /** What is left for a person to do, one sentence or command each. */
  next: string[]
}
