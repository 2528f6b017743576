/** Scans of single threads, each made once. */

import type { Thread } from '../rollout/discover/rollout.ts'
import { scanWithLineage, type ThreadIndex } from './lineage.ts'
import type { Scan, ScanOptions } from './scan.ts'

/** Gives the scan of a thread; a second call for it costs nothing. */
export type ThreadScan = (thread: Thread) => Promise<Scan>

/** A scan among the threads of an index. */
export function threadScan(index: ThreadIndex, options: ScanOptions): ThreadScan {
  const known = new Map<string, Promise<Scan>>()
  return (thread) => {
    const scan = known.get(thread.id) ?? scanWithLineage(thread, index, options)
    known.set(thread.id, scan)
    return scan
  }
}
