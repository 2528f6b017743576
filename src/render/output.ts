/** Files on their way to disk, and the manifest that says which are ours. */

import { gzipSync } from 'node:zlib'
import type { Status } from '../transcript/trast.ts'
import { type Content, encoded } from '../util/pieces.ts'

/** A file of the site. `path` is relative to the output folder with `/` separators. */
export interface OutputFile {
  path: string
  content: Content
}

/** A file in the output folder or in the staging folder. */
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

/** A pruned page without its text; the shards of the index are planned from these. */
export interface IndexedPage extends FileRecord {
  day: string
  /** UTF-16 units of its text. */
  size: number
}

/** A pruned page without its text, with what is known about its session. */
export interface SearchRecord extends IndexedPage {
  facts: SearchFacts
}

/** What the search filters by and sorts by. */
export interface SearchFacts {
  project: string
  models: readonly string[]
  /** Instants of the session's start and end. */
  startedAt?: string
  endedAt?: string
  branch?: string
  /** Label of the home that the session was found in. */
  label?: string
  tags?: readonly string[]
  /** Paths of edits as the page shows them. */
  files?: readonly string[]
  /** Names of tools, after the name of their server. */
  tools?: readonly string[]
  /** Values of fields of plugins, by the names of the fields. */
  fields?: Readonly<Record<string, readonly string[]>>
  /** It is the session of a sub-agent. */
  isAgent: boolean
  /** Status of its last turn; absent if it has none. */
  state?: Status
  /** The page shows an error, or a command or turn that failed. */
  failed: boolean
}

// The order in which files of a site are installed, so that no reachable page ever lacks a file that it loads.

/**
 * Rank of a path: assets, texts of sessions, their pages, pages that list them, the search index, the files that lead to
 * its parts, files at the root. Within a rank the order does not matter.
 */
export function installRank(path: string): number {
  if (path.startsWith('assets/')) return 0
  if (path.startsWith('sessions/')) return path.endsWith('.html') ? 2 : 1
  if (path.startsWith('pagefind/')) return /\/(?:pagefind-entry\.json|search\.js)$/.test(path) ? 5 : 4
  return path.includes('/') ? 3 : 6
}

// Data that pages load.

/** Smallest output buffer of zlib, in bytes. */
const minChunk = 1024

/**
 * A script that adds a text, as base64 of its gzipped bytes, to the global list `name`. Pages load data this way because a
 * script also loads from a folder on disk. Accepts the text in pieces and returns the script in pieces.
 */
export function packedScript(name: string, pieces: readonly string[]): string[] {
  const text = encoded(pieces)
  // Level 5 takes 1.6 times as long and makes scripts 0.89 times as long. The chunk size keeps the result in one piece, which
  // saves zlib from joining several.
  const bytes = gzipSync(text, { level: 1, chunkSize: Math.max(minChunk, text.length >> 1) })
  // This byte names the operating system; 255 makes equal input give equal bytes on all of them.
  bytes[9] = 255
  return [`;(self.${name}??=[]).push("`, bytes.toString('base64'), '")\n']
}
