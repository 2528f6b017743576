/** Worker threads that do one task after the other: how their starter sees them, and the code that runs in them. */

import { existsSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { isExpected, UsageError } from '../diagnostics/errors.ts'
import type { Reading } from '../rollout/read/open-fs.ts'
import { errorCode, reasonOf } from '../util/reason.ts'

/**
 * Bounds of a thread's memory in MiB. Sessions of every size stay far below, because memory follows a page; one that does not is
 * given up before it takes all the memory of the machine. Young objects have as much space as in the main thread.
 */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 48 }

/** The program of all threads (`worker.ts`). */
const program = new URL('../worker.js', import.meta.url)

/** Whether threads can be started: when run from sources, which only tests do, there is no program for them. */
export function hasThreads(): boolean {
  return existsSync(program)
}

/** More threads than this spend more time waiting for disk and memory than working. */
const maxThreads = 4

/** How many threads work well on this machine. */
export function usualThreads(): number {
  return Math.min(maxThreads, availableParallelism())
}

/** What a thread receives when it starts, as plain data. `work` says what kind of work it does. */
export interface ThreadSetup {
  work: 'render' | 'search'
  /** Folder for temporary data of this thread only; it need not exist. */
  spoolDir: string
}

/** What this thread received. */
export function setupOfThread(): ThreadSetup {
  return workerData
}

/** How a thread reads rollouts. Its signal never fires, because its starter simply terminates it. */
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

/** What a thread posts about its task: any number of notes, then one answer, or an error that the user can fix. */
type Message<Note, Answer> = { note: Note } | { answer: Answer } | { expected: string }

/** A thread as its starter sees it. */
interface TaskThread<Task, Note, Answer> {
  /**
   * Does a task, after the previous one is done. Tasks, notes and answers are plain data. Rejects with a `LostThread`, after
   * which a new thread does the next task, with a `UsageError`, or with the reason of the aborted signal.
   */
  run(task: Task, onNote: (note: Note) => void): Promise<Answer>
  /** Terminates the thread, whatever it is doing. */
  close(): Promise<void>
}

/** The task that a thread is working on. */
interface Pending<Note, Answer> {
  onNote: (note: Note) => void
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
}

/** A thread that starts when there is something to do, each time with what `setupOf` returns. */
export function taskThread<Task, Note, Answer>(
  setupOf: () => ThreadSetup,
  signal: AbortSignal,
): TaskThread<Task, Note, Answer> {
  let worker: Worker | undefined
  let pending: Pending<Note, Answer> | undefined
  const lose = (lost: Worker, reason: string): void => {
    // A thread that failed also exits, possibly when another one is already working.
    if (worker !== lost) return
    worker = undefined
    pending?.reject(new LostThread(reason))
  }
  const open = (): Worker => {
    const opened = new Worker(program, { workerData: setupOf(), resourceLimits })
    // Threads post only what `serveTasks` below sends.
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

/**
 * The code in the thread: does the tasks that arrive, as long as the thread lives. An error that is not expected ends the thread.
 */
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
