/** Fourth stage of a build: keeps the shards of the search index whose pages did not change, builds the others anew. */

import type { SiteField } from '../config/plugins.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { loadSearchScript } from '../render/assets-fs.ts'
import type { FileRecord, IndexedPage, SearchRecord } from '../render/output.ts'
import { buildShard, type SearchAhead, shardKey } from '../search/ahead.ts'
import { isCommon, isData, type SearchIndex } from '../search/pagefind-fs.ts'
import { classicPagefind, fileScript, packNames, packTables, searchScript } from '../search/script.ts'
import { SearchError } from '../search/service-fs.ts'
import { planShards, searchKey, sizeOf } from '../search/shards.ts'
import { searchFile } from '../transcript/urls.ts'
import { pacer } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import type { BuildCache, CachedSearch, CachedShard } from './cache/build-cache.ts'
import { type BuildContext, report } from './context.ts'
import type { StagingArea } from './output/site-staging-fs.ts'
import type { Transcribed } from './transcribe.ts'

/** Makes the search index of the rendered sessions. Gives the number of pages in it; 0 where the site has no search. */
export async function index(context: BuildContext, { sessions }: Transcribed): Promise<number> {
  const { site, staging, cache, host, options, ahead, isLocked } = context
  if (!site.search) return 0
  const pages = sessions.flatMap((session) => session.search)
  host.progress.stage('Indexing for search', pages.length, sizeOf(pages))
  const { searched, diagnostics } = await stageSearch({
    pages,
    timeZone: site.timeZone,
    outputs: site.searchOutputs === true,
    fields: site.pluginParts?.fields ?? [],
    generator: site.generator,
    script: await loadSearchScript(options.templatesDir, { locked: isLocked }),
    stage: staging,
    cache,
    signal: host.signal,
    dryRun: options.dryRun,
    ahead,
    passed: ({ size }) => host.progress.tick(1, size),
  })
  for (const item of diagnostics) report(context, item)
  return searched
}

/** What is to be indexed, and where the index goes. */
export interface SearchInput {
  /** Pruned pages by path and hash; the cache holds their text. */
  pages: readonly SearchRecord[]
  timeZone: string
  /** Outputs of commands and tools are in the pages. */
  outputs: boolean
  /** Fields of plugins. */
  fields?: readonly SiteField[]
  generator: string
  /** Text of the script that searches in the browser. */
  script: string
  stage: StagingArea
  cache: BuildCache
  signal: AbortSignal
  dryRun: boolean
  /** Shards that were built while pages were rendered. */
  ahead?: SearchAhead
  /** Hears of each page that is in the index by now. */
  passed?: ((page: IndexedPage) => void) | undefined
}

/** Under what the cache has the table of a shard: which pages it holds, and which file has which words. */
function tableName({ key }: Pick<CachedShard, 'key'>): string {
  return `${key}.pf_meta`
}

/** What of an index is the same for all shards, under names in the cache: Pagefind's program alone knows it. */
const commonNames = { script: 'pagefind.js', entry: 'pagefind-entry.json' } as const

/** Puts the index into the stage. A failure keeps the old index, where there is one, and says so. */
export async function stageSearch(input: SearchInput): Promise<{ searched: number; diagnostics: Diagnostic[] }> {
  const { pages, stage, cache, dryRun } = input
  const old = cache.search()
  // Also while nothing changes: what a build does not ask for, the cache forgets.
  const common = { script: cache.page(commonNames.script), entry: cache.page(commonNames.entry) }
  for (const shard of old?.shards ?? []) cache.page(tableName(shard))
  const facts = JSON.stringify([input.timeZone, input.outputs, input.fields, pages.map((page) => page.facts)])
  const key = searchKey(pages, { ...input, script: sha256(`${input.script}${facts}`) })
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
    const script = shards.length === 0 ? [] : stageScript(shards, input)
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
  pages: readonly IndexedPage[]
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
  const passAll = (): void => {
    for (const page of pages) input.passed?.(page)
  }
  if (known !== undefined && isKept(known, input)) {
    passAll()
    return known
  }
  const ready = built?.get(key)
  if (ready !== undefined) passAll()
  const index = ready ?? (await buildShard(pages, { ...input, tempDir: () => stage.tempDir() }, signal))
  if (path === '') keepCommon(index, cache)
  const files = await stageFiles(index, { key, path }, input)
  const { pages: indexed, words } = index
  return { key, path, files, pages: indexed, words, hash: index.entry?.hash ?? '', wasm: index.entry?.wasm ?? null }
}

