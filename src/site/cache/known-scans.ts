/** Avoids reading again what was read before: heads and scans that the cache has. */

import type { FoundRoots } from '../../rollout/discover/homes-fs.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import { ancestors, scanWithLineage, type ThreadIndex } from '../../survey/lineage.ts'
import { hasNoSecrets, isPublicScan, type Privacy, publicIds } from '../../survey/privacy.ts'
import type { ScanOptions } from '../../survey/scan.ts'
import { type Survey, type SurveyOptions, survey } from '../../survey/survey.ts'
import type { ScanFacts } from '../../transcript/summary.ts'
import { yieldToEventLoop } from '../../util/event-loop.ts'
import { detached } from '../../util/json.ts'
import { type BuildCache, type KeptScan, threadKey } from './build-cache.ts'

/** The cache, if anything is kept; with redaction, only values without secrets are kept. */
export interface CachedReading {
  cache: BuildCache | undefined
  privacy: Privacy | undefined
}

/** Surveys the roots; heads of unchanged files come from the cache. */
export function surveyOnce(
  roots: FoundRoots,
  { cache, privacy }: CachedReading,
  reading: Pick<SurveyOptions, 'spoolDir' | 'signal' | 'found'>,
): Promise<Survey> {
  return survey(roots, {
    ...reading,
    knownHead: (file) => cache?.head(file),
    // A head that contains a secret is not kept, and is read again each time.
    keepHead: (file, reading) => {
      if (cache !== undefined && (privacy === undefined || hasNoSecrets(reading, privacy))) cache.setHead(file, reading)
    },
    ...(cache === undefined ? {} : { oldCopies: cache.oldCopies }),
    publicId: publicIds(privacy),
  })
}

/** The cached scan of a thread that did not change. */
export function knownScan(thread: Thread, index: ThreadIndex, { cache }: CachedReading): KeptScan | undefined {
  return cache?.scan(thread, ancestorKey(thread, index))
}

/** Scans a thread, unless it is unchanged since its scan was cached. Throws the reason of an aborted signal. */
export async function scanOnce(
  thread: Thread,
  index: ThreadIndex,
  { cache, privacy }: CachedReading,
  reading: Pick<ScanOptions, 'spoolDir'> & { signal: AbortSignal },
): Promise<KeptScan> {
  const cached = knownScan(thread, index, { cache, privacy })
  if (cached !== undefined) return cached
  await yieldToEventLoop()
  reading.signal.throwIfAborted()
  const scan = detached(await scanWithLineage(thread, index, reading))
  // Facts that contain a secret are not kept, and are found again each time.
  if (cache !== undefined && scan.facts !== undefined && (privacy === undefined || isPublicScan(scan, privacy)))
    cache.setScan(thread, scan, ancestorKey(thread, index)(scan.facts))
  return scan
}

function ancestorKey(thread: Thread, index: ThreadIndex): (facts: ScanFacts) => string {
  return (facts) => ancestors(thread, facts, index).map(threadKey).join(' ')
}
