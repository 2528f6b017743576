/** Sessions that readers ask for while a build goes on: they are rendered next, the newest request first. */

/** What became of a request. `later`: so many came behind it that it was dropped; whoever still waits asks again. */
export type Requested = 'made' | 'unknown' | 'later' | { failure: string }

/** A build that is under way, as readers see it. */
export interface SessionSource {
  /**
   * Renders the session of a folder below `sessions/`, with its family. `free` waits until the build is at none of some
   * threads. Never rejects.
   */
  render(folder: string, free: (threadIds: readonly string[]) => Promise<void>): Promise<Requested>
  /** Absolute folder of files that are made and not in the site yet, each at its path there. */
  readonly staged: string
  /** SHA-256 of such a file, hex; `undefined` for every other path. */
  hashOf(path: string): string | undefined
  /** The list of sessions, for a path of the site: HTML. */
  listPage(path: string): string
  /** A page that says something of itself alone, for a path of the site: HTML. */
  noticePage(path: string, notice: Notice): string
}

/** What a page says: plain text. */
export interface Notice {
  heading: string
  text: string
}

/** Stands between readers and a build. */
export interface SessionRequests {
  /** The last build that could be asked; absent before the first knows its threads, and after the end. */
  readonly source: SessionSource | undefined
  /** Resolves once there is one. */
  readonly ready: Promise<void>
  /** Titles of threads that were scanned so far, by id, as they may be published. */
  readonly titles: Map<string, string>
  /** Asks for the session of a folder below `sessions/`. Waits while no build can be asked. */
  ask(folder: string): Promise<Requested>
  /** A build can be asked from now on. */
  open(source: SessionSource): void
  /** The build can be asked no more; resolves when it is at no request. What waits is for the next one. */
  close(): Promise<void>
  /** No build will be asked any more: lets go of the last one and all that it knew. */
  end(): void
  /** Waits until nothing is asked for: what a build does between two sessions. */
  giveWay(): Promise<void>
  /** Gives way, and then works at a session. */
  workAt<T>(threadId: string, work: () => Promise<T>): Promise<T>
}

/** Requests that wait; of more the oldest is dropped. */
const maxWaiting = 32

interface Waiting {
  answer: Promise<Requested>
  resolve: (answer: Requested) => void
}

/** Makes an empty queue. */
export function sessionRequests(): SessionRequests {
  /** By folder, the newest at the end. */
  const waiting = new Map<string, Waiting>()
  /** Sessions that the build is at, by thread id. */
  const works = new Map<string, Promise<unknown>>()
  const titles = new Map<string, string>()
  let source: SessionSource | undefined
  let isOpen = false
  let resolveReady = (): void => {}
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve
  })
  let current: (Waiting & { folder: string }) | undefined
  let answering: Promise<void> | undefined
  const free = async (threadIds: readonly string[]): Promise<void> => {
    await Promise.allSettled(threadIds.map((id) => works.get(id)))
  }
  const answerAll = async (): Promise<void> => {
    for (;;) {
      const [folder, next] = [...waiting].at(-1) ?? []
      if (!isOpen || source === undefined || folder === undefined || next === undefined) break
      waiting.delete(folder)
      current = { ...next, folder }
      next.resolve(await source.render(folder, free))
      current = undefined
    }
    answering = undefined
  }
  const begin = (): void => {
    if (isOpen && waiting.size > 0) answering ??= answerAll()
  }
  const giveWay = async (): Promise<void> => {
    while (answering !== undefined) await answering
  }
  return {
    get source() {
      return source
    },
    ready,
    titles,
    ask(folder) {
      if (current?.folder === folder) return current.answer
      const asked = waiting.get(folder) ?? promised()
      waiting.delete(folder)
      waiting.set(folder, asked)
      const [oldest, dropped] = [...waiting][0] ?? []
      if (waiting.size > maxWaiting && oldest !== undefined) {
        waiting.delete(oldest)
        dropped?.resolve('later')
      }
      begin()
      return asked.answer
    },
    open(next) {
      source = next
      isOpen = true
      resolveReady()
      begin()
    },
    async close() {
      isOpen = false
      await giveWay()
    },
    end() {
      source = undefined
      titles.clear()
    },
    giveWay,
    async workAt(threadId, work) {
      await giveWay()
      const done = work()
      works.set(threadId, done)
      try {
        return await done
      } finally {
        works.delete(threadId)
      }
    },
  }
}

function promised(): Waiting {
  let resolve: Waiting['resolve'] = () => {}
  const answer = new Promise<Requested>((settle) => {
    resolve = settle
  })
  return { answer, resolve }
}
