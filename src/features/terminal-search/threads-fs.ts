/** Threads in which a search reads sessions: those that it starts, and their own end. */

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

/** A thread as the search sees it. */
export interface SearchThread {
  search: SessionSearcher
  close: () => Promise<void>
}

/**
 * Threads that search beside this one, each of which starts with its first session; `own` takes what one of them gave up.
 * None where there is but one processor.
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

/** Searches the sessions that the search sends, as long as the thread lives. */
export function serveSearch(searcherOf: (setup: SearchSetup, reading: Reading) => SessionSearcher): void {
  const setup = setupOfThread() as Setup
  serveTasks<SearchTask, never, SearchAnswer>(searcherOf(setup, readingOfThread(setup)))
}
