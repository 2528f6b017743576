/**
 * Sessions that are rendered outside the build's own thread: what is sent to a thread and comes back, and the code of both ends.
 * A thread reads, renders and writes a session; the build receives its files and numbers.
 */

import { join } from 'node:path'
import { diagnostic } from '../diagnostics/codes.ts'
import { loadTemplates } from '../render/templates-fs.ts'
import { loadEngine } from '../render/transcript/engines-fs.ts'
import { firstFile, type Thread, threadBytes } from '../rollout/discover/rollout.ts'
import type { ThreadLink } from '../survey/neighbours.ts'
import { privacyOf, privateThread } from '../survey/privacy.ts'
import { sumBy } from '../util/groups.ts'
import { defined } from '../util/own.ts'
import type { BuildContext, MemoryFeature, SessionContext, SessionJob } from './context.ts'
import { storedSlices } from './kept-slices.ts'
import type { NextFile } from './output/plan.ts'
import { openSharedStaging, type SharedStaging } from './output/site-staging-fs.ts'
import { renderSession, type SessionRenderer, type SessionResult } from './session.ts'
import {
  hasThreads,
  LostThread,
  readingOfThread,
  serveTasks,
  setupOfThread,
  type ThreadSetup,
  taskThread,
  usualThreads,
} from './task-thread-fs.ts'

/** What a thread receives when it starts. */
interface Setup extends ThreadSetup, Pick<SessionContext, 'options' | 'site'> {
  work: 'render'
  homeDir: string
  staging: SharedStaging['input']
  hasMemory: boolean
}

/** A session to render; the thread makes its redactor again. */
interface SentJob {
  job: Omit<SessionJob, 'redactor'>
  /** Links that the thread does not have yet, or that have changed since. */
  links: readonly (readonly [id: string, link: ThreadLink])[]
}

/** A pruned page, a closed page to keep, or how many bytes were rendered. */
type Note =
  | { pruned: Parameters<SessionContext['keepPage']> }
  | { slice: Parameters<BuildContext['keepSlice']> }
  | { passed: number }

interface Answer {
  result: SessionResult
  files: NextFile[]
}

/**
 * Bytes of rollouts that make a thread worthwhile, because it has to load and compile all the rendering code as the build did.
 */
const minBytes = 16 << 20

/** Renderers for the sessions of a build: the build's own thread, or several threads if there is enough to render. */
export function sessionRenderers(
  sessions: readonly { thread: Thread }[],
  links: ReadonlyMap<string, ThreadLink>,
  context: BuildContext,
): SessionRenderer[] {
  const { options, staging } = context
  // Neither plugins nor the keys of a lock can be sent to another thread.
  const shared = options.plugins.length === 0 && hasThreads() ? staging.shared : undefined
  const bytes = sumBy(sessions, ({ thread }) => threadBytes(thread))
  const wanted = options.jobs ?? Math.min(usualThreads(), Math.floor(bytes / minBytes))
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

/** Renders sessions in a thread, which starts with the first one; `number` distinguishes it from others. */
function sessionThread(
  number: number,
  { links, context, shared }: { links: ReadonlyMap<string, ThreadLink>; context: BuildContext; shared: SharedStaging },
): SessionRenderer {
  const { reading } = context
  const onNote = (note: Note): void => {
    if ('pruned' in note) context.keepPage(...note.pruned)
    else if ('slice' in note) context.keepSlice(...note.slice)
    else context.passed(note.passed)
  }
  const known = new Map<string, ThreadLink>()
  const setup = (): Setup => {
    known.clear()
    return setupOf(number, shared, context)
  }
  const thread = taskThread<SentJob, Note, Answer>(setup, reading.signal)
  return {
    async render({ redactor: _, ...job }) {
      const fresh = [...links].filter(([id, link]) => known.get(id) !== link)
      try {
        const { result, files } = await thread.run({ job, links: fresh }, onNote)
        for (const [id, link] of fresh) known.set(id, link)
        shared.adopt(files)
        return result
      } catch (error) {
        if (!(error instanceof LostThread)) throw error
        shared.expectStrays()
        return { failure: diagnostic('page-failed', firstFile(job.thread), `Reason: ${error.message}.`) }
      }
    },
    close: thread.close,
  }
}

function setupOf(number: number, shared: SharedStaging, context: BuildContext): Setup {
  const { options, site, host, memory, staging } = context
  return {
    ...{ work: 'render', options, site },
    homeDir: host.homeDir,
    staging: shared.input,
    spoolDir: join(staging.tempDir(), `thread-${number}`),
    hasMemory: memory !== undefined,
  }
}

// The code of the other end.

/** Renders the sessions that the build sends, as long as the thread lives. */
export function serveSessions(memory: MemoryFeature): void {
  // The build passed what `setupOf` makes.
  const setup = setupOfThread() as Setup
  const links = new Map<string, ThreadLink>()
  const reading = readingOfThread(setup)
  const privacy = privacyOf(setup.options, setup)
  const loading = loadSetup(setup)
  serveTasks<SentJob, Note, Answer>(async ({ job, links: fresh }, postNote) => {
    for (const [id, link] of fresh) links.set(id, link)
    const staging = openSharedStaging(setup.staging)
    const context: SessionContext = {
      ...(await loading),
      ...{ options: setup.options, site: setup.site, isLocked: false, staging },
      memory: setup.hasMemory ? memory : undefined,
      keepPage: (...pruned) => postNote({ pruned }),
      // A thread cannot read the cache. A session that is the only one to grow is rendered in the build's own thread, which can.
      keptSlices: storedSlices(
        () => undefined,
        (...slice) => postNote({ slice }),
      ),
      passed: (passed) => postNote({ passed }),
      reading,
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
