/** Files on their way to disk, and the manifest that says which are ours. */

import { gzipSync } from 'node:zlib'
import type { Status } from '../transcript/trast.ts'
import { type Content, encoded } from '../util/pieces.ts'

/** A file of the site. `path` is relative to the output folder with `/` separators. */
export interface OutputFile {
  path: string
  content: Content
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
export interface IndexedPage extends FileRecord {
  day: string
  /** UTF-16 units of its text. */
  size: number
}

/** The same with what is known of its session. */
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
  /** Paths of edits as the page tells them, and tools with their servers' names before them. */
  files?: readonly string[]
  tools?: readonly string[]
  /** Values of fields of plugins, by the names of the fields. */
  fields?: Readonly<Record<string, readonly string[]>>
  /** It is the session of a sub-agent. */
  isAgent: boolean
  /** Of its last turn; absent without one. */
  state?: Status
  /** The page tells of an error, or of a command or turn that failed. */
  failed: boolean
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

// Data that pages load.

/** Bytes that zlib sets aside at least. */
const minChunk = 1024

/**
 * A script that adds a text, as base64 of its gzipped bytes, to the list that is the global `name`: pages ask for data so,
 * because a script loads from a folder on disk too. Takes the text in pieces, and gives the script in pieces.
 */
export function packedScript(name: string, pieces: readonly string[]): string[] {
  const text = encoded(pieces)
  // Level 5 takes 1.6 times as long, for scripts of 0.89 of the length. In one piece, which is not put together from others.
  const bytes = gzipSync(text, { level: 1, chunkSize: Math.max(minChunk, text.length >> 1) })
  // The system that packed it: equal input gives equal bytes on all of them.
  bytes[9] = 255
  return [`;(self.${name}??=[]).push("`, bytes.toString('base64'), '")\n']
}
