/** Names of projects as they may be shown, without a scan of their threads. */

import type { Thread } from '../rollout/discover/rollout.ts'
import { defined } from '../util/own.ts'
import type { Privacy } from './privacy.ts'
import { type ProjectNames, projectNames } from './project.ts'
import { isSelected, type ThreadFilter } from './select.ts'

/**
 * Unique names for the projects of threads, according to their heads. Threads that a filter excludes do not count: their
 * projects must not show in the names of others.
 */
export function shownProjectNames(
  threads: readonly Thread[],
  selection: ThreadFilter,
  privacy: Privacy | undefined,
): ProjectNames {
  const text = privacy?.redactor().text ?? ((given: string) => given)
  // A head does not say when a thread ended.
  const atAnyTime = { ...selection, since: undefined, before: undefined }
  const sources = new Map<string, { remote?: string; cwds: string[] }>()
  for (const { id, archived, segments } of threads) {
    const { cwd, git = {} } = segments[0]?.head ?? {}
    const cwds = cwd === undefined ? [] : [cwd]
    const key = JSON.stringify([git.remote, cwd])
    if (sources.has(key) || !isSelected({ id, archived, cwds, ...git }, atAnyTime)) continue
    sources.set(key, { cwds: cwds.map(text), ...defined({ remote: git.remote && text(git.remote) }) })
  }
  return projectNames(sources.values())
}
