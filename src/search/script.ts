/** `pagefind/search.js`: the one script that a page loads on first use, with everything but the files of the index. */
import { classicPagefind } from './classic.ts'

/** What the browser must know about a shard. */
export interface ShardEntry {
  /** Folder below `pagefind/`, with a slash at its end; empty for the first. */
  path: string
  /** Name of its word list, `<language>_<hash>`. */
  hash: string
  /** Name of its engine: the language's, or `null` for the one without a stemmer. */
  wasm: string | null
  pages: number
}

/** Parts of the script. */
export interface SearchScript {
  /** Our side of it, which declares `codexSearchIndex`. */
  engine: string
  /** Pagefind's module. */
  pagefind: string
  /** Text of a `pagefind-entry.json`: what it says beside languages is the same for all shards. */
  entry: string
  language: string
  /** The newest first. */
  shards: readonly ShardEntry[]
}

/** Text of the script. Throws a `SearchError` where Pagefind's module cannot be made part of one. */
export function searchScript({ engine, pagefind, entry, language, shards }: SearchScript): string {
  const { languages: _, ...common } = JSON.parse(entry) as Record<string, unknown>
  const entries = shards.map(({ path, hash, wasm, pages }) => ({ path, hash, wasm, page_count: pages }))
  const index = JSON.stringify({ language, entry: common, shards: entries })
  return `${engine}codexSearchIndex(${index}, ${classicPagefind(pagefind)})\n`
}
