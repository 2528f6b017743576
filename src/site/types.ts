/** What goes into the use cases and what comes out: plain values, every one present. */

import type { Preset, Publication } from '../config/publication.ts'
import type { Settings, SettingsOf } from '../config/schema.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import type { Finding } from '../diagnostics/finding.ts'
import type { PrivacyOptions } from '../survey/privacy.ts'
import type { Filters } from '../survey/select.ts'
import type { LineCounts, Status } from '../transcript/trast.ts'

/** The world outside a use case. */
export interface Host {
  /** Aborted by Ctrl-C: the use case throws `signal.reason` at the next chance and leaves no trace. */
  signal: AbortSignal
  progress: Progress
  /** Takes each diagnostic as soon as it is known. */
  report: (diagnostic: Diagnostic) => void
  /** Milliseconds since the epoch. */
  now: () => number
  env: Readonly<Record<string, string | undefined>>
  /** Absolute path of the user's home folder. */
  homeDir: string
  /** Hears that a build holds thousands of sessions or a very large one; absent where the process is not ours to tune. */
  crowded?: () => void
}

/** What decides what of the sessions is published; without it all is. */
export interface PublicationOptions {
  readonly publication?: Publication
}

/** Who made the pages, `codex-export x.y.z`. */
interface Generator {
  readonly generator: string
}

/** Options of `build`: the settings that it takes, and what was read from the files that they name. */
export interface BuildOptions extends SettingsOf<'build'>, PublicationOptions, Generator {
  /** A session whose file was written within so many milliseconds may still run, and is shown so; absent: none does. */
  readonly liveMs?: number
}

/** Which sessions of which homes are wanted. */
export interface Sources extends Pick<Settings, 'homes' | 'timeZone'>, Filters {}

/** Options of `list`. */
export interface ListOptions extends Sources, PrivacyOptions {}

/** Options of `show`: the settings that it takes, and what they do not tell. */
export interface ShowOptions extends SettingsOf<'show'>, PublicationOptions, Generator {
  /** As typed: the beginning of a thread id, or a path; `undefined` where the projects alone decide. */
  readonly target: string | undefined
  /** `target` as an absolute path, whether or not there is such a file. */
  readonly targetPath: string | undefined
  /**
   * Asks which of several threads is meant and gives its id; throws `UsageError` where none is. `undefined` where
   * nobody can be asked.
   */
  readonly choose: ((heading: string, candidates: readonly Candidate[]) => Promise<string>) | undefined
  /** Takes the pieces of the product in order, once all was read. */
  readonly write: (piece: string) => Promise<void>
}

/** A thread that may be the one that is meant. */
export interface Candidate {
  id: string
  title: string
  project?: string
  startedAt?: string
}

/** Options of `check`: those of the build that it speaks for. Secrets are looked for in any case. */
export interface CheckOptions extends Sources, Pick<Settings, 'plugins'>, PublicationOptions, PrivacyOptions {
  /** What `publication` began with: the check tells where it publishes more than that. */
  readonly preset?: Preset
}

/** Options of `scrub`. */
export interface ScrubOptions {
  /** Absolute path of one rollout. */
  readonly path: string
  /** Takes the scrubbed bytes, in order. */
  readonly write: (bytes: Uint8Array) => Promise<void>
}

/** Options of `serve`: `out` is a built site. */
export type ServeOptions = Pick<Settings, 'out' | 'port' | 'open'> & Partial<Pick<Settings, 'passwordFile'>>

/** Sessions that leave a site for one reason. */
export interface Withdrawn {
  /**
   * `deselected`: filters, configuration or curation do not want them; `home-removed`: their home is read no more;
   * `unreadable`: their files are there and cannot be read; `vanished`: their files are gone.
   */
  reason: 'deselected' | 'home-removed' | 'unreadable' | 'vanished'
  /** Names of their folders below `sessions/`, which are their ids. */
  sessions: string[]
}

/** What a build did. */
export interface BuildResult {
  /** Absolute output folder. */
  out: string
  /** Sessions with a page. */
  sessions: number
  /** How many of them were rendered; the others stood already, or waited from a build that was stopped. */
  rendered: number
  /** HTML pages of all kinds. */
  pages: number
  /** Sessions that gave no page. */
  failed: number
  warnings: number
  /** Files written, left as they were, removed; planned ones with `dryRun`. */
  written: number
  kept: number
  removed: number
  /** Sessions that the site had and has no more; planned ones with `dryRun`. */
  withdrawn: Withdrawn[]
  /** Pages in the search index. */
  searched: number
  /** Folders and files that were looked at for sessions. */
  places: string[]
  diagnostics: Diagnostic[]
}

/** What a check found. */
export interface CheckResult {
  /** Rollout files that were found. */
  files: number
  /** Sessions that pass the filters and could be read. */
  sessions: number
  /** Sessions that could not be read. */
  failed: number
  /** Receipts of all sessions added up. */
  lines: LineCounts
  /** Folders and files that were looked at for sessions. */
  places: string[]
  /** Secrets and personal data, in the order of sessions and lines; of one rule in one session at most a hundred. */
  findings: Finding[]
  /** Sorted by file, line and rule. */
  diagnostics: Diagnostic[]
}

/** What `scrub` did. */
export interface ScrubResult {
  /** Lines that were read; a document counts as one. */
  lines: number
}

/** One thread of the session index. Texts are whole; a table cuts them. */
export interface ListRow {
  id: string
  startedAt?: string
  /** Instant of the last record. */
  lastAt?: string
  archived: boolean
  /** Name of the repository, else of the folder; with more of its place where others of the list have that name. */
  project: string
  cwds: string[]
  remote?: string
  branch?: string
  title: string
  /** First sentence of the last answer, where it says something beside the title. */
  subtitle?: string
  /** First and last typed prompt. */
  firstPrompt?: string
  lastPrompt?: string
  turns: number
  lines: number
  /** Size of the source files on disk. */
  bytes: number
  /** Source files, oldest first, as reports name them. */
  files: string[]
  /** Thread id of the session of which this one is a fork. */
  forkOf?: string
  /** What started it: `cli`, `vscode`, `exec` …; of an agent's session `spawn`, `review`, `compact` or `other`. */
  source?: string
  /** Thread id of the session whose agent this one is. */
  parent?: string
  /** Of the Codex that wrote it. */
  version?: string
  /** The one that was set last. */
  model?: string
  /** Input and output, without a copied history. */
  tokens?: number
  /** How its last turn ended. */
  state?: Status
}

/** The session index. */
export interface ListResult {
  /** Oldest first. */
  rows: ListRow[]
  /** Length of the shortest beginnings that tell all thread ids apart, at least 8. */
  idLength: number
  /** Sessions that could not be read. */
  failed: number
  /** Folders and files that were looked at for sessions. */
  places: string[]
}

// How a use case tells how far it is; the command line shows it.

/** Receiver of progress. Stages follow each other; a new one ends the one before. */
export interface Progress {
  /**
   * Begins a stage. `name` says what is done, for example `Reading sessions`; `total` is the number of items. With `bytes`,
   * the size of all of them, rate and remaining time can be told: items differ too much for that.
   */
  stage(name: string, total?: number, bytes?: number): void
  /** `n` more items are done (default 1), or a part of one. */
  tick(n?: number, bytes?: number): void
  /** Ends the last stage; `summary` is one line for people. */
  done(summary?: string): void
}

/** Progress that nobody watches. */
export const silent: Progress = { stage() {}, tick() {}, done() {} }
