/** The search stage of a build: keeps the shards of the index whose pages did not change, builds the others anew. */

import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type { FileRecord, SearchRecord } from '../render/output.ts'
import { buildSearchIndex, type IndexPage, isCommon, isData, type SearchIndex } from '../search/pagefind-fs.ts'
import { classicPagefind, fileScript, searchScript } from '../search/script.ts'
import { SearchError } from '../search/service-fs.ts'
import { closedShards, monthOf, outgrowsShards, planShards, searchKey, sizeOf } from '../search/shards.ts'
import { searchFile } from '../transcript/urls.ts'
import { pacer } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import type { BuildCache, CachedSearch, CachedShard } from './cache/build-cache.ts'
import type { StagingArea } from './output/site-staging-fs.ts'

/** What is to be indexed, and where the index goes. */
export interface SearchInput {
  /** Pruned pages by path and hash; the cache holds their text. */
  pages: readonly SearchRecord[]
  language: string
  generator: string
  /** Text of the script that searches in the browser. */
  script: string
  stage: StagingArea
  cache: BuildCache
  signal: AbortSignal
  dryRun: boolean
  /** Shards that were built while pages were rendered. */
  ahead?: SearchAhead
}

/** What of an index is the same for all shards, under names in the cache: Pagefind's program alone knows it. */
const commonNames = { script: 'pagefind.js', entry: 'pagefind-entry.json' } as const

/** Puts the index into the stage. A failure keeps the old index, where there is one, and says so. */
export async function stageSearch(input: SearchInput): Promise<{ searched: number; diagnostics: Diagnostic[] }> {
  const { pages, stage, cache, dryRun } = input
  const old = cache.search()
  // Also while nothing changes: what a build does not ask for, the cache forgets.
  const common = { script: cache.page(commonNames.script), entry: cache.page(commonNames.entry) }
  const key = searchKey(pages, { ...input, script: sha256(input.script) })
  if (old?.key === key && keepAll(old, stage)) return { searched: pages.length, diagnostics: [] }
  if (dryRun) {
    keepOld(old, stage)
    return { searched: pages.length, diagnostics: [] }
  }
  const shards: CachedShard[] = []
  try {
    const built = await input.ahead?.ready()
    for (const plan of plans(input)) {
      shards.push(await stageShard(plan, { input, old: common.entry === undefined ? undefined : old, built }))
    }
    const script = shards.length === 0 ? [] : [stageScript(shards, input)]
    cache.setSearch({ key, shards, script })
    return { searched: pages.length, diagnostics: [] }
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    // Also an index that the cache does not know, because another version or other options made it.
    stage.keepFolder(searchFile(''))
    // What was built before it failed need not be built again.
    cache.setSearch({ key: old?.key ?? '', shards: [...(old?.shards ?? []), ...shards], script: old?.script ?? [] })
    return { searched: 0, diagnostics: [diagnostic('search-failed', {}, error.message)] }
  }
}

interface Plan {
  key: string
  /** Folder below `pagefind/`: that of the newest shard is the folder itself, where Pagefind's own script looks. */
  path: string
  pages: readonly SearchRecord[]
}

/** The newest last, so that a failure before leaves what stands at names that do not change. */
function plans(input: SearchInput): Plan[] {
  const shards = planShards(input.pages)
  return shards.map((shard, index) => {
    const key = shardKey(shard, input)
    return { key, path: index === shards.length - 1 ? '' : `${key.slice(0, 10)}/`, pages: shard }
  })
}

/** Files of an index between two turns of the event loop. */
const maxStep = 64

interface ShardJob {
  input: SearchInput
  old: CachedSearch | undefined
  /** Indexes that are there already, by key. */
  built: ReadonlyMap<string, SearchIndex> | undefined
}

async function stageShard({ key, path, pages }: Plan, { input, old, built }: ShardJob): Promise<CachedShard> {
  const { stage, cache, signal } = input
  const known = old?.shards.find((shard) => shard.key === key && shard.path === path)
  if (known?.files.every((file) => stage.keepUnchanged(file.path, file.hash))) return known
  const index = built?.get(key) ?? (await buildShard(pages, input, signal))
  if (path === '') keepCommon(index, cache)
  const files: FileRecord[] = []
  const pace = pacer(maxStep, signal)
  for (const { name, content } of index.files) {
    if (path !== '' && isCommon(name)) continue
    files.push(stage.put({ path: searchFile(path + name), content }))
    if (isData(name))
      files.push(stage.put({ path: searchFile(`${path}${name}.js`), content: fileScript(path + name, content) }))
    if (pace.isDue()) await pace.pause()
  }
  return { key, path, files, pages: index.pages, hash: index.entry?.hash ?? '', wasm: index.entry?.wasm ?? null }
}

function keepCommon({ files, entry }: SearchIndex, cache: BuildCache): void {
  const script = Buffer.from(files.find(({ name }) => name === commonNames.script)?.content ?? '').toString('utf8')
  // Throws before any file of this shard is in the stage: the old ones can still be kept.
  classicPagefind(script)
  cache.setPage(commonNames.script, script)
  cache.setPage(commonNames.entry, entry?.text ?? '')
}

/** The script knows all shards, the newest first. */
function stageScript(shards: readonly CachedShard[], { script, language, stage, cache }: SearchInput): FileRecord {
  const [pagefind, entry] = [cache.page(commonNames.script), cache.page(commonNames.entry)]
  if (pagefind === undefined || entry === undefined) throw new SearchError('The cache was changed during the build.')
  const entries = shards.map(({ path, hash, wasm, pages }) => ({ path, hash, wasm, pages })).reverse()
  const content = searchScript({ engine: script, pagefind, entry, language, shards: entries })
  return stage.put({ path: searchFile('search.js'), content })
}

function keepAll({ shards, script }: CachedSearch, stage: StagingArea): boolean {
  const files = [...shards.flatMap((shard) => shard.files), ...script]
  return files.every(({ path, hash }) => stage.keepUnchanged(path, hash))
}

function keepOld(old: CachedSearch | undefined, stage: StagingArea): void {
  if (old !== undefined) keepAll(old, stage)
}

// Builds shards of the search index in Pagefind's process while later sessions are still being rendered.

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
  add(pages: readonly SearchRecord[], share: number, source: ShardSource): void
  /** Waits for all that has begun and gives it by key: at most eight shards, some 3 MB each. */
  ready(): Promise<ReadonlyMap<string, SearchIndex>>
  /** Ends what is still going on, and Pagefind's process with it. */
  close(): Promise<void>
}

/** Work that ends with the signal; `add` makes it begin. Pagefind builds one shard at a time. */
export function searchAhead(signal: AbortSignal): SearchAhead {
  const closed = new AbortController()
  const ended = AbortSignal.any([signal, closed.signal])
  const pages: SearchRecord[] = []
  const built = new Map<string, SearchIndex>()
  let begun = 0
  let work = Promise.resolve()
  const build = async (shard: readonly SearchRecord[], source: ShardSource): Promise<void> => {
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

// One shard of the search index: what names it, and how it is built from the pruned pages in the cache.

/** What a shard is built from beside the list of its pages. */
interface ShardSource {
  language: string
  generator: string
  /** Holds the text of the pages. */
  cache: Pick<BuildCache, 'page'>
}

/** A text that differs where the bytes of a shard would. */
function shardKey(pages: readonly SearchRecord[], { language, generator }: ShardSource): string {
  return searchKey(pages, { language, generator })
}

/** Builds a shard in a Pagefind process of its own, one at a time. Throws as `buildSearchIndex` does. */
function buildShard(
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
