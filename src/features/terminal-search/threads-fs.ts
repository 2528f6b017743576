/** Threads in which a search reads sessions: starting them, and what runs inside them. */

import { join } from 'node:path'
import type { Reading } from '../../rollout/read/open-fs.ts'
import {
  hasThreads,
  LostThread,
  readingOfThread,
  serveTasks,
  setupOfThread,
  type ThreadSetup,
  taskThread,
  usualThreads,
} from '../../site/task-thread-fs.ts'
import type { SearchAnswer, SearchSetup, SearchTask, SessionSearcher } from './session.ts'

/** What a thread is given when it starts. */
interface Setup extends ThreadSetup, SearchSetup {
  work: 'search'
}

/** A thread, from the side of the search. */
export interface SearchThread {
  search: SessionSearcher
  close: () => Promise<void>
}

/**
 * Returns threads that search in addition to this one; each starts with its first session. If a thread ends early, `own`
 * takes over its session. Returns none if there is only one processor.
 */
export function searchThreads(setup: SearchSetup, { spoolDir, signal }: Reading, own: SessionSearcher): SearchThread[] {
  const count = hasThreads() ? usualThreads() - 1 : 0
  return Array.from({ length: count }, (_, number) => {
    const given: Setup = { work: 'search', ...setup, spoolDir: join(spoolDir(), `thread-${number}`) }
    const thread = taskThread<SearchTask, never, SearchAnswer>(() => given, signal)
    const search: SessionSearcher = async (task) => {
      try {
        return await thread.run(task, () => {})
      } catch (error) {
        if (error instanceof LostThread) return await own(task)
        throw error
      }
    }
    return { search, close: thread.close }
  })
}

/** Searches the sessions that are sent to this thread, for as long as it lives. */
export function serveSearch(searcherOf: (setup: SearchSetup, reading: Reading) => SessionSearcher): void {
  const setup = setupOfThread() as Setup
  serveTasks<SearchTask, never, SearchAnswer>(searcherOf(setup, readingOfThread(setup)))
}
