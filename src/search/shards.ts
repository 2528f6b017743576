/**
 * Shards of the search index: which pages each contains, how it is built, and which are built while pages are still being
 * rendered.
 */

import type { FileRecord, IndexedPage } from '../render/output.ts'
import { compareText } from '../util/compare.ts'
import { append, sumBy } from '../util/groups.ts'
import { sha256 } from '../util/hash.ts'
import { buildSearchIndex, type IndexPage, type SearchIndex } from './pagefind-fs.ts'
import { SearchError } from './service-fs.ts'

// Which pages go into which shard: on a small site, all into one; on a large one, by time, with the newest month separate.

/**
 * Up to this many UTF-16 units of pruned pages, there is one index. More than one takes more requests and disk space, but less
 * work after a change.
 */
const maxUnsharded = 2 << 20

/**
 * UTF-16 units of a shard, which keep Pagefind below 400 MiB. The number of shards does not matter to pages, which load the
 * joined index.
 */
const shardSize = 4 << 20

/**
 * Shards in order of days, newest last; none without pages. Equal pages give equal shards. A growing page moves a border only if
 * its month passes another 64th of a shard, which most changes do not.
 */
export function planShards(pages: readonly IndexedPage[]): IndexedPage[][] {
  const sorted = byDay(pages)
  if (sizeOf(sorted) <= maxUnsharded) return sorted.length === 0 ? [] : [sorted]
  const months = runs(sorted, monthOf)
  return [...packed(months.slice(0, -1).flatMap(units)), ...packed(units(months.at(-1) ?? []))]
}

/** Those of the shards of `planShards` that cannot change any more if all later pages are of the month `open` or later. */
export function closedShards(pages: readonly IndexedPage[], open: string): IndexedPage[][] {
  if (sizeOf(pages) <= maxUnsharded) return []
  const over = runs(byDay(pages), monthOf).filter(([page]) => page !== undefined && monthOf(page) < open)
  // The last shard may still grow by another month.
  return packed(over.flatMap(units)).slice(0, -1)
}

/** `YYYY-MM`, or empty for a page without a date. */
function monthOf(page: IndexedPage): string {
  return dayKey(page).slice(0, 7)
}

function byDay(pages: readonly IndexedPage[]): IndexedPage[] {
  return [...pages].sort((a, b) => compareText(dayKey(a), dayKey(b)) || compareText(a.path, b.path))
}

/**
 * The smallest units that go into shards: a month, or if it is a large part of a shard its days, or the pages of a day that is
 * larger than a shard.
 */
function units(month: IndexedPage[]): IndexedPage[][] {
  if (sizeOf(month) <= shardSize / 4) return [month]
  return runs(month, dayKey).flatMap((day) => (sizeOf(day) <= shardSize ? [day] : day.map((page) => [page])))
}

/** Joins neighbouring units up to the size of a shard. Sizes are rounded up in steps, so most changes move no border. */
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

/** Groups neighbours that have the same key. */
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

/** A page without a date counts as the oldest, as it does when hits are sorted. */
function dayKey({ day }: IndexedPage): string {
  return /^\d/.test(day) ? day : ''
}

/** Total UTF-16 units of pruned pages. */
export function sizeOf(pages: readonly IndexedPage[]): number {
  return sumBy(pages, ({ size }) => size)
}

// When an old search index may be kept.

/** What the bytes of an index depend on besides its pages. */
interface SearchKeyOptions {
  /** `codex-export x.y.z`, which also determines the version of Pagefind. */
  generator: string
  /** Hash of the script that searches in the browser; only the whole index depends on it. */
  script?: string
}

/** Describes how our files are made from Pagefind's; changed whenever they would differ. */
const form =
  'joined, words as they are, triples of paths, identifiers and versions, small files, texts in files by length, texts without hidden words, flags, versions without v, no runs without blanks, parts behind signs'

/** A text that changes whenever an index or, without `script`, a shard would, made from the hashes of its pages in any order. */
export function searchKey(pages: Iterable<FileRecord>, { generator, script = '' }: SearchKeyOptions): string {
  const lines = [...pages].map(({ path, hash }) => `${path}\0${hash}`).sort(compareText)
  return sha256([form, generator, script, ...lines].join('\n'))
}

// Building a shard.

/** What a shard is built from besides the list of its pages. */
interface ShardSource {
  generator: string
  /** Contains the texts of the pages. */
  cache: { page: (path: string) => string | undefined }
  /** Returns the absolute folder for the files of the index until they are part of the site. */
  tempDir: () => string
  /** Called for each page that has been added to the index. */
  passed?: ((page: IndexedPage) => void) | undefined
}

/** Builds a shard in its own Pagefind process, one at a time. Throws as `buildSearchIndex` does. */
export function buildShard(
  pages: readonly IndexedPage[],
  { cache, tempDir, passed }: ShardSource,
  signal: AbortSignal,
): Promise<SearchIndex> {
  const expected = { pages: pages.length, size: sizeOf(pages) }
  return buildSearchIndex(indexPages(pages, { cache, passed }), { tempDir, expected, signal })
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

// Building shards ahead of time.

/**
 * Shards that are built before they are asked for. Nothing depends on them: a shard that is not needed in the end is dropped, and
 * one that failed is built again by whoever needs it, who then reports why.
 */
export interface SearchAhead {
  /** Takes the pages of the next session, in the order of the days on which sessions began, and returns immediately. */
  add(pages: readonly IndexedPage[], source: ShardSource): void
  /** Waits for everything that has begun and returns the shards by key; their files are on disk. */
  ready(): Promise<ReadonlyMap<string, SearchIndex>>
  /** Aborts what is still running, including Pagefind's process. */
  close(): Promise<void>
}

/** Builds shards ahead until the signal aborts; `add` starts the work. Pagefind builds one shard at a time. */
export function searchAhead(signal: AbortSignal): SearchAhead {
  const closed = new AbortController()
  const ended = AbortSignal.any([signal, closed.signal])
  const pages: IndexedPage[] = []
  const built = new Map<string, SearchIndex>()
  let begun = 0
  /** The month in which the last session began; no more pages of earlier months will come. */
  let open = ''
  let work = Promise.resolve()
  const build = async (shard: readonly IndexedPage[], source: ShardSource): Promise<void> => {
    if (ended.aborted) return
    try {
      built.set(searchKey(shard, source), await buildShard(shard, source, ended))
    } catch {
      // See above. The same failure would most likely happen for the next shard too.
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
