/** Fourth stage of a build: keeps the shards of the search index whose pages did not change, and builds the others. */

import type { SiteField } from '../config/plugins.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { loadSearchScript } from '../render/assets-fs.ts'
import type { FileRecord, IndexedPage, SearchRecord } from '../render/output.ts'
import { joinIndexes } from '../search/join.ts'
import { isData, isOfWords, joinWords, type SearchIndex, textsFolder } from '../search/pagefind-fs.ts'
import { classicPagefind, fileScript, packNames, searchScript } from '../search/script.ts'
import { SearchError } from '../search/service-fs.ts'
import { buildShard, planShards, type SearchAhead, searchKey, sizeOf } from '../search/shards.ts'
import { searchFile } from '../transcript/urls.ts'
import { pacer } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import type { BuildCache, CachedIndex, CachedSearch, CachedShard } from './cache/build-cache.ts'
import { type BuildContext, report } from './context.ts'
import type { StagingArea } from './output/site-staging-fs.ts'
import type { Transcribed } from './transcribe.ts'

/** Makes the search index of the rendered sessions. Returns the number of pages in it; 0 if the site has no search. */
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

/** What to index, and where the index goes. */
interface SearchInput {
  /** Pruned pages by path and hash; the cache contains their texts. */
  pages: readonly SearchRecord[]
  timeZone: string
  /** Whether the pages contain outputs of commands and tools. */
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
  /** Called for each page that has been added to the index. */
  passed?: ((page: IndexedPage) => void) | undefined
}

/** Parts of an index that are the same for all shards, by their names in the cache; only Pagefind's program can make them. */
const commonNames = { script: 'pagefind.js', entry: 'pagefind-entry.json' } as const

/** Stages the index. After a failure, the old index is kept if there is one, and a diagnostic reports it. */
export async function stageSearch(input: SearchInput): Promise<{ searched: number; diagnostics: Diagnostic[] }> {
  const { pages, stage, cache, dryRun } = input
  const old = cache.search()
  // Also read if nothing changes, because the cache forgets what a build does not ask for.
  const common = { script: cache.page(commonNames.script), entry: cache.page(commonNames.entry) }
  for (const shard of old?.shards ?? []) keepParts(shard, cache)
  const facts = JSON.stringify([input.timeZone, input.outputs, input.fields, pages.map((page) => page.facts)])
  const key = searchKey(pages, { ...input, script: sha256(`${input.script}${facts}`) })
  if (old?.key === key && keepAll(old, stage)) return { searched: pages.length, diagnostics: [] }
  if (dryRun) {
    keepAll(old, stage)
    return { searched: pages.length, diagnostics: [] }
  }
  const shards: CachedShard[] = []
  try {
    const job = { input, old: common.entry === undefined ? undefined : old, built: await input.ahead?.ready() }
    const joined = await stageShards(shards, job)
    const newest = shards.at(-1)
    const script = stageScript([...(newest ? [newest] : []), ...(joined ? [joined] : [])], input)
    cache.setSearch({ key, shards, joined, script })
    return { searched: pages.length, diagnostics: [] }
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    // Also keeps an index that the cache does not know, because another version or other options made it.
    stage.keepFolder(searchFile(''))
    // The shards built before the failure need not be built again.
    const kept = { key: old?.key ?? '', joined: old?.joined, script: old?.script ?? [] }
    cache.setSearch({ ...kept, shards: [...(old?.shards ?? []), ...shards] })
    return { searched: 0, diagnostics: [diagnostic('search-failed', {}, error.message)] }
  }
}

/** Fills `shards`, and returns the index into which all but the newest are joined, if there are several. */
async function stageShards(shards: CachedShard[], job: Job): Promise<CachedIndex | undefined> {
  const planned = plans(job.input)
  const closed = planned.slice(0, -1).map((plan) => plan.key)
  const key = sha256(closed.join('\n'))
  let joined = keptJoin(key, job)
  for (const plan of planned) {
    if (plan.folder === '' && shards.length > 0) joined ??= await stageJoin(key, shards, job.input)
    shards.push(await stageShard(plan, { ...job, isJoined: joined !== undefined }))
  }
  return joined
}

interface Plan {
  key: string
  /** Folder of the texts of its pages; empty for the newest shard, whose files are where Pagefind's own script looks. */
  folder: string
  pages: readonly IndexedPage[]
}

/** The plans of shards. The newest comes last, so that an earlier failure leaves the files whose names do not change. */
function plans(input: SearchInput): Plan[] {
  const { pages, generator } = input
  const shards = planShards(pages)
  return shards.map((shard, index) => {
    const key = searchKey(shard, { generator })
    return { key, folder: index === shards.length - 1 ? '' : `${key.slice(0, 10)}/`, pages: shard }
  })
}

/** Files of an index to write between two turns of the event loop. */
const maxStep = 64

interface Job {
  input: SearchInput
  old: CachedSearch | undefined
  /** Indexes that are already built, by key. */
  built: ReadonlyMap<string, SearchIndex> | undefined
}

interface ShardJob extends Job {
  /** Whether the joined index of all shards but the newest is already there. */
  isJoined: boolean
}

// Shards: each is built only if its pages changed.

