/** What goes into `publish` and what comes out. */

import type { PublishTarget } from '../../config/publish.ts'
import type { Settings } from '../../config/schema.ts'
import type { Finding } from '../../diagnostics/finding.ts'
import type { SiteFile } from './plan.ts'

/** Settings of `publish` that hold as they are. */
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
  /** `Name <mail>`; a neutral name where absent. */
  readonly author: string | undefined
  /** Name of the workflow file without its extension. */
  readonly name: string | undefined
  readonly pathStyle: boolean
  /** Absolute working folder: its repository has the remote, and takes the workflow. */
  readonly cwd: string
  /** Asks a question to be answered by yes or no; `undefined` where nobody can be asked. */
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

/** A session that readers did not find there before. */
export interface PublicSession {
  /** Empty where the page is locked. */
  title: string
  path: string
  /** Where the address of the site is known. */
  url?: string
}

/** What a publish did; with `dryRun` or `refused`: what it would have done. */
export interface PublishResult {
  target: PublishTarget
  /** The place in words, without credentials. */
  place: string
  dryRun: boolean
  /** The audit found something that was not allowed: nothing was published, or with `dryRun` nothing would be. */
  refused: boolean
  /** What the audit found, of every level. */
  findings: Finding[]
  /** Absent where this command sends no file of the site. */
  files?: PublishedFiles
  sessions: {
    /** Sessions of the site. */
    total: number
    added: PublicSession[]
    changed: number
    /** Paths of pages that are gone. */
    removed: string[]
  }
  /** Address under which the site is public, where it is known. */
  address?: string
  /** Id of the new commit. */
  commit?: string
  /** What was done beside sending files, one sentence each. */
  done: string[]
  /** What is left for a person to do, one sentence or command each. */
  next: string[]
}
