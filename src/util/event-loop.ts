/** Lets the process hear signals and timers in the midst of work that is synchronous. */

/**
 * Resolves in the next turn of the event loop. Awaiting what is already there never leaves the current turn: without this
 * Ctrl-C would wait for the end of all work.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** Counts work, and gives the event loop its turn when enough of it was done. */
export interface Pacer {
  /** Counts a piece of work, 1 where it has no weight; `true` when `pause` is due. */
  isDue(weight?: number): boolean
  /** Gives the event loop its turn. Rejects with the signal's reason once it is aborted. */
  pause(): Promise<void>
}

/** A pacer that is due after so much work. */
export function pacer(limit: number, signal?: AbortSignal): Pacer {
  let done = 0
  return {
    isDue(weight = 1) {
      done += weight
      return done >= limit
    },
    async pause() {
      done = 0
      await yieldToEventLoop()
      signal?.throwIfAborted()
    },
  }
}