async function stageShard(
  { key, folder, pages }: Plan,
  { input, old, built, isJoined }: ShardJob,
): Promise<CachedShard> {
  const { stage, cache, signal } = input
  const previous = old?.shards.find((shard) => shard.key === key && shard.folder === folder)
  const passAll = (): void => {
    for (const page of pages) input.passed?.(page)
  }
  if (previous !== undefined && isKept(previous, input, isJoined)) {
    passAll()
    return previous
  }
  const ready = built?.get(key)
  if (ready !== undefined) passAll()
  const index = ready ?? (await buildShard(pages, { ...input, tempDir: () => stage.tempDir() }, signal))
  if (folder === '') keepCommon(index, cache)
  const { files, parts } = await stageFiles(index, { key, folder }, input)
  const { pages: indexed, words } = index
  const { hash = '', wasm = null } = index.entry ?? {}
  return { key, folder, files, parts, pages: indexed, words, hash, wasm }
}

/** Stages the files of the newest shard. Of any other shard, stages the texts, and puts the rest into the cache. */
async function stageFiles(
  index: SearchIndex,
  { key, folder }: Pick<Plan, 'key' | 'folder'>,
  { stage, cache, signal }: SearchInput,
): Promise<Pick<CachedShard, 'files' | 'parts'>> {
  const files: FileRecord[] = []
  const parts: string[] = []
  const pace = pacer(maxStep, signal)
  for (const { name, read } of index.files) {
    if (folder === '') files.push(...putFile(name, read(), stage))
    else if (name.startsWith(textsFolder))
      files.push(...putFile(textsFolder + folder + name.slice(textsFolder.length), read(), stage))
    else if (isOfWords(name)) {
      cache.setPart(partName(key, name), read())
      parts.push(name)
    }
    if (pace.isDue()) await pace.pause()
  }
  return { files, parts }
}

/** Stages a file of the index, and the script that delivers it. */
function putFile(name: string, content: Uint8Array, stage: StagingArea): FileRecord[] {
  const file = stage.put({ path: searchFile(name), content })
  return isData(name)
    ? [file, stage.put({ path: searchFile(`${name}.js`), content: fileScript(name, content) })]
    : [file]
}

function partName(key: string, name: string): string {
  return `${key}/${name}`
}

function keepParts({ key, parts }: CachedShard, cache: BuildCache): boolean {
  return parts.map((name) => cache.keepPart(partName(key, name))).every(Boolean)
}

/** Whether a shard is complete as the last build left it, so that it can stay. */
function isKept(shard: CachedShard, { cache, stage }: SearchInput, isJoined: boolean): boolean {
  // The content of parts is checked only if they will be read.
  const hasParts = isJoined || shard.parts.every((name) => cache.part(partName(shard.key, name)) !== undefined)
  return hasParts && shard.files.every((file) => stage.keepUnchanged(file.path, file.hash))
}

function keepCommon({ files, entry }: SearchIndex, cache: BuildCache): void {
  const script = Buffer.from(files.find(({ name }) => name === commonNames.script)?.read() ?? '').toString('utf8')
  // Throws before any file of this shard is staged, while the old ones can still be kept.
  classicPagefind(script)
  cache.setPage(commonNames.script, script)
  cache.setPage(commonNames.entry, entry?.text ?? '')
}

// The index into which all shards but the newest are joined.

function keptJoin(key: string, { input, old }: Job): CachedIndex | undefined {
  const previous = old?.joined?.key === key ? old.joined : undefined
  return previous?.files.every(({ path, hash }) => input.stage.keepUnchanged(path, hash)) ? previous : undefined
}

async function stageJoin(key: string, shards: readonly CachedShard[], input: SearchInput): Promise<CachedIndex> {
  const { stage, cache, signal } = input
  const part = (shard: CachedShard, name: string): Uint8Array => {
    const content = cache.part(partName(shard.key, name))
    if (content === undefined) throw new SearchError('The cache was changed during the build.')
    return content
  }
  const files: FileRecord[] = []
  const pace = pacer(maxStep, signal)
  const joined = joinIndexes(
    shards.map((shard) => ({
      folder: shard.folder,
      table: part(shard, `pagefind.${shard.hash}.pf_meta`),
      read: (name) => part(shard, `index/${name}.pf_index`),
    })),
  )
  let step = joined.next()
  for (; !step.done; step = joined.next()) {
    files.push(...putFile(step.value.name, step.value.content, stage))
    if (pace.isDue()) await pace.pause()
  }
  const words = joinWords(shards.map((shard) => part(shard, shard.words)))
  files.push(...putFile(words.name, words.content, stage))
  const pages = shards.flatMap((shard) => shard.pages)
  return { key, files, pages, words: words.name, hash: step.value, wasm: shards[0]?.wasm ?? null }
}

/**
 * Stages the script, which knows the indexes, and before it the names that it completes. Without any page it finds nothing and
 * says so.
 */
function stageScript(
  indexes: readonly CachedIndex[],
  { pages, script, timeZone, outputs, fields = [], stage, cache }: SearchInput,
): FileRecord[] {
  const isEmpty = indexes.length === 0
  const pagefind = isEmpty ? '' : cache.page(commonNames.script)
  const entry = isEmpty ? '{}' : cache.page(commonNames.entry)
  if (pagefind === undefined || entry === undefined) throw new SearchError('The cache was changed during the build.')
  const facts = new Map(pages.map((page) => [page.path, page.facts]))
  const packed = packNames(facts)
  const names = `names.${sha256(packed).slice(0, 10)}.pf_names`
  const content = searchScript({ engine: script, pagefind, entry, indexes, facts, timeZone, outputs, fields, names })
  return [...putFile(names, packed, stage), stage.put({ path: searchFile('search.js'), content })]
}

function keepAll(old: CachedSearch | undefined, stage: StagingArea): boolean {
  if (old === undefined) return false
  const { shards, joined, script } = old
  const files = [...shards.flatMap((shard) => shard.files), ...(joined?.files ?? []), ...script]
  return files.every(({ path, hash }) => stage.keepUnchanged(path, hash))
}
