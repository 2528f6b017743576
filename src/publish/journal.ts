/** What is ours at a host: the manifest of the site there, and while a publish is under way a journal beside it. */
import { decodeManifest } from '../model/manifest.ts'
import { manifestName, pathProblem } from '../model/paths.ts'
import { compareText } from '../util/compare.ts'

/** Name of the journal at the host. It is there only while a publish is under way, or after one that was cut off. */
export const journalName = '.codex-export-publishing.json'

const schema = 'codex-export/publishing'

/** Writes a journal: all paths that may have been published when it is read. */
export function encodeJournal(paths: Iterable<string>): string {
  return `${JSON.stringify({ schema, version: 1, paths: [...new Set(paths)].sort(compareText) })}\n`
}

/**
 * Paths that were published before, by the texts of manifest and journal as they stand at the host. What does not read
 * counts as absent: then nothing there is ours. Never throws.
 */
export function ownedPaths(manifest: string | undefined, journal: string | undefined): Set<string> {
  const owned = new Set(journalPaths(journal))
  const decoded = manifest === undefined ? undefined : decodeManifest(manifest)
  if (decoded === undefined || 'problem' in decoded) return owned
  for (const path of Object.keys(decoded.manifest.files)) owned.add(path)
  return owned.add(manifestName)
}

function journalPaths(text: string | undefined): string[] {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null) return []
    const { schema: name, version, paths } = value as Partial<Record<string, unknown>> // any object may be read by key
    if (name !== schema || version !== 1 || !Array.isArray(paths)) return []
    return paths.filter(
      (path): path is string => typeof path === 'string' && (path === manifestName || pathProblem(path) === undefined),
    )
  } catch {
    return []
  }
}
