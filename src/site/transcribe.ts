/** Second stage of a build: each session as trees, one page after the other, or as the build before left it. */

import { assetSink } from '../redact/picture.ts'
import type { Thread } from '../rollout/discover/rollout.ts'
import { defined } from '../util/defined.ts'
import type { CachedSession } from './cache/build-cache.ts'
import type { BuildContext, PageCollector, SessionJob } from './context.ts'
import { type Discovery, jobOf, sessionKey } from './discover.ts'
import { settledFamilies } from './known/session-families.ts'
import { slicesOf, type ThreadSlices } from './slices.ts'

/** A session on its way into the site. */
export interface Transcript {
  job: SessionJob
  /** The session of the build before; only where there is none are there trees. */
  content: { kept: CachedSession } | { trees: SessionTrees }
  /** Which part of all bytes the sessions so far have, from 0 to 1; absent for one that comes again. */
  share?: number
}

/** The trees of a session, and what is collected while they are made. */
export interface SessionTrees extends ThreadSlices {
  /** Pictures of the slice, by name, until it is known which of them it shows. */
  pictures: Map<string, Uint8Array>
  /** Hears of the thread's lines; absent where the session gets no page of what the model remembers. */
  memory?: PageCollector
}

/**
 * The wanted sessions in their order. Behind the last one of a family those come again that were made without a value
 * which the family knows by now; so each is asked for when the one before has its outcome.
 */
export async function* transcribe(
  context: BuildContext,
  found: Discovery,
): AsyncGenerator<Transcript, void, undefined> {
  const { host, privacy } = context
  const { wanted } = found
  const families = privacy && settledFamilies(found, privacy, context)
  host.progress.stage('Rendering sessions', wanted.length)
  const allBytes = wanted.reduce((sum, { thread }) => sum + bytesOf(thread), 0)
  let bytes = 0
  for (const item of wanted) {
    bytes += bytesOf(item.thread)
    const job = jobOf(item, found)
    const kept = (families?.mayKeep(job) ?? true) ? keepSession(job, context) : undefined
    const content = kept === undefined ? { trees: treesOf(job, context) } : { kept }
    yield { job, content, share: bytes / allBytes }
    for await (const again of families?.done(item.thread.id) ?? []) {
      yield { job: again, content: { trees: treesOf(again, context) } }
    }
    host.progress.tick()
  }
}

function bytesOf({ segments }: Thread): number {
  return segments.reduce((sum, { file }) => sum + file.bytes, 0)
}

/** The session of the build before, where nothing that it depends on has changed and every file of it still stands. */
function keepSession(job: SessionJob, { options, cache, staging }: BuildContext): CachedSession | undefined {
  // What a plugin does is not known from its name, so that its sessions are always rendered anew.
  if (options.plugins.length > 0) return undefined
  const known = cache.session(job.thread.id, sessionKey(job))
  if (known === undefined || !known.files.every(({ path, hash }) => staging.keepUnchanged(path, hash))) return undefined
  return cache.keepBlobs(job.thread.id, known) ? known : undefined
}

function treesOf(job: SessionJob, context: BuildContext): SessionTrees {
  const { thread, facts, neighbours, plan, redactor, live } = job
  const pictures: SessionTrees['pictures'] = new Map()
  const memory = context.memory?.(job, context)
  const slices = slicesOf(thread, facts, {
    ...context.reading,
    neighbours,
    plugins: context.options.plugins,
    assets: assetSink((name, bytes) => pictures.set(name, bytes), redactor === undefined),
    ...defined({ plan, redactor, memory, live }),
  })
  return { ...slices, pictures, ...defined({ memory }) }
}
