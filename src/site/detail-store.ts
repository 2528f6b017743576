/** Details of sessions between their rendering and the pages across them: in the cache, never all in memory. */

import type { SessionDetail } from '../transcript/summary.ts'
import type { BuildCache } from './cache/build-cache.ts'
import { type PageSpool, pageSpool } from './page-spool-fs.ts'

/** Details by thread id. */
export interface DetailStore {
  put: (detail: SessionDetail) => void
  /** `undefined` where neither this build nor the one before kept any. */
  get: (threadId: string) => SessionDetail | undefined
  close: () => void
}

/** A store that keeps details for the next build. */
export function detailStore(cache: BuildCache): DetailStore {
  return { put: cache.setDetail, get: cache.detail, close: () => {} }
}

/** A store for a dry run, which leaves the cache as it is: new details wait in a spool. */
export function passingDetailStore(cache: BuildCache, spoolDir: () => string): DetailStore {
  const spool: PageSpool = pageSpool(spoolDir, 'details')
  const places = new Map<string, number>()
  return {
    put(detail) {
      places.set(detail.threadId, spool.count())
      spool.add(JSON.stringify(detail))
    },
    get(threadId) {
      const place = places.get(threadId)
      // What the spool holds is what `put` wrote.
      return place === undefined ? cache.detail(threadId) : (JSON.parse(spool.get(place)) as SessionDetail)
    },
    close: spool.close,
  }
}
