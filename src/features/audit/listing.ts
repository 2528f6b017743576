/** Compares the names in a site's folder with its manifest, before any file is opened. */

import { type Finding, finding } from '../../diagnostics/finding.ts'
import { manifestName, pathProblem } from '../../site/output/paths.ts'
import { printable } from '../../util/printable.ts'

/** An entry of a site's folder, other than a folder. */
export interface SiteEntry {
  /** Relative, with `/` between its parts. */
  path: string
  kind: 'file' | 'link' | 'other'
  bytes: number
}

/** Findings about names: links, files that the manifest does not list or that are missing, names that collide. */
export function auditListing(entries: readonly SiteEntry[], files: Readonly<Record<string, string>>): Finding[] {
  const present = new Set(entries.map(({ path }) => path))
  const missing = Object.keys(files).filter((path) => !present.has(path))
  return [
    ...entries.flatMap((entry) => auditEntry(entry, files)),
    ...missing.map((path) => finding('missing-file', { file: path })),
    ...collisions(entries),
  ]
}

function auditEntry({ path, kind }: SiteEntry, files: Readonly<Record<string, string>>): Finding[] {
  if (path === manifestName) return kind === 'file' ? [] : [finding('symbolic-link', { file: path })]
  const found: Finding[] = []
  if (kind !== 'file') found.push(finding('symbolic-link', { file: path }))
  else if (!Object.hasOwn(files, path)) found.push(finding('unlisted-file', { file: path }))
  const problem = pathProblem(path)
  if (problem !== undefined) found.push(finding('unportable-name', { file: path }, `Reason: ${problem}.`))
  return found
}

/** Names of the same file on systems that ignore case or the form of accents. */
function collisions(entries: readonly SiteEntry[]): Finding[] {
  const first = new Map<string, string>()
  const found: Finding[] = []
  for (const { path } of entries) {
    const folded = path.normalize('NFC').toLowerCase()
    const other = first.get(folded)
    if (other === undefined) first.set(folded, path)
    else {
      const detail = `\`${printable(other)}\` is the same name on systems that ignore case.`
      found.push(finding('unportable-name', { file: path }, detail))
    }
  }
  return found
}
