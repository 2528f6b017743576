/** Searches the sessions themselves, without an index. Only text that may be shown is matched. */

import { findRoots } from '../../rollout/discover/homes-fs.ts'
import { findFiles } from '../../rollout/discover/thread-names-fs.ts'
import { withSpool } from '../../site/spool-fs.ts'
import type { Host } from '../../site/types.ts'
import { everything, type Filters, readFilters } from '../../survey/select.ts'
import { bytePatterns } from './byte-patterns.ts'
import { containAll, missingPatterns } from './bytes.ts'
import { pastedQuery } from './query.ts'
import type { SearchOptions, SearchSum } from './sessions.ts'

/**
 * Searches all sessions that pass the filters, newest first. If a turn holds the question exactly as typed, words after
 * `-` exclude nothing, because a pasted command contains options such as `-la`. Throws a `UsageError` for a date or a
 * home that does not fit.
 */
export async function search(options: SearchOptions, host: Host): Promise<SearchSum> {
  const pasted = pastedQuery(options.query)
  const sum = pasted === undefined ? undefined : await searchAsTyped({ ...options, query: pasted }, host)
  return sum !== undefined && sum.turns > 0 ? { ...sum, isPasted: true } : await searchAsTyped(options, host)
}

/**
 * Searches for one reading of the question. The code that reads sessions is loaded only if the files hold what is asked
 * for.
 */
function searchAsTyped(options: SearchOptions, host: Host): Promise<SearchSum> {
  return withSpool(async (spoolDir) => {
    const { query, personal } = options
    const { signal, progress } = host
    const filters = {
      ...options,
      projects: [...options.projects, ...query.projects],
      since: query.since ?? options.since,
      until: query.until ?? options.until,
    }
    const selection = readFilters(filters, host.now())
    const roots = findRoots(options.homes, host)
    progress.stage('Looking for sessions')
    const found = findFiles(roots.roots)
    const patterns = bytePatterns(query, Object.values(personal.roots))
    const missingIn = missingPatterns(patterns, { spoolDir, signal })
    // Ids are matched with the heads of files, and unreadable folders are reported, in `searchSessions`.
    const isOpen = selection.ids.length > 0 || found.diagnostics.length > 0 || patterns.length === 0
    if (!isOpen && !(await containAll(found.files.toReversed(), missingIn)))
      return { sessions: 0, turns: 0, contextTurns: 0, failed: 0, places: roots.places }
    const { searchSessions } = await import('./sessions.ts')
    return await searchSessions({ options, selection, roots, found, missingIn, spoolDir }, host)
  })
}

/** Whether any filter may leave sessions out, of the call or in the question. */
export function isFiltered({ query, ...options }: SearchOptions): boolean {
  const names = Object.keys(everything) as (keyof Filters)[] // exactly the keys of `Filters`
  const asked = [query.since ?? [], query.until ?? [], query.projects, query.session]
  return [...names.map((name) => options[name] ?? []), ...asked].flat().length > 0
}
