/** How much a build has to do, as far as it matters for the memory of the process. */

import type { Host } from './types.ts'

/** From this number of sessions on, an archive takes much memory until its build ends. */
const manySessions = 2000

/** Reading or rendering this many of them leaves so much garbage that the heap would grow to twice its live size. */
const fewSessions = 200

/** From this size in bytes on, the pages, scan and texts of one session take as much memory. */
const largeSession = 64 << 20

/**
 * Counts threads of an archive that are read or rendered again, and notifies the host once if they crowd its memory. A build in
 * which nearly all sessions stay unchanged would only take longer.
 */
export class Workload {
  readonly #host: Pick<Host, 'crowded'>
  /** How many more may come before the host is notified. */
  #remaining: number
  #isReported = false

  /** `all`: number of threads in the archive. */
  constructor(all: number, host: Pick<Host, 'crowded'>) {
    this.#host = host
    this.#remaining = all > manySessions ? fewSessions : Number.POSITIVE_INFINITY
  }

  /** Called before a thread of this size is read or rendered. */
  add(bytes: number): void {
    this.#remaining--
    if (this.#isReported || (this.#remaining >= 0 && bytes <= largeSession)) return
    this.#isReported = true
    this.#host.crowded?.()
  }
}

/** Whether so many sessions were rendered that releasing their data makes a garbage collection worthwhile. */
export function isCrowd(rendered: number): boolean {
  return rendered > manySessions
}
