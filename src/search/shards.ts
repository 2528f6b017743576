/** Shards of the search index: which pages stand in which, how each is built, and which are while others are rendered. */

import type { FileRecord, IndexedPage } from '../render/output.ts'
import { compareText } from '../util/compare.ts'
import { append, sumBy } from '../util/groups.ts'
import { sha256 } from '../util/hash.ts'
import { buildSearchIndex, type IndexPage, type SearchIndex } from './pagefind-fs.ts'
import { SearchError } from './service-fs.ts'

// Which pages stand in which shard: all in one on a small site; on a large one by time, and the newest month alone.

/**
 * UTF-16 units of pruned pages up to which there is one index. More than one takes more requests and disk, and less
 * work where something changed.
 */
const maxUnsharded = 2 << 20

/** Units of a shard, with which Pagefind stays below 400 MiB. Pages load what shards are joined to, whatever their number. */
const shardSize = 4 << 20

/**
 * Shards in the order of days, the newest last; none without pages. The same pages give the same shards. A page that
 * grows moves a border only where its month passes a 64th of a shard, which for most it does not.
 */
export function planShards(pages: readonly IndexedPage[]): IndexedPage[][] {
  const sorted = byDay(pages)
  if (sizeOf(sorted) <= maxUnsharded) return sorted.length === 0 ? [] : [sorted]
  const months = runs(sorted, monthOf)
  return [...packed(months.slice(0, -1).flatMap(units)), ...packed(units(months.at(-1) ?? []))]
}

/**
 * The shards among those of `planShards` that will be the same whatever pages come later, if these are of `open`, a month, or of
 * later ones.
 */
export function closedShards(pages: readonly IndexedPage[], open: string): IndexedPage[][] {
  if (sizeOf(pages) <= maxUnsharded) return []
  const over = runs(byDay(pages), monthOf).filter(([page]) => page !== undefined && monthOf(page) < open)
  // The last may still take another month.
  return packed(over.flatMap(units)).slice(0, -1)
}

/** `YYYY-MM`, empty for what has no date. */
function monthOf(page: IndexedPage): string {
  return dayKey(page).slice(0, 7)
}

function byDay(pages: readonly IndexedPage[]): IndexedPage[] {
  return [...pages].sort((a, b) => compareText(dayKey(a), dayKey(b)) || compareText(a.path, b.path))
}

/** A month, or its days where it is a large part of a shard, or the pages of a day that is more than one. */
function units(month: IndexedPage[]): IndexedPage[][] {
  if (sizeOf(month) <= shardSize / 4) return [month]
  return runs(month, dayKey).flatMap((day) => (sizeOf(day) <= shardSize ? [day] : day.map((page) => [page])))
}

/** Neighbouring units together up to a shard; each counts in steps, so that most changes move no border. */
function packed(parts: readonly IndexedPage[][]): IndexedPage[][] {
  const shards: IndexedPage[][] = []
  let capacity = 0
  for (const part of parts) {
    const step = part.length === 1 ? 1 : shardSize / 64
    const taken = Math.ceil(sizeOf(part) / step) * step
    const last = shards.at(-1)
    if (last === undefined || taken > capacity) {
      shards.push([...part])
      capacity = shardSize - taken
    } else {
      append(last, part)
      capacity -= taken
    }
  }
  return shards
}

/** Neighbours with the same key together. */
function runs(pages: readonly IndexedPage[], keyOf: (page: IndexedPage) => string): IndexedPage[][] {
  const found: IndexedPage[][] = []
  let key: string | undefined
  for (const page of pages) {
    if (keyOf(page) !== key) found.push([])
    key = keyOf(page)
    found.at(-1)?.push(page)
  }
  return found
}

/** What has no date counts as the oldest, as it does where hits are sorted. */
function dayKey({ day }: IndexedPage): string {
  return /^\d/.test(day) ? day : ''
}

/** UTF-16 units of pruned pages. */
export function sizeOf(pages: readonly IndexedPage[]): number {
  return sumBy(pages, ({ size }) => size)
}

// When an old search index may stay.

/** What decides the bytes of an index beside its pages. */
export interface SearchKeyOptions {
  /** `codex-export x.y.z`, which pins the version of Pagefind too. */
  generator: string
  /** Hash of the script that searches in the browser; only the whole index depends on it. */
  script?: string
}

/** Changes with the names of the files that are made of Pagefind's. */
const form =
  'joined, words as they are, triples of paths, identifiers and versions, small files, texts without hidden words, flags, versions without v, no runs without blanks, parts behind signs'

/** A text that differs where an index would: from the hashes of all pruned pages, in any order. */
export function searchKey(pages: Iterable<FileRecord>, { generator, script = '' }: SearchKeyOptions): string {
  const lines = [...pages].map(({ path, hash }) => `${path}\0${hash}`).sort(compareText)
  return sha256([form, generator, script, ...lines].join('\n'))
}

// How a shard is built.

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
  /** Takes the pages of the next session, in the order of the days on which sessions began, and returns at once. */
  add(pages: readonly IndexedPage[], source: ShardSource): void
  /** Waits for all that has begun and gives it by key: shards, whose files are on disk. */
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
  /** The month in which the last session began: a page of an earlier one comes no more. */
  let open = ''
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
    add(more, source) {
      append(pages, more)
      const [first] = byDay(more)
      if (first === undefined || monthOf(first) <= open) return
      open = monthOf(first)
      const shards = closedShards(pages, open)
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
