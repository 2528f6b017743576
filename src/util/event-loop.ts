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

/** Items whose results may wait for one that stands before them. */
const maxWaiting = 64

/**
 * Gives each item to a worker that has nothing to do, and its result to `take`, in the order of the items. Workers may be added
 * meanwhile. Rejects with the first error.
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
