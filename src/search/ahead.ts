/** Shards of the search index, each by a Pagefind process; some of them while later sessions are still being rendered. */

import type { IndexedPage } from '../render/output.ts'
import { buildSearchIndex, type IndexPage, type SearchIndex } from './pagefind-fs.ts'
import { SearchError } from './service-fs.ts'
import { closedShards, monthOf, outgrowsShards, searchKey, sizeOf } from './shards.ts'

/** What a shard is built from beside the list of its pages. */
export interface ShardSource {
  generator: string
  /** Holds the text of the pages. */
  cache: { page: (path: string) => string | undefined }
  /** Absolute folder for the files of the index until they are part of the site. */
  tempDir: () => string
  /** Hears of each page that is in the index by now. */
  passed?: ((page: IndexedPage) => void) | undefined
}

/** A text that differs where the bytes of a shard would. */
export function shardKey(pages: readonly IndexedPage[], { generator }: Pick<ShardSource, 'generator'>): string {
  return searchKey(pages, { generator })
}

/** Builds a shard in a Pagefind process of its own, one at a time. Throws as `buildSearchIndex` does. */
export function buildShard(
  pages: readonly IndexedPage[],
  { cache, tempDir, passed }: ShardSource,
  signal: AbortSignal,
): Promise<SearchIndex> {
  return buildSearchIndex(indexPages(pages, { cache, passed }), { tempDir, count: pages.length, signal })
}

function* indexPages(
  pages: readonly IndexedPage[],
  { cache, passed }: { cache: ShardSource['cache']; passed: ShardSource['passed'] },
): Generator<IndexPage> {
  for (const page of pages) {
    const { path } = page
    const html = cache.page(path)
    if (html === undefined) throw new SearchError(`The text of \`${path}\` is missing from the cache. Build again.`)
    yield { path, html }
    passed?.(page)
  }
}

// Work that is done before it is asked for.

/**
 * Work that is done before it is asked for. Nothing depends on it: a shard that is not wanted in the end is dropped,
 * and one that failed is built again by whoever wants it, who then tells why.
 */
export interface SearchAhead {
  /**
   * Takes the pages of the next session, in the order of days, and returns at once. `share` is the part of the archive
   * that was taken by then, from 0 to 1: where all of it will be too much for the shards that are known now, none is
   * begun.
   */
  add(pages: readonly IndexedPage[], share: number, source: ShardSource): void
  /** Waits for all that has begun and gives it by key: at most eight shards, whose files are on disk. */
  ready(): Promise<ReadonlyMap<string, SearchIndex>>
  /** Ends what is still going on, and Pagefind's process with it. */
  close(): Promise<void>
}

/** Work that ends with the signal; `add` makes it begin. Pagefind builds one shard at a time. */
export function searchAhead(signal: AbortSignal): SearchAhead {
  const closed = new AbortController()
  const ended = AbortSignal.any([signal, closed.signal])
  const pages: IndexedPage[] = []
  const built = new Map<string, SearchIndex>()
  let begun = 0
  let work = Promise.resolve()
  const build = async (shard: readonly IndexedPage[], source: ShardSource): Promise<void> => {
    if (ended.aborted) return
    try {
      built.set(shardKey(shard, source), await buildShard(shard, source, ended))
    } catch {
      // See above. What failed once would most likely fail with the next shard too.
      closed.abort()
    }
  }
  return {
    add(more, share, source) {
      const before = pages.at(-1)
      pages.push(...more)
      const last = more.at(-1)
      if (before === undefined || last === undefined || monthOf(before) === monthOf(last)) return
      const shards = outgrowsShards(sizeOf(pages) / share) ? [] : closedShards(pages)
      if (shards.length < begun) {
        // The archive has outgrown these shards: the plan will have larger ones.
        closed.abort()
        built.clear()
      }
      for (const shard of shards.slice(begun)) work = work.then(() => build(shard, source))
      begun = Math.max(begun, shards.length)
    },
    async ready() {
      await work
      return built
    },
    async close() {
      closed.abort()
      await work
    },
  }
}