async function stageFiles(
  index: SearchIndex,
  { key, path }: Pick<Plan, 'key' | 'path'>,
  { stage, cache, signal }: SearchInput,
): Promise<FileRecord[]> {
  const files: FileRecord[] = []
  const pace = pacer(maxStep, signal)
  for (const { name, read } of index.files) {
    if (path !== '' && isCommon(name)) continue
    const content = read()
    if (name.endsWith('.pf_meta')) cache.setPage(tableName({ key }), Buffer.from(content).toString('base64'))
    files.push(stage.put({ path: searchFile(path + name), content }))
    if (isData(name))
      files.push(stage.put({ path: searchFile(`${path}${name}.js`), content: fileScript(path + name, content) }))
    if (pace.isDue()) await pace.pause()
  }
  return files
}

/** Whether all of a shard is there as the last build left it, which then stays. */
function isKept(shard: CachedShard, { cache, stage }: SearchInput): boolean {
  return (
    cache.page(tableName(shard)) !== undefined && shard.files.every((file) => stage.keepUnchanged(file.path, file.hash))
  )
}

function keepCommon({ files, entry }: SearchIndex, cache: BuildCache): void {
  const script = Buffer.from(files.find(({ name }) => name === commonNames.script)?.read() ?? '').toString('utf8')
  // Throws before any file of this shard is in the stage: the old ones can still be kept.
  classicPagefind(script)
  cache.setPage(commonNames.script, script)
  cache.setPage(commonNames.entry, entry?.text ?? '')
}

/** The script, which knows all shards, the newest first, and before it the names that it completes. */
function stageScript(
  shards: readonly CachedShard[],
  { pages, script, timeZone, outputs, fields = [], stage, cache }: SearchInput,
): FileRecord[] {
  const [pagefind, entry] = [cache.page(commonNames.script), cache.page(commonNames.entry)]
  if (pagefind === undefined || entry === undefined) throw new SearchError('The cache was changed during the build.')
  const facts = new Map(pages.map((page) => [page.path, page.facts]))
  const newest = [...shards].reverse()
  const packed = packNames(facts)
  const names = `names.${sha256(packed).slice(0, 10)}.pf_names`
  const tables = shards.length > 1 ? packTables(newest.map((shard) => tableOf(shard, cache))) : undefined
  const content = searchScript({
    engine: script,
    pagefind,
    entry,
    shards: newest,
    facts,
    timeZone,
    outputs,
    fields,
    names,
    ...(tables && { tables: { name: tables.name, lengths: tables.lengths } }),
  })
  const put = (name: string, text: string | Uint8Array): FileRecord =>
    stage.put({ path: searchFile(name), content: text })
  const data = [{ name: names, packed }, ...(tables === undefined ? [] : [tables])]
  return [
    ...data.flatMap((file) => [
      put(file.name, file.packed),
      put(`${file.name}.js`, fileScript(file.name, file.packed)),
    ]),
    put('search.js', content),
  ]
}

function tableOf(shard: CachedShard, cache: BuildCache): Uint8Array {
  const table = cache.page(tableName(shard))
  if (table === undefined) throw new SearchError('The cache was changed during the build.')
  return Buffer.from(table, 'base64')
}

function keepAll({ shards, script }: CachedSearch, stage: StagingArea): boolean {
  const files = [...shards.flatMap((shard) => shard.files), ...script]
  return files.every(({ path, hash }) => stage.keepUnchanged(path, hash))
}

function keepOld(old: CachedSearch | undefined, stage: StagingArea): void {
  if (old !== undefined) keepAll(old, stage)
}
