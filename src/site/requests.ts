/** Sessions that readers ask for during a build: they are rendered next, the newest request first. */

/** The answer to a request. `later`: it was dropped because many newer ones came; a reader who is still waiting asks again. */
export type Requested = 'made' | 'unknown' | 'later' | { failure: string }

/** A build in progress, as readers see it. */
export interface SessionSource {
  /**
   * Renders the session of a folder below `sessions/`, with its family. `free` waits until the build is not working on any of
   * some threads. Never rejects.
   */
  render(folder: string, free: (threadIds: readonly string[]) => Promise<void>): Promise<Requested>
  /** Absolute path of the folder with files that are made but not in the site yet, each at its path in the site. */
  readonly staged: string
  /** SHA-256 of such a file in hex; `undefined` for any other path. */
  hashOf(path: string): string | undefined
  /** The HTML of the list of sessions, for a path of the site. */
  listPage(path: string): string
  /** The HTML of a page with only a notice, for a path of the site. */
  noticePage(path: string, notice: Notice): string
}

/** The plain text of a page. */
export interface Notice {
  heading: string
  text: string
}

/** Connects readers and a build. */
export interface SessionRequests {
  /** The last build that could be asked; absent before the first one knows its threads, and after the end. */
  readonly source: SessionSource | undefined
  /** Resolves as soon as there is a source. */
  readonly ready: Promise<void>
  /** Publishable titles of the threads scanned so far, by id. */
  readonly titles: Map<string, string>
  /** Asks for the session of a folder below `sessions/`. Waits while no build can be asked. */
  ask(folder: string): Promise<Requested>
  /** Called when a build can be asked from now on. */
  open(source: SessionSource): void
  /**
   * Called when the build can no longer be asked; resolves when it is not working on a request. Waiting requests are left for the
   * next build.
   */
  close(): Promise<void>
  /** Called when no build will be asked any more: releases the last one and everything that it knew. */
  end(): void
  /** Waits until no request is open; a build calls this between two sessions. */
  giveWay(): Promise<void>
  /** Gives way, and then works on a session. */
  workAt<T>(threadId: string, work: () => Promise<T>): Promise<T>
}

/** Most requests that may wait; beyond that, the oldest is dropped. */
const maxWaiting = 32

interface Waiting {
  answer: Promise<Requested>
  resolve: (answer: Requested) => void
}

/** Makes an empty queue. */
export function sessionRequests(): SessionRequests {
  /** By folder, the newest last. */
  const waiting = new Map<string, Waiting>()
  /** Sessions that the build is working on, by thread id. */
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
