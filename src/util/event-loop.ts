/** Lets the process handle signals and timers during synchronous work. */

/**
 * Resolves in the next turn of the event loop. Awaiting a value that is already there never leaves the current turn, so without
 * this Ctrl-C would wait for the end of all work.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** Counts work, and yields to the event loop when enough has been done. */
export interface Pacer {
  /** Counts a piece of work, as 1 if it has no weight; `true` when `pause` is due. */
  isDue(weight?: number): boolean
  /** Yields to the event loop. Rejects with the signal's reason if it is aborted. */
  pause(): Promise<void>
}

/** A pacer whose pause is due after `limit` units of work. */
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

/** The most results that may wait for one that comes before them. */
const maxWaiting = 64

/**
 * Gives each item to an idle worker, and the results to `take` in the order of the items. Workers may be added meanwhile. Rejects
 * with the first error.
 */
export async function inOrder<T, R>(
  items: AsyncIterable<T>,
  workers: readonly ((item: T) => Promise<R>)[],
  take: (result: R) => Promise<void>,
): Promise<void> {
  const busy = new Map<(item: T) => Promise<R>, Promise<unknown>>()
  const state = { waiting: 0, hasFailed: false }
  let taken = Promise.resolve()
  for await (const item of items) {
    while (busy.size >= workers.length) await Promise.race(busy.values())
    if (state.waiting >= maxWaiting) await taken
    if (state.hasFailed) break
    const worker = workers.find((one) => !busy.has(one))
    if (worker === undefined) continue
    const result = worker(item)
    const end = (): void => void busy.delete(worker)
    busy.set(worker, result.then(end, end))
    state.waiting++
    taken = taken.then(async () => {
      await take(await result)
      state.waiting--
    })
    taken.catch(() => {
      state.hasFailed = true
    })
  }
  await taken
}
