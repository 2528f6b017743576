/** Keeps a site fresh while sessions are written: changed sessions at once, the pages around them after a pause. */

import { isExpected } from '../diagnostics/errors.ts'
import { findRoots, type Root } from '../rollout/discover/homes-fs.ts'
import { watchRoots } from '../rollout/discover/watch-fs.ts'
import { build } from './build.ts'
import { defaultCacheDir } from './cache/cache-folder-fs.ts'
import { cacheKeeper } from './cache/cache-fs.ts'
import type { BuildFeatures } from './context.ts'
import { sliceKeeper } from './kept-slices.ts'
import type { BuildRunOptions } from './stages-fs.ts'
import { type BuildOptions, type BuildResult, type Host, silent } from './types.ts'

/** A site that one process builds again and again. */
export interface FreshSite {
  /** Builds all of it. Throws as `build` does. */
  build(host: Host, runOptions?: BuildRunOptions): Promise<BuildResult>
  /** Puts new pages of the sessions that changed in place. Gives how many were rendered. Throws as `build` does. */
  update(host: Host): Promise<number>
  /** Where sessions are by now. Throws a `UsageError` where a named place is none. */
  roots(): Root[]
}

/** A site with these options. */
export function freshSite(
  options: BuildOptions,
  features: BuildFeatures,
  home: Pick<Host, 'env' | 'homeDir'>,
): FreshSite {
  const openCache = cacheKeeper()
  const keepSlices = sliceKeeper()
  // A home that is gone for a while is none of the mistakes that a call is told of.
  const find = () => findRoots(options.homes, { ...home, mayMiss: () => true })
  return {
    build: (host, runOptions) => build(options, host, features, { ...runOptions, openCache, keepSlices }),
    async update(host) {
      // Each build of a locked site seals with other keys, and so do pages and what they load.
      if (options.passwordFile !== undefined) return 0
      const { update } = await import('./stages-fs.ts')
      const cacheDir = options.cache ?? defaultCacheDir(options.out, host)
      return update({ options, host, features, roots: find(), cacheDir, openCache, keepSlices })
    },
    roots: () => find().roots,
  }
}

/** What a watch tells. */
export interface WatchNews {
  /** So many sessions have new pages; the whole site follows after a pause. */
  updated(sessions: number): void
  /** The whole site is fresh. */
  built(result: BuildResult): void
  /** A build could not be; the site stands as it was, and the watch goes on. Told once for each message in a row. */
  failed(error: Error): void
}

/** How to watch. */
export interface SiteWatchOptions {
  /** Look for changes every second instead of waiting for notices of the system. */
  poll: boolean
  /** For so long after a change a session may still run. */
  liveMs: number
}

/** What is written within that time is taken together: Codex writes several lines for one event. */
const settleMs = 100
/** So long must nothing change before the pages around the sessions are made, and thrice as long as that took last time. */
const pauseMs = 2000
const pauseFactor = 3
/** A whole build that takes longer than that gives way to a session that changes … */
const undisturbedMs = 1000
/** … but not for ever. */
const maxBehindMs = 60_000

/** Keeps the site fresh until the host's signal aborts. Throws only what is a bug. */
export async function watchSite(
  site: FreshSite,
  host: Host,
  options: SiteWatchOptions,
  news: WatchNews,
): Promise<void> {
  const changes = bell(host.signal)
  const passHost: Host = { ...host, progress: silent, report: () => {} }
  let lastWholeMs = 0
  /** Updates that follow each other take half of the time at most: until then the next one waits for more changes. */
  let restsUntil = 0
  /** Since when the pages around the sessions are older than these. */
  let behindAt: number | undefined
  let failure: string | undefined
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      failure = undefined
    } catch (error) {
      if (host.signal.aborted) return
      if (!(error instanceof Error) || !isExpected(error)) throw error
      if (error.message !== failure) news.failed(error)
      failure = error.message
    }
  }
  const update = async (): Promise<void> => {
    const begin = performance.now()
    behindAt ??= begin
    const rendered = await site.update(passHost)
    const end = performance.now()
    restsUntil = end + Math.min(end - begin, pauseMs / 2)
    if (rendered > 0) news.updated(rendered)
  }
  const buildWhole = async (): Promise<void> => {
    const begin = performance.now()
    const mayGiveWay = lastWholeMs > undisturbedMs && begin - (behindAt ?? begin) < maxBehindMs
    const stop = new AbortController()
    const signal = mayGiveWay ? AbortSignal.any([host.signal, stop.signal]) : host.signal
    const release = changes.onChange(() => stop.abort())
    try {
      const result = await site.build({ ...passHost, signal })
      lastWholeMs = performance.now() - begin
      behindAt = undefined
      news.built(result)
    } catch (error) {
      if (!stop.signal.aborted || !mayGiveWay) throw error
    } finally {
      release()
    }
  }
  const watch = watchRoots({ rootsOf: site.roots, changed: changes.ring, poll: options.poll })
  // What was written before anything was watched.
  changes.ring()
  try {
    while (!host.signal.aborted) {
      const idleMs = behindAt === undefined ? options.liveMs : Math.max(pauseMs, pauseFactor * lastWholeMs)
      const hasChanged = await changes.wait(idleMs)
      if (host.signal.aborted) return
      if (!hasChanged && behindAt !== undefined) await attempt(buildWhole)
      else {
        // After a pause without any, sessions that may have run do no more.
        if (hasChanged) await changes.settle(Math.max(settleMs, restsUntil - performance.now()))
        await attempt(update)
      }
    }
  } finally {
    watch.close()
  }
}

/** Tells that something changed. */
interface Bell {
  ring(): void
  /** Waits for the next change at most so many milliseconds; `false` where there was none, or the signal aborted. */
  wait(ms: number): Promise<boolean>
  /** Lets changes that follow at once count as one. */
  settle(ms: number): Promise<void>
  /** Calls back at each change until the result is called; at once where one waits. */
  onChange(listener: () => void): () => void
}

function bell(signal: AbortSignal): Bell {
  let isRung = false
  let listener = (): void => {}
  const pause = (ms: number, wakes: boolean): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        listener = () => {}
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end, { once: true })
      if (wakes) listener = end
    })
  return {
    ring() {
      isRung = true
      listener()
    },
    async wait(ms) {
      if (!isRung && !signal.aborted) await pause(ms, true)
      return isRung && !signal.aborted
    },
    async settle(ms) {
      if (!signal.aborted) await pause(ms, false)
      isRung = false
    },
    onChange(next) {
      listener = next
      if (isRung) next()
      return () => {
        listener = () => {}
      }
    },
  }
}
