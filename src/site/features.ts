/** What features may add to a build. The build knows no feature: the program hands them in, and each loads on first use. */

import type { Diagnostic } from '../diagnostics/codes.ts'
import type { OutputFile } from '../render/output.ts'
import type { SessionPage } from '../render/pages/session-page.ts'
import type { ThreadLine } from '../survey/thread-lines.ts'
import type { Session } from '../transcript/trast.ts'
import type { SessionJob, SessionServices } from './open-session.ts'
import type { StagingArea } from './output/site-staging-fs.ts'
import type { BuildOptions } from './types.ts'

/** A site whose files are sealed on their way to disk. */
export interface Sealing {
  /** Differs where the same files would be sealed otherwise. */
  key: string
  /** The options without what a sealed site cannot have. */
  options: BuildOptions
  /** What is to be said of the password and of options that were left out. */
  diagnostics: Diagnostic[]
  /** A stage that seals what it takes and hands it to another one. */
  seal: (stage: StagingArea) => Promise<StagingArea>
}

/** Collects a page about a session while it is rendered. */
export interface PageCollector {
  /** Reads what the thread inherits from other files. Before all lines. */
  begin: (spoolDir: () => string) => Promise<void>
  /** Takes a line of the thread, in order. */
  line: (line: ThreadLine) => void
  /** Takes the finished tree of a page, in order. */
  slice: (tree: Session, page: number) => void
  /** The page, once all has passed. */
  finish: (session: Session) => Promise<CollectedPage>
}

/** A page that was collected, and what the session page says of it. */
export interface CollectedPage extends Pick<SessionPage, 'remembers' | 'pruned'> {
  /** Absent where there is nothing to tell. */
  file?: OutputFile
}

/** Features of a build; without one it is as if nobody asked for it. */
export interface BuildFeatures {
  /** Opens the keys of a site with a password. Throws `UsageError` or `ConfigError` where that cannot be. */
  seal?: (options: BuildOptions, cacheDir: string) => Promise<Sealing | undefined>
  /** The collector of what the model remembers; `undefined` where the session gets no such page. */
  memory?: () => Promise<(task: SessionJob, tools: SessionServices) => PageCollector | undefined>
}
