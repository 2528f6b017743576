/**
 * Sessions that are rendered beside the thread of the build: what goes to a thread and comes back, and both of its ends.
 * A thread reads, renders and writes a session; the build hears of its files and numbers.
 */

import { existsSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { diagnostic } from '../diagnostics/codes.ts'
import { isExpected, UsageError } from '../diagnostics/errors.ts'
import { loadTemplates } from '../render/templates-fs.ts'
import { loadEngine } from '../render/transcript/prose/engine-fs.ts'
import { type Thread, threadBytes } from '../rollout/discover/rollout.ts'
import { privacyOf, privateThread } from '../survey/privacy.ts'
import type { ThreadLink } from '../transcript/view.ts'
import { defined } from '../util/own.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import type { BuildContext, MemoryFeature, SessionContext, SessionJob } from './context.ts'
import { storedSlices } from './kept-slices.ts'
import type { NextFile } from './output/plan.ts'
import { openSharedStaging, type SharedStaging } from './output/site-staging-fs.ts'
import { renderSession, type SessionRenderer, type SessionResult } from './session.ts'

/** What a thread is given when it starts. */
interface Setup extends Pick<SessionContext, 'options' | 'site'> {
  homeDir: string
  staging: SharedStaging['input']
  /** Folder for intermediate data of this thread alone. */
  spoolDir: string
  hasMemory: boolean
}

/** A session to render; its redactor is made again in the thread. */
interface SentJob {
  job: Omit<SessionJob, 'redactor'>
  /** Those that the thread does not know yet, or not as they are by now. */
  links: readonly (readonly [id: string, link: ThreadLink])[]
}

/** A pruned page, a closed page that is kept, or how many bytes were rendered. */
type Note =
  | { pruned: Parameters<SessionContext['keepPage']> }
  | { slice: Parameters<BuildContext['keepSlice']> }
  | { passed: number }

interface Answer {
  result: SessionResult
  files: NextFile[]
}

/** Program of a thread. There is none beside the sources, which only tests run. */
const program = new URL('../worker.js', import.meta.url)

/**
 * Bounds of a thread's memory in MiB. Sessions of every size stay far below: memory follows a page. One that does not is
 * given up before it takes that of the machine. Young objects have as much room as in the main thread.
 */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 48 }

/** Threads beyond that many wait for the disk and for memory more than they render. */
const maxJobs = 4

/** Bytes of rollouts that pay for a thread: it loads and compiles all that renders, as the build did. */
const minBytes = 16 << 20

/** Renders sessions of a build: in its own thread, or in several where the sessions to be rendered are worth that. */
export function sessionRenderers(
  sessions: readonly { thread: Thread }[],
  links: ReadonlyMap<string, ThreadLink>,
  context: BuildContext,
): SessionRenderer[] {
  const { options, staging } = context
  // Neither plugins nor the keys of a lock can go to another thread.
  const shared = options.plugins.length === 0 && existsSync(program) ? staging.shared : undefined
  const bytes = sessions.reduce((sum, { thread }) => sum + threadBytes(thread), 0)
  const wanted = options.jobs ?? Math.min(maxJobs, availableParallelism(), Math.floor(bytes / minBytes))
  const count = Math.min(wanted, sessions.length)
  if (shared === undefined || count < 2)
    return [{ render: (job) => renderSession(withRedactor(job, context), links, context), close: async () => {} }]
  return Array.from({ length: count }, (_, number) => sessionThread(number, { links, context, shared }))
}

/** A session with a redactor that has seen its facts. */
function withRedactor(job: SessionJob, { privacy }: Pick<BuildContext, 'privacy'>): SessionJob {
  if (job.redactor !== undefined) return job
  const { raw, family } = job.secrets
  const { redactor } = privateThread(raw.thread, raw.facts, privacy, family)
  return { ...job, ...defined({ redactor }) }
}

/** Renders sessions in a thread, which starts with the first one; `number` tells it from others. */
function sessionThread(
  number: number,
  { links, context, shared }: { links: ReadonlyMap<string, ThreadLink>; context: BuildContext; shared: SharedStaging },
): SessionRenderer {
  const { reading } = context
  const hear = (note: Note): void => {
    if ('pruned' in note) context.keepPage(...note.pruned)
    else if ('slice' in note) context.keepSlice(...note.slice)
    else context.passed(note.passed)
  }
  const known = new Map<string, ThreadLink>()
  const start = (): Worker => {
    known.clear()
    return new Worker(program, { workerData: setupOf(number, shared, context), resourceLimits })
  }
  const thread = taskThread<SentJob, Note, Answer>(start, reading.signal)
  return {
    async render({ redactor: _, ...job }) {
      const fresh = [...links].filter(([id, link]) => known.get(id) !== link)
      try {
        const { result, files } = await thread.run({ job, links: fresh }, hear)
        for (const [id, link] of fresh) known.set(id, link)
        shared.adopt(files)
        return result
      } catch (error) {
        if (!(error instanceof LostThread)) throw error
        shared.expectStrays()
        const place = defined({ file: job.thread.segments[0]?.file.name })
        return { failure: diagnostic('page-failed', place, `Reason: ${error.message}.`) }
      }
    },
    close: thread.close,
  }
}

