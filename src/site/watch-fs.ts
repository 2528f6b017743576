/** Keeps a site up to date while sessions are written: changed sessions immediately, the pages around them after a pause. */

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
  /** Builds the whole site. Throws as `build` does. */
  build(host: Host, runOptions?: BuildRunOptions): Promise<BuildResult>
  /** Puts new pages of the changed sessions in place. Returns how many were rendered. Throws as `build` does. */
  update(host: Host): Promise<number>
  /** Where sessions are now. Throws a `UsageError` if a named location cannot be used. */
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
  // During a watch, a home that is missing for a while is not treated as a mistake in the call.
  const find = () => findRoots(options.homes, { ...home, mayMiss: () => true })
  return {
    build: (host, runOptions) => build(options, host, features, { ...runOptions, openCache, keepSlices }),
    async update(host) {
      // Each build of a locked site seals with other keys, so its pages and what they load must be made together.
      if (options.passwordFile !== undefined) return 0
      const { update } = await import('./stages-fs.ts')
      const cacheDir = options.cache ?? defaultCacheDir(options.out, host)
      return update({ options, host, features, roots: find(), cacheDir, openCache, keepSlices })
    },
    roots: () => find().roots,
  }
}

/** What a watch reports. */
export interface WatchNews {
  /** This many sessions have new pages; the whole site follows after a pause. */
  updated(sessions: number): void
  /** The whole site is up to date. */
  built(result: BuildResult): void
  /** A build failed; the site stays as it was, and the watch continues. Repeated messages are reported once. */
  failed(error: Error): void
}

/** How to watch. */
export interface SiteWatchOptions {
  /** Look for changes every second instead of waiting for notices of the system. */
  poll: boolean
  /** For this long after a change, a session may still be running. */
  liveMs: number
}

/** Changes within this time are handled together, because Codex writes several lines for one event. */
const settleMs = 100
/**
 * How long nothing must change before the pages around the sessions are made; at least three times as long as making them took
 * last time.
 */
const pauseMs = 2000
const pauseFactor = 3
/** A full build that takes longer than this gives way to a session that changes … */
const undisturbedMs = 1000
/** … but not if the pages around the sessions have been out of date for this long. */
const maxStaleMs = 60_000

/** Keeps the site up to date until the host's signal aborts. Throws only unexpected errors. */
export async function watchSite(
  site: FreshSite,
  host: Host,
  options: SiteWatchOptions,
  news: WatchNews,
): Promise<void> {
  const changes = bell(host.signal)
  const passHost: Host = { ...host, progress: silent, report: () => {} }
  let lastFullBuildMs = 0
  /** Consecutive updates take at most half of the time: until this instant, the next one waits for more changes. */
  let restsUntil = 0
  /** Since when the pages around the sessions have been older than the sessions. */
  let staleSince: number | undefined
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
    staleSince ??= begin
    const rendered = await site.update(passHost)
    const end = performance.now()
    restsUntil = end + Math.min(end - begin, pauseMs / 2)
    if (rendered > 0) news.updated(rendered)
  }
  const buildAll = async (): Promise<void> => {
    const begin = performance.now()
    const mayGiveWay = lastFullBuildMs > undisturbedMs && begin - (staleSince ?? begin) < maxStaleMs
    const stop = new AbortController()
    const signal = mayGiveWay ? AbortSignal.any([host.signal, stop.signal]) : host.signal
    const release = changes.onChange(() => stop.abort())
    try {
      const result = await site.build({ ...passHost, signal })
      lastFullBuildMs = performance.now() - begin
      staleSince = undefined
      news.built(result)
    } catch (error) {
      if (!stop.signal.aborted || !mayGiveWay) throw error
    } finally {
      release()
    }
  }
  const watch = watchRoots({ rootsOf: site.roots, changed: changes.ring, poll: options.poll })
  // Covers what was written before watching began.
  changes.ring()
  try {
    while (!host.signal.aborted) {
      const idleMs = staleSince === undefined ? options.liveMs : Math.max(pauseMs, pauseFactor * lastFullBuildMs)
      const hasChanged = await changes.wait(idleMs)
      if (host.signal.aborted) return
      if (!hasChanged && staleSince !== undefined) await attempt(buildAll)
      else {
        // After a pause without changes, sessions that may have been running are no longer running.
        if (hasChanged) await changes.waitForQuiet(Math.max(settleMs, restsUntil - performance.now()))
        await attempt(update)
      }
    }
  } finally {
    watch.close()
  }
}

/** Signals that something changed. */
interface Bell {
  ring(): void
  /** Waits at most `ms` milliseconds for the next change; `false` if there was none, or if the signal aborted. */
  wait(ms: number): Promise<boolean>
  /** Treats the changes of the next `ms` milliseconds as one. */
  waitForQuiet(ms: number): Promise<void>
  /** Calls back at each change until the returned function is called, and immediately if a change is waiting. */
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
    async waitForQuiet(ms) {
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
