/** Lets the process hear signals and timers. */

/**
 * Resolves in the next turn of the event loop. Reading is synchronous, and awaiting what is already there never leaves
 * the current turn: without this Ctrl-C would wait for the end of all work.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
