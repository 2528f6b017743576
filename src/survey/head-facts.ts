/** What heads say about threads, as it may be shown, without a scan. */

import type { SessionHead, Thread } from '../rollout/discover/rollout.ts'
import { defined } from '../util/own.ts'
import type { Privacy } from './privacy.ts'
import { isSelected, type ThreadFilter } from './select.ts'

/** What the head of a thread says, in publishable form. */
export interface HeadFacts {
  /** ISO instant. */
  startedAt?: string
  cwds: readonly string[]
  remote?: string
}

/**
 * What the heads of selected threads say, as far as heads can show which are selected, by thread id. Each folder is redacted only
 * once: an archive has thousands of heads, but few folders.
 */
export function headFacts(
  threads: readonly Thread[],
  selection: ThreadFilter,
  privacy: Privacy | undefined,
): Map<string, HeadFacts> {
  // Only a scan shows until when a thread was active.
  const sinceEver = { ...selection, since: undefined }
  const shown = new Map<string, Pick<HeadFacts, 'cwds' | 'remote'>>()
  const locationOf = ({ cwd, git }: Partial<SessionHead>): Pick<HeadFacts, 'cwds' | 'remote'> => {
    const key = JSON.stringify([cwd, git?.remote])
    const cached = shown.get(key)
    if (cached !== undefined) return cached
    const own = privacy?.redactor()
    const cwds = cwd === undefined ? [] : [cwd]
    own?.learn(cwds, [])
    const text = (value: string): string => own?.text(value) ?? value
    const location = { cwds: cwds.map(text), ...defined({ remote: git?.remote && text(git.remote) }) }
    shown.set(key, location)
    return location
  }
  return new Map(
    threads.flatMap(({ id, archived, segments }) => {
      const { cwd, git, startedAt } = segments[0]?.head ?? {}
      const raw = defined({ cwds: cwd === undefined ? [] : [cwd], remote: git?.remote, branch: git?.branch, startedAt })
      if (!isSelected({ id, archived, ...raw }, sinceEver)) return []
      return [[id, { ...locationOf(segments[0]?.head ?? {}), ...defined({ startedAt }) }]]
    }),
  )
}
