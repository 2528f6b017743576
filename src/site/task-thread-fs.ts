/** Threads that take one task after the other, as the one that started them sees them, and their own end. */

import { existsSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { isExpected, UsageError } from '../diagnostics/errors.ts'
import type { Reading } from '../rollout/read/open-fs.ts'
import { errorCode, reasonOf } from '../util/reason.ts'

/**
 * Bounds of a thread's memory in MiB. Sessions of every size stay far below: memory follows a page. One that does not is
 * given up before it takes that of the machine. Young objects have as much room as in the main thread.
 */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 48 }

/** Program of all threads (`worker.ts`). */
const program = new URL('../worker.js', import.meta.url)

/** Whether there can be threads: beside the sources, which only tests run, there is no program for them. */
export function hasThreads(): boolean {
  return existsSync(program)
}

/** Threads beyond that many wait for the disk and for memory more than they work. */
const maxThreads = 4

/** How many threads work well on this machine. */
export function usualThreads(): number {
  return Math.min(maxThreads, availableParallelism())
}

/** What a thread is given when it starts: plain data. `work` says which work it does. */
export interface ThreadSetup {
  work: 'render' | 'search'
  /** Folder for intermediate data of this thread alone; it need not exist. */
  spoolDir: string
}

/** What this thread was given. */
export function setupOfThread(): ThreadSetup {
  return workerData
}

/** How a thread reads rollouts; the one that started it ends it where it is, so that its signal never fires. */
export function readingOfThread({ spoolDir }: ThreadSetup): Reading {
  return {
    spoolDir() {
      mkdirSync(spoolDir, { recursive: true })
      return spoolDir
    },
    signal: new AbortController().signal,
  }
}

/** The thread ended before its task did; the message is a clause for people. */
export class LostThread extends Error {
  override readonly name = 'LostThread'
}

/** What a thread posts about its task: notes on the way, then one answer, or an error that is the user's to mend. */
type Message<Note, Answer> = { note: Note } | { answer: Answer } | { expected: string }

/** A thread as the one that started it sees it. */
export interface TaskThread<Task, Note, Answer> {
  /**
   * Does a task; not before the one before it is done. Tasks, notes and answers are plain data. Rejects with a `LostThread`,
   * after which a new thread does the next task, with a `UsageError`, or with the reason of the aborted signal.
   */
  run(task: Task, onNote: (note: Note) => void): Promise<Answer>
  /** Ends the thread wherever it is. */
  close(): Promise<void>
}

/** The task that a thread is at. */
interface Pending<Note, Answer> {
  onNote: (note: Note) => void
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
}

/** A thread that starts when there is something to do, each time with what `setupOf` gives. */
export function taskThread<Task, Note, Answer>(
  setupOf: () => ThreadSetup,
  signal: AbortSignal,
): TaskThread<Task, Note, Answer> {
  let worker: Worker | undefined
  let pending: Pending<Note, Answer> | undefined
  const lose = (lost: Worker, reason: string): void => {
    // One that failed also exits, when another may be at work already.
    if (worker !== lost) return
    worker = undefined
    pending?.reject(new LostThread(reason))
  }
  const open = (): Worker => {
    const opened = new Worker(program, { workerData: setupOf(), resourceLimits })
    // Threads send what `serveTasks` below posts, and nothing else.
    opened.on('message', (message: Message<Note, Answer>) => {
      if ('note' in message) pending?.onNote(message.note)
      else if ('answer' in message) pending?.resolve(message.answer)
      else pending?.reject(new UsageError(message.expected))
    })
    opened.on('error', (error) => lose(opened, lossOf(error)))
    opened.on('exit', (code) => lose(opened, `its thread ended with code ${code}`))
    return opened
  }
  return {
    async run(task, onNote) {
      signal.throwIfAborted()
      worker ??= open()
      const current = worker
      const stop = (): void => pending?.reject(signal.reason)
      signal.addEventListener('abort', stop)
      try {
        return await new Promise<Answer>((resolve, reject) => {
          pending = { onNote, resolve, reject }
          current.postMessage(task)
        })
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
    async close() {
      await worker?.terminate()
    },
  }
}

function lossOf(error: unknown): string {
  if (errorCode(error) !== 'ERR_WORKER_OUT_OF_MEMORY') return reasonOf(error)
  return 'it needs more memory than a thread may take; with `--jobs 1` it may take all'
}

/** The other end: does the tasks that come, as long as the thread lives. Any error that is not expected ends the thread. */
export function serveTasks<Task, Note, Answer>(
  work: (task: Task, postNote: (note: Note) => void) => Promise<Answer>,
): void {
  const post = (message: Message<Note, Answer>): void => parentPort?.postMessage(message)
  parentPort?.on('message', async (task: Task) => {
    try {
      post({ answer: await work(task, (note) => post({ note })) })
    } catch (error) {
      if (!isExpected(error)) throw error
      post({ expected: error.message })
    }
  })
}
