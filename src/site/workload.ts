/** What a build has to do, as far as the memory of its process notices it. */

import type { Host } from './types.ts'

/** Sessions of an archive that live together until its build ends. */
const manySessions = 2000

/** So many of them, read or rendered, leave garbage for which a heap would grow to twice what lives. */
const fewSessions = 200

/** Bytes of one session from which on its pages, scan and texts weigh as much. */
const largeSession = 64 << 20

/**
 * Counts threads of an archive that are read or rendered again, and tells the host once that they crowd its memory: a build in
 * which nearly all stay as they were would only take longer.
 */
export class Workload {
  readonly #host: Pick<Host, 'crowded'>
  /** How many more may come. */
  #left: number
  #isReported = false

  /** `all`: threads of the archive. */
  constructor(all: number, host: Pick<Host, 'crowded'>) {
    this.#host = host
    this.#left = all > manySessions ? fewSessions : Number.POSITIVE_INFINITY
  }

  /** Called before a thread of so many bytes is read or rendered. */
  add(bytes: number): void {
    this.#left--
    if (this.#isReported || (this.#left >= 0 && bytes <= largeSession)) return
    this.#isReported = true
    this.#host.crowded?.()
  }
}

/** Whether so much was rendered that what is let go then is worth a collection. */
export function isCrowd(rendered: number): boolean {
  return rendered > manySessions
}
