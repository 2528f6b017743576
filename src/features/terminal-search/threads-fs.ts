/** Threads in which a search reads sessions: those that it starts, and their own end. */

import { existsSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  LostThread,
  maxThreads,
  resourceLimits,
  serveTasks,
  setupOfThread,
  taskThread,
  threadProgram,
} from '../../site/task-thread-fs.ts'
import type { Reading, SearchAnswer, SearchSetup, SearchTask, SessionSearcher } from './sessions.ts'

/** What a thread is given when it starts. */
interface ThreadSetup extends SearchSetup {
  work: 'search'
  /** Folder for intermediate data of this thread alone. */
  spoolDir: string
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
  const count = existsSync(threadProgram) ? Math.min(maxThreads, availableParallelism()) - 1 : 0
  return Array.from({ length: count }, (_, number) => {
    const workerData: ThreadSetup = { work: 'search', ...setup, spoolDir: join(spoolDir(), `thread-${number}`) }
    const start = () => new Worker(threadProgram, { workerData, resourceLimits })
    const thread = taskThread<SearchTask, never, SearchAnswer>(start, signal)
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
  const { spoolDir, ...setup } = setupOfThread() as ThreadSetup
  const reading: Reading = {
    spoolDir() {
      mkdirSync(spoolDir, { recursive: true })
      return spoolDir
    },
    signal: new AbortController().signal,
  }
  serveTasks<SearchTask, never, SearchAnswer>(searcherOf(setup, reading))
}
