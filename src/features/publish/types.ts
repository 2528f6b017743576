/** What goes into `publish` and what comes out. */

import type { PublishTarget } from '../../config/publish.ts'
import type { Finding } from '../../diagnostics/finding.ts'

/** Options of `publish`. */
export interface PublishOptions {
  readonly target: PublishTarget
  /** Absolute folder of the built site. */
  readonly out: string
  /** A folder, the address or path of a git repository, or `s3://bucket/prefix`. */
  readonly to: string | undefined
  readonly branch: string | undefined
  /** Keep earlier versions of the site in the history of the branch. */
  readonly history: boolean
  /** `Name <mail>`; a neutral name where absent. */
  readonly author: string | undefined
  /** Name of the workflow file without its extension. */
  readonly name: string | undefined
  readonly endpoint: string | undefined
  readonly region: string | undefined
  readonly pathStyle: boolean
  /** Address under which the site is public. */
  readonly siteUrl: string | undefined
  /** Absolute working folder: its repository has the remote, and takes the workflow. */
  readonly cwd: string
  readonly allowFindings: boolean
  /** Programs that look for secrets, too. */
  readonly scanners: readonly ('gitleaks' | 'trufflehog')[]
  /** Secrets that the audit lets pass: the reason, by the fingerprint of a finding. */
  readonly waivers: Readonly<Record<string, string>>
  readonly allowUnredacted: boolean
  /** Publish although most of the sessions that were published would go. */
  readonly allowRemoval: boolean
  /** Replace files of somebody else without asking. */
  readonly replace: boolean
  readonly dryRun: boolean
  /** Asks a question to be answered by yes or no; `undefined` where nobody can be asked. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined
}

/** A file that is sent. */
export interface SentFile {
  path: string
  /** Bytes. */
  size: number
}

/** What changes at the host. */
export interface PublishedFiles {
  added: SentFile[]
  changed: SentFile[]
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