function setupOf(number: number, shared: SharedStaging, context: BuildContext): Setup {
  const { options, site, host, memory, staging } = context
  return {
    ...{ options, site },
    homeDir: host.homeDir,
    staging: shared.input,
    spoolDir: join(staging.tempDir(), `thread-${number}`),
    hasMemory: memory !== undefined,
  }
}

// The other end.

/** Renders the sessions that the build sends, as long as the thread lives. */
export function serveSessions(memory: MemoryFeature): void {
  // The thread that started this one gave it what `setupOf` makes.
  const setup = workerData as Setup
  const links = new Map<string, ThreadLink>()
  const { signal } = new AbortController()
  const spoolDir = (): string => {
    mkdirSync(setup.spoolDir, { recursive: true })
    return setup.spoolDir
  }
  const privacy = privacyOf(setup.options, setup)
  const loading = loadSetup(setup)
  serveTasks<SentJob, Note, Answer>(async ({ job, links: fresh }, tell) => {
    for (const [id, link] of fresh) links.set(id, link)
    const staging = openSharedStaging(setup.staging)
    const context: SessionContext = {
      ...(await loading),
      ...{ options: setup.options, site: setup.site, isLocked: false, staging },
      memory: setup.hasMemory ? memory : undefined,
      keepPage: (...pruned) => tell({ pruned }),
      // A thread has no cache to read: what grew alone is rendered beside none.
      keptSlices: storedSlices(
        () => undefined,
        (...slice) => tell({ slice }),
      ),
      passed: (passed) => tell({ passed }),
      reading: { spoolDir, signal },
    }
    const result = await renderSession(withRedactor(job, { privacy }), links, context)
    return { result, files: staging.files() }
  })
}

/** What all sessions of the thread are rendered with. */
async function loadSetup({ options }: Setup): Promise<Pick<SessionContext, 'templates' | 'engine'>> {
  const [templates, engine] = await Promise.all([loadTemplates(options.templatesDir), loadEngine()])
  return { templates, engine }
}

// Threads that take one task after the other.

/** The thread ended before its task did; the message is a clause for people. */
class LostThread extends Error {
  override readonly name = 'LostThread'
}

/** What a thread tells of its task: notes on the way, then one answer, or an error that is the user's to mend. */
type Message<Note, Answer> = { note: Note } | { answer: Answer } | { expected: string }

/** A thread as the one that started it sees it. */
export interface TaskThread<Task, Note, Answer> {
  /**
   * Does a task; not before the one before it is done. Tasks, notes and answers are plain data. Rejects with a `LostThread`,
   * after which a new thread does the next task, with a `UsageError`, or with the reason of the aborted signal.
   */
  run(task: Task, hear: (note: Note) => void): Promise<Answer>
  /** Ends the thread wherever it is. */
  close(): Promise<void>
}

/** The task that a thread is at. */
interface Pending<Note, Answer> {
  hear: (note: Note) => void
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
}

/** A thread that `start` makes when there is something to do. */
function taskThread<Task, Note, Answer>(start: () => Worker, signal: AbortSignal): TaskThread<Task, Note, Answer> {
  let worker: Worker | undefined
  let pending: Pending<Note, Answer> | undefined
  const lose = (lost: Worker, reason: string): void => {
    // One that failed also exits, when another may be at work already.
    if (worker !== lost) return
    worker = undefined
    pending?.reject(new LostThread(reason))
  }
  const open = (): Worker => {
    const opened = start()
    // Threads send what `serveTasks` below posts, and nothing else.
    opened.on('message', (message: Message<Note, Answer>) => {
      if ('note' in message) pending?.hear(message.note)
      else if ('answer' in message) pending?.resolve(message.answer)
      else pending?.reject(new UsageError(message.expected))
    })
    opened.on('error', (error) => lose(opened, lossOf(error)))
    opened.on('exit', (code) => lose(opened, `its thread ended with code ${code}`))
    return opened
  }
  return {
    async run(task, hear) {
      signal.throwIfAborted()
      worker ??= open()
      const current = worker
      const stop = (): void => pending?.reject(signal.reason)
      signal.addEventListener('abort', stop)
      try {
        return await new Promise<Answer>((resolve, reject) => {
          pending = { hear, resolve, reject }
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
function serveTasks<Task, Note, Answer>(work: (task: Task, tell: (note: Note) => void) => Promise<Answer>): void {
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
