/** What goes into the use cases and what comes out: plain values, every one present. */

import type { Publication } from '../config/publication.ts'
import type { Settings, SettingsOf } from '../config/schema.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import type { Filters } from '../survey/select.ts'

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
  /**
   * Hears that a build of thousands of sessions reads or renders many of them, or one that is very large, and again where it let
   * much go; absent where the process is not ours to tune.
   */
  crowded?: () => void
}

/** What decides what of the sessions is published; without it all is. */
export interface PublicationOptions {
  readonly publication?: Publication
}

/** Options of `build`: the settings that it takes, and what was read from the files that they name. */
export interface BuildOptions extends SettingsOf<'build'>, PublicationOptions {
  /** Who made the pages, `codex-export x.y.z`. */
  readonly generator: string
  /** A session whose file was written within so many milliseconds may still run, and is shown so; absent: none does. */
  readonly liveMs?: number
}

/** Which sessions of which homes are wanted. */
export interface Sources extends Pick<Settings, 'homes' | 'timeZone'>, Filters {}

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
  /** Sessions that are there, whether or not they are wanted. */
  found: number
  diagnostics: Diagnostic[]
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
