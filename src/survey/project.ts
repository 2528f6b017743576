/** To which project a thread belongs: its repository where one is recorded, else its folder. */

import type { ProjectRef } from '../transcript/summary.ts'
import { projectSlug } from '../transcript/urls.ts'
import { pathKey } from '../util/paths.ts'

/** The project of a remote URL, else of a working folder, each without its last slash or `.git`. */
export function projectOf(remote: string | undefined, cwd: string | undefined): ProjectRef {
  const key = trimmed(remote) ?? trimmed(cwd)
  if (key === undefined) return { slug: projectSlug('unknown', ''), name: 'unknown' }
  const name = key.split(/[/\\:]/).findLast((part) => part !== '') ?? key
  return { slug: projectSlug(name, pathKey(key)), name }
}

/** Copies of a repository differ in how its URL ends, not in what it names. */
function trimmed(place: string | undefined): string | undefined {
  if (place === undefined || place.trim() === '') return undefined
  const short = place
    .trim()
    .replace(/[/\\]+$/, '')
    .replace(/\.git$/, '')
  return short === '' ? place.trim() : short
}
