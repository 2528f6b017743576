/** How a use case tells how far it is; the command line shows it. */

/** Receiver of progress. Stages follow each other; a new one ends the one before. */
export interface Progress {
  /** Begins a stage. `name` says what is done, for example `Reading sessions`; `total` is the number of ticks. */
  stage(name: string, total?: number): void
  /** `n` more items are done (default 1). */
  tick(n?: number): void
  /** Ends the last stage; `summary` is one line for people. */
  done(summary?: string): void
}

/** Progress that nobody watches. */
export const silent: Progress = { stage() {}, tick() {}, done() {} }
