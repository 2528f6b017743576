/** What a publish would take from readers: compared with what was published at the same place before. */

import { isDrastic, RemovalError } from '../../diagnostics/removal.ts'
import { sessionFolders } from '../../transcript/urls.ts'
import type { PublishPlan } from './plan.ts'

/** Throws a `RemovalError` where a plan removes so many of the sessions at a place that it looks like an accident. */
export function refuseWithdrawal({ added, changed, kept, removed }: PublishPlan, place: string): void {
  const pathsOf = (files: PublishPlan['added']): string[] => files.map(({ path }) => path)
  const next = [...pathsOf(added), ...pathsOf(changed), ...pathsOf(kept)]
  refuseFewer(sessionFolders([...pathsOf(changed), ...pathsOf(kept), ...removed]), sessionFolders(next), place)
}

/** The same for a place that cannot be asked: `before` and `now` are folders of sessions. */
export function refuseFewer(before: ReadonlySet<string>, now: ReadonlySet<string>, place: string): void {
  const lost = [...before].filter((folder) => !now.has(folder)).length
  const loss = { source: place, had: before.size, has: now.size, lost }
  if (isDrastic(loss)) throw new RemovalError([loss], 'Nothing was published.')
}
