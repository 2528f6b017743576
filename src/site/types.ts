/** The inputs and outputs of use cases: plain values, all of them present. */

import type { Publication } from '../config/publication.ts'
import type { Settings, SettingsOf } from '../config/schema.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import type { Filters } from '../survey/select.ts'

/** The world outside a use case. */
export interface Host {
  /** Aborted by Ctrl-C: the use case throws `signal.reason` as soon as possible and leaves no trace. */
  signal: AbortSignal
  progress: Progress
  /** Takes each diagnostic as soon as it is known. */
  report: (diagnostic: Diagnostic) => void
  /** Milliseconds since the epoch. */
  now: () => number
  env: Readonly<Record<string, string | undefined>>
  /** Absolute path of the user's home folder. */
  homeDir: string
  /**
   * Called when a build of thousands of sessions reads or renders many of them, or a build meets a very large one, and again
   * after much memory was released; absent if we must not tune the process.
   */
  crowded?: () => void
}

/** What decides which parts of sessions are published; without it, everything is. */
export interface PublicationOptions {
  readonly publication?: Publication
}

/** Options of `build`: the settings that it takes, and what was read from the files that they name. */
export interface BuildOptions extends SettingsOf<'build'>, PublicationOptions {
  /** The program that made the pages, `codex-export x.y.z`. */
  readonly generator: string
  /**
   * A session whose file was written within this many milliseconds may still be running, and is shown that way; if absent, no
   * session is.
   */
  readonly liveMs?: number
}

/** Which sessions of which homes to read. */
export interface Sources extends Pick<Settings, 'homes' | 'timeZone'>, Filters {}

/** Sessions that leave a site for one reason. */
export interface Withdrawn {
  /**
   * `deselected`: filters, configuration or curation exclude them; `home-removed`: their home is no longer read; `unreadable`:
   * their files exist but cannot be read; `vanished`: their files have disappeared.
   */
  reason: 'deselected' | 'home-removed' | 'unreadable' | 'vanished'
  /** Names of their folders below `sessions/`, which are their ids. */
  sessions: string[]
}

/** What a build did. */
export interface BuildResult {
  /** Absolute output folder. */
  out: string
  /** Number of sessions with a page. */
  sessions: number
  /** How many of them were rendered; the others existed already, or waited from a build that was stopped. */
  rendered: number
  /** Number of HTML pages of all kinds. */
  pages: number
  /** Number of sessions without a page. */
  failed: number
  warnings: number
  /** Numbers of files written, left unchanged and removed; planned ones with `dryRun`. */
  written: number
  kept: number
  removed: number
  /** Sessions that the site had and no longer has; planned ones with `dryRun`. */
  withdrawn: Withdrawn[]
  /** Number of pages in the search index. */
  searched: number
  /** Folders and files in which sessions were looked for. */
  places: string[]
  /** Number of sessions that exist, whether they are wanted or not. */
  found: number
  diagnostics: Diagnostic[]
}

// How a use case reports its progress; the command line shows it.

/** Receives progress. Stages follow each other; a new one ends the one before. */
export interface Progress {
  /**
   * Begins a stage. `name` says what is being done, for example `Reading sessions`; `total` is the number of items. `bytes` is
   * their total size, from which rate and remaining time can be shown: the sizes of items differ too much to use their number.
   */
  stage(name: string, total?: number, bytes?: number): void
  /** `n` more items are done (default 1), or `bytes` of one. */
  tick(n?: number, bytes?: number): void
  /** Ends the last stage; `summary` is one line for people. */
  done(summary?: string): void
}

/** Progress that is not shown. */
export const silent: Progress = { stage() {}, tick() {}, done() {} }
