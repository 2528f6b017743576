/** One shard of the search index: what names it, and how it is built from the pruned pages in the cache. */
import type { SearchRecord } from '../model/output.ts'
import { searchKey } from '../search/key.ts'
import { buildSearchIndex, type IndexPage, type SearchIndex } from '../search/pagefind-fs.ts'
import { SearchError } from '../search/search-error.ts'
import type { BuildCache } from './build-cache.ts'

/** What a shard is built from beside the list of its pages. */
export interface ShardSource {
  language: string
  generator: string
  /** Holds the text of the pages. */
  cache: Pick<BuildCache, 'page'>
}

/** A text that differs where the bytes of a shard would. */
export function shardKey(pages: readonly SearchRecord[], { language, generator }: ShardSource): string {
  return searchKey(pages, { language, generator })
}

/** Builds a shard in a Pagefind process of its own, one at a time. Throws as `buildSearchIndex` does. */
export function buildShard(
  pages: readonly SearchRecord[],
  { language, cache }: ShardSource,
  signal: AbortSignal,
): Promise<SearchIndex> {
  return buildSearchIndex(indexPages(pages, cache), { language, count: pages.length, signal })
}

function* indexPages(pages: readonly SearchRecord[], cache: ShardSource['cache']): Generator<IndexPage> {
  for (const { path } of pages) {
    const html = cache.page(path)
    if (html === undefined) throw new SearchError(`The text of \`${path}\` is gone from the cache. Build again.`)
    yield { path, html }
  }
}
