/** Files on their way to disk, and the manifest that says which are ours. */

/** A file of the site. `path` is relative to the output folder with `/` separators. */
export interface OutputFile {
  path: string
  content: string | Uint8Array
}

/** A file that stands in the output or in staging. */
export interface FileRecord {
  path: string
  /** SHA-256, hex. */
  hash: string
}

/** `manifest.json`: which files of the output folder may be replaced or removed; nothing else. */
export interface Manifest {
  schema: 'codex-export/manifest'
  version: 1
  files: Record<string, string>
}

/** What a build did to the output folder. */
export interface WritePlan {
  written: string[]
  kept: string[]
  removed: string[]
}

/** A page for the search index: a pruned document under the real page's URL. */
export interface SearchPage {
  /** Path of the page relative to the output folder, for example `sessions/<id>/index.html`. */
  path: string
  /** Day on which the session began, `YYYY-MM-DD` or `undated`. */
  day: string
  html: string
}

/** A pruned page without its text: the shards of the index are planned from these. */
export interface SearchRecord extends FileRecord {
  day: string
  /** UTF-16 units of its text. */
  size: number
}

// In which order files of a site take their places, so that no reachable page ever lacks what it loads.

/**
 * Rank of a path: assets, texts of sessions, their pages, pages that list them, the search index, what leads to its
 * parts, the front. Within a rank the order does not matter.
 */
export function installRank(path: string): number {
  if (path.startsWith('assets/')) return 0
  if (path.startsWith('sessions/')) return path.endsWith('.html') ? 2 : 1
  if (path.startsWith('pagefind/')) return /\/(?:pagefind-entry\.json|search\.js)$/.test(path) ? 5 : 4
  return path.includes('/') ? 3 : 6
}
