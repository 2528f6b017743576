/** The options and the result of `publish`. */

import type { PublishTarget } from '../../config/publish.ts'
import type { Settings } from '../../config/schema.ts'
import type { Finding } from '../../diagnostics/finding.ts'
import type { SiteFile } from './plan.ts'

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
